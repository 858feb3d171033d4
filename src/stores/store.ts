import type { KeyStore } from '../access/api-key.ts';
import type { LinkListStore } from '../links/link-list.ts';
import type {
  HistoryStore,
  IdempotencyStore,
  LinkStore,
  SharedCounts,
  StatisticsStore,
  StoreProbe,
  TimeCorrection,
  UploadLedger,
} from '../links/ports.ts';
import type { NotificationStore } from '../notifications/ports.ts';

/** Every port that a store implements. */
export type Store = LinkStore &
  UploadLedger &
  StoreProbe &
  TimeCorrection & {
    statistics: StatisticsStore;
    history: HistoryStore;
    idempotency: IdempotencyStore;
    list: LinkListStore;
    keys: KeyStore;
    notifications: NotificationStore;
    /** Undefined for a store of one instance, which counts in memory. */
    sharedCounts?: SharedCounts;
    /** Commits what is waiting, then closes what the store holds open. */
    close(): Promise<void>;
  };
