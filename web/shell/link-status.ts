import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { LinkDescription, LinkStatus } from '../service/contract.ts';

export const LINK_STATUS_LABELS = {
  ACTIVE: 'status.active',
  EXPIRED: 'status.expired',
  REVOKED: 'status.revoked',
} as const satisfies Record<LinkStatus, MessageKey>;

/** The status in detail. */
export const LINK_STATE_LABELS = {
  ...LINK_STATUS_LABELS,
  SCHEDULED: 'status.scheduled',
  PAUSED: 'status.paused',
  USED_UP: 'status.usedUp',
} as const satisfies Record<LinkDescription['state'], MessageKey>;

/** Returns the label of the state of one link. */
export function labelOfState({ state }: Pick<LinkDescription, 'state'>) {
  return LINK_STATE_LABELS[state];
}

/** Formats the views of a link: "1 of 3 views". */
export function formatViews(
  { viewCount, maxViews }: Pick<LinkDescription, 'viewCount' | 'maxViews'>,
  { t, format }: { t: Translate; format: Format },
): string {
  return maxViews === null
    ? t('state.views', { count: viewCount })
    : t('state.viewsOf', { count: viewCount, max: format.number(maxViews) });
}
