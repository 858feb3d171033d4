import { appendEntry, EMPTY_CHAIN, toCreationEntry } from '../links/chain.ts';
import type { ChainHead, ChangeEntry } from '../links/history.ts';
import type { IdempotentCreation } from '../links/idempotent-request.ts';
import type { EpochMs, ImportedState, NewLink } from '../links/link.ts';
import type { LinkChange } from '../links/link-change.ts';
import { isNotified, type LinkEvents, toChangeEvents } from '../links/link-event.ts';

/** A link to create, with its author and the response to its request. All are committed in one transaction. */
export type Creation = { link: NewLink; change: LinkChange; idempotency?: IdempotentCreation | undefined };

/** A creation with the first entry of the link's history. */
export type ChainedCreation = Creation & { entry: ChangeEntry; head: ChainHead };

export function chainCreation(creation: Creation): ChainedCreation {
  const entry = toCreationEntry(creation.link, creation.change);
  return { ...creation, entry, head: appendEntry(EMPTY_CHAIN, entry) };
}

/** Returns the state in which a link begins. Only an imported one has views, is paused or has expired. */
export function toInitialState({ imported }: NewLink): Omit<ImportedState, 'from'> {
  return imported ?? { status: 'ACTIVE', viewCount: 0, isPaused: false };
}

/** Returns how many links begin with each status. */
export function countStatuses(creations: readonly Creation[]): { ACTIVE: number; EXPIRED: number } {
  const expired = creations.filter(({ link }) => toInitialState(link).status === 'EXPIRED').length;
  return { ACTIVE: creations.length - expired, EXPIRED: expired };
}

/** Returns the view counts of the imported links that have views, for the ranking. */
export function toViewed(creations: readonly Creation[]): Map<string, { viewCount: number }> {
  const viewed = new Map<string, { viewCount: number }>();
  for (const { link } of creations) {
    const { viewCount } = toInitialState(link);
    if (viewCount > 0) viewed.set(link.shortCode, { viewCount });
  }
  return viewed;
}

/** Returns the creations of requests with an Idempotency-Key, with their times. */
export function idempotentCreations(creations: readonly Creation[]): TimedIdempotentCreation[] {
  return creations.flatMap(({ idempotency, change }) =>
    idempotency ? [{ ...idempotency, at: change.at }] : [],
  );
}

export type TimedIdempotentCreation = IdempotentCreation & { at: EpochMs };

/** Returns the events of the creations that notify others. */
export function toCreationEvents(creations: readonly ChainedCreation[]): LinkEvents[] {
  return creations
    .filter(({ link, change }) => isNotified(change.notifiedLinks, () => link.notify !== undefined))
    .map(({ entry, head }) => toChangeEvents(entry, head));
}
