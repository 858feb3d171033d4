import { spawnSync } from 'node:child_process';

/** A program that opens ZIP files, with its commands to check one, and to unpack one into a directory. */
type Unpacker = {
  program: string;
  check: (zip: string) => string[];
  unpack: (zip: string, directory: string) => string[];
};

const PYTHON_UNPACK = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])';

export const UNPACKERS: readonly Unpacker[] = [
  {
    program: 'unzip',
    check: (zip) => ['-tqq', zip],
    unpack: (zip, directory) => ['-qq', zip, '-d', directory],
  },
  {
    program: '7z',
    check: (zip) => ['t', '-bso0', zip],
    unpack: (zip, directory) => ['x', '-bso0', `-o${directory}`, zip],
  },
  {
    program: 'python3',
    check: (zip) => ['-m', 'zipfile', '-t', zip],
    unpack: (zip, directory) => ['-c', PYTHON_UNPACK, zip, directory],
  },
];

/** Returns whether a program is installed. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;
}
