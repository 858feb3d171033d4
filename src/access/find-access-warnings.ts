import type { EpochMs } from '../links/link.ts';
import type { AccessSettings } from './access-settings.ts';
import { keyStateAt } from './key-rules.ts';
import type { KeyStore } from './ports.ts';

/** Returns a warning where nothing can sign in, so that only the links that exist can be used. */
export async function findAccessWarnings(
  { mode, initialKey, userHeader }: AccessSettings,
  keys: Pick<KeyStore, 'listKeys'>,
  now: EpochMs,
): Promise<string[]> {
  if (mode === 'open' || initialKey !== null || userHeader !== null) return [];
  const stored = await keys.listKeys();
  if (stored.some((key) => keyStateAt(key, now) === 'active')) return [];
  return [
    'app.access is keys and there is no valid API key: no client can create links or read the statistics. Create a key with `npm run keys -- create admin --scopes=create,read,manage,metrics`, or set app.access.initial-key.',
  ];
}
