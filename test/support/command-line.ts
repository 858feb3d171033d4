import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.ts';
import { ROOT } from './documents.ts';
import { recordSecrets } from './log-secrets.ts';
import { COMPILE_CACHE, type Exit, type Running, startCommand } from './process.ts';
import { temporaryDirectory } from './service.ts';

type RunOptions = { env?: Record<string, string>; input?: string };

/** The command line, with a home and a working directory of its own, for one service. */
export type CommandLine = {
  directory: string;
  /** Starts a command. `input`: its standard input. */
  start(args: readonly string[], options?: RunOptions): Running;
  /** Runs a command to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Exit>;
  /** Runs a command that must succeed, with `--json`, and returns the documents that it prints. */
  runJson(...args: string[]): Promise<Record<string, unknown>[]>;
};

export const POSTERN = join(ROOT, 'bin/postern');

/** Returns the command line for a service. No Node is in its PATH but one of the system. */
export function commandLine(t: Cleanup, url: string, key?: string): CommandLine {
  const directory = temporaryDirectory(t);
  const inputs = temporaryDirectory(t);
  let files = 0;
  const settings = { POSTERN_URL: url, ...(key !== undefined && { POSTERN_KEY: key }) };
  const start = (args: readonly string[], { env = settings, input = '' }: RunOptions = {}): Running => {
    recordSecrets(input);
    const file = join(inputs, `${files++}`);
    writeFileSync(file, input);
    // The process is the command itself, so that a signal ends it.
    const script = 'input=$1; shift; exec "$0" "$@" < "$input"';
    return startCommand(t, ['bash', '-c', script, POSTERN, file, ...args], {
      cwd: directory,
      env: { PATH: '/usr/bin:/bin', TZ: 'UTC', HOME: directory, ...COMPILE_CACHE, ...env },
    });
  };
  const run: CommandLine['run'] = (args, options) => start(args, options).exited;
  return {
    directory,
    start,
    run,
    async runJson(...args) {
      const { code, stdout, stderr } = await run([...args, '--json']);
      if (code !== 0) throw new Error(`postern ${args[0]} ended with ${code}: ${stderr}`);
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
  };
}
