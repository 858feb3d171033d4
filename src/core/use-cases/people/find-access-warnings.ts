import type { EpochMs } from '../../model/link.ts';
import { keyStateAt } from '../../model/people/api-key.ts';
import type { AccessSettings } from '../../model/people/decide-access.ts';
import type { KeyStore, PersonStore } from '../../ports/people.ts';

/** Returns a warning where no person is active and no key is valid, so that only the links that exist can be used. */
export async function findAccessWarnings(
  { mode, initialKey, userHeader }: AccessSettings,
  { keys, people }: { keys: Pick<KeyStore, 'listKeys'>; people: Pick<PersonStore, 'listPeople'> },
  now: EpochMs,
): Promise<string[]> {
  if (mode === 'open' || initialKey !== null || userHeader !== null) return [];
  const stored = await keys.listKeys();
  if (stored.some((key) => keyStateAt(key, now) === 'active')) return [];
  if ((await people.listPeople()).some(({ deactivatedAt }) => deactivatedAt === null)) return [];
  return [
    'app.access is keys, there is no valid API key and no active person: links cannot be created, nor statistics read. Add a person with `postern people add NAME --scopes=create,read,manage,metrics,admin`, or a key with `postern keys create NAME --scopes=create,read,manage,metrics,admin`.',
  ];
}
