import { MINOR_PROBLEMS, PROBLEMS, type Problem, STORAGE_PROBLEMS } from '../core/model/problem.ts';
import type { Clock, StoreProbe } from '../core/ports/ports.ts';
import type { UploadSpace } from '../core/use-cases/files/upload-space.ts';
import { type FindProblems, type FoundProblems, withTimeout } from './problems.ts';

export type HealthStatus = 'UP' | 'DOWN' | 'OUT_OF_SERVICE';
export type ComponentHealth = { status: HealthStatus; details: Record<string, unknown> };
export type Component = 'database' | 'storage' | 'scheduler';
export type Health = { status: HealthStatus; components: Partial<Record<Component, ComponentHealth>> };

/** "`OUT_OF_SERVICE` when it never ran or ran longer ago" than this. */
const SCHEDULER_MAX_DELAY_MS = 2 * 60_000;

/** The components in each document of the health endpoint. */
export const HEALTH_GROUPS = {
  all: ['database', 'storage', 'scheduler'],
  liveness: ['database'],
  readiness: ['database', 'storage', 'scheduler'],
} as const satisfies Record<string, readonly Component[]>;
export type HealthGroup = keyof typeof HEALTH_GROUPS;

export type CheckHealth = (group: HealthGroup) => Promise<Health>;

/** Returns a function that checks the components of a group, without caching. */
export function prepareCheckHealth(parts: {
  store: StoreProbe;
  findProblems: FindProblems;
  uploadSpace: UploadSpace;
  lastExpirationRun: () => number | null;
  clock: Clock;
}): CheckHealth {
  const { store, findProblems, uploadSpace, lastExpirationRun, clock } = parts;
  const checks: Record<Component, (finding: Promise<FoundProblems>) => Promise<ComponentHealth>> = {
    database: async (finding) => withProblems(await checkDatabase(store, clock), await finding),
    storage: async (finding) => checkStorage(await finding, uploadSpace),
    scheduler: async () => checkScheduler(lastExpirationRun(), clock()),
  };

  return async (group) => {
    const names = HEALTH_GROUPS[group];
    // A restart solves no problem of a database that responds, so liveness ignores them.
    const finding = group === 'liveness' ? Promise.resolve(NO_PROBLEMS) : findProblems();
    const found = await Promise.all(names.map((name) => checks[name](finding)));
    const components = Object.fromEntries(names.map((name, index) => [name, found[index]]));
    const statuses = found.map((component) => component.status);
    return { status: worst(statuses), components };
  };
}

/** Returns "DOWN if `database` or `storage` is DOWN, else OUT_OF_SERVICE if `scheduler` is." */
function worst(statuses: HealthStatus[]): HealthStatus {
  return (['DOWN', 'OUT_OF_SERVICE'] as const).find((status) => statuses.includes(status)) ?? 'UP';
}

async function checkDatabase(store: StoreProbe, clock: Clock): Promise<ComponentHealth> {
  try {
    const readingBackup = store.readLastBackup().catch(() => null); // also of a database with problems
    const [result, lastBackup] = await withTimeout(Promise.all([store.probe(), readingBackup]));
    if (result !== 1) return { status: 'DOWN', details: { database: 'unexpected response' } };
    const backup = lastBackup === null ? {} : { lastBackup: new Date(lastBackup).toISOString() };
    const checkedAt = new Date(clock()).toISOString();
    return { status: 'UP', details: { database: 'reachable', checkedAt, ...backup } };
  } catch {
    return { status: 'DOWN', details: { database: 'unreachable' } };
  }
}

const NO_PROBLEMS: FoundProblems = new Map();
const NOT_WRITABLE: ComponentHealth = { status: 'DOWN', details: { storage: 'Not writable' } };

/** Adds the problems of a database that responds: it is DOWN, unless all of them are minor. */
function withProblems(database: ComponentHealth, found: FoundProblems): ComponentHealth {
  const ofDatabase = [...found].filter(([problem]) => !STORAGE_PROBLEMS.includes(problem));
  if (database.status !== 'UP' || ofDatabase.length === 0) return database;
  const problems = explainAll(ofDatabase);
  const status = ofDatabase.every(([problem]) => MINOR_PROBLEMS.includes(problem)) ? 'UP' : 'DOWN';
  return { status, details: { ...database.details, problems } };
}

function explainAll(found: readonly (readonly [Problem, string | undefined])[]): Record<string, string> {
  return Object.fromEntries(
    found.map(([problem, details]) => [
      problem,
      details === undefined ? PROBLEMS[problem] : `${PROBLEMS[problem]} Here: ${details}`,
    ]),
  );
}

/** Checks the storage. A disk that is full, or almost, is UP: links still open. */
async function checkStorage(problems: FoundProblems, uploadSpace: UploadSpace): Promise<ComponentHealth> {
  if (problems.has('storage_not_writable') || problems.has('storage_unavailable')) return NOT_WRITABLE;
  try {
    const space = await withTimeout(uploadSpace.read());
    if (!space) return { status: 'UP', details: {} };
    const { acceptsUploads, ...details } = space;
    if (!problems.has('storage_full'))
      return { status: 'UP', details: { ...details, uploads: acceptsUploads ? 'accepted' : 'refused' } };
    const explained = explainAll([['storage_full', problems.get('storage_full')]]);
    return { status: 'UP', details: { ...details, uploads: 'refused', problems: explained } };
  } catch {
    return NOT_WRITABLE;
  }
}

function checkScheduler(lastRun: number | null, now: number): ComponentHealth {
  if (lastRun === null) return { status: 'OUT_OF_SERVICE', details: { scheduler: 'never executed' } };
  const lastExecution = new Date(lastRun).toISOString();
  const delayMs = now - lastRun;
  if (delayMs <= SCHEDULER_MAX_DELAY_MS)
    return { status: 'UP', details: { scheduler: 'running', lastExecution } };
  const delaySeconds = Math.floor(delayMs / 1000);
  return {
    status: 'OUT_OF_SERVICE',
    details: { scheduler: 'execution delayed', lastExecution, delaySeconds },
  };
}
