import type { NewIdAndSalt } from './attempt.ts';
import type { Author } from './author.ts';
import type { EpochMs, NotifiedLinks } from './link.ts';

export const LINK_CHANGE_KINDS = ['CREATED', 'CHANGED', 'REVOKED'] as const;
export type LinkChangeKind = (typeof LINK_CHANGE_KINDS)[number];

/** The author and the time of a change. A store records it in the transaction of the change. `id` is a UUIDv7 of `at`. */
export type LinkChange = {
  id: string;
  at: EpochMs;
  /** See `Personal`. */
  salt: string;
  author: Author;
  /** The links of which others want to be notified of such a change; NONE if absent. */
  notifiedLinks?: NotifiedLinks;
};

/** Returns the record of a change by an author, made now. */
export type NewLinkChange = (author: Author) => LinkChange;

export type LinkChangeParts = {
  clock: () => EpochMs;
  newIdAndSalt: NewIdAndSalt;
  /** The links of whose changes of this kind others want to be notified. */
  notifiedLinks?: NotifiedLinks;
};

export function prepareNewChange({ clock, newIdAndSalt, notifiedLinks }: LinkChangeParts): NewLinkChange {
  return (author) => {
    const at = clock();
    return { ...newIdAndSalt(at), author, at, ...(notifiedLinks && { notifiedLinks }) };
  };
}
