import type { I18n } from '../i18n/i18n.tsx';

/** The restrictions of a link. */
export type LinkTerms = {
  expiresAt: string | null;
  maxViews: number | null;
  isProtected: boolean;
  confirm: boolean;
};

/** Describes how a link may be opened, in one short sentence per restriction. */
export function describeTerms(terms: LinkTerms, { t, format }: Pick<I18n, 't' | 'format'>): string {
  const { expiresAt, maxViews, isProtected, confirm } = terms;
  const sentences = [
    expiresAt === null
      ? t('terms.noExpiry')
      : t('terms.expiry', { until: format.dateTime(new Date(expiresAt)) }),
  ];
  if (maxViews !== null) sentences.push(t('terms.views', { count: maxViews }));
  if (isProtected) sentences.push(t('terms.password'));
  if (confirm) sentences.push(t('terms.confirm'));
  return sentences.join(' ');
}
