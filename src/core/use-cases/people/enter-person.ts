import { hash } from 'node:crypto';
import type { EpochMs } from '../../model/link.ts';
import { newPerson, type Person } from '../../model/people/person.ts';
import { toDisplayName } from '../../model/people/person-name.ts';
import type { PersonStore } from '../../ports/people.ts';
import type { ClaimSettings, Claims } from '../../ports/provider.ts';
import { isMailAddress } from '../../rules/notify-email.ts';
import { parsePersonName } from '../../rules/people-bodies.ts';

/** Reads the claims of a verified ID token and of the response to its access token. */
export function toClaims(
  claims: Readonly<Record<string, unknown>> & { iss: string; sub: string },
  { groupsClaim, groupScopes, trustsEmail }: ClaimSettings,
): Claims | 'too-many-groups' {
  const { iss: issuer, sub: subject } = claims;
  const elsewhere = claims['_claim_names']; // of Entra, for a person with more than about 200 groups
  if (groupScopes && typeof elsewhere === 'object' && elsewhere !== null && groupsClaim in elsewhere)
    return 'too-many-groups';
  const names = [claims[groupsClaim]].flat().filter((group) => typeof group === 'string');
  const email = String(claims['email'] ?? '').toLowerCase();
  const verified = claims['email_verified'] ?? trustsEmail;
  const isVerified = verified === true || verified === 'true'; // some providers send a text
  // A user name that a person may choose could be the address of another person.
  const mayBeName = ({ name: text }: Named) =>
    !text.includes('@') || (isVerified && (trustsEmail || text === email));
  const texts = [claims['preferred_username'], claims['email'], claims['name']];
  return {
    identity: { issuer, subject },
    ...(texts.flatMap(toNames).find(mayBeName) ?? unusedName(subject)),
    email: isMailAddress(email) ? email : null,
    isEmailVerified: isMailAddress(email) && isVerified,
    groups: [...new Set(['*', ...names])].flatMap((group) => {
      const scopes = groupScopes?.get(group) ?? [];
      return scopes.length > 0 ? [{ name: group, scopes: [...scopes] }] : [];
    }),
  };
}

type Named = Pick<Person, 'name' | 'displayName'>;

/** Returns the name that a text is, with its spelling; none if it cannot be one. */
function toNames(text: unknown): Named[] {
  const displayName = toDisplayName(typeof text === 'string' ? text : '');
  const parsed = parsePersonName(displayName);
  return parsed.ok ? [{ name: parsed.value, displayName }] : [];
}

/** Returns a name for a person whose other names cannot be used. */
function unusedName(subject: string): Named {
  const name = `person-${hash('sha256', subject, 'hex').slice(0, 8)}`;
  return { name, displayName: name };
}

const MAX_SAME_NAMES = 100;

/**
 * Finds the person of a sign-in at a provider: the one with the identity, else the one whom an administrator added with the
 * same name and address, if the provider has verified the address, else a new one. Its name gets a number where it is that
 * of another person, or of an owner of links. Undefined for a deactivated person.
 *
 * @param options.isNameShared true where a reverse proxy names users too: a new person always gets a number there, because
 * the proxy may name a user so later
 */
export async function enterPerson(
  people: PersonStore,
  { name, displayName, ...profile }: Claims,
  { now, isNameShared }: { now: EpochMs; isNameShared: boolean },
): Promise<{ person: Person; isRenamed: boolean } | undefined> {
  const { identity, email, isEmailVerified } = profile;
  const named = await people.findPerson(name);
  const mayLink =
    named?.identity === null && isEmailVerified && named.isEmailVerified && named.email === email;
  const known = (await people.findPersonByIdentity(identity)) ?? (mayLink ? named : undefined);
  if (known) await people.updateProfile(known.id, profile);
  const numbered = Array.from({ length: MAX_SAME_NAMES - 1 }, (_, index) => `${displayName} ${index + 2}`);
  const own = isNameShared ? [] : [{ name, displayName }];
  for (const free of known ? [] : [...own, ...numbered.flatMap(toNames), unusedName(identity.subject)]) {
    const person = newPerson({ ...profile, ...free, scopes: [], createdAt: now });
    if ((await people.addPerson(person)) !== 'name-taken') break;
  }
  const person = await people.findPersonByIdentity(identity);
  const isRenamed = !known && person?.name !== name;
  return person?.deactivatedAt === null ? { person, isRenamed } : undefined;
}
