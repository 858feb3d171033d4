import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/translate.ts';
import type { LinkDescription } from '../service/contract.ts';

type Terms = Pick<LinkDescription, 'startsAt' | 'expiresAt' | 'maxViews' | 'passwordProtected'>;

/** Returns the text with which a link is sent: its URL and its terms. The password takes another way. */
export function toMessage(
  url: string,
  terms: Terms,
  { t, format }: { t: Translate; format: Format },
): string {
  const { startsAt, expiresAt, maxViews, passwordProtected } = terms;
  const time = (at: string): string => `${format.shortDateTime(new Date(at))} (${format.timeZone})`;
  const lines = [
    url,
    startsAt !== null && `${t('startsAt')}: ${time(startsAt)}`,
    expiresAt !== null && `${t('expiry')}: ${time(expiresAt)}`,
    maxViews !== null && `${t('views')}: ${format.number(maxViews)}`,
    passwordProtected && t('message.password'),
  ];
  return lines.filter(Boolean).join('\n');
}
