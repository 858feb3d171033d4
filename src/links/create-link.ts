import type { EpochMs, NewLink, Target } from './link.ts';
import { addTtl, type LinkPolicy } from './link-policy.ts';
import type { LinkStore, PasswordHasher } from './ports.ts';
import { newShortCode, type RandomInt } from './short-code.ts';

/** Only a broken source of randomness needs more: with 10^9 links one try in 200,000 collides. */
const MAX_SHORT_CODE_TRIES = 10;

/** The restrictions that a client requests; null for none. */
export type RequestedRestrictions = {
  expiresAt: EpochMs | null;
  maxViews: number | null;
  /** The plain password, which is hashed and never stored, logged or returned. */
  password: string | null;
  /** True when browsers get a confirmation page first; null when the client did not say. */
  confirm?: boolean | null;
};

export type CreateLink = (target: Target, requested: RequestedRestrictions) => Promise<NewLink>;

/**
 * Creates a link to `target` and returns it as committed. A link without `expiresAt` expires after
 * `defaultTtl` or the policy's `maxTtl`, whichever is earlier; one without `maxViews` gets the policy's.
 *
 * @throws when the store fails, the upload of the file was abandoned, or no free short code is found
 */
export function prepareCreateLink(parts: {
  links: LinkStore;
  passwords: PasswordHasher;
  clock: () => EpochMs;
  randomInt: RandomInt;
  defaultTtl: Temporal.Duration | null;
  linkPolicy: Pick<LinkPolicy, 'maxTtl' | 'maxViews'>;
}): CreateLink {
  const { links, passwords, clock, randomInt, defaultTtl, linkPolicy } = parts;

  return async (target, requested) => {
    const passwordHash = requested.password === null ? null : await passwords.hash(requested.password);
    const createdAt = clock();
    const expiresAt = requested.expiresAt ?? earliestEnd(createdAt, [defaultTtl, linkPolicy.maxTtl]);
    const maxViews = requested.maxViews ?? linkPolicy.maxViews;
    for (let tries = 0; tries < MAX_SHORT_CODE_TRIES; tries++) {
      const link = {
        shortCode: newShortCode(randomInt),
        target,
        createdAt,
        expiresAt,
        maxViews,
        passwordHash,
        confirm: requested.confirm ?? false,
      };
      const result = await links.create(link);
      if (result === 'created') return link;
      if (result === 'upload-gone') {
        throw new Error('The upload of this link was abandoned before it ended, and its file is removed');
      }
    }
    throw new Error(
      `No free short code in ${MAX_SHORT_CODE_TRIES} tries: the source of randomness is broken`,
    );
  };
}

/** Returns the end of the lifetime that ends first; null if there is none. */
function earliestEnd(start: EpochMs, ttls: (Temporal.Duration | null)[]): EpochMs | null {
  const ends = ttls.filter((ttl) => ttl !== null).map((ttl) => addTtl(start, ttl));
  return ends.length === 0 ? null : Math.min(...ends);
}
