import { isFetch } from '../../src/core/model/user-agent.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { Translate } from '../i18n/translate.ts';
import { type Entry, isPageShown, numbersOf } from '../service/history.ts';
import { historyPageUrl } from '../service/links.ts';
import { isAddressAsked } from './attempt-label.ts';

/** Leads to the page of the link that a link continues, or that continues it. */
export function OtherLink({ code }: { code: string | null }) {
  return code === null ? null : <a href={historyPageUrl(code)}>{code}</a>;
}

/**
 * Says how many entries are in how many rows, and which share one: an attempt, the pages that led to it, the ends of its downloads
 * and its repeats. Empty where each has its own.
 */
export function toCombinedText(
  rows: readonly { entry: Entry; repeats: Entry[]; steps?: Entry[] }[],
  t: Translate,
): string {
  const counts = rows.map(
    ({ entry, repeats, steps = [] }) => [entry, ...repeats, ...steps].flatMap(numbersOf).length,
  );
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (count === rows.length) return '';
  return t('history.combined', { count, rows: t('history.rows', { count: rows.length }) });
}

/** Explains what pages, previews and fetches are, and what looks the same, each where entries have one. */
export function PreviewNote({ items }: { items: Entry[] }) {
  const { t, ofRequests } = useI18n();
  const attempts = items.filter((entry) => entry.kind === 'ATTEMPT');
  const isRequest = t === ofRequests; // whose page is all that a program can fetch
  const notes = [
    attempts.some(isAddressAsked) && t('entry.addressMeaning', { label: t('entry.addressAsked') }),
    attempts.some(isPageShown) && t('entry.pageMeaning'),
    attempts.some((entry) => entry.preview && !isPageShown(entry)) && t('entry.previewMeaning'),
    !isRequest && attempts.some(isFetch) && t('entry.fetchMeaning', { confirm: t('confirm') }),
  ].filter(Boolean);
  return notes.length === 0 ? null : <p class="soft small">{notes.join(' ')}</p>;
}
