import type { EpochMs } from '../../model/link.ts';
import { keyStateAt } from '../../model/people/api-key.ts';
import { SCOPES } from '../../model/people/caller.ts';
import type { AccessSettings } from '../../model/people/decide-access.ts';
import { newPasswordLink, newPerson, PASSWORD_LINK_MS } from '../../model/people/person.ts';
import type { KeyStore, PersonStore } from '../../ports/people.ts';

const ADMINISTRATOR = 'admin';

/** Of instances that start together, one makes the link. */
const RENEW_AFTER_MS = 10_000;

/**
 * Returns the address of a page that sets the password of the first administrator, with all scopes, where the service asks
 * for credentials and there are none; else null. A later start replaces a link that was not used.
 */
export async function inviteAdministrator(
  { mode, initialKey, userHeader }: AccessSettings,
  { keys, people }: { keys: Pick<KeyStore, 'listKeys'>; people: Omit<PersonStore, 'changePerson'> },
  { baseUrl, now }: { baseUrl: string; now: EpochMs },
): Promise<string | null> {
  if (mode === 'open' || initialKey !== null || userHeader !== null) return null;
  if ((await keys.listKeys()).some((key) => keyStateAt(key, now) === 'active')) return null;
  const known = await people.listPeople();
  const admin = known.find(({ name }) => name === ADMINISTRATOR);
  const { url, ...link } = newPasswordLink(baseUrl, now);
  if (known.length === 0) {
    const person = newPerson({
      name: ADMINISTRATOR,
      scopes: [...SCOPES],
      isEmergency: true,
      createdAt: now,
      link,
    });
    return (await people.addPerson(person)) === 'added' ? url : null;
  }
  const isUnused = known.length === 1 && admin?.passwordHash === null && admin.identity === null;
  const madeAt = (admin?.link?.expiresAt ?? 0) - PASSWORD_LINK_MS;
  if (!isUnused || (now >= madeAt && now < madeAt + RENEW_AFTER_MS)) return null;
  return (await people.setPasswordLink(ADMINISTRATOR, link)) ? url : null;
}
