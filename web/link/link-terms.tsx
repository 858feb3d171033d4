import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import { formatViews } from '../shell/link-status.ts';
import { Terms } from '../shell/terms.tsx';

/** The terms of a link, as a list of names and values. */
export function LinkTerms({ description }: { description: LinkDescription }) {
  const i18n = useI18n();
  const { t, format } = i18n;
  const { createdAt, expiresAt, passwordProtected, confirm, file } = description;
  const time = (at: string): string => `${format.utcTime(new Date(at))} UTC`;
  const terms: [string, string][] = [
    ...(file ? [[t('term.size'), format.bytes(file.sizeBytes)] satisfies [string, string]] : []),
    [t('term.created'), time(createdAt)],
    [t('expiry'), expiresAt === null ? t('expiry.never') : time(expiresAt)],
    [t('views'), formatViews(description, i18n)],
    [t('password'), passwordProtected ? t('password.required') : t('term.none')],
    [t('confirm'), confirm ? t('term.yes') : t('term.no')],
  ];
  return <Terms terms={terms} />;
}
