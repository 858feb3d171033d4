import type { EpochMs } from '../link.ts';

/** A browser in which a person has signed in. Its secret is in a cookie alone. */
export type Session = {
  /** See `hashSecret`. */
  hash: string;
  personId: string;
  /** True if the person chose to stay signed in. */
  staysSignedIn: boolean;
  /** True if it began with a sign-in at the provider of OpenID Connect. */
  isFromProvider: boolean;
  userAgent: string | null;
  createdAt: EpochMs;
  lastUsedAt: EpochMs;
  expiresAt: EpochMs;
};
