import type { NoResponse } from './clients.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** The needs of a fault beyond a service and its store: a server, a program, or file systems of its own. */
export type Needs = 's3' | 'proxy' | 'standby' | 'mounts' | 'strace' | 'haproxy';

/** The results that a client may see during a fault, beyond normal responses: a status, or none. */
export type Seen = number | NoResponse;

/** The operation of a request: an attempt is a download if its link has a file, otherwise a visit. */
export type Purpose = 'visit' | 'download' | 'create' | 'upload' | 'change' | 'revoke' | 'statistics';
export type Sees = Partial<Record<Purpose | 'any', readonly Seen[]>>;

/** A fault. Its row in docs/failure-modes.md says what is kept, and what to do. */
export type Fault = {
  what: string;
  stores: readonly StoreKind[];
  needs?: Needs;
  /** The results that clients may see until the service has recovered, by operation. */
  sees: Sees;
  /** The status that health must report at some moment of the fault; UP: at every moment. By default any. */
  health?: 'DOWN' | 'UP';
  /**
   * Set if an attempt may be recorded although its response is a 500 or 503: as any result, when the outcome of its commit
   * stayed unknown, or as for a missing file, when its file could not be read.
   */
  errorsMayBe?: 'recorded' | 'like a missing file';
  /** By default five seconds. */
  recoversWithinMs?: number;
};

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
    stores: BOTH,
    sees: { any: ['broken', 'refused'] },
  },
  'stopped-with-downloads': {
    what: 'The service is stopped (`SIGTERM`) while slow clients download',
    stores: BOTH,
    sees: { any: ['refused'] },
  },
  'database-locked': {
    what: 'Another program locks the SQLite file',
    stores: ['sqlite'],
    sees: WRITES_FAIL,
    health: 'DOWN',
  },
  'database-disk-full': {
    what: 'The disk of the SQLite file is full',
    stores: ['sqlite'],
    needs: 'mounts',
    sees: WRITES_FAIL,
    health: 'DOWN',
  },
  'database-unlinked': {
    what: 'The SQLite file is removed or renamed while the service runs',
    stores: ['sqlite'],
    sees: WRITES_FAIL,
    health: 'DOWN',
  },
  'wal-cut': {
    what: 'The `-wal` of the SQLite file is cut after a kill, before the next start',
    stores: ['sqlite'],
    sees: {},
  },
  'wal-removed': {
    what: 'The `-wal` of the SQLite file is removed after a kill, before the next start',
    stores: ['sqlite'],
    sees: {},
  },
  'long-reader': {
    what: 'Another program reads the SQLite file in one long transaction',
    stores: ['sqlite'],
    sees: {},
  },
  'disk-slow': {
    what: 'Every flush to the disk takes a third of a second',
    stores: ['sqlite'],
    needs: 'strace',
    sees: {},
  },
  'storage-disk-full': {
    what: 'The disk of the uploaded files is full',
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500, 507] },
  },
  'storage-read-only': {
    what: 'The disk of the uploaded files becomes read-only',
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500] },
    health: 'DOWN',
  },
  'incoming-read-only': {
    what: 'Only the directory `incoming/` of the storage cannot be written',
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500] },
    health: 'DOWN',
  },
  'storage-removed': {
    what: 'The storage directory disappears, and comes back',
    stores: BOTH,
    sees: { upload: [500], download: [404] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
  },
  'stuck-uploads': {
    what: 'A hundred stale uploads cannot be removed',
    stores: BOTH,
    sees: { any: ['refused'] },
  },
  's3-stopped': {
    what: 'Object storage refuses connections',
    stores: BOTH,
    needs: 's3',
    sees: { upload: [503], download: [503, 'broken'] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
  },
  's3-slow': {
    what: 'Every response of object storage takes half a second',
    stores: ['sqlite'],
    needs: 's3',
    sees: {},
  },
  's3-silent': {
    what: 'Object storage accepts requests and does not respond',
    stores: ['sqlite'],
    needs: 's3',
    sees: { upload: [503, 'timeout'], download: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
    recoversWithinMs: 15_000,
  },
  'postgres-killed': {
    what: 'PostgreSQL crashes, and starts again',
    stores: ['postgres'],
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
  },
  'postgres-stopped': {
    what: 'PostgreSQL is stopped, and starts again',
    stores: ['postgres'],
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
  },
  'postgres-failover': {
    what: 'PostgreSQL crashes, and its synchronous standby is promoted a second later',
    stores: ['postgres'],
    needs: 'standby',
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
    recoversWithinMs: 10_000,
  },
  'instances-rolled': {
    what: 'Two instances behind HAProxy are stopped and started again, one after the other',
    stores: ['postgres'],
    needs: 'haproxy',
    sees: {},
  },
  'postgres-frozen': {
    what: 'PostgreSQL stops responding, with its connections open, and continues',
    stores: ['postgres'],
    sees: { any: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
  },
  'clients-leave-in-silence': {
    what: 'Clients leave while PostgreSQL does not respond',
    stores: ['postgres'],
    sees: { any: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
  },
  'postgres-connections-cut': {
    what: 'The connections to PostgreSQL are cut, again and again',
    stores: ['postgres'],
    sees: { any: [503] },
    errorsMayBe: 'recorded',
  },
  'commit-reply-lost': {
    what: 'PostgreSQL commits, and its confirmation never arrives',
    stores: ['postgres'],
    needs: 'proxy',
    sees: { any: ['timeout'] },
    recoversWithinMs: 20_000,
  },
  'row-locked': {
    what: "Another session of PostgreSQL locks one link's row",
    stores: ['postgres'],
    sees: { visit: [503], change: [503], revoke: [503] },
  },
  'postgres-restored': {
    what: 'PostgreSQL is replaced by an older copy while the service runs',
    stores: ['postgres'],
    sees: { any: [503] },
    errorsMayBe: 'recorded',
  },
  'log-reader-stalled': {
    what: 'The program that reads the log stops reading',
    stores: ['sqlite'],
    sees: { any: ['refused'] },
  },
  'clock-forward': {
    what: 'The clock jumps forward by an hour, and back',
    stores: BOTH,
    sees: {},
  },
  'clock-back': {
    what: 'The clock jumps back by an hour, and forward',
    stores: BOTH,
    sees: {},
  },
  'clients-vanish': {
    what: 'Clients disappear in the middle of requests and responses',
    stores: BOTH,
    sees: {},
    health: 'UP',
  },
  'idle-connections': {
    what: '5,000 connections are open and send nothing',
    stores: ['sqlite'],
    sees: {},
    health: 'UP',
  },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

/** Returns a fault with the optional properties that it may lack. */
export const faultOf = (name: FaultName): Fault => FAULTS[name];
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]; // the keys of the table above
