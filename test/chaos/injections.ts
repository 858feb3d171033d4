import type { Arena } from './arena.ts';
import type { FaultName } from './fault-table.ts';
import { databaseLocked } from './faults/database-file.ts';
import { postgresKilled } from './faults/postgres.ts';
import { killed, stoppedWithDownloads } from './faults/stops.ts';

/** Injects each fault of the table. Resolves at the end of the fault. */
export const INJECTIONS: Record<FaultName, (arena: Arena) => Promise<void>> = {
  killed,
  'stopped-with-downloads': stoppedWithDownloads,
  'database-locked': databaseLocked,
  'postgres-killed': postgresKilled,
};
