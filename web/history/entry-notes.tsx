import { useI18n } from '../i18n/i18n.tsx';
import type { Entry } from '../service/history.ts';
import { historyPageUrl } from '../service/links.ts';

/** Leads to the page of the link that a link continues, or that continues it. */
export function OtherLink({ code }: { code: string | null }) {
  return code === null ? null : <a href={historyPageUrl(code)}>{code}</a>;
}

/** Returns the number of an entry in the history, and those of the ends of its downloads. */
export function numbersOf(entry: Entry): number[] {
  const ends = entry.kind === 'ATTEMPT' ? entry.downloads : [];
  return [entry.number, ...ends.map(({ number }) => number)];
}

/** Returns whether a list shows entries with others: an attempt with the ends of its downloads. */
export function hasDownloadEnds(items: Entry[]): boolean {
  return items.some((entry) => numbersOf(entry).length > 1);
}

/** Explains what a preview is, where entries have one. */
export function PreviewNote({ items }: { items: Entry[] }) {
  const { t } = useI18n();
  const hasPreview = items.some((entry) => entry.kind === 'ATTEMPT' && entry.preview);
  return hasPreview ? <p class="soft small">{t('entry.previewMeaning')}</p> : null;
}
