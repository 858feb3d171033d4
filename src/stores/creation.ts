import { appendEntry, EMPTY_CHAIN, toCreationEntry } from '../links/chain.ts';
import type { ChainHead, ChangeEntry } from '../links/history.ts';
import type { NewLink } from '../links/link.ts';
import type { LinkChange } from '../links/link-change.ts';
import { isNotified, type LinkEvents, toChangeEvents } from '../links/link-event.ts';

/** A link to create, with its author. Both are committed in one transaction. */
export type Creation = { link: NewLink; change: LinkChange };

/** A creation with the first entry of the link's history. */
export type ChainedCreation = Creation & { entry: ChangeEntry; head: ChainHead };

export function chainCreation({ link, change }: Creation): ChainedCreation {
  const entry = toCreationEntry(link, change);
  return { link, change, entry, head: appendEntry(EMPTY_CHAIN, entry) };
}

/** Returns the events of the creations that notify others. */
export function toCreationEvents(creations: readonly ChainedCreation[]): LinkEvents[] {
  return creations
    .filter(({ link, change }) => isNotified(change.notifiedLinks, () => link.notify !== undefined))
    .map(({ entry, head }) => toChangeEvents(entry, head));
}
