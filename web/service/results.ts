import type { AccessResult } from './contract.ts';

/** The results of refused attempts. A visitor who sees a password page has not been refused yet. */
export const REFUSALS = [
  'EXPIRED',
  'VIEW_LIMIT_REACHED',
  'REVOKED',
  'NOT_FOUND',
  'INVALID_PASSWORD',
  'UNEXPECTED_STATE',
  'PAUSED',
  'NOT_STARTED',
  'RATE_LIMITED',
] as const satisfies AccessResult[];
