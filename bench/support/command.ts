import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { processorMsOf } from './processes.ts';

/** Runs a command of Postern, and returns the CPU time that its process took, in milliseconds. @throws unless it succeeds */
export const runCommand = (args: readonly string[]): Promise<number> => runProgram(['cli/start.js', ...args]);

/** Does so with the program of a file and its arguments. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const before = endedChildrenMs();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with exit code ${code}:\n${printed}`);
  return endedChildrenMs() - before;
}

/** Returns the flags by which a command uses the store and the files of a service in a directory. */
export const storeFlags = (
  directory: string,
  databaseUrl = `sqlite:${join(directory, 'postern.db')}`,
): string[] => [`--app.database.url=${databaseUrl}`, `--app.storage.path=${join(directory, 'files')}`];

const endedChildrenMs = (): number =>
  processorMsOf(process.pid, { withChildren: true }) - processorMsOf(process.pid);
