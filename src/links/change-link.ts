import type { Author } from './author.ts';
import type { ChangeResult, LinkPatch } from './decide-change.ts';
import type { EpochMs } from './link.ts';
import type { NotifiedLinks } from './link-event.ts';
import type { Departure, LinkStore, PasswordHasher, WorkQueue } from './ports.ts';

/** The new terms that a client requests, with the plain password, which is hashed. */
export type LinkPatchRequest = Omit<LinkPatch, 'passwordHash'> & { password?: string | null };

/**
 * Changes the terms of a link and records its author. No attempt that was decided before is undone, and every later one
 * obeys the new terms.
 *
 * @param versions the versions of the link that may be changed; null for any
 * @throws OverloadedError when too many passwords or changes are waiting, AbandonedError when the client left before its
 * password was hashed
 */
export type ChangeLink = (
  shortCode: string,
  requested: { patch: LinkPatchRequest; versions: readonly number[] | null },
  author: Author,
  client?: Departure,
) => Promise<ChangeResult>;

export function prepareChangeLink(parts: {
  links: LinkStore;
  passwords: PasswordHasher;
  passwordQueue: WorkQueue;
  clock: () => EpochMs;
  newChangeId: (at: EpochMs) => string;
  /** The links of whose changes others want to be notified. */
  notifiedLinks?: NotifiedLinks;
}): ChangeLink {
  const { links, passwords, passwordQueue, clock, newChangeId, notifiedLinks } = parts;

  async function hashPassword(
    { password, ...patch }: LinkPatchRequest,
    { ipAddress }: Author,
    hasLeft?: AbortSignal,
  ): Promise<LinkPatch> {
    if (password === undefined) return patch;
    if (password === null) return { ...patch, passwordHash: null };
    const requester = { address: ipAddress, ...(hasLeft && { hasLeft }) };
    return { ...patch, passwordHash: await passwordQueue.run(requester, () => passwords.hash(password)) };
  }

  return async (shortCode, { patch: wanted, versions }, author, client) => {
    const patch = await hashPassword(wanted, author, client?.departure?.());
    const at = clock();
    const change = { id: newChangeId(at), author, at, ...(notifiedLinks && { notifiedLinks }) };
    return links.change(shortCode, { patch, versions }, change);
  };
}
