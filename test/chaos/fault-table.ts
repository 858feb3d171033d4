import type { Fault, Sees } from './fault.ts';
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

const BOTH = ['sqlite', 'postgres'] as const;

/** Statistics wait for what was committed to be projected, which is a write. */
const WRITES_FAIL: Sees = {
  ...{ visit: [503], download: [503], statistics: [503] },
  ...{ create: [503], upload: [503], change: [503], revoke: [503] },
};

/** The faults of `npm run chaos`. */
export const FAULTS = {
  killed: {
    what: 'The process is killed at random moments (`SIGKILL`)',
    inject: killed,
    stores: BOTH,
    sees: { any: ['broken', 'refused'] },
  },
  'stopped-with-downloads': {
    what: 'The service is stopped (`SIGTERM`) while slow clients download',
    inject: stoppedWithDownloads,
    stores: BOTH,
    sees: { any: ['refused'] },
  },
  'database-locked': {
    what: 'Another program locks the SQLite file',
    inject: databaseLocked,
    stores: ['sqlite'],
    sees: WRITES_FAIL,
    health: 'DOWN',
  },
  'database-disk-full': {
    what: 'The disk of the SQLite file is full',
    inject: databaseDiskFull,
    stores: ['sqlite'],
    needs: 'mounts',
    sees: WRITES_FAIL,
    health: 'DOWN',
  },
  'database-unlinked': {
    what: 'The SQLite file is removed or renamed while the service runs',
    inject: databaseUnlinked,
    stores: ['sqlite'],
    sees: WRITES_FAIL,
    health: 'DOWN',
  },
  'wal-cut': {
    what: 'The `-wal` of the SQLite file is cut after a kill, before the next start',
    inject: walCut,
    stores: ['sqlite'],
    sees: {},
  },
  'wal-removed': {
    what: 'The `-wal` of the SQLite file is removed after a kill, before the next start',
    inject: walRemoved,
    stores: ['sqlite'],
    sees: {},
  },
  'long-reader': {
    what: 'Another program reads the SQLite file in one long transaction',
    inject: longReader,
    stores: ['sqlite'],
    sees: {},
  },
  'disk-slow': {
    what: 'Every flush to the disk takes a third of a second',
    inject: diskSlow,
    stores: ['sqlite'],
    needs: 'strace',
    sees: {},
  },
  'storage-disk-full': {
    what: 'The disk of the uploaded files is full',
    inject: storageDiskFull,
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500, 507] },
  },
  'storage-read-only': {
    what: 'The disk of the uploaded files becomes read-only',
    inject: storageReadOnly,
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500] },
    health: 'DOWN',
  },
  'incoming-read-only': {
    what: 'Only the directory `incoming/` of the storage cannot be written',
    inject: incomingReadOnly,
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500] },
    health: 'DOWN',
  },
  'storage-removed': {
    what: 'The storage directory disappears, and comes back',
    inject: storageRemoved,
    stores: BOTH,
    sees: { upload: [500], download: [404] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
  },
  'stuck-uploads': {
    what: 'A hundred stale uploads cannot be removed',
    inject: stuckUploads,
    stores: BOTH,
    sees: { any: ['refused'] },
  },
  's3-stopped': {
    what: 'Object storage refuses connections',
    inject: s3Stopped,
    stores: BOTH,
    needs: 's3',
    sees: { upload: [503], download: [503, 'broken'] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
  },
  's3-slow': {
    what: 'Every response of object storage takes half a second',
    inject: s3Slow,
    stores: ['sqlite'],
    needs: 's3',
    sees: {},
  },
  's3-silent': {
    what: 'Object storage accepts requests and does not respond',
    inject: s3Silent,
    stores: ['sqlite'],
    needs: 's3',
    sees: { upload: [503, 'timeout'], download: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
    recoversWithinMs: 15_000,
  },
  'postgres-killed': {
    what: 'PostgreSQL crashes, and starts again',
    inject: postgresKilled,
    stores: ['postgres'],
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
  },
  'postgres-stopped': {
    what: 'PostgreSQL is stopped, and starts again',
    inject: postgresStopped,
    stores: ['postgres'],
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
  },
  'postgres-failover': {
    what: 'PostgreSQL crashes, and its synchronous standby is promoted a second later',
    inject: postgresFailover,
    stores: ['postgres'],
    needs: 'standby',
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
    recoversWithinMs: 10_000,
  },
  'instances-rolled': {
    what: 'Two instances behind HAProxy are stopped and started again, one after the other',
    inject: instancesRolled,
    stores: ['postgres'],
    needs: 'haproxy',
    sees: {},
  },
  'postgres-frozen': {
    what: 'PostgreSQL stops responding, with its connections open, and continues',
    inject: postgresFrozen,
    stores: ['postgres'],
    sees: { any: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
  },
  'clients-leave-in-silence': {
    what: 'Clients leave while PostgreSQL does not respond',
    inject: clientsLeaveInSilence,
    stores: ['postgres'],
    sees: { any: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
  },
  'postgres-connections-cut': {
    what: 'The connections to PostgreSQL are cut, again and again',
    inject: postgresConnectionsCut,
    stores: ['postgres'],
    sees: { any: [503] },
    errorsMayBe: 'recorded',
  },
  'commit-reply-lost': {
    what: 'PostgreSQL commits, and its confirmation never arrives',
    inject: commitReplyLost,
    stores: ['postgres'],
    needs: 'proxy',
    sees: { any: ['timeout'] },
    recoversWithinMs: 20_000,
  },
  'row-locked': {
    what: "Another session of PostgreSQL locks one link's row",
    inject: rowLocked,
    stores: ['postgres'],
    sees: { visit: [503], change: [503], revoke: [503] },
  },
  'postgres-restored': {
    what: 'PostgreSQL is replaced by an older copy while the service runs',
    inject: postgresRestored,
    stores: ['postgres'],
    sees: { any: [503] },
    errorsMayBe: 'recorded',
  },
  'log-reader-stalled': {
    what: 'The program that reads the log stops reading',
    inject: logReaderStalled,
    stores: ['sqlite'],
    sees: { any: ['refused'] },
  },
  'clock-forward': {
    what: 'The clock jumps forward by an hour, and back',
    inject: clockForward,
    stores: BOTH,
    sees: {},
  },
  'clock-back': {
    what: 'The clock jumps back by an hour, and forward',
    inject: clockBack,
    stores: BOTH,
    sees: {},
  },
  'clients-vanish': {
    what: 'Clients disappear in the middle of requests and responses',
    inject: clientsVanish,
    stores: BOTH,
    sees: {},
    health: 'UP',
  },
  'idle-connections': {
    what: '5,000 connections are open and send nothing',
    inject: idleConnections,
    stores: ['sqlite'],
    sees: {},
    health: 'UP',
  },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

/** Returns a fault with the optional properties that it may lack. */
export const faultOf = (name: FaultName): Fault => FAULTS[name];
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]; // the keys of the table above
