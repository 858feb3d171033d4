import { decideResume, type ResumeRequest, type ResumeResult } from '../../core/model/decide-resume.ts';
import type { Lease } from '../../core/model/lease.ts';
import type { EpochMs } from '../../core/model/link.ts';
import { toUuid } from '../log-rows.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import { type Columns, type Commit, type Dialect, insertInto } from './query.ts';

const COLUMNS: Columns = {
  ...{ attempt_id: 'uuid', hash: 'text', short_code: 'text', file_id: 'text', ends_at: 'integer' },
  rest_bytes: 'integer',
};
const REST: Columns = { attempt_id: 'uuid', rest_bytes: 'integer' };

const selectLeases = ({ uuidToText, texts }: Dialect) =>
  `SELECT ${uuidToText('attempt_id')} AS "attemptId", hash, short_code AS "shortCode", file_id AS "fileId",
           ends_at AS "endsAt", rest_bytes AS "restBytes" FROM lease
         WHERE hash IN (SELECT value FROM ${texts('$1')})`;

const addRest = (dialect: Dialect) => `UPDATE lease SET rest_bytes = lease.rest_bytes + given.rest_bytes
         FROM ${dialect.given(REST)} WHERE lease.attempt_id = given.attempt_id`;

/** Deletes at most $2 leases that ended before $1. */
const DELETE_ENDED = `DELETE FROM lease WHERE attempt_id IN (
           SELECT attempt_id FROM lease WHERE ends_at < $1 ORDER BY ends_at LIMIT $2) RETURNING attempt_id`;

/** Inserts the leases of granted attempts. */
export function insertLeases({ dialect, write }: LinkTransaction, leases: readonly Lease[]): void {
  const rows = leases.map(({ attemptId, hash, shortCode, fileId, endsAt, restBytes }) => [
    ...[attemptId, hash, shortCode, fileId, endsAt, restBytes],
  ]);
  if (rows.length > 0) write(insertInto('lease', COLUMNS, dialect), dialect.values(COLUMNS, rows));
}

/** Adds to the bytes that the leases of attempts may still send. */
export function changeRest(
  { dialect, write }: LinkTransaction,
  byAttempt: ReadonlyMap<string, number>,
): void {
  const rows = [...byAttempt].filter(([, bytes]) => bytes !== 0);
  if (rows.length > 0) write(addRest(dialect), dialect.values(REST, rows));
}

/** Lets leases send more, as `decideResume` decides. The lock of its link orders all changes of a lease. */
export async function resumeDownloads(
  transaction: LinkTransaction,
  requests: readonly ResumeRequest[],
): Promise<(ResumeResult | typeof LOCKED)[]> {
  const { links, heldElsewhere } = await transaction.lock(requests.map(({ shortCode }) => shortCode));
  const hashes = JSON.stringify(requests.map(({ hash }) => hash));
  const found = await transaction.query<Lease>(selectLeases(transaction.dialect), [hashes]);
  const leases = new Map(
    found.map((lease) => [lease.hash, { ...lease, attemptId: toUuid(lease.attemptId) }]),
  );
  const changes = new Map<string, number>();
  const results = requests.map((request) => {
    const { hash, shortCode, chargedBytes } = request;
    if (heldElsewhere.has(shortCode)) return LOCKED;
    const lease = leases.get(hash);
    const result = decideResume(lease, links.get(shortCode)?.state, request);
    if (lease && result.verdict === 'GRANTED') {
      lease.restBytes -= chargedBytes;
      changes.set(lease.attemptId, (changes.get(lease.attemptId) ?? 0) - chargedBytes);
    }
    return result;
  });
  changeRest(transaction, changes);
  return results;
}

/** Returns the operation that deletes leases. */
export function createLeaseDeletion(commit: Commit) {
  return {
    deleteEndedLeases: (now: EpochMs, limit: number): Promise<number> =>
      commit(async (query) => (await query(DELETE_ENDED, [now, limit])).length),
  };
}
