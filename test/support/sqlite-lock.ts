import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Cleanup } from './cleanup.ts';
import { watchHelper } from './helper-process.ts';

const HOLD_LOCK = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1], { timeout: 5_000 });
  db.exec(process.argv[2]);
  process.stdout.write('locked');
  process.stdin.resume().once('end', () => db.exec('ROLLBACK'));
`;

/** A lock on a database that another process holds. `lost` rejects when that ends before the lock is released. */
export type HeldLock = { release(): Promise<void>; lost: Promise<never> };

/**
 * Lets another process take a lock, as a backup or a database tool may: by default the write lock. `begin` is the SQL
 * that takes it.
 */
export async function holdLock(t: Cleanup, path: string, begin = 'BEGIN IMMEDIATE'): Promise<HeldLock> {
  const child = spawn(process.execPath, ['-e', HOLD_LOCK, path, begin], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => void child.kill('SIGKILL'));
  const { next, end, lost } = watchHelper(child, 'The program that holds a lock');
  await next('the lock', once(child.stdout, 'data'));
  return { release: () => next('the release', end()), lost };
}
