import type { I18n } from '../i18n/i18n.tsx';

/** What restricts a link. */
export type LinkTerms = {
  expiresAt: string | null;
  maxViews: number | null;
  isProtected: boolean;
  confirm: boolean;
};

/** What will happen to a link, in a sentence or two. */
export function describeTerms(terms: LinkTerms, { t, format }: Pick<I18n, 't' | 'format'>): string {
  const { expiresAt, maxViews, isProtected, confirm } = terms;
  const until = expiresAt === null ? null : format.dateTime(new Date(expiresAt));
  const sentences: string[] = [];
  if (maxViews === null) sentences.push(until === null ? t('fate.forever') : t('fate.until', { until }));
  else if (until === null) sentences.push(t('fate.views', { count: maxViews }));
  else sentences.push(t('fate.viewsUntil', { count: maxViews, until }));
  if (isProtected) sentences.push(t('fate.password'));
  if (confirm) sentences.push(t('fate.confirm'));
  return sentences.join(' ');
}
