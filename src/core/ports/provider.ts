import type { Scope } from '../model/people/caller.ts';
import type { Person, Profile } from '../model/people/person.ts';

/** The statements of a provider about a person who has signed in there. */
export type Claims = Profile & Pick<Person, 'name' | 'displayName'>;

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

/**
 * How claims are read. `groupScopes`: the scopes of each group, and under `*` of everybody; null: as added. `trustsEmail`:
 * addresses are verified also where the provider does not say so.
 */
export type ClaimSettings = Readonly<{
  groupsClaim: string;
  groupScopes: ReadonlyMap<string, readonly Scope[]> | null;
  trustsEmail: boolean;
}>;

/** A provider of OpenID Connect. */
export type ProviderSettings = ClaimSettings &
  Readonly<{ issuer: string; clientId: string; clientSecret: string | null; scopes: string }>;
