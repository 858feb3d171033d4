import type { EpochMs } from '../../core/model/link.ts';
import type { Digest } from '../../core/model/stored-file.ts';
import { PLAIN_NAMES, termOf } from '../../core/model/terms.ts';
import type { EndedPart, ErasureStore } from '../../core/ports/erasures.ts';
import { columnOf, ERASED_REQUEST } from '../link-rows.ts';
import { isOneOf } from './erase.ts';
import { ERASED_PREFIX, HAS_NO_FILE, isMarked, PASSED_ON_PREFIX } from './file-marks.ts';
import { deleteParts, renameParts } from './file-sets.ts';
import type { LinkTransaction } from './link-transaction.ts';
import type { Query } from './query.ts';
import { enterTakenFiles } from './upload-ledger.ts';

/** Links that one read looks at. */
const READ_AT_ONCE = 5_000;
const IS_REVOKED = `EXISTS (SELECT 1 FROM link WHERE link.short_code = link_target.short_code AND status = 'REVOKED')`;
/** Rows of `link_target` whose file was erased. */
export const IS_ERASED_FILE = `${isMarked(ERASED_PREFIX)} AND ${IS_REVOKED}`;
/** Rows of `link_target` that have no file any more. Only a revoked link can lack its file without a loss. */
export const IS_WITHOUT_FILE = `(${HAS_NO_FILE}) AND ${IS_REVOKED}`;
/** Marks the file of the revoked link $1 as that of the link which continues it. */
export const PASS_FILE_ON = `UPDATE link_target SET file_id = '${PASSED_ON_PREFIX}' || short_code WHERE short_code = $1`;

const URL_COLUMNS = PLAIN_NAMES.filter((name) => termOf(name).kind === 'url').map(columnOf);

/** The rows of `link_target` that still have a part, and how it is erased. The empty text stands for what was erased. */
const PARTS: Record<EndedPart, { has: string; erase: string }> = {
  TERMS: {
    has: `coalesce(target_url, file_name, nullif(file_request, '${ERASED_REQUEST}'), '') <> ''`,
    erase: `target_url = CASE WHEN target_url IS NOT NULL THEN '' END,
            file_request = CASE WHEN file_request IS NOT NULL THEN '${ERASED_REQUEST}' END, file_name = CASE WHEN file_id IS NOT NULL THEN '' END,
            token_hash = NULL, team = NULL, ${URL_COLUMNS.map((column) => `${column} = NULL`).join(', ')},
            owner = CASE WHEN owner LIKE 'KEY %' THEN 'KEY' WHEN owner LIKE 'USER %' THEN 'USER' ELSE owner END`,
  },
  FILE: {
    has: `file_id IS NOT NULL AND NOT (${HAS_NO_FILE})`,
    erase: `file_id = '${ERASED_PREFIX}' || file_id`,
  },
};

/** Returns a function that finds links that may have ended. Whether they have is decided in src/core/use-cases/erase/retention.ts. */
export function createFindEnded(query: Query): ErasureStore['findEnded'] {
  return async (part, before, after) => {
    const rows = await query<{ code: string; wanted: number }>(
      `SELECT short_code AS code,
         CASE WHEN created_at < $1 AND (status <> 'ACTIVE' OR expires_at < $1 OR view_count >= max_views)
           AND EXISTS (SELECT 1 FROM link_target WHERE link_target.short_code = link.short_code AND ${PARTS[part].has})
         THEN 1 ELSE 0 END AS wanted
       FROM link WHERE short_code > $2 ORDER BY short_code LIMIT ${READ_AT_ONCE}`,
      [before, after],
    );
    const shortCodes = rows.filter(({ wanted }) => wanted === 1).map(({ code }) => code);
    return { shortCodes, next: rows.length < READ_AT_ONCE ? null : (rows.at(-1)?.code ?? null) };
  };
}

/** Erases a part of revoked links. Their files are given to the sweep. */
export async function erasePart(
  transaction: LinkTransaction,
  part: EndedPart,
  shortCodes: readonly string[],
  at: EpochMs,
): Promise<number> {
  const { dialect, query } = transaction;
  await query(dialect.lockProjector);
  const { has, erase } = PARTS[part];
  const erased = await query<{ code: string; quotaOwner: string; file: string | null } & Digest>(
    `UPDATE link_target SET ${erase} WHERE ${isOneOf(dialect, 'link_target')} AND ${has} AND ${IS_REVOKED}
     RETURNING short_code AS code, owner AS "quotaOwner", file_id AS file, file_size_bytes AS "sizeBytes", file_sha256 AS sha256`,
    [JSON.stringify(shortCodes)],
  );
  const files = erased.flatMap(({ code: _, file, ...digest }) =>
    file === null ? [] : { fileId: file, ...digest },
  );
  const fileIds = files.map(({ fileId }) => fileId);
  if (part === 'TERMS') {
    deleteParts(transaction, fileIds);
    await transaction.updateSearch(erased.map(({ code }) => code));
  } else {
    renameParts(transaction, fileIds, ERASED_PREFIX); // they are terms, which may stay longer
    const taken = files.map((file) => ({ ...file, fileId: file.fileId.slice(ERASED_PREFIX.length) }));
    enterTakenFiles(transaction, taken, at);
  }
  return erased.length;
}
