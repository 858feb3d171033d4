import { earlierEntriesContract } from '../../contract/earlier-entries.ts';
import { sqlitePlace } from '../../support/store-places.ts';

earlierEntriesContract('the embedded store', { makePlace: (t) => sqlitePlace(t) });
