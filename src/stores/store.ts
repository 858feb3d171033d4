import type { KeyStore } from '../access/ports.ts';
import type { LinkStore, StatisticsStore, StoreProbe, UploadLedger } from '../links/ports.ts';

/** Every port that a store implements. */
export type Store = LinkStore &
  UploadLedger &
  StoreProbe & {
    statistics: StatisticsStore;
    keys: KeyStore;
    /** Commits what is waiting, then closes what the store holds open. */
    close(): Promise<void>;
  };
