import type { MessageKey } from '../i18n/translate.ts';
import type { LinkStatus } from '../service/contract.ts';

export const LINK_STATUS_LABELS = {
  ACTIVE: 'status.active',
  EXPIRED: 'status.expired',
  REVOKED: 'status.revoked',
} as const satisfies Record<LinkStatus, MessageKey>;
