import { once } from 'node:events';
import type { Clock, FileStore, StoreProbe } from '../links/ports.ts';
import type { UploadSpace } from '../links/upload-space.ts';

export type HealthStatus = 'UP' | 'DOWN' | 'OUT_OF_SERVICE';
export type ComponentHealth = { status: HealthStatus; details: Record<string, unknown> };
export type Component = 'database' | 'storage' | 'scheduler';
export type Health = { status: HealthStatus; components: Partial<Record<Component, ComponentHealth>> };

/** "`OUT_OF_SERVICE` when it never ran or ran longer ago" than this. */
const SCHEDULER_MAX_DELAY_MS = 2 * 60_000;

/** A database or storage that is slower than this for a trivial request cannot serve requests either. */
const PROBE_TIMEOUT_MS = 2_000;

/** The components in each document of the health endpoint. */
export const HEALTH_GROUPS = {
  all: ['database', 'storage', 'scheduler'],
  liveness: ['database'],
  readiness: ['database', 'storage', 'scheduler'],
} as const satisfies Record<string, readonly Component[]>;
export type HealthGroup = keyof typeof HEALTH_GROUPS;

export type CheckHealth = (group: HealthGroup) => Promise<Health>;

/**
 * Returns a function that checks the components of a group, without caching.
 *
 * @param parts.isStopping while true, readiness is OUT_OF_SERVICE, so that load balancers send no new
 * requests
 */
export function prepareCheckHealth(parts: {
  store: StoreProbe;
  files: FileStore;
  uploadSpace: UploadSpace;
  lastExpirationRun: () => number | null;
  isStopping: () => boolean;
  clock: Clock;
}): CheckHealth {
  const { store, files, uploadSpace, lastExpirationRun, isStopping, clock } = parts;
  const checks: Record<Component, () => Promise<ComponentHealth>> = {
    database: () => checkDatabase(store, clock),
    storage: () => checkStorage(files, uploadSpace),
    scheduler: async () => checkScheduler(lastExpirationRun(), clock()),
  };

  return async (group) => {
    const names = HEALTH_GROUPS[group];
    const found = await Promise.all(names.map((name) => checks[name]()));
    const components = Object.fromEntries(names.map((name, index) => [name, found[index]]));
    const statuses = found.map((component) => component.status);
    if (group === 'readiness' && isStopping()) statuses.push('OUT_OF_SERVICE');
    return { status: worst(statuses), components };
  };
}

/** "DOWN if `database` or `storage` is DOWN, else OUT_OF_SERVICE if `scheduler` is." */
function worst(statuses: HealthStatus[]): HealthStatus {
  return (['DOWN', 'OUT_OF_SERVICE'] as const).find((status) => statuses.includes(status)) ?? 'UP';
}

async function checkDatabase(store: StoreProbe, clock: Clock): Promise<ComponentHealth> {
  try {
    const result = await withTimeout(store.probe());
    if (result !== 1) return { status: 'DOWN', details: { database: 'unexpected response' } };
    return { status: 'UP', details: { database: 'reachable', checkedAt: new Date(clock()).toISOString() } };
  } catch {
    return { status: 'DOWN', details: { database: 'unreachable' } };
  }
}

/** A disk that is almost full is UP: it is writable, and attempts still commit. */
async function checkStorage(files: FileStore, uploadSpace: UploadSpace): Promise<ComponentHealth> {
  try {
    const [space] = await withTimeout(Promise.all([uploadSpace.read(), files.checkWritable()]));
    if (!space) return { status: 'UP', details: {} };
    const { freeBytes, minFreeBytes, acceptsUploads } = space;
    const uploads = acceptsUploads ? 'accepted' : 'refused';
    return { status: 'UP', details: { freeBytes, minFreeBytes, uploads } };
  } catch {
    return { status: 'DOWN', details: { storage: 'Not writable' } };
  }
}

function checkScheduler(lastRun: number | null, now: number): ComponentHealth {
  if (lastRun === null) return { status: 'OUT_OF_SERVICE', details: { scheduler: 'never executed' } };
  const lastExecution = new Date(lastRun).toISOString();
  const delayMs = now - lastRun;
  if (delayMs <= SCHEDULER_MAX_DELAY_MS) {
    return { status: 'UP', details: { scheduler: 'running', lastExecution } };
  }
  const delaySeconds = Math.floor(delayMs / 1000);
  return {
    status: 'OUT_OF_SERVICE',
    details: { scheduler: 'execution delayed', lastExecution, delaySeconds },
  };
}

function withTimeout<T>(promise: Promise<T>): Promise<T> {
  const late = once(AbortSignal.timeout(PROBE_TIMEOUT_MS), 'abort').then((): never => {
    throw new Error(`No response within ${PROBE_TIMEOUT_MS} ms`);
  });
  return Promise.race([promise, late]);
}
