import type { Health } from './contract.ts';
import { requestJson } from './requests.ts';

/** Returns the health of the service, also with status 503, or null when there is none to read. */
export async function fetchHealth(signal: AbortSignal): Promise<Health | null> {
  const outcome = await requestJson<Health>('actuator/health', { signal }, 503);
  // A proxy in front of the service may send a 503 with a body of its own.
  return outcome.kind === 'DONE' && typeof outcome.value.status === 'string' ? outcome.value : null;
}
