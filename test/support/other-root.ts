import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** The root directory in which a program runs, and what it may there. */
export type OtherRoot = {
  path: string;
  user?: { uid: number; gid: number };
  workingDirectory?: string;
  /** Nothing can be written to but this directory, whose contents are in another one. */
  volume?: { path: string; contents: string; isAllElseReadOnly: boolean };
};

/** Why programs cannot run in another root on this machine, or false. */
export const NO_OTHER_ROOT =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0
    ? false
    : 'needs root on Linux, and mounts';

/** Returns the command that runs a program in another root: without a container engine, as one does it. */
export function inOtherRoot(
  { path, user, workingDirectory = '/', volume }: OtherRoot,
  command: readonly string[],
) {
  const mounts = [
    ...(volume
      ? [`mount --rbind ${path} ${path}`, `mount --bind ${volume.contents} ${path}${volume.path}`]
      : []),
    ...(volume?.isAllElseReadOnly ? [`mount -o remount,bind,ro ${path}`] : []),
    `mount --rbind /dev ${path}/dev`,
    `mount --bind /proc ${path}/proc`,
  ];
  const credentials = user ? [`--setuid=${user.uid}`, `--setgid=${user.gid}`] : [];
  const script = `${mounts.join(' && ')} && exec unshare "$@"`;
  const enter = [`--root=${path}`, `--wd=${workingDirectory}`, ...credentials];
  return ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', script, 'sh', ...enter, ...command];
}
