import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STALE_UPLOAD_MS } from '../../../src/core/use-cases/files/sweep-uploads.ts';
import { openStores } from '../../../src/service/open-stores.ts';
import { configOf, eventually } from '../../drive/arena.ts';
import type { Arena } from '../arena.ts';

const STUCK_UPLOADS = 100;
const OTHER_UPLOADS = 50;
const SWEPT_WITHIN_MS = 10_000;

/** Leaves stale uploads of which the oldest cannot be removed, and waits for the sweep of a start. */
export async function stuckUploads(arena: Arena): Promise<void> {
  const incoming = join(arena.storagePath, 'incoming');
  const [stuck, others] = [STUCK_UPLOADS, OTHER_UPLOADS].map((length) =>
    Array.from({ length }, () => randomUUID()),
  );
  if (!stuck || !others) return;
  await arena.stop();
  await enterStaleUploads(arena, [...stuck, ...others]);
  mkdirSync(incoming, { recursive: true });
  // A directory is not removed as a file is, not even by root.
  for (const id of stuck) mkdirSync(join(incoming, id));
  for (const id of others) writeFileSync(join(incoming, id), 'half a file');
  await arena.start();
  const left = (): string[] => others.filter((id) => existsSync(join(incoming, id)));
  if (!(await eventually(async () => left().length === 0, SWEPT_WITHIN_MS)))
    arena.report(
      `The sweep left ${left().length} of ${OTHER_UPLOADS} stale uploads because others are stuck`,
    );
  for (const id of stuck) rmdirSync(join(incoming, id));
}

/** Enters uploads in the ledger, as old as a sweep removes them, each a moment after the one before. */
async function enterStaleUploads(arena: Arena, ids: readonly string[]): Promise<void> {
  const { store } = await openStores(configOf(arena));
  const startedAt = Date.now() - 2 * STALE_UPLOAD_MS;
  for (const [index, id] of ids.entries()) await store.begin(id, startedAt + index);
  await store.close();
}
