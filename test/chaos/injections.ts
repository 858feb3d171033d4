import type { Arena } from './arena.ts';
import type { FaultName } from './fault-table.ts';
import { clientsVanish, idleConnections } from './faults/clients.ts';
import { clockBack, clockForward } from './faults/clock.ts';
import { databaseLocked, databaseUnlinked, longReader, walCut, walRemoved } from './faults/database-file.ts';
import {
  databaseDiskFull,
  diskSlow,
  incomingReadOnly,
  storageDiskFull,
  storageReadOnly,
  storageRemoved,
} from './faults/disks.ts';
import { logReaderStalled } from './faults/log.ts';
import { s3Silent, s3Slow, s3Stopped } from './faults/object-storage.ts';
import {
  postgresConnectionsCut,
  postgresFailover,
  postgresKilled,
  postgresRestored,
  postgresStopped,
  rowLocked,
} from './faults/postgres.ts';
import { instancesRolled } from './faults/roll.ts';
import { clientsLeaveInSilence, commitReplyLost, postgresFrozen } from './faults/silence.ts';
import { killed, stoppedWithDownloads } from './faults/stops.ts';
import { stuckUploads } from './faults/uploads.ts';

/** Injects each fault of the table. Resolves at the end of the fault. */
export const INJECTIONS: Record<FaultName, (arena: Arena) => Promise<void>> = {
  killed,
  'stopped-with-downloads': stoppedWithDownloads,
  'database-locked': databaseLocked,
  'database-disk-full': databaseDiskFull,
  'database-unlinked': databaseUnlinked,
  'wal-cut': walCut,
  'wal-removed': walRemoved,
  'long-reader': longReader,
  'disk-slow': diskSlow,
  'storage-disk-full': storageDiskFull,
  'storage-read-only': storageReadOnly,
  'incoming-read-only': incomingReadOnly,
  'storage-removed': storageRemoved,
  'stuck-uploads': stuckUploads,
  's3-stopped': s3Stopped,
  's3-slow': s3Slow,
  's3-silent': s3Silent,
  'postgres-killed': postgresKilled,
  'postgres-stopped': postgresStopped,
  'postgres-failover': postgresFailover,
  'instances-rolled': instancesRolled,
  'postgres-frozen': postgresFrozen,
  'clients-leave-in-silence': clientsLeaveInSilence,
  'postgres-connections-cut': postgresConnectionsCut,
  'commit-reply-lost': commitReplyLost,
  'row-locked': rowLocked,
  'postgres-restored': postgresRestored,
  'log-reader-stalled': logReaderStalled,
  'clock-forward': clockForward,
  'clock-back': clockBack,
  'clients-vanish': clientsVanish,
  'idle-connections': idleConnections,
};
