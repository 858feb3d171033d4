import { appendEntry, nextPlace, toChangeEntry } from '../links/chain.ts';
import type { ChangeDecision, ChangeResult, RequestedChange } from '../links/decide-change.ts';
import type { ChainPlace, ChangeEntry } from '../links/history.ts';
import type { Link, LinkStatus } from '../links/link.ts';
import type { LinkChange } from '../links/link-change.ts';
import { isNotified, type LinkEvents, toChangeEvents } from '../links/link-event.ts';

/** A change that is requested of a link, with its author. Both are committed in one transaction. */
export type Change = { shortCode: string; requested: RequestedChange; change: LinkChange };

/** A decided change with its entry. `place`: that of the entry; `link`: after the change and the entry; `from`: its status before. */
export type ChainedChange = {
  link: Link;
  from: LinkStatus;
  entry: ChangeEntry;
  place: ChainPlace;
  events: LinkEvents[];
};

/** Appends a change to the chain of its link. */
export function chainChange(
  { link, from, details }: Extract<ChangeDecision, { result: 'changed' }>,
  change: LinkChange,
): ChainedChange {
  const entry = toChangeEntry(link.shortCode, details, change);
  const history = appendEntry(link.history, entry);
  const hasEvents = isNotified(change.notifiedLinks, () => link.notify !== undefined);
  return {
    link: { ...link, history },
    from,
    entry,
    place: nextPlace(link.history),
    events: hasEvents ? [toChangeEvents(entry, history)] : [],
  };
}

export function toChangeResult({ link, entry }: ChainedChange): ChangeResult {
  return { result: 'changed', link, changedTerms: Object.keys(entry.details) };
}
