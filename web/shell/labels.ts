import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { AccessResult, LinkDescription, LinkStatus } from '../service/contract.ts';

/** The label and the colour of each result, in the order in which they are shown. */
export const ACCESS_RESULT_LABELS = {
  SUCCESS: { label: 'access.success', colour: '--chart-success' },
  EXPIRED: { label: 'access.expired', colour: '--chart-expired' },
  VIEW_LIMIT_REACHED: { label: 'access.viewLimit', colour: '--chart-view-limit' },
  REVOKED: { label: 'access.revoked', colour: '--chart-revoked' },
  NOT_FOUND: { label: 'access.notFound', colour: '--chart-not-found' },
  PASSWORD_REQUIRED: { label: 'access.passwordRequired', colour: '--chart-password-required' },
  INVALID_PASSWORD: { label: 'access.invalidPassword', colour: '--chart-invalid-password' },
  UNEXPECTED_STATE: { label: 'access.unexpectedState', colour: '--chart-unexpected' },
  PAUSED: { label: 'access.paused', colour: '--chart-paused' },
  NOT_STARTED: { label: 'access.notStarted', colour: '--chart-not-started' },
  RATE_LIMITED: { label: 'access.rateLimited', colour: '--chart-rate-limited' },
} as const satisfies Record<AccessResult, { label: MessageKey; colour: string }>;

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
  { t }: { t: Translate },
): string {
  return maxViews === null
    ? t('state.views', { count: viewCount })
    : t('state.viewsOf', { count: viewCount, whole: maxViews });
}
