import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../../cli/run.ts';
import type { Cleanup } from './cleanup.ts';
import { ROOT } from './documents.ts';
import { recordSecrets } from './log-secrets.ts';
import { type Exit, QUICK_STARTS, type Running, startCommand } from './process.ts';
import { temporaryDirectory } from './service.ts';

type Environment = { env?: Record<string, string> };
/** `columns`: the width of the terminal of both outputs; `errorColumns`: of standard error alone. */
type CallOptions = Environment & { columns?: number; errorColumns?: number };
type RunOptions = Environment & { input?: string | Buffer };

/** The command line, with a home directory of its own, for one service. */
export type CommandLine = {
  /** Its home directory, and the working directory of its processes. */
  directory: string;
  /** Runs a command in this process. It reads no standard input. */
  call(args: readonly string[], options?: CallOptions): Promise<Omit<Exit, 'signal'>>;
  /** Calls a command that must succeed, with `--json`, and returns the documents that it prints. */
  callJson(...args: string[]): Promise<Record<string, unknown>[]>;
  /** Starts a process. `input`: its standard input. */
  start(args: readonly string[], options?: RunOptions): Running;
  /** Runs a process to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Exit>;
};

export const POSTERN = join(ROOT, 'bin/postern');

/** Returns the command line for a service. Its processes have no Node in their PATH except that of the system. */
export function commandLine(t: Cleanup, url: string, key?: string): CommandLine {
  const directory = temporaryDirectory(t);
  const inputs = temporaryDirectory(t);
  let files = 0;
  const settings = { POSTERN_URL: url, ...(key !== undefined && { POSTERN_KEY: key }) };
  const start = (args: readonly string[], { env = settings, input = '' }: RunOptions = {}): Running => {
    recordSecrets(String(input));
    const file = join(inputs, `${files++}`);
    writeFileSync(file, input);
    // The process is the command itself, so that a signal ends it.
    const script = 'input=$1; shift; exec "$0" "$@" < "$input"';
    return startCommand(t, ['bash', '-c', script, POSTERN, file, ...args], {
      cwd: directory,
      env: { PATH: '/usr/bin:/bin', TZ: 'UTC', HOME: directory, ...QUICK_STARTS, ...env },
    });
  };
  const call: CommandLine['call'] = async (
    args,
    { env = settings, columns, errorColumns = columns } = {},
  ) => {
    const printed = { stdout: '', stderr: '' };
    const streamOf = (name: keyof typeof printed) => ({
      columns: name === 'stdout' ? columns : errorColumns,
      write(text: string): void {
        printed[name] += text;
      },
    });
    const streams = { stdout: streamOf('stdout'), stderr: streamOf('stderr') };
    const code = await runTool([...args], { environment: { HOME: directory, ...env }, ...streams });
    return { code, ...printed };
  };
  return {
    directory,
    call,
    async callJson(...args) {
      const { code, stdout, stderr } = await call([...args, '--json']);
      if (code !== 0) throw new Error(`postern ${args[0]} ended with ${code}: ${stderr}`);
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
    start,
    run: (args, options) => start(args, options).exited,
  };
}
