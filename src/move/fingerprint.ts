import { createHash } from 'node:crypto';
import type { MoveSource } from './ports.ts';
import { MOVED_TABLES, movedTable, type Row } from './tables.ts';

/**
 * What every use of a store changes: each attempt is a count more, each link made, expired or revoked is one of
 * another status, each upload is in the ledger. So a store with the same signs was not used in between.
 */
export type SourceFingerprint = {
  digest: string;
  /** How many rows the larger tables have, as the counts tell. */
  rows: Record<string, number>;
};

const FINGERPRINT_TABLES = ['attempts_by_hour_of_day', 'links_by_status', 'origin_count', 'upload'];
/** More uploads that are under way at once are not looked at; each is a link soon. */
const MAX_LOOKED_AT = 1_000;

export async function readFingerprint(store: MoveSource): Promise<SourceFingerprint> {
  const found = new Map<string, Row[]>();
  for (const name of FINGERPRINT_TABLES)
    found.set(name, await store.readRows(movedTable(name), null, MAX_LOOKED_AT));
  const sum = (name: string) =>
    (found.get(name) ?? []).reduce((total, row) => total + Number(row.at(-1) ?? 0), 0);
  const links = sum('links_by_status');
  return {
    digest: createHash('sha256')
      .update(JSON.stringify([...found]))
      .digest('hex'),
    rows: {
      link: links,
      link_target: links,
      audit: sum('attempts_by_hour_of_day'),
      origin: sum('origin_count'),
    },
  };
}

/** @throws when the source was used since its signs were read */
export async function assertSourceUnchanged(
  source: MoveSource,
  fingerprint: SourceFingerprint,
): Promise<void> {
  if ((await readFingerprint(source)).digest === fingerprint.digest) return;
  throw new Error(
    `${source.place} was used since the move began, so the copy is not of one moment. Stop every service ` +
      'that runs on it, empty the target, and move again',
  );
}

/** Whether a store has not a single row, nor a count that is not 0. */
export async function isEmpty(store: MoveSource): Promise<boolean> {
  for (const table of MOVED_TABLES) {
    if ((await store.readRows(table, null, 1)).length > 0) return false;
  }
  return true;
}
