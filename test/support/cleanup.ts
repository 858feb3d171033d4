/** Where a function registers what it must undo: the context of a test, or that of `withCleanup`. */
export type Cleanup = { after(hook: () => void | Promise<void>): void };

/** Runs a program that needs a `Cleanup` outside a test. Its hooks run afterwards, even if it fails. */
export async function withCleanup<T>(act: (cleanup: Cleanup) => Promise<T>): Promise<T> {
  const hooks: (() => void | Promise<void>)[] = [];
  try {
    return await act({ after: (hook) => void hooks.push(hook) });
  } finally {
    for (const hook of hooks) await hook();
  }
}
