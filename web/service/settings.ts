import type { Settings } from './contract.ts';
import type { Outcome } from './outcome.ts';
import { send, toDocument } from './requests.ts';

/** Requests the settings of the service, with the owner of this key as the caller. A wrong key is refused with 401. */
export async function fetchSettings(key: string | null): Promise<Outcome<Settings>> {
  const outcome = await send('api/settings', key);
  return outcome.kind === 'DONE' ? toDocument(outcome.value.body) : outcome;
}
