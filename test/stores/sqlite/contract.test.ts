import { storeContract } from '../../contract/store.ts';
import { openSqliteHarness } from '../../support/sqlite-harness.ts';

storeContract('SQLite', openSqliteHarness);
