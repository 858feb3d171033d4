import type { TestContext } from 'node:test';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import type { LinkChange } from '../../src/core/model/link-change.ts';
import type { Store } from '../../src/stores/store.ts';

/** A recorded change of a link. */
export type ChangeRecord = LinkChange & { kind: string; shortCode: string };

/** A store on empty data of its own. Disposing of it closes the store and removes the data. */
export type StoreHarness = AsyncDisposable & {
  /** The open store: another one after `reopen`. */
  readonly store: Store;
  /** Reads the whole audit without the store, in any order. */
  readAudit(): Promise<AuditRecord[]>;
  /** Reads who changed links without the store, in the order of the ids. */
  readChanges(): Promise<ChangeRecord[]>;
  /** Changes stored data without the store. */
  execute(sql: string): Promise<void>;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<void>;
};

export type OpenStore = () => Promise<StoreHarness>;

/** Declares a test on an empty store of its own. */
export type TestStore = (name: string, run: (harness: StoreHarness, t: TestContext) => Promise<void>) => void;
