import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { temporaryDirectory } from './service.ts';

/** Opens a store that is closed at the end of the test, if the test does not close it. */
export async function openedStore(t: TestContext, path: string): Promise<Store> {
  const store = await openSqliteStore({ path });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= store.close();
    return closing;
  };
  t.after(close);
  return { ...store, close };
}

/**
 * Copies the files of a store that is open and at rest. They are what a kill would leave: all writes are in the files,
 * and nothing was closed.
 */
export function copyOfKilled(t: TestContext, path: string): string {
  const copy = join(temporaryDirectory(t), 'postern.db');
  for (const ending of ['', '-wal']) cpSync(path + ending, copy + ending, { force: true });
  return copy;
}
