import type { AccessResult } from './contract.ts';

/** The results of refused attempts. A visitor who is asked for a password or a code has not been refused yet. */
export const REFUSALS = [
  'EXPIRED',
  'VIEW_LIMIT_REACHED',
  'REVOKED',
  'NOT_FOUND',
  'INVALID_PASSWORD',
  'INVALID_RECIPIENT',
  'UNEXPECTED_STATE',
  'PAUSED',
  'NOT_STARTED',
  'RATE_LIMITED',
] as const satisfies AccessResult[];
