import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, renameSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../../src/common/error-details.ts';
import { eventually } from '../../drive/arena.ts';
import type { Arena } from '../arena.ts';

export const databaseDiskFull = (arena: Arena): Promise<void> => fill(arena, arena.directory);
export const storageDiskFull = (arena: Arena): Promise<void> => fill(arena, arena.storagePath);

/** Fills a file system to its last byte, and frees it. */
async function fill(arena: Arena, directory: string): Promise<void> {
  const path = join(directory, 'ballast');
  const ballast = openSync(path, 'w');
  const filling = setInterval(() => writeToTheEnd(ballast), FILL_EVERY_MS);
  try {
    writeToTheEnd(ballast);
    await arena.hold();
  } finally {
    clearInterval(filling);
    closeSync(ballast);
    rmSync(path);
  }
}

/** The interval at which the space that a failed request frees is filled again. */
const FILL_EVERY_MS = 20;
const BLOCK = Buffer.alloc(4_096, 1);

function writeToTheEnd(file: number): void {
  try {
    while (writeSync(file, BLOCK) > 0);
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error;
  }
}

export const storageReadOnly = (arena: Arena): Promise<void> => makeReadOnly(arena, arena.storagePath);
export const incomingReadOnly = (arena: Arena): Promise<void> =>
  makeReadOnly(arena, join(arena.storagePath, 'incoming'));

/**
 * Mounts a directory over itself for reading only. The mount is made elsewhere and then copied: through a mount that is
 * still writable, the service could open a file, and then it could not be made read-only.
 */
async function makeReadOnly(arena: Arena, directory: string): Promise<void> {
  const copy = mkdtempSync(join(arena.directory, 'read-only-'));
  execFileSync('mount', ['--bind', directory, copy]);
  try {
    execFileSync('mount', ['-o', 'remount,bind,ro', copy]);
    execFileSync('mount', ['--bind', copy, directory]);
    try {
      await arena.hold();
    } finally {
      execFileSync('umount', ['--lazy', directory]);
    }
  } finally {
    execFileSync('umount', ['--lazy', copy]);
    rmdirSync(copy);
  }
}

/** Renames the storage directory, and back. */
export async function storageRemoved(arena: Arena): Promise<void> {
  const elsewhere = `${arena.storagePath}.renamed`;
  renameSync(arena.storagePath, elsewhere);
  await arena.hold();
  rmSync(arena.storagePath, { recursive: true, force: true });
  renameSync(elsewhere, arena.storagePath);
}

const FLUSHES = 'fsync,fdatasync';
const FLUSH_MICROSECONDS = 333_000;

/** Delays every flush of the service, by strace. */
export async function diskSlow(arena: Arena): Promise<void> {
  const inject = `inject=${FLUSHES}:delay_enter=${FLUSH_MICROSECONDS}`;
  const { pid } = arena.process();
  const strace = spawn('strace', ['-f', '-p', String(pid), '-e', `trace=${FLUSHES}`, '-e', inject], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  arena.cleanup.after(() => void strace.kill('SIGKILL'));
  let isEnding = false;
  const ended = once(strace, 'exit');
  arena.endWith(
    ended.then(([code, signal]): Promise<never> => {
      if (isEnding) return new Promise(() => {});
      throw new Error(`strace ended with ${code ?? signal}: ${said}`);
    }),
  );
  let said = '';
  strace.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-10_000);
  });
  if (!(await eventually(async () => said.includes('attached') || said.includes('sync('))))
    throw new Error(`strace cannot delay the flushes of the service: ${said}`);
  await arena.hold();
  isEnding = true;
  strace.kill('SIGINT');
  await ended;
}
