import type { StoreKind } from '../drive/arena.ts';
import type { Needs } from '../drive/mounts.ts';
import type { Arena } from './arena.ts';
import type { NoResponse } from './clients.ts';

/** The results that a client may see during a fault, beyond normal responses: a status, or none. */
export type Seen = number | NoResponse;

/** The operation of a request: an attempt is a download if its link has a file, otherwise a visit. */
export type Purpose = 'visit' | 'download' | 'create' | 'upload' | 'change' | 'revoke' | 'statistics';
export type Sees = Partial<Record<Purpose | 'any', readonly Seen[]>>;

/** A fault. Its row in docs/failure-modes.md says what is kept, and what to do. */
export type Fault = {
  what: string;
  /** Injects it. Resolves at its end. */
  inject: (arena: Arena) => Promise<void>;
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
