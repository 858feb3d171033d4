import type { NoResponse } from './clients.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** The needs of a fault beyond a service and its store: a server, a program, or file systems of its own. */
export type Needs = 's3' | 'proxy' | 'standby' | 'mounts' | 'strace' | 'haproxy';

/** The results that a client may see during a fault, beyond normal responses: a status, or none. */
export type Seen = number | NoResponse;

/** The operation of a request: an attempt is a download if its link has a file, otherwise a visit. */
export type Purpose = 'visit' | 'download' | 'create' | 'upload' | 'change' | 'revoke' | 'statistics';
export type Sees = Partial<Record<Purpose | 'any', readonly Seen[]>>;

/** A fault as documented. `npm run docs` writes its texts into docs/failure-modes.md. */
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
  kept: string;
  remedy: string;
};

const BOTH = ['sqlite', 'postgres'] as const;
const ACKNOWLEDGED = 'Everything that got a response';
const UNKNOWN_COMMITS = `${ACKNOWLEDGED}. An attempt whose commit broke off may be counted and get 503`;

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
    kept: `${ACKNOWLEDGED}. Attempts of the last batches may be counted without a response`,
    remedy: 'Start it again; a supervisor does',
  },
  'stopped-with-downloads': {
    what: 'The service is stopped (`SIGTERM`) while slow clients download',
    stores: BOTH,
    sees: { any: ['refused'] },
    kept: 'Everything. Each download that its client can read within 7.5 seconds is complete',
    remedy: 'None',
  },
  'database-locked': {
    what: 'Another program locks the SQLite file',
    stores: ['sqlite'],
    sees: WRITES_FAIL,
    health: 'DOWN',
    kept: `${ACKNOWLEDGED}, and nothing of a failed request`,
    remedy: "End the other program's transaction",
  },
  'database-disk-full': {
    what: 'The disk of the SQLite file is full',
    stores: ['sqlite'],
    needs: 'mounts',
    sees: WRITES_FAIL,
    health: 'DOWN',
    kept: `${ACKNOWLEDGED}, and nothing of a failed request`,
    remedy: 'Free some space; no restart is needed',
  },
  'database-unlinked': {
    what: 'The SQLite file is removed or renamed while the service runs',
    stores: ['sqlite'],
    sees: WRITES_FAIL,
    health: 'DOWN',
    kept: 'Everything, if the file gets its name back before the service stops',
    remedy: 'Rename the file back with its `-wal`; or stop the service and restore a backup',
  },
  'wal-cut': {
    what: 'The `-wal` of the SQLite file is cut after a kill, before the next start',
    stores: ['sqlite'],
    sees: {},
    kept: 'What is before the cut. The loss is not detected; statistics equal a recount. A database that was never checkpointed does not start',
    remedy:
      'Put the whole files back before the start; afterwards [restore a backup](operations/backup.md#a-removed-or-cut-log)',
  },
  'wal-removed': {
    what: 'The `-wal` of the SQLite file is removed after a kill, before the next start',
    stores: ['sqlite'],
    sees: {},
    kept: 'What was copied into the database file. Else as above',
    remedy: 'As above',
  },
  'long-reader': {
    what: 'Another program reads the SQLite file in one long transaction',
    stores: ['sqlite'],
    sees: {},
    kept: 'Everything. The `-wal` grows until the reader ends, and shrinks then to at most 128 MiB',
    remedy: 'End the reader',
  },
  'disk-slow': {
    what: 'Every flush to the disk takes a third of a second',
    stores: ['sqlite'],
    needs: 'strace',
    sees: {},
    kept: 'Everything',
    remedy: 'Find what else uses the disk',
  },
  'storage-disk-full': {
    what: 'The disk of the uploaded files is full',
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500, 507] },
    kept: 'Everything; a failed upload leaves nothing',
    remedy: 'Free some space; no restart is needed',
  },
  'storage-read-only': {
    what: 'The disk of the uploaded files becomes read-only',
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500] },
    health: 'DOWN',
    kept: 'Everything; a failed upload leaves nothing',
    remedy: 'Make it writable; no restart is needed',
  },
  'incoming-read-only': {
    what: 'Only the directory `incoming/` of the storage cannot be written',
    stores: ['sqlite'],
    needs: 'mounts',
    sees: { upload: [500] },
    health: 'DOWN',
    kept: 'Everything; a failed upload leaves nothing',
    remedy: 'Make it writable; no restart is needed',
  },
  'storage-removed': {
    what: 'The storage directory disappears, and comes back',
    stores: BOTH,
    sees: { upload: [500], download: [404] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
    kept: 'Everything. Downloads get 404 and spend no view',
    remedy: 'Mount or restore it; no restart is needed',
  },
  'stuck-uploads': {
    what: 'A hundred stale uploads cannot be removed',
    stores: BOTH,
    sees: { any: ['refused'] },
    kept: 'Everything. The sweep removes the other stale uploads',
    remedy: 'Read `err` of the log line `job_failed`, and correct the permissions',
  },
  's3-stopped': {
    what: 'Object storage refuses connections',
    stores: BOTH,
    needs: 's3',
    sees: { upload: [503], download: [503, 'broken'] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
    kept: 'Everything. A download that cannot begin spends no view',
    remedy: 'Start it; no restart of the service is needed',
  },
  's3-slow': {
    what: 'Every response of object storage takes half a second',
    stores: ['sqlite'],
    needs: 's3',
    sees: {},
    kept: 'Everything',
    remedy: 'None; uploads and downloads are slow',
  },
  's3-silent': {
    what: 'Object storage accepts requests and does not respond',
    stores: ['sqlite'],
    needs: 's3',
    sees: { upload: [503, 'timeout'], download: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'like a missing file',
    recoversWithinMs: 15_000,
    kept: 'Everything. A download that cannot begin spends no view',
    remedy: 'Restart it. Requests fail after three times `app.storage.timeout`',
  },
  'postgres-killed': {
    what: 'PostgreSQL crashes, and starts again',
    stores: ['postgres'],
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
    kept: UNKNOWN_COMMITS,
    remedy: 'Start PostgreSQL; the service reconnects',
  },
  'postgres-stopped': {
    what: 'PostgreSQL is stopped, and starts again',
    stores: ['postgres'],
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
    kept: UNKNOWN_COMMITS,
    remedy: 'Start PostgreSQL; the service reconnects',
  },
  'postgres-failover': {
    what: 'PostgreSQL crashes, and its synchronous standby is promoted a second later',
    stores: ['postgres'],
    needs: 'standby',
    sees: { any: [503] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
    recoversWithinMs: 10_000,
    kept: UNKNOWN_COMMITS,
    remedy:
      'None, with both hosts and `target_session_attrs=read-write` in [the URL](operations/scale.md#failover)',
  },
  'instances-rolled': {
    what: 'Two instances behind HAProxy are stopped and started again, one after the other',
    stores: ['postgres'],
    needs: 'haproxy',
    sees: {},
    kept: 'Everything',
    remedy: 'None',
  },
  'postgres-frozen': {
    what: 'PostgreSQL stops responding, with its connections open, and continues',
    stores: ['postgres'],
    sees: { any: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
    kept: UNKNOWN_COMMITS,
    remedy: 'Fail over, or let it continue; the service reconnects',
  },
  'clients-leave-in-silence': {
    what: 'Clients leave while PostgreSQL does not respond',
    stores: ['postgres'],
    sees: { any: [503, 'timeout'] },
    health: 'DOWN',
    errorsMayBe: 'recorded',
    kept: `${UNKNOWN_COMMITS}. The attempts of clients that left before their transaction are not counted`,
    remedy: 'As above',
  },
  'postgres-connections-cut': {
    what: 'The connections to PostgreSQL are cut, again and again',
    stores: ['postgres'],
    sees: { any: [503] },
    errorsMayBe: 'recorded',
    kept: UNKNOWN_COMMITS,
    remedy: 'None; the service reconnects',
  },
  'commit-reply-lost': {
    what: 'PostgreSQL commits, and its confirmation never arrives',
    stores: ['postgres'],
    needs: 'proxy',
    sees: { any: ['timeout'] },
    recoversWithinMs: 20_000,
    kept: 'Everything. The service looks up what was committed, and responds late',
    remedy: 'Repair the network',
  },
  'row-locked': {
    what: "Another session of PostgreSQL locks one link's row",
    stores: ['postgres'],
    sees: { visit: [503], change: [503], revoke: [503] },
    kept: 'Everything, and nothing of a failed request. Requests for this link fail after a second; those for others do not fail',
    remedy: "End the other session's transaction",
  },
  'postgres-restored': {
    what: 'PostgreSQL is replaced by an older copy while the service runs',
    stores: ['postgres'],
    sees: { any: [503] },
    errorsMayBe: 'recorded',
    kept: 'What the copy holds, and everything later. Statistics equal a recount',
    remedy: 'Run `postern verify`: files of links that the copy lacks are reported',
  },
  'log-reader-stalled': {
    what: 'The program that reads the log stops reading',
    stores: ['sqlite'],
    sees: { any: ['refused'] },
    kept: 'Everything but lines of the log. Requests, health and a stop do not wait for the reader',
    remedy: 'Repair the log reader',
  },
  'clock-forward': {
    what: 'The clock jumps forward by an hour, and back',
    stores: BOTH,
    sees: {},
    kept: 'Everything; records have the time of the clock. Readiness is `OUT_OF_SERVICE` until the jobs run again, at most a minute',
    remedy: 'See [troubleshooting](operations/monitoring.md#the-clock-jumped)',
  },
  'clock-back': {
    what: 'The clock jumps back by an hour, and forward',
    stores: BOTH,
    sees: {},
    kept: 'Everything; records have the time of the clock',
    remedy: 'See [troubleshooting](operations/monitoring.md#the-clock-jumped)',
  },
  'clients-vanish': {
    what: 'Clients disappear in the middle of requests and responses',
    stores: BOTH,
    sees: {},
    health: 'UP',
    kept: 'Everything. An unfinished upload leaves nothing; a download that began has spent its view',
    remedy: 'None',
  },
  'idle-connections': {
    what: '5,000 connections are open and send nothing',
    stores: ['sqlite'],
    sees: {},
    health: 'UP',
    kept: 'Everything',
    remedy: 'None; see [limits](operations/configuration.md#limits-of-clients)',
  },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

/** Returns a fault with the optional properties that it may lack. */
export const faultOf = (name: FaultName): Fault => FAULTS[name];
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]; // the keys of the table above
