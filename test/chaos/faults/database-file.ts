import { renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { eventually } from '../../drive/arena.ts';
import { holdLock } from '../../support/sqlite-lock.ts';
import type { Arena } from '../arena.ts';
import { createPrivateLink } from './private-links.ts';
import { removeStrays } from './remove-strays.ts';

/** Longer than the service waits for a lock before it fails a request. */
const LOCKED_MS = 8_000;

/** Takes the write lock of the database from another process. */
export async function databaseLocked(arena: Arena): Promise<void> {
  const lock = await holdLock(arena.cleanup, arena.databasePath);
  arena.endWith(lock.lost);
  await arena.hold(Math.max(arena.holdMs, LOCKED_MS));
  await lock.release();
}

const FILES_OF_SQLITE = ['', '-wal', '-shm'];

/** Renames the database, and back. The service keeps the files open, as it does when they are removed. */
export async function databaseUnlinked(arena: Arena): Promise<void> {
  const move = (from: string, to: string): void => {
    for (const ending of FILES_OF_SQLITE) renameSync(from + ending, to + ending);
  };
  const elsewhere = `${arena.databasePath}.renamed`;
  move(arena.databasePath, elsewhere);
  await arena.hold();
  move(elsewhere, arena.databasePath);
}

export const walCut = (arena: Arena): Promise<void> =>
  damageWal(arena, (wal) => truncateSync(wal, Math.floor(statSync(wal).size / 2)));
export const walRemoved = (arena: Arena): Promise<void> => damageWal(arena, (wal) => rmSync(wal));

const NEW_RESPONSES = 50;

/**
 * Damages the `-wal` of a killed service. The next start does not know what is missing, and goes on with the rest, which
 * must be whole in itself.
 */
async function damageWal(arena: Arena, damage: (wal: string) => void): Promise<void> {
  const { clients } = arena;
  await clients.pause();
  await arena.stop(); // copies the -wal into the database, so that a part of it is left without the -wal
  await arena.start();
  clients.resume();
  await clients.waitForResponses(NEW_RESPONSES);
  await clients.pause();
  await arena.kill();
  const wal = `${arena.databasePath}-wal`;
  if (statSync(wal).size === 0) throw new Error('The -wal is empty: there is nothing to damage');
  damage(wal);
  const now = performance.now();
  arena.forgive(0, now);
  clients.forget(0, now);
  await arena.start();
  await removeStrays(arena);
  clients.resume();
}

const READS = 'BEGIN; SELECT count(*) FROM link';
const MEBIBYTE = 1024 ** 2;
/** Well above what the service keeps, so that a -wal that does not shrink is found. */
const GROWS_TO_BYTES = 200 * MEBIBYTE;
const GROWS_WITHIN_MS = 180_000;
const SHRINKS_WITHIN_MS = 15_000;
/** The service keeps a -wal of 128 MiB, and writes on meanwhile. */
const MAX_WAL_BYTES = 160 * MEBIBYTE;
/** They write more of the -wal in a second than the other clients. */
const CREATING_CLIENTS = 16;

/** Reads the database in one transaction until the -wal has grown enough. */
export async function longReader(arena: Arena): Promise<void> {
  const walBytes = (): number => statSync(`${arena.databasePath}-wal`).size;
  const mebibytes = (bytes: number): string => `${Math.round(bytes / MEBIBYTE)} MiB`;
  const reader = await holdLock(arena.cleanup, arena.databasePath, READS);
  arena.endWith(reader.lost);
  const deadline = performance.now() + GROWS_WITHIN_MS;
  const isGrowing = (): boolean =>
    walBytes() < GROWS_TO_BYTES && performance.now() < deadline && !arena.signal.aborted;
  const create = async (): Promise<void> => {
    while (isGrowing()) await createPrivateLink(arena);
  };
  await Promise.all(Array.from({ length: CREATING_CLIENTS }, create));
  const grown = walBytes();
  if (grown < GROWS_TO_BYTES)
    arena.report(`The -wal grew to ${mebibytes(grown)} only, so that nothing is proved`);
  await reader.release();
  const hasShrunk = await eventually(async () => walBytes() <= MAX_WAL_BYTES, SHRINKS_WITHIN_MS);
  const text = `The -wal had ${mebibytes(grown)} while it was read, and ${mebibytes(walBytes())} afterwards`;
  if (hasShrunk) arena.note(text);
  else arena.report(text);
}
