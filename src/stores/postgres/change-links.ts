import { type ChangeResult, decideChange } from '../../links/decide-change.ts';
import type { LinkStatus } from '../../links/link.ts';
import { type ChainedChange, type Change, chainChange, toChangeResult } from '../change.ts';
import { type LinkRow, TERM_COLUMNS, toLink } from '../link-rows.ts';
import { POSTGRES, type Statement } from '../sql/query.ts';
import { linkColumns } from '../sql/read-link.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { updateSearch } from './list-links.ts';
import { type LockStrategy, prepareLockLinks } from './lock-links.ts';
import { LOCKED } from './lock-wait-queue.ts';
import { columnsOfChanges, insertChanges } from './record-changes.ts';
import { termLists, termParameters } from './term-columns.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';
import { writeEvents } from './write-events.ts';

const SELECT: Statement = {
  name: 'select-links',
  text: `SELECT short_code, ${linkColumns(POSTGRES)}
         FROM link JOIN link_target USING (short_code) WHERE link.short_code = ANY($1::text[])`,
};
const UPDATE_STATES: Statement = {
  name: 'change-link-states',
  text: `UPDATE link SET status = changed.status, max_views = changed.max_views, starts_at = changed.starts_at,
           expires_at = changed.expires_at, is_paused = changed.is_paused, version = changed.version,
           definition_version = changed.definition_version, entry_count = changed.entry_count,
           fingerprint = decode(changed.fingerprint, 'hex'), last_id = changed.last_id
         FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[], $7::bigint[],
             $8::bigint[], $9::bigint[], $10::text[], $11::uuid[])
           AS changed (short_code, status, max_views, starts_at, expires_at, is_paused, version, definition_version,
             entry_count, fingerprint, last_id)
         WHERE link.short_code = changed.short_code`,
};
/** Writes the definitions and who changed them in one statement, as create-links.ts does. */
const UPDATE_TARGETS: Statement = {
  name: 'change-link-targets',
  text: `WITH target AS (
           UPDATE link_target SET ${TERM_COLUMNS.map((column) => `${column} = changed.${column}`)}
           FROM unnest($1::text[], ${termParameters(2)}) AS changed (short_code, ${TERM_COLUMNS})
           WHERE link_target.short_code = changed.short_code)
         ${insertChanges(2 + TERM_COLUMNS.length)}`,
};

/** Prepares changing the terms of links, each with a record of who did. */
export function prepareChangeLinks(connections: Connections, nextSlot: () => number) {
  return (changes: Change[], strategy: LockStrategy): Promise<(ChangeResult | typeof LOCKED)[]> => {
    const lockLinks = prepareLockLinks([...new Set(changes.map(({ shortCode }) => shortCode))], strategy);
    return inIdempotentTransaction(connections, async (transaction) => {
      const locked = await lockLinks(transaction);
      const rows = await transaction.read<LinkRow>(SELECT, [[...locked.links.keys()]]);
      const links = new Map(rows.map((row) => [row.short_code, toLink(row)]));
      const changed: ChainedChange[] = [];
      const results = changes.map(({ shortCode, requested, change }) => {
        if (locked.heldElsewhere.has(shortCode)) return LOCKED;
        const decision = decideChange(links.get(shortCode), requested, change.at);
        if (decision.result !== 'changed') return decision;
        const chained = chainChange(decision, change);
        links.set(shortCode, chained.link);
        changed.push(chained);
        return toChangeResult(chained);
      });
      if (changed.length > 0) await writeChanges(transaction, nextSlot(), changed);
      return results;
    });
  };
}

async function writeChanges(
  transaction: Transaction,
  slot: number,
  changed: readonly ChainedChange[],
): Promise<void> {
  const links = [...new Map(changed.map(({ link }) => [link.shortCode, link])).values()];
  const shortCodes = links.map(({ shortCode }) => shortCode);
  transaction.write(UPDATE_STATES, [
    shortCodes,
    links.map(({ status }) => status),
    links.map(({ maxViews }) => maxViews),
    links.map(({ startsAt }) => startsAt),
    links.map(({ expiresAt }) => expiresAt),
    links.map(({ isPaused }) => isPaused),
    links.map(({ version }) => version),
    links.map(({ definitionVersion }) => definitionVersion),
    links.map(({ history }) => history.entryCount),
    links.map(({ history }) => history.fingerprint),
    links.map(({ history }) => history.lastId),
  ]);
  transaction.write(UPDATE_TARGETS, [shortCodes, ...termLists(links), ...columnsOfChanges(changed)]);
  const counts: Partial<Record<LinkStatus, number>> = {};
  for (const { link, from } of changed) {
    if (link.status === from) continue;
    counts[from] = (counts[from] ?? 0) - 1;
    counts[link.status] = (counts[link.status] ?? 0) + 1;
  }
  if (Object.keys(counts).length > 0) countLinks(transaction, slot, counts);
  await updateSearch(transaction, shortCodes);
  writeEvents(
    transaction,
    changed.flatMap(({ events }) => events),
  );
}
