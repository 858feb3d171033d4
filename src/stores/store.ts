import type { KeyStore } from '../access/ports.ts';
import type {
  LinkStore,
  SharedCounts,
  StatisticsStore,
  StoreProbe,
  SummaryBuilder,
  UploadLedger,
} from '../links/ports.ts';

/** Every port that a store implements. */
export type Store = LinkStore &
  UploadLedger &
  StoreProbe &
  SummaryBuilder & {
    statistics: StatisticsStore;
    keys: KeyStore;
    /** Undefined for a store of one instance, which counts in memory. */
    sharedCounts?: SharedCounts;
    /** Commits what is waiting, then closes what the store holds open. */
    close(): Promise<void>;
  };
