import { createHash } from 'node:crypto';
import type { MoveSource } from '../../core/ports/move.ts';

/**
 * The values that every use of a store changes: each attempt and each change appends to the log, each upload is in the
 * ledger. Keys, people and sessions can be created while a service runs.
 */
export type SourceFingerprint = {
  digest: string;
  /** The numbers of rows of the larger tables. */
  rows: Record<string, number>;
};

const FINGERPRINT_TABLES = ['upload', 'api_key', 'person', 'session'];
/** Further uploads in progress are left out; each becomes a link soon. */
const MAX_ROWS = 1_000;

export async function readFingerprint(store: MoveSource): Promise<SourceFingerprint> {
  const size = await store.measure();
  const found: unknown[] = [size];
  for (const table of store.tables.filter(({ name }) => FINGERPRINT_TABLES.includes(name)))
    found.push(await store.readRows(table, null, MAX_ROWS));
  return {
    digest: createHash('sha256').update(JSON.stringify(found)).digest('hex'),
    rows: { link: size.links, link_target: size.links, entry: size.entries },
  };
}

/** Throws when the source was used since its fingerprint was read. */
export async function assertSourceUnchanged(
  source: MoveSource,
  fingerprint: SourceFingerprint,
): Promise<void> {
  if ((await readFingerprint(source)).digest === fingerprint.digest) return;
  throw new Error(
    `${source.name} was used since the move began, so the copy is inconsistent. Stop every service ` +
      'that uses it, and move again',
  );
}

/** Returns whether a store has no row that a move would bring. */
export async function isEmpty(store: MoveSource): Promise<boolean> {
  for (const table of store.tables) {
    if ((await store.readRows(table, null, 1)).length > 0) return false;
  }
  return true;
}
