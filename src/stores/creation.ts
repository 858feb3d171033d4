import { appendEntry, EMPTY_CHAIN, toCreationEntry } from '../links/chain.ts';
import type { ChainHead, ChangeEntry } from '../links/history.ts';
import type { NewLink } from '../links/link.ts';
import type { LinkChange } from '../links/link-change.ts';

/** A link to create, with its author. Both are committed in one transaction. */
export type Creation = { link: NewLink; change: LinkChange };

/** A creation with the first entry of the link's history. */
export type ChainedCreation = { link: NewLink; entry: ChangeEntry; head: ChainHead };

export function chainCreation({ link, change }: Creation): ChainedCreation {
  const entry = toCreationEntry(link, change);
  return { link, entry, head: appendEntry(EMPTY_CHAIN, entry) };
}
