import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { LinkDescription, LinkStatus } from '../service/contract.ts';

export const LINK_STATUS_LABELS = {
  ACTIVE: 'status.active',
  EXPIRED: 'status.expired',
  REVOKED: 'status.revoked',
} as const satisfies Record<LinkStatus, MessageKey>;

type Views = Pick<LinkDescription, 'status' | 'viewCount' | 'maxViews'>;

/** Tells whether a link ended because its views are used up, which the service also calls expired. */
export function isUsedUp({ status, viewCount, maxViews }: Views): boolean {
  return status === 'EXPIRED' && maxViews !== null && viewCount >= maxViews;
}

/** Formats the views of a link: "1 of 3 views". */
export function formatViews(
  { viewCount, maxViews }: Omit<Views, 'status'>,
  { t, format }: { t: Translate; format: Format },
): string {
  return maxViews === null
    ? t('state.views', { count: viewCount })
    : t('state.viewsOf', { count: viewCount, max: format.number(maxViews) });
}

/** Returns the label of the status of one link. */
export function labelOfStatus(link: Views) {
  return isUsedUp(link) ? 'status.usedUp' : LINK_STATUS_LABELS[link.status];
}
