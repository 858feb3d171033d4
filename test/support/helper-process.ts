import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { within } from './within.ts';

/** Far longer than a busy machine needs to start a server. */
const ENDS_WITHIN_MS = 120_000;

/** A program that helps a test, and that must run until the test ends it. */
export type HelperProcess = {
  /** Rejects when the program ends before. Nothing needs to handle it. */
  lost: Promise<never>;
  /** Resolves with what the program does next; rejects when it ends before, or takes too long. */
  next<T>(what: string, doing: Promise<T>): Promise<T>;
  /** Lets the program end by closing its standard input; kills it when it takes too long. */
  end(): Promise<void>;
};

/** Watches a program that reads its standard input. */
export function watchHelper(child: ChildProcess, name: string): HelperProcess {
  let isEnding = false;
  const exited = once(child, 'exit');
  const lost = exited.then(([code, signal]): Promise<never> => {
    if (isEnding) return new Promise(() => {});
    throw new Error(`${name} ended with ${code ?? signal}`);
  });
  lost.catch(() => {});
  child.stdin?.on('error', () => {}); // the exit is reported
  return {
    lost,
    next: (what, doing) => within(ENDS_WITHIN_MS, `${name}: ${what}`, Promise.race([doing, lost])),
    async end() {
      isEnding = true;
      child.stdin?.end();
      try {
        await within(ENDS_WITHIN_MS, `the end of ${name}`, exited);
      } finally {
        child.kill('SIGKILL');
      }
    },
  };
}
