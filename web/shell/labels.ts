import { REQUESTS } from '../../src/core/model/verdict.ts';
import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { AccessResult, AuditResult, LinkDescription, LinkStatus } from '../service/contract.ts';

/** The label of each result, in the order in which they are shown. */
export const ACCESS_RESULT_LABELS = {
  SUCCESS: 'access.success',
  EXPIRED: 'access.expired',
  VIEW_LIMIT_REACHED: 'access.viewLimit',
  REVOKED: 'access.revoked',
  NOT_FOUND: 'access.notFound',
  PASSWORD_REQUIRED: 'access.passwordRequired',
  INVALID_PASSWORD: 'access.invalidPassword',
  RECIPIENT_REQUIRED: 'access.recipientRequired',
  INVALID_RECIPIENT: 'access.invalidRecipient',
  UNEXPECTED_STATE: 'access.unexpectedState',
  PAUSED: 'access.paused',
  NOT_STARTED: 'access.notStarted',
  RATE_LIMITED: 'access.rateLimited',
} as const satisfies Record<AccessResult, MessageKey>;

/** Returns the name of the chart colour of a result: all refusals have one, and all requests. Previews are grey. */
export function colourOfResult(result: AuditResult): string {
  if (result === 'PREVIEW' || result === 'PREVIEW_INVALID_PASSWORD') return '--chart-preview';
  if (result === 'SUCCESS') return '--chart-success';
  return REQUESTS.includes(result) ? '--chart-password-required' : '--chart-refused';
}

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

/** Returns whether a link has a password: that of received files is the one of their request. */
export function passwordTextOf(
  { passwordProtected, requestCode }: Pick<LinkDescription, 'passwordProtected' | 'requestCode'>,
  t: Translate,
): string {
  if (!passwordProtected) return t('term.none');
  return t(requestCode === undefined ? 'password.required' : 'password.ofRequest');
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

/** Formats the views of a link below their name: "1 of 3". */
export function countViews(
  { viewCount, maxViews }: Pick<LinkDescription, 'viewCount' | 'maxViews'>,
  { t, format }: { t: Translate; format: Format },
): string {
  return maxViews === null ? format.number(viewCount) : t('views.of', { count: viewCount, whole: maxViews });
}
