import type { NoResponse } from './clients.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** What a fault needs beyond a service and its store. */
export type Needs = 'nothing' | 's3' | 'proxy' | 'mounts';

/** What a client may see during a fault, beyond normal responses: a status, or none. */
export type Seen = number | NoResponse;

/** A fault as documented. `npm run docs` writes its texts into docs/failure-modes.md. */
export type Fault = {
  what: string;
  stores: readonly StoreKind[];
  needs?: Needs;
  /** What clients may see until the service has recovered. */
  sees: readonly Seen[];
  /** The status that health must report at some moment of the fault. By default any is allowed. */
  health?: 'DOWN' | 'UP';
  /** Set if an attempt may be counted although its response was a 500: the outcome of its commit stayed unknown. */
  mayCountErrors?: true;
  /** By default five seconds. */
  recoversWithinMs?: number;
  kept: string;
  remedy: string;
};

const BOTH = ['sqlite', 'postgres'] as const;
const ACKNOWLEDGED = 'Everything that got a response';

/** The faults of `npm run chaos`. */
export const FAULTS = {
  killed: {
    what: 'The process is killed at random moments (`SIGKILL`)',
    stores: BOTH,
    sees: ['broken', 'refused'],
    kept: `${ACKNOWLEDGED}. Attempts of the last batches may be counted without a response`,
    remedy: 'Start it again; a supervisor does',
  },
  'stopped-with-downloads': {
    what: 'The service is stopped (`SIGTERM`) while slow clients download',
    stores: BOTH,
    sees: ['broken', 'refused'],
    kept: 'Everything; each download is complete',
    remedy: 'None',
  },
  'database-locked': {
    what: 'Another program locks the SQLite file',
    stores: ['sqlite'],
    sees: [500],
    health: 'DOWN',
    kept: `${ACKNOWLEDGED}, and nothing of a failed request`,
    remedy: "End the other program's transaction",
  },
  'postgres-killed': {
    what: 'PostgreSQL crashes, and starts again',
    stores: ['postgres'],
    sees: [500],
    health: 'DOWN',
    mayCountErrors: true,
    kept: `${ACKNOWLEDGED}. An attempt whose commit broke off may be counted and get 500`,
    remedy: 'Start PostgreSQL; the service reconnects',
  },
} as const satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

/** Returns a fault with the optional properties that it may lack. */
export const faultOf = (name: FaultName): Fault => FAULTS[name];
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];
