import { hash } from 'node:crypto';
import type { Configuration } from 'openid-client';
import type { EpochMs } from '../links/link.ts';
import { isMailAddress } from '../links/rules/notify-email.ts';
import type { Scope } from './caller.ts';
import { newPerson, type Person, type PersonStore, type Profile, parsePersonName } from './person.ts';

/**
 * How claims are read. `groupScopes`: the scopes of each group, and under `*` of everybody; null: as added. `trustsEmail`:
 * addresses are verified also where the provider does not say so.
 */
type ClaimSettings = Readonly<{
  groupsClaim: string;
  groupScopes: ReadonlyMap<string, readonly Scope[]> | null;
  trustsEmail: boolean;
}>;

/** A provider of OpenID Connect. */
export type ProviderSettings = ClaimSettings &
  Readonly<{ issuer: string; clientId: string; clientSecret: string | null; scopes: string }>;

/** What a provider says about a person who has signed in there. */
export type Claims = Profile & { name: string };

/** A sign-in at the provider, which begins and ends with the same secret, kept by the browser alone. */
export type Provider = {
  /** Returns the address to which the browser goes. */
  begin(secret: string): Promise<URL>;
  /**
   * Checks the response with which the browser comes back.
   *
   * @param query of the address to which it comes back, with the code
   * @returns 'too-many-groups' if the provider has left the groups out
   * @throws when the response is not that of a sign-in which began with this secret, or the provider cannot be reached
   */
  finish(secret: string, query: URLSearchParams): Promise<Claims | 'too-many-groups'>;
};

const TIMEOUT_SECONDS = 10;

/**
 * Prepares sign-ins at a provider. Its metadata is read at the first sign-in, so the service starts without it.
 *
 * @param redirectUri the address of this service to which the provider sends the browser
 */
export function prepareProvider(settings: ProviderSettings, redirectUri: string): Provider {
  let known: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await import('openid-client');
    const issuer = new URL(settings.issuer);
    // Without it, the library relies on TLS alone: it verifies no signature of an ID token.
    const execute = [enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(allowInsecureRequests); // only loopback, see the property
    const options = { execute, timeout: TIMEOUT_SECONDS };
    return discovery(issuer, settings.clientId, settings.clientSecret ?? undefined, undefined, options);
  }
  function configure(): Promise<Configuration> {
    known ??= discover().catch((error: unknown) => {
      known = undefined; // the next sign-in tries again
      throw error;
    });
    return known;
  }

  return {
    async begin(secret) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
      const { state, nonce, verifier } = derive(secret);
      const challenge = {
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      const parameters = { redirect_uri: redirectUri, scope: settings.scopes, state, nonce, ...challenge };
      return buildAuthorizationUrl(await configure(), parameters);
    },
    async finish(secret, query) {
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
      const configuration = await configure();
      const { state, nonce, verifier } = derive(secret);
      const url = new URL(`${redirectUri}?${query}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await authorizationCodeGrant(configuration, url, { ...checks, idTokenExpected: true });
      const idToken = tokens.claims();
      if (!idToken) throw new Error('The provider sent no ID token');
      const isWhole = settings.groupsClaim in idToken && 'preferred_username' in idToken;
      const more =
        isWhole || !configuration.serverMetadata().userinfo_endpoint
          ? {}
          : await fetchUserInfo(configuration, tokens.access_token, idToken.sub);
      return toClaims({ ...more, ...idToken }, settings);
    },
  };
}

/** Derives what one sign-in sends from its secret, so that nothing is stored. The secret cannot be computed from its hash. */
function derive(secret: string) {
  const of = (purpose: string) => hash('sha256', `postern ${purpose} ${secret}`, 'base64url');
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') };
}

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
  const mayBeName = (text: string) => !text.includes('@') || (isVerified && (trustsEmail || text === email));
  const texts = [claims['preferred_username'], claims['email'], claims['name']];
  return {
    identity: { issuer, subject },
    name: texts.flatMap(toNames).find(mayBeName) ?? unusedName(subject),
    email: isMailAddress(email) ? email : null,
    isEmailVerified: isMailAddress(email) && isVerified,
    groups: [...new Set(['*', ...names])].flatMap((group) => {
      const scopes = groupScopes?.get(group) ?? [];
      return scopes.length > 0 ? [{ name: group, scopes: [...scopes] }] : [];
    }),
  };
}

function toNames(text: unknown): string[] {
  const parsed = typeof text === 'string' ? parsePersonName(text.trim()) : undefined;
  return parsed?.ok ? [parsed.value] : [];
}

/** Returns a name for a person whose other names cannot be used. */
const unusedName = (subject: string): string => `person-${hash('sha256', subject, 'hex').slice(0, 8)}`;

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
  { name, ...profile }: Claims,
  { now, isNameShared }: { now: EpochMs; isNameShared: boolean },
): Promise<{ person: Person; isRenamed: boolean } | undefined> {
  const { identity, email, isEmailVerified } = profile;
  const named = await people.findPerson(name);
  const mayLink =
    named?.identity === null && isEmailVerified && named.isEmailVerified && named.email === email;
  const known = (await people.findPersonByIdentity(identity)) ?? (mayLink ? named : undefined);
  if (known) await people.updateProfile(known.id, profile);
  const numbered = Array.from({ length: MAX_SAME_NAMES - 1 }, (_, index) => `${name} ${index + 2}`);
  const own = isNameShared ? [] : [name];
  for (const free of known ? [] : [...own, ...numbered.flatMap(toNames), unusedName(identity.subject)]) {
    const person = newPerson({ ...profile, name: free, scopes: [], createdAt: now });
    if ((await people.addPerson(person)) !== 'name-taken') break;
  }
  const person = await people.findPersonByIdentity(identity);
  const isRenamed = !known && person?.name !== name;
  return person?.deactivatedAt === null ? { person, isRenamed } : undefined;
}
