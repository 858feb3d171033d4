import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from '../support/cleanup.ts';

/** The needs of a trial beyond a service and its store: a server, a program, or file systems of its own. */
export type Needs = 's3' | 'proxy' | 'standby' | 'mounts' | 'strace' | 'haproxy';

/** Runs a program with mounts of its own, also without being root. Linux only. */
export const WITH_MOUNTS = ['unshare', '-Urm'] as const;

const DISK_SIZE = '64m';

/** Makes a directory on a small file system, and `files` in it on another one. This process has mounts of its own. */
export function mountDisks(cleanup: Cleanup): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-test-'));
  const files = join(directory, 'files');
  mount(directory);
  mkdirSync(files, { mode: 0o700 });
  mount(files);
  cleanup.after(() => {
    for (const mounted of [files, directory]) execFileSync('umount', ['--lazy', mounted]);
    rmSync(directory, { recursive: true });
  });
  return directory;
}

function mount(directory: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE},mode=0700`, 'tmpfs', directory]);
}

/** Returns why a fault cannot be injected on this machine, or undefined. */
export function whyNotHere(needs: Needs | undefined): string | undefined {
  const [unshare, ...options] = WITH_MOUNTS;
  if (needs === 'mounts' && !succeeds(unshare, [...options, 'true']))
    return 'file systems cannot be mounted here';
  if (needs === 'strace' && !succeeds('strace', ['-o', '/dev/null', 'true']))
    return 'strace does not work here';
  if (needs === 'haproxy' && !succeeds('haproxy', ['-v'])) return 'there is no haproxy on the PATH';
  return undefined;
}

function succeeds(program: string, args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
