import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processorMsOf } from './processes.ts';

/** Runs a command of Postern, and returns the CPU time that its process took, in milliseconds. @throws unless it succeeds */
export async function runCommand(args: readonly string[]): Promise<number> {
  const before = endedChildrenMs();
  const child = spawn(process.execPath, ['cli/start.js', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`postern ${args[0]} ended with exit code ${code}`);
  return endedChildrenMs() - before;
}

const endedChildrenMs = (): number =>
  processorMsOf(process.pid, { withChildren: true }) - processorMsOf(process.pid);
