import type { Attempt } from '../../core/model/attempt.ts';
import type { EpochMs } from '../../core/model/link.ts';
import type { RecipientCode } from '../../core/model/recipient-code.ts';
import { type CodeChanges, keyOfCode } from '../apply-attempts.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { type Columns, type Commit, type Dialect, insertInto } from './query.ts';

const COLUMNS: Columns = {
  ...{ browser_hash: 'text', short_code: 'text', address: 'text', code_hash: 'text' },
  ...{ tries_left: 'integer', ends_at: 'integer' },
};
const KEY: Columns = { browser_hash: 'text', short_code: 'text' };

const selectCodes = ({ texts }: Dialect) =>
  `SELECT browser_hash AS "browserHash", short_code AS "shortCode", address, code_hash AS "codeHash",
           tries_left AS "triesLeft", ends_at AS "endsAt" FROM recipient_code
         WHERE browser_hash IN (SELECT value FROM ${texts('$1')})`;

const upsertCodes = (dialect: Dialect) => `${insertInto('recipient_code', COLUMNS, dialect)} WHERE true
         ON CONFLICT (browser_hash, short_code) DO UPDATE SET address = excluded.address,
           code_hash = excluded.code_hash, tries_left = excluded.tries_left, ends_at = excluded.ends_at`;

const deleteCodes = (dialect: Dialect) => `DELETE FROM recipient_code WHERE EXISTS (
           SELECT 1 FROM ${dialect.given(KEY)} WHERE recipient_code.browser_hash = given.browser_hash
             AND recipient_code.short_code = given.short_code)`;

/** Deletes at most $2 codes that ended before $1, and none that replaced one of them meanwhile. */
const DELETE_ENDED = `DELETE FROM recipient_code WHERE (browser_hash, short_code) IN (
           SELECT browser_hash, short_code FROM recipient_code WHERE ends_at < $1 ORDER BY ends_at LIMIT $2)
           AND ends_at < $1 RETURNING short_code`;

/** Reads the codes of the browsers of attempts. The lock of their link orders all changes of a code. */
export async function readCodes(
  { dialect, query }: LinkTransaction,
  attempts: readonly Attempt[],
): Promise<Map<string, RecipientCode>> {
  const browsers = attempts.flatMap(({ prechecks }) =>
    typeof prechecks === 'object' && typeof prechecks.recipient === 'object'
      ? [prechecks.recipient.browserHash]
      : [],
  );
  if (browsers.length === 0) return new Map();
  const codes = await query<RecipientCode>(selectCodes(dialect), [JSON.stringify(browsers)]);
  return new Map(codes.map((code) => [keyOfCode(code), code]));
}

/** Writes new codes and the tries of others, and deletes those that were used. */
export function writeCodes({ dialect, write }: LinkTransaction, changes: CodeChanges): void {
  const kept = [...changes.values()].flatMap(({ after }) => (after ? [after] : []));
  const used = [...changes.values()].filter(({ after }) => after === undefined);
  const rows = kept.map(({ browserHash, shortCode, address, codeHash, triesLeft, endsAt }) => [
    ...[browserHash, shortCode, address, codeHash, triesLeft, endsAt],
  ]);
  const keys = used.map(({ browserHash, shortCode }) => [browserHash, shortCode]);
  if (rows.length > 0) write(upsertCodes(dialect), dialect.values(COLUMNS, rows));
  if (keys.length > 0) write(deleteCodes(dialect), dialect.values(KEY, keys));
}

/** Returns the operation that deletes codes. */
export function createCodeDeletion(commit: Commit) {
  return {
    deleteEndedCodes: (now: EpochMs, limit: number): Promise<number> =>
      commit(async (query) => (await query(DELETE_ENDED, [now, limit])).length),
  };
}
