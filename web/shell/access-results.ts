import type { MessageKey } from '../i18n/translate.ts';
import type { AccessResult } from '../service/contract.ts';

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
