import { isFetch } from '../../src/core/model/user-agent.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { type Entry, numbersOf } from '../service/history.ts';
import { historyPageUrl } from '../service/links.ts';

/** Leads to the page of the link that a link continues, or that continues it. */
export function OtherLink({ code }: { code: string | null }) {
  return code === null ? null : <a href={historyPageUrl(code)}>{code}</a>;
}

/** Returns whether a row has several entries: an attempt with pages that led to it, or with the ends of its downloads. */
export function isCombined({ entry, steps = [] }: { entry: Entry; steps?: Entry[] }): boolean {
  return steps.length > 0 || numbersOf(entry).length > 1;
}

/** Explains what previews and fetches are, where entries have one. */
export function PreviewNote({ items }: { items: Entry[] }) {
  const { t, ofRequests } = useI18n();
  const attempts = items.filter((entry) => entry.kind === 'ATTEMPT');
  const hasPreview = attempts.some(({ preview }) => preview);
  const isNoted = hasPreview || attempts.some(isFetch);
  if (!isNoted) return null;
  const isRequest = t === ofRequests; // whose page is all that a program can fetch
  return (
    <p class="soft small">
      {hasPreview && t('entry.previewMeaning')}{' '}
      {!isRequest && t('entry.fetchMeaning', { confirm: t('confirm') })}
    </p>
  );
}
