import { storeContract } from '../../contract/store.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';

storeContract('PostgreSQL', openPostgresHarness);
