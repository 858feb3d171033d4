import { cpSync, mkdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { send } from '../../support/http-client.ts';
import { holdLock } from '../../support/sqlite-lock.ts';
import { type Arena, eventually } from '../arena.ts';
import { type Entry, isNormal, labelOf } from '../clients.ts';
import { findLosses } from '../find-losses.ts';
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

const FOUND_WITHIN_MS = 15_000;
const NEW_RESPONSES = 50;

/**
 * Damages the `-wal` of a killed service, which must refuse every change until the whole files are back, and lose
 * nothing. Then damages it again, and accepts the loss.
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
  const restore = saveDatabase(arena);
  await startDamaged(arena, damage);
  await arena.stop();
  restore();
  await arena.start();
  const state = await arena.readState();
  const losses = findLosses(clients.history, state, { errorsMayBe: undefined, forgiven: [] });
  for (const { text } of losses) arena.report(`With the files back: ${text}`);
  clients.resume();
  await clients.waitForResponses(NEW_RESPONSES);
  await clients.pause();
  await arena.kill();
  await startDamaged(arena, damage);
  await arena.stop();
  const now = performance.now();
  arena.forgive(0, now);
  clients.forget(0, now);
  rmSync(`${arena.databasePath}-state`);
  await arena.start();
  await removeStrays(arena);
  clients.resume();
}

/** Starts the service on a damaged `-wal`, and checks that it says so and refuses what it would have to record. */
async function startDamaged(arena: Arena, damage: (wal: string) => void): Promise<void> {
  const { clients } = arena;
  const wal = `${arena.databasePath}-wal`;
  if (statSync(wal).size === 0) throw new Error('The -wal is empty: there is nothing to damage');
  damage(wal);
  await arena.start();
  const isReported = async (): Promise<boolean> =>
    (await send(arena.server, '/actuator/health')).text.includes('database_commits_lost');
  if (!(await eventually(isReported, FOUND_WITHIN_MS)))
    arena.report('The service started on a damaged -wal, and health does not name database_commits_lost');
  const { length } = clients.history.entries;
  const known = new Set([...clients.history.links.values()].map(({ name }) => name));
  /** Returns whether a request gets the response to an earlier one again, which changes nothing. */
  const isReplay = ({ isKeyed, creates = [] }: Entry) =>
    isKeyed && creates.every(({ name }) => known.has(name));
  clients.resume();
  await clients.waitForResponses(NEW_RESPONSES);
  await clients.pause();
  const accepted = clients.history.entries
    .slice(length)
    .filter((entry) => entry.kind !== 'statistics' && !isReplay(entry) && isNormal(entry));
  const [first] = accepted;
  if (first)
    arena.report(
      `${accepted.length} requests succeeded on a damaged -wal, the first a ${labelOf(first.outcome)} for "${first.kind}"`,
    );
}

/** Copies everything but the uploaded files. Returns a function that puts the copies back. */
function saveDatabase({ directory, storagePath }: Arena): () => void {
  const copy = `${directory}-copy`;
  mkdirSync(copy);
  const isDatabase = (path: string): boolean => !path.startsWith(storagePath) && !path.startsWith(copy);
  cpSync(directory, copy, { recursive: true, filter: isDatabase, preserveTimestamps: true });
  return () => {
    for (const ending of FILES_OF_SQLITE) rmSync(join(directory, `postern.db${ending}`), { force: true });
    cpSync(copy, directory, { recursive: true, preserveTimestamps: true });
    rmSync(copy, { recursive: true });
  };
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
