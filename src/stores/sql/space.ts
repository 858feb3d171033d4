import {
  isLimited,
  type QuotaRefusal,
  type SpaceUse,
  takeSpace,
  type WantedSpace,
} from '../../core/model/storage-quota.ts';
import { HAS_NO_FILE } from './file-marks.ts';
import type { Dialect, Query } from './query.ts';

// The space of stored files is added up where it is asked for: in the table of links, and in the ledger, which has uploads
// without a link and files that were taken from links, until they are erased. So it cannot differ from what is stored.

/** Lets one transaction at a time add up the space and take some. On SQLite, there is only one. */
const TAKE_TURN = `INSERT INTO space_turn (only_row, turn) VALUES (1, 1)
         ON CONFLICT (only_row) DO UPDATE SET turn = space_turn.turn + 1 RETURNING turn`;

/** Returns the stored files whose owners meet a condition. */
const filesOf = (toCondition: (owner: string) => string): string => `(
         SELECT owner, team, file_size_bytes AS bytes FROM link_target
         WHERE file_id IS NOT NULL AND NOT (${HAS_NO_FILE}) AND ${toCondition('owner')}
         UNION ALL SELECT quota_owner, NULL, size_bytes FROM upload
         WHERE size_bytes IS NOT NULL AND ${toCondition('quota_owner')}) AS files`;
const ALL_FILES = filesOf(() => 'true');
const SUM_BYTES = 'CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes';
const usesOf = (files: string): string =>
  `SELECT owner, team, ${SUM_BYTES}, CAST(count(*) AS BIGINT) AS files FROM ${files} GROUP BY owner, team`;
const READ_USES = usesOf(ALL_FILES);
const READ_OWN_USES = usesOf(filesOf((owner) => `${owner} = $1`));
const READ_TOTAL = `SELECT ${SUM_BYTES} FROM ${ALL_FILES}`;
const readOwners = ({ texts }: Dialect): string =>
  `SELECT owner, ${SUM_BYTES} FROM ${filesOf((owner) => `${owner} IN (SELECT value FROM ${texts('$1')})`)} GROUP BY owner`;

/** Returns for each upload whether a quota refuses it. The transaction must enter the others. */
export async function refuseBeyondQuota(
  query: Query,
  dialect: Dialect,
  uploads: readonly { space?: WantedSpace | undefined }[],
): Promise<(QuotaRefusal | null)[]> {
  const wanted = uploads.flatMap(({ space }) => (space && isLimited(space.quota) ? [space] : []));
  if (wanted.length === 0) return uploads.map(() => null);
  await query(TAKE_TURN);
  const needsTotal = wanted.some(({ quota }) => quota.totalBytes !== null);
  const [total] = needsTotal ? await query<{ bytes: number }>(READ_TOTAL) : [];
  const quotaOwners = wanted.flatMap(({ quotaOwner, quota }) =>
    quota.perOwnerBytes === null ? [] : [quotaOwner],
  );
  const owners =
    quotaOwners.length === 0
      ? []
      : await query<{ owner: string; bytes: number }>(readOwners(dialect), [
          JSON.stringify([...new Set(quotaOwners)]),
        ]);
  const bytesByOwner = new Map(owners.map(({ owner, bytes }) => [owner, bytes]));
  const taken = { totalBytes: total?.bytes ?? 0, bytesByOwner };
  return uploads.map(({ space }) => (space ? takeSpace(taken, space) : null));
}

/** Returns the read of the space that files take, of one owner or of all. */
export const createReadSpace = (query: Query) => ({
  readSpace: (owner: string | null): Promise<SpaceUse[]> =>
    owner === null ? query<SpaceUse>(READ_USES) : query<SpaceUse>(READ_OWN_USES, [owner]),
});
