import { createHash } from 'node:crypto';
import type { MoveSource } from './ports.ts';
import { MOVED_TABLES, type Row } from './tables.ts';

/**
 * What every use of a store changes: each attempt adds to a count, each link that is created, expired or
 * revoked changes the count of a status, each upload is in the ledger. A key can be created while a service runs.
 */
export type SourceFingerprint = {
  digest: string;
  /** The numbers of rows of the larger tables, from the counts. */
  rows: Record<string, number>;
};

const FINGERPRINT_TABLES = [
  'attempts_by_hour_of_day',
  'links_by_status',
  'origin_count',
  'upload',
  'api_key',
];
/** Further uploads in progress are left out; each becomes a link soon. */
const MAX_ROWS = 1_000;

export async function readFingerprint(store: MoveSource): Promise<SourceFingerprint> {
  const tables = new Map<string, Row[]>();
  for (const table of MOVED_TABLES.filter(({ name }) => FINGERPRINT_TABLES.includes(name))) {
    tables.set(table.name, await store.readRows(table, null, MAX_ROWS));
  }
  const sumOf = (name: string, isCounted: (row: Row) => boolean = () => true) =>
    (tables.get(name) ?? []).filter(isCounted).reduce((total, row) => total + Number(row.at(-1) ?? 0), 0);
  const links = sumOf('links_by_status');
  return {
    digest: createHash('sha256')
      .update(JSON.stringify([...tables]))
      .digest('hex'),
    rows: {
      link: links,
      link_target: links,
      link_change: links, // more where some were changed or revoked
      audit: sumOf('attempts_by_hour_of_day', ([, result]) => result !== 'RATE_LIMITED'), // those share records
      origin: sumOf('origin_count'),
    },
  };
}

/** Throws when the source was used since its fingerprint was read. */
export async function assertSourceUnchanged(
  source: MoveSource,
  fingerprint: SourceFingerprint,
): Promise<void> {
  if ((await readFingerprint(source)).digest === fingerprint.digest) return;
  throw new Error(
    `${source.place} was used since the move began, so the copy is inconsistent. Stop every service ` +
      'that uses it, and move again',
  );
}

/** Returns whether a store has no link and no record, and no count other than 0. */
export async function isEmpty(store: MoveSource): Promise<boolean> {
  for (const table of MOVED_TABLES) {
    if ((await store.readRows(table, null, 1)).length > 0) return false;
  }
  return true;
}
