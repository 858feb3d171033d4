import type { LinkDescription } from '../service/contract.ts';
import { type Draft, toDateField } from './draft.ts';

/** Returns the settings of a link for another one like it. Its password and its file are unknown, its code is its own. */
export function toDuplicate(link: LinkDescription, now: number): Partial<Draft> {
  const { targetUrl, expiresAt, startsAt, maxViews, confirm, tags = [] } = link;
  const hasEnd = expiresAt !== null && Date.parse(expiresAt) > now;
  const hasStart = startsAt !== null && Date.parse(startsAt) > now;
  return {
    ...(targetUrl && { source: { kind: 'URL', text: targetUrl } }),
    ...(hasEnd && { expiry: 'DATE', expiryDate: toDateField(Date.parse(expiresAt)) }),
    ...(hasStart && { startsAt: toDateField(Date.parse(startsAt)) }),
    ...(maxViews !== null && { viewLimit: maxViews === 1 ? 'ONCE' : 'CUSTOM', maxViews: String(maxViews) }),
    confirm,
    label: link.label ?? '',
    recipient: link.recipient ?? '',
    note: link.note ?? '',
    tags: tags.join(', '),
    notifyEmail: link.notifyEmail ?? '',
    notifyUrl: link.notifyUrl ?? '',
  };
}
