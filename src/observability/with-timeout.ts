import { once } from 'node:events';

/** A database or storage that is slower than this for a trivial request cannot serve requests either. */
const PROBE_TIMEOUT_MS = 2_000;

/** Rejects when a probe takes too long. */
export function withTimeout<T>(promise: Promise<T>): Promise<T> {
  const late = once(AbortSignal.timeout(PROBE_TIMEOUT_MS), 'abort').then((): never => {
    throw new Error(`No response within ${PROBE_TIMEOUT_MS} ms`);
  });
  return Promise.race([promise, late]);
}
