import type { AuditRecord } from '../../src/links/attempt.ts';
import type { LinkStore, StatisticsStore, StoreProbe, UploadLedger } from '../../src/links/ports.ts';
import { attemptContract } from './store/attempts.ts';
import { durabilityContract } from './store/durability.ts';
import { linkContract } from './store/links.ts';
import { rankingContract } from './store/rankings.ts';
import { statisticsContract } from './store/statistics.ts';
import { uploadContract } from './store/uploads.ts';

/** All ports that one store serves. */
export type Store = LinkStore & UploadLedger & StoreProbe & { statistics: StatisticsStore };

/** A store on empty data of its own. Disposing of it closes the store and removes the data. */
export type StoreHarness = AsyncDisposable & {
  /** The store that is open: another one after `reopen`. */
  readonly store: Store;
  /** The whole audit, read beside the store, in any order. */
  readAudit(): Promise<AuditRecord[]>;
  /** Closes the store, and opens it again on the same data. */
  reopen(): Promise<void>;
};

export type OpenStore = () => Promise<StoreHarness>;

/** What every store promises to the links. Run on each adapter, in the adapter's own test file. */
export function storeContract(name: string, openStore: OpenStore): void {
  linkContract(name, openStore);
  attemptContract(name, openStore);
  uploadContract(name, openStore);
  statisticsContract(name, openStore);
  rankingContract(name, openStore);
  durabilityContract(name, openStore);
}
