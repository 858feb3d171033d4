import type { EpochMs, NewLink, Target } from './link.ts';
import type { LinkStore, PasswordHasher } from './ports.ts';
import { newShortCode, type RandomInt } from './short-code.ts';

/** Enough that only a broken source of randomness runs out: at 10^9 links one try collides once in 200,000. */
const MAX_SHORT_CODE_TRIES = 10;

/** The restrictions as a client asks for them; null where it wants none. */
export type WantedRestrictions = {
  expiresAt: EpochMs | null;
  maxViews: number | null;
  password: string | null;
  /** Whether a browser is shown what the link is about before it is opened; not, where nothing is said. */
  confirm?: boolean | null;
};

export type CreateLink = (target: Target, wanted: WantedRestrictions) => Promise<NewLink>;

/**
 * Creates a link to `target` and gives it as committed. A link without `expiresAt` gets one after
 * `defaultTtl`, where that is set.
 *
 * @throws when the store fails, or no free short code is found
 */
export function prepareCreateLink(parts: {
  links: LinkStore;
  passwords: PasswordHasher;
  clock: () => EpochMs;
  randomInt: RandomInt;
  defaultTtl: Temporal.Duration | null;
}): CreateLink {
  const { links, passwords, clock, randomInt, defaultTtl } = parts;

  return async (target, wanted) => {
    const passwordHash = wanted.password === null ? null : await passwords.hash(wanted.password);
    const createdAt = clock();
    const expiresAt = wanted.expiresAt ?? (defaultTtl && after(createdAt, defaultTtl));
    const { maxViews } = wanted;
    for (let tries = 0; tries < MAX_SHORT_CODE_TRIES; tries++) {
      const link = {
        shortCode: newShortCode(randomInt),
        target,
        createdAt,
        expiresAt,
        maxViews,
        passwordHash,
        confirm: wanted.confirm ?? false,
      };
      if ((await links.create(link)) === 'created') return link;
    }
    throw new Error(
      `No free short code in ${MAX_SHORT_CODE_TRIES} tries: the source of randomness is broken`,
    );
  };
}

/** Calendar units count in UTC: a month after 31 January is the last of February. */
function after(start: EpochMs, ttl: Temporal.Duration): EpochMs {
  return Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO('UTC').add(ttl).epochMilliseconds;
}
