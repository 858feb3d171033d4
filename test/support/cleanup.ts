import { within } from './within.ts';

/** A registry of what a function must undo: the context of a test, or that of `withCleanup`. */
export type Cleanup = { after(hook: () => void | Promise<void>): void };

/** A hook waits for no program longer. */
const HOOK_MS = 60_000;

/**
 * Runs a program that needs a `Cleanup` outside a test. Its hooks run afterwards, even if it or another hook fails or
 * takes too long. The last runs first, so that a process ends before its directory is removed.
 */
export async function withCleanup<T>(act: (cleanup: Cleanup) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  return await act({
    after: (hook) => stack.defer(() => within(HOOK_MS, 'A cleanup', Promise.resolve(hook()))),
  });
}
