import { askJson } from './requests.ts';

export type HealthStatus = 'UP' | 'DOWN' | 'OUT_OF_SERVICE';
export type Component = 'database' | 'storage' | 'scheduler';
/** A service that is told to keep its details to itself names no components. */
export type Health = {
  status: HealthStatus;
  components?: Partial<Record<Component, { status: HealthStatus }>>;
};

/** What the service says of itself, also with 503, or null where it says nothing. */
export async function askHealth(signal: AbortSignal): Promise<Health | null> {
  const outcome = await askJson<Health>('actuator/health', { signal }, 503);
  // What stands before the service may answer 503 in words of its own.
  return outcome.kind === 'DONE' && typeof outcome.value.status === 'string' ? outcome.value : null;
}
