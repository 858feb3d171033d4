import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';

/** The terms of a link, as a list of names and values. */
export function LinkTerms({ description }: { description: LinkDescription }) {
  const { t, format } = useI18n();
  const { createdAt, expiresAt, viewCount, maxViews, passwordProtected, confirm, file } = description;
  const time = (at: string): string => `${format.utcTime(new Date(at))} UTC`;
  const terms = [
    ...(file ? [[t('term.size'), format.bytes(file.sizeBytes)]] : []),
    [t('term.created'), time(createdAt)],
    [t('expiry'), expiresAt === null ? t('expiry.never') : time(expiresAt)],
    [
      t('column.views'),
      maxViews === null
        ? t('state.views', { count: viewCount })
        : t('state.viewsOf', { count: viewCount, max: format.number(maxViews) }),
    ],
    [t('password'), passwordProtected ? t('password.required') : t('term.none')],
    [t('confirm'), confirm ? t('term.yes') : t('term.no')],
  ];
  return (
    <dl class="terms">
      {terms.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
