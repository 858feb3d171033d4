import { formatParts, readParts } from '../../core/model/file-parts.ts';
import type { EpochMs } from '../../core/model/link.ts';
import {
  type AddedBytes,
  type NewUpload,
  type ResumableUpload,
  UPLOAD_LOCK_MS,
  type UploadedPart,
  type UploadFiles,
  type UploadLock,
} from '../../core/model/resumable-upload.ts';
import type { QuotaRefusal, WantedSpace } from '../../core/model/storage-quota.ts';
import type { Digest } from '../../core/model/stored-file.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { type Columns, type Commit, type Dialect, insertInto, type Statement } from './query.ts';
import { refuseBeyondQuota } from './space.ts';

const ENTRY_COLUMNS: Columns = { file_id: 'text', active_at: 'integer' };
const TAKEN_COLUMNS: Columns = {
  ...{ ...ENTRY_COLUMNS, taken: 'truth' },
  ...{ size_bytes: 'integer', sha256: 'text', quota_owner: 'text' },
};
const COLUMNS: Columns = {
  ...ENTRY_COLUMNS,
  ...{ owner: 'text', file_name: 'text', size_bytes: 'integer', files: 'text', metadata: 'text' },
  ...{ offset_bytes: 'integer', quota_owner: 'text' },
};

const ABANDON = `UPDATE upload SET taken = true
         WHERE file_id = $1 AND lock_token IS NOT DISTINCT FROM $2 RETURNING file_id`;
/** Gives those uploads to the next sweep that one request sends. No other process may receive any. */
export const EXPIRE_INTERRUPTED = 'UPDATE upload SET active_at = 0 WHERE owner IS NULL AND NOT taken';
const CHARGE = 'UPDATE upload SET quota_owner = $2 WHERE file_id = $1 AND NOT taken RETURNING file_id';
const DELETE = 'DELETE FROM upload WHERE file_id = $1 RETURNING file_id';

/** A lock ends by itself. One that ends later than any new one was set by a clock that was ahead. */
const LOCK = `UPDATE upload SET lock_token = $2, lock_ends_at = $3, lock_wanted = false
         WHERE file_id = $1 AND owner = $4 AND NOT taken
           AND (lock_token IS NULL OR lock_ends_at <= $5 OR lock_ends_at - ${UPLOAD_LOCK_MS} > $3)
         RETURNING file_id AS "fileId", owner, file_name AS "fileName", size_bytes AS "sizeBytes",
           metadata, offset_bytes AS "offsetBytes", state, sha256, active_at AS "activeAt"`;
const READ_FILES = 'SELECT files, parts FROM upload WHERE file_id = $1';
const WANT_LOCK = `UPDATE upload SET lock_wanted = true WHERE file_id = $1 AND owner = $2 AND NOT taken RETURNING file_id`;
/** The completion of a file goes on for the request that waits: it would have to begin again. */
const RENEW_LOCK = `UPDATE upload SET lock_ends_at = $3
         WHERE file_id = $1 AND lock_token = $2 AND (NOT lock_wanted OR offset_bytes = size_bytes) AND NOT taken
         RETURNING file_id`;
const UNLOCK = `UPDATE upload SET lock_token = NULL WHERE file_id = $1 AND lock_token = $2 RETURNING file_id`;
const SAVE = `UPDATE upload SET offset_bytes = $4, state = $5, sha256 = $6, parts = $7, lock_token = $9,
           active_at = CASE WHEN $4 > offset_bytes THEN $8 ELSE active_at END
         WHERE file_id = $1 AND lock_token = $2 AND offset_bytes = $3 AND sha256 IS NULL AND NOT taken RETURNING file_id`;

const OWNERS = `SELECT DISTINCT owner FROM upload WHERE NOT taken AND owner LIKE $1`;
const SUM_OTHERS = `SELECT CAST(coalesce(sum(offset_bytes), 0) AS BIGINT) AS bytes FROM upload
         WHERE owner = $2 AND file_id <> $1 AND NOT taken`;

const toFiles = (rows: [string, number][]): UploadedPart[] =>
  rows.map(([fileName, sizeBytes]) => ({ fileName, sizeBytes }));

function toRow({ fileId, at, resumable, space }: BegunUpload) {
  const { quotaOwner = null, bytes = null } = space ?? {};
  if (!resumable) return [fileId, at, null, null, bytes, null, null, null, quotaOwner];
  const { owner, fileName, sizeBytes, files, metadata } = resumable;
  const listed = files && JSON.stringify(files.map((file) => [file.fileName, file.sizeBytes]));
  return [fileId, at, owner, fileName, sizeBytes, listed, metadata, 0, quotaOwner];
}

/** An upload that begins. */
export type BegunUpload = {
  fileId: string;
  at: EpochMs;
  resumable?: NewUpload | undefined;
  space?: WantedSpace | undefined;
};

const lockPending = ({
  texts,
  forUpdate,
}: Dialect): Statement => `SELECT file_id FROM upload WHERE file_id IN (SELECT value FROM ${texts('$1')}) AND NOT taken
         ORDER BY file_id ${forUpdate}`;

/** Locks those of these uploads that are not abandoned, and returns their ids. */
export async function lockUploads(
  { dialect, query }: LinkTransaction,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (fileIds.length === 0) return new Set();
  const rows = await query<{ file_id: string }>(lockPending(dialect), [JSON.stringify(fileIds)]);
  return new Set(rows.map((row) => row.file_id));
}

/** Removes the uploads from the ledger that links take over. */
export function takeUploads({ dialect, write }: LinkTransaction, fileIds: readonly string[]): void {
  const statement = `DELETE FROM upload WHERE file_id IN (SELECT value FROM ${dialect.texts('$1')})`;
  if (fileIds.length > 0) write(statement, [JSON.stringify(fileIds)]);
}

/** A file that was taken from a link of the owner `quotaOwner`. */
export type TakenFile = { fileId: string; quotaOwner: string } & Digest;

/** Enters files that were taken from links, as if their uploads began now: the sweep leaves them a day. */
export function enterTakenFiles(
  { dialect, write }: LinkTransaction,
  files: readonly TakenFile[],
  at: EpochMs,
): void {
  const rows = files.map(({ fileId, sizeBytes, sha256, quotaOwner }) => [
    fileId,
    at,
    true,
    sizeBytes,
    sha256,
    quotaOwner,
  ]);
  if (rows.length > 0)
    write(insertInto('upload', TAKEN_COLUMNS, dialect), dialect.values(TAKEN_COLUMNS, rows));
}

/** Returns the statements that take uploads away from their clients. */
function claimsOf({ forUpdate }: Dialect) {
  /** Skips an upload that a link takes over at this moment, and one that another sweep claims. */
  const skipLocked = forUpdate && `${forUpdate} SKIP LOCKED`;
  const claimStale = `UPDATE upload SET taken = true WHERE file_id IN (
             SELECT file_id FROM upload WHERE active_at < $1 AND (lock_token IS NULL OR lock_ends_at < $4) AND file_id > $3
             ORDER BY file_id LIMIT $2 ${skipLocked})
           RETURNING file_id`;
  const withdraw = `UPDATE upload SET taken = true, active_at = 0 WHERE file_id IN (
             SELECT file_id FROM upload WHERE active_at < $1 AND (lock_token IS NULL OR lock_ends_at < $1) AND owner = $3 AND NOT taken
             ORDER BY active_at LIMIT $2 ${skipLocked})
           RETURNING file_id`;
  return { claimStale, withdraw };
}

/** The operations after which an upload takes the space of an owner. */
function reserveSpace(commit: Commit, dialect: Dialect) {
  const { values } = dialect;
  const insert = insertInto('upload', COLUMNS, dialect);
  return {
    beginUploads: (uploads: BegunUpload[]): Promise<(QuotaRefusal | null)[]> =>
      commit(async (query) => {
        const refusals = await refuseBeyondQuota(query, dialect, uploads);
        const begun = uploads.filter((_, index) => refusals[index] === null);
        if (begun.length > 0) await query(insert, values(COLUMNS, begun.map(toRow)));
        return refusals;
      }),
    chargeUpload: (fileId: string, { quota, ...wanted }: WantedSpace): Promise<QuotaRefusal | null> =>
      commit(async (query) => {
        const space = { ...wanted, quota: { ...quota, totalBytes: null } };
        const [refusal = null] = await refuseBeyondQuota(query, dialect, [{ space }]);
        if (refusal === null) await query(CHARGE, [fileId, space.quotaOwner]);
        return refusal;
      }),
  };
}

/**
 * Returns the operations of the upload ledger. The service deletes only files that it names: a scan for those without a
 * link would delete those of another database after a wrong path or a restore.
 */
export function createUploadLedger(commit: Commit, dialect: Dialect) {
  const { claimStale, withdraw } = claimsOf(dialect);
  return {
    ...reserveSpace(commit, dialect),
    lockUpload: ({ fileId, token, now }: UploadLock, owner: string) =>
      commit(async (query): Promise<ResumableUpload | 'locked' | 'gone'> => {
        const [upload] = await query<ResumableUpload>(LOCK, [
          fileId,
          token,
          now + UPLOAD_LOCK_MS,
          owner,
          now,
        ]);
        if (upload) return upload;
        return (await query(WANT_LOCK, [fileId, owner])).length === 1 ? 'locked' : 'gone';
      }),
    readUploadFiles: (fileId: string) =>
      commit(async (query): Promise<UploadFiles> => {
        const [row] = await query<Record<'files' | 'parts', string | null>>(READ_FILES, [fileId]);
        const { files, parts } = row ?? {};
        return {
          files: files ? toFiles(JSON.parse(files) as [string, number][]) : null,
          parts: parts ? readParts(parts) : null,
        };
      }),
    renewUploadLock: ({ fileId, token, now }: UploadLock): Promise<boolean> =>
      commit(async (query) => (await query(RENEW_LOCK, [fileId, token, now + UPLOAD_LOCK_MS])).length === 1),
    unlockUpload: ({ fileId, token }: UploadLock): Promise<void> =>
      commit(async (query) => void (await query(UNLOCK, [fileId, token]))),
    saveUpload: ({ fileId, token, now, fromBytes, offsetBytes, state, digest, unlocks }: AddedBytes) =>
      commit(async (query): Promise<boolean> => {
        const ofFile = [digest?.sha256 ?? null, digest?.parts ? formatParts(digest.parts) : null];
        const values = [fileId, token, fromBytes, offsetBytes, state, ...ofFile, now, unlocks ? null : token];
        return (await query(SAVE, values)).length === 1;
      }),
    abandonUpload: (fileId: string, token: string | null = null): Promise<boolean> =>
      commit(async (query) => (await query(ABANDON, [fileId, token])).length === 1),
    claimStaleUploads: (
      activeBefore: EpochMs,
      limit: number,
      after = '',
      now = activeBefore,
    ): Promise<string[]> =>
      commit(async (query) => {
        const claimed = await query<{ file_id: string }>(claimStale, [activeBefore, limit, after, now]);
        return claimed.map((row) => row.file_id).sort();
      }),
    withdrawUploads: (owner: string, idleBefore: EpochMs, limit: number): Promise<number> =>
      commit(async (query) => (await query(withdraw, [idleBefore, limit, owner])).length),
    readUploadOwners: (prefix: string): Promise<string[]> =>
      commit(async (query) =>
        (await query<{ owner: string }>(OWNERS, [`${prefix}%`])).map(({ owner }) => owner),
      ),
    sumOtherUploads: (fileId: string, owner: string): Promise<number> =>
      commit(async (query) => (await query<{ bytes: number }>(SUM_OTHERS, [fileId, owner]))[0]?.bytes ?? 0),
    deleteUpload: (fileId: string): Promise<void> =>
      commit(async (query) => void (await query(DELETE, [fileId]))),
  };
}
