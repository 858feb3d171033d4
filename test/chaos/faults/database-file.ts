import { holdLock } from '../../support/sqlite-lock.ts';
import type { Arena } from '../arena.ts';

/** Takes the write lock of the database from another process. */
export async function databaseLocked(arena: Arena): Promise<void> {
  const lock = await holdLock(arena.cleanup, arena.databasePath);
  await arena.hold();
  await lock.release();
}
