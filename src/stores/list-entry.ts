import type { Creator } from '../links/link-list.ts';
import { termsOf } from '../links/list-terms.ts';
import { type ListNumber, listNumberOf } from './list-number.ts';
import { type Creation, toInitialState } from './sql/create-links.ts';

/** A link in the list: its place, who created it, and the terms by which the search finds it. */
export type ListEntry = { number: ListNumber; shortCode: string; creator: Creator; terms: readonly string[] };

/** Returns how a new link is in the list. */
export function toNewEntry({ link, change }: Creation): ListEntry {
  const { shortCode, createdAt, target, labels, startsAt, maxViews } = link;
  const { kind, name } = change.author;
  const creator = { kind, name };
  const searched = {
    ...labels,
    ...{ shortCode, creator, type: target.type },
    targetUrl: target.type === 'REDIRECT' ? target.url : null,
    fileName: target.type === 'DOWNLOAD' ? target.file.fileName : null,
  };
  const terms = termsOf(searched, { ...toInitialState(link), startsAt, maxViews });
  return { number: listNumberOf(createdAt, shortCode), shortCode, creator, terms };
}
