/** The most bytes of stored files: of all, and of each owner. Null sets no limit. */
export type StorageQuota = { totalBytes: number | null; perOwnerBytes: number | null };

/** The space that an upload takes from its beginning on. `quotaOwner`: the owner who it counts for, see `formatOwner`. */
export type WantedSpace = { quotaOwner: string; bytes: number; quota: StorageQuota };

/** The limit that has no room for an upload. */
export type QuotaRefusal = 'TOTAL' | 'OWNER';

/** The space that is taken: in total, and of owners. */
export type TakenSpace = { totalBytes: number; bytesByOwner: Map<string, number> };

/** The stored files of an owner that a team shares. `owner`: null where it was erased. */
export type SpaceUse = { owner: string | null; team: string | null; bytes: number; files: number };

/** What is shown of the space that the files of someone take. */
export type ShownUse = { usedBytes: number; fileCount: number };

/** Returns whether a quota limits anything. */
export const isLimited = ({ totalBytes, perOwnerBytes }: StorageQuota): boolean =>
  totalBytes !== null || perOwnerBytes !== null;

/** Takes space for an upload, or returns the limit that has no room. Stores run it in the transaction that enters the upload. */
export function takeSpace(taken: TakenSpace, { quotaOwner, bytes, quota }: WantedSpace): QuotaRefusal | null {
  const ownBytes = (taken.bytesByOwner.get(quotaOwner) ?? 0) + bytes;
  if (ownBytes > (quota.perOwnerBytes ?? Number.POSITIVE_INFINITY)) return 'OWNER';
  if (taken.totalBytes + bytes > (quota.totalBytes ?? Number.POSITIVE_INFINITY)) return 'TOTAL';
  taken.bytesByOwner.set(quotaOwner, ownBytes);
  taken.totalBytes += bytes;
  return null;
}

/** Adds up the files of each owner, or of each team, the largest use first. */
export function sumUses(uses: readonly SpaceUse[], by: 'owner' | 'team'): (ShownUse & { name: string })[] {
  const sums = new Map<string, ShownUse>();
  for (const use of uses) {
    const name = use[by];
    if (name !== null) sums.set(name, addUse(sums.get(name), use));
  }
  return [...sums]
    .map(([name, sum]) => ({ name, ...sum }))
    .sort((a, b) => b.usedBytes - a.usedBytes || (a.name < b.name ? -1 : 1));
}

/** Adds up files. */
export const sumAll = (uses: readonly SpaceUse[]): ShownUse =>
  uses.reduce<ShownUse>(addUse, { usedBytes: 0, fileCount: 0 });

function addUse(sum: ShownUse | undefined, { bytes, files }: SpaceUse): ShownUse {
  return { usedBytes: (sum?.usedBytes ?? 0) + bytes, fileCount: (sum?.fileCount ?? 0) + files };
}
