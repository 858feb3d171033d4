import { EMPTY_CHAIN, nextPlace } from '../../links/chain.ts';
import { type CreationResult, decideCreations, fileIdsOf } from '../../links/decide-creations.ts';
import {
  type ChainedCreation,
  type Creation,
  chainCreation,
  countStatuses,
  toCreationEvents,
  toInitialState,
  toViewed,
} from '../creation.ts';
import { TERM_COLUMNS } from '../link-rows.ts';
import { toNewEntry } from '../list-entry.ts';
import type { Statement } from '../sql/query.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import { lockRequests, writeResponses } from './idempotent-requests.ts';
import { listLinks } from './list-links.ts';
import { prepareRankTopLinks } from './rank-top-links.ts';
import { columnsOfChanges, insertChanges } from './record-changes.ts';
import { termLists, termParameters } from './term-columns.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';
import { writeEvents } from './write-events.ts';

const SELECT_TAKEN: Statement = {
  name: 'select-taken-short-codes',
  text: 'SELECT short_code FROM link WHERE short_code = ANY($1::text[])',
};
const LOCK_UPLOADS: Statement = {
  name: 'lock-uploads',
  text: `SELECT file_id FROM upload WHERE file_id = ANY($1::text[]) AND NOT taken ORDER BY file_id FOR UPDATE`,
};
/** When instances draw one short code at the same moment, the first to insert it gets it. */
const INSERT_LINKS: Statement = {
  name: 'insert-links',
  text: `INSERT INTO link (short_code, max_views, starts_at, expires_at, created_at, entry_count, fingerprint, status,
           view_count, is_paused, last_id)
         SELECT short_code, max_views, starts_at, expires_at, created_at, entry_count, decode(fingerprint, 'hex'),
           status, view_count, is_paused, last_id
         FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
             $8::text[], $9::bigint[], $10::boolean[], $11::uuid[])
           AS new_link (short_code, max_views, starts_at, expires_at, created_at, entry_count, fingerprint, status,
             view_count, is_paused, last_id)
         ORDER BY short_code
         ON CONFLICT (short_code) DO NOTHING RETURNING short_code`,
};
/** Writes the targets and who created them in one statement, as commit-attempts.ts does. */
const INSERT_TARGETS: Statement = {
  name: 'insert-targets',
  text: `WITH target AS (
           INSERT INTO link_target (short_code, file_id, file_name, file_size_bytes, file_sha256, token_hash, creator,
             ${TERM_COLUMNS})
           SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[],
             ${termParameters(8)}))
         ${insertChanges(8 + TERM_COLUMNS.length)}`,
};
const DELETE_UPLOADS: Statement = {
  name: 'delete-uploads',
  text: 'DELETE FROM upload WHERE file_id = ANY($1::text[])',
};

/** Commits those links of a batch in one transaction that can be created, and who created them. */
export function prepareCreateLinks(
  connections: Connections,
  nextSlot: () => number,
): (creations: Creation[]) => Promise<CreationResult[]> {
  const rankTopLinks = prepareRankTopLinks();
  return async (creations) => {
    const { results, onCommitted } = await inIdempotentTransaction(connections, async (transaction) => {
      const links = creations.map(({ link }) => link);
      const requests = await lockRequests(transaction, creations);
      const [takenRows, uploads] = await Promise.all([
        transaction.read<{ short_code: string }>(SELECT_TAKEN, [links.map(({ shortCode }) => shortCode)]),
        transaction.read<{ file_id: string }>(LOCK_UPLOADS, [fileIdsOf(links)]),
      ]);
      const taken = new Set(takenRows.map((row) => row.short_code));
      const known = { uploads: uploads.map((row) => row.file_id), requests: requests.known };
      const results = decideCreations(creations, known, ({ link: { shortCode } }) => {
        const isFree = !taken.has(shortCode);
        taken.add(shortCode);
        return isFree;
      });
      const wanted = creations.filter((_, index) => results[index] === 'created').map(chainCreation);
      const inserted = wanted.length > 0 ? await insertLinks(transaction, wanted) : new Set<string>();
      const created = wanted.filter(({ link }) => inserted.has(link.shortCode));
      let onCommitted = () => {};
      if (created.length > 0) {
        insertTargets(transaction, created);
        listLinks(transaction, created.map(toNewEntry));
        countLinks(transaction, nextSlot(), countStatuses(created));
        onCommitted = await rankTopLinks(transaction, new Map(), toViewed(created));
      }
      writeEvents(transaction, toCreationEvents(created));
      writeResponses(transaction, created, requests);
      const decided = results.map((result, index) => {
        const lostRace = result === 'created' && !inserted.has(links[index]?.shortCode ?? '');
        return lostRace ? 'short-code-taken' : result;
      });
      return { results: decided, onCommitted };
    });
    onCommitted();
    return results;
  };
}

/** Inserts links and returns the short codes of those that no other instance inserted meanwhile. */
async function insertLinks(
  transaction: Transaction,
  creations: readonly ChainedCreation[],
): Promise<Set<string>> {
  const links = creations.map(({ link }) => link);
  const heads = creations.map(({ head }) => head);
  const states = links.map(toInitialState);
  const rows = await transaction.read<{ short_code: string }>(INSERT_LINKS, [
    links.map((link) => link.shortCode),
    links.map((link) => link.maxViews),
    links.map((link) => link.startsAt),
    links.map((link) => link.expiresAt),
    links.map((link) => link.createdAt),
    heads.map(({ entryCount }) => entryCount),
    heads.map(({ fingerprint }) => fingerprint),
    states.map(({ status }) => status),
    states.map(({ viewCount }) => viewCount),
    states.map(({ isPaused }) => isPaused),
    heads.map(({ lastId }) => lastId),
  ]);
  return new Set(rows.map((row) => row.short_code));
}

function insertTargets(transaction: Transaction, creations: readonly ChainedCreation[]): void {
  const links = creations.map(({ link }) => link);
  const files = links.map(({ target }) => (target.type === 'DOWNLOAD' ? target.file : null));
  transaction.write(INSERT_TARGETS, [
    links.map(({ shortCode }) => shortCode),
    files.map((file) => file?.fileId ?? null),
    files.map((file) => file?.fileName ?? null),
    files.map((file) => file?.sizeBytes ?? null),
    files.map((file) => file?.sha256 ?? null),
    links.map(({ tokenHash }) => tokenHash),
    links.map(({ creator }) => creator),
    ...termLists(links),
    ...columnsOfChanges(creations.map(({ entry }) => ({ entry, place: nextPlace(EMPTY_CHAIN) }))),
  ]);
  transaction.write(DELETE_UPLOADS, [fileIdsOf(links)]);
}
