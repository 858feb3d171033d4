import type { DatabaseSync } from 'node:sqlite';
import { type ChangeResult, decideChange } from '../../links/decide-change.ts';
import type { Link } from '../../links/link.ts';
import { type Change, chainChange, toChangeResult } from '../change.ts';
import { type LinkRow, TERM_COLUMNS, termValues, toLink } from '../link-rows.ts';
import { canBeStored, SQLITE } from '../sql/query.ts';
import { readLinkStatement } from '../sql/read-link.ts';
import { prepareCountLinks } from './count-links.ts';
import { prepareUpdateSearch } from './list-links.ts';
import { prepareRecordChange } from './record-change.ts';
import type { WriteBack } from './write-back.ts';
import { prepareWriteEvents } from './write-events.ts';

/** Prepares changing the terms of links, each with a record of who did. */
export function prepareChangeLinks(
  db: DatabaseSync,
  writeBack: WriteBack,
): (changes: Change[]) => ChangeResult[] {
  const select = db.prepare(readLinkStatement(SQLITE).text);
  const write = prepareWriteTerms(db);
  const recordChange = prepareRecordChange(db);
  const countLinks = prepareCountLinks(db);
  const updateSearch = prepareUpdateSearch(db);
  const writeEvents = prepareWriteEvents(db);

  function read(shortCode: string): Link | undefined {
    const row = select.get({ $1: shortCode }) as LinkRow | undefined;
    const current = row && writeBack.read(shortCode);
    return row && current && { ...toLink(row), ...current.state, history: current.head };
  }

  function changeLink({ shortCode, requested, change }: Change): ChangeResult {
    const before = canBeStored(shortCode) ? read(shortCode) : undefined;
    const decision = decideChange(before, requested, change.at);
    if (decision.result !== 'changed') return decision;
    const chained = chainChange(decision, change);
    const { link, from, entry, place, events } = chained;
    write(link);
    recordChange(entry, place);
    writeBack.writeLink(shortCode, { state: link, head: link.history });
    if (link.status !== from) countLinks({ [from]: -1, [link.status]: 1 });
    updateSearch(shortCode);
    writeEvents(events);
    return toChangeResult(chained);
  }

  return (changes) => changes.map(changeLink);
}

/** Returns the values of `TERM_COLUMNS`, as SQLite takes them. */
export function toTermValues(link: Parameters<typeof termValues>[0]): (string | number | null)[] {
  return termValues(link).map((value) => (typeof value === 'boolean' ? Number(value) : value));
}

/** Prepares writing the terms of a link to its rows. */
function prepareWriteTerms(db: DatabaseSync): (link: Link) => void {
  const updateState = db.prepare(
    `UPDATE link SET status = ?, max_views = ?, starts_at = ?, expires_at = ?, is_paused = ?, version = ?,
       definition_version = ? WHERE short_code = ?`,
  );
  const updateTarget = db.prepare(
    `UPDATE link_target SET ${TERM_COLUMNS.map((column) => `${column} = ?`)} WHERE short_code = ?`,
  );
  return (link) => {
    const { status, maxViews, startsAt, expiresAt, isPaused, version, definitionVersion, shortCode } = link;
    const versions = [version, definitionVersion];
    updateState.run(status, maxViews, startsAt, expiresAt, Number(isPaused), ...versions, shortCode);
    updateTarget.run(...toTermValues(link), shortCode);
  };
}
