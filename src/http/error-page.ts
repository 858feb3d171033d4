import type { IncomingMessage } from 'node:http';
import type { EpochMs } from '../core/model/link.ts';
import type { Introduction } from '../core/use-cases/visit/about-link.ts';
import type { LimitCause } from '../core/use-cases/visit/check-password.ts';
import type { RecipientStep } from '../core/use-cases/visit/check-recipient.ts';
import { asksForRecipient, type ErrorStatus } from './errors.ts';
import type { Page } from './pages/page.ts';
import { recipientPage } from './pages/recipient-page.ts';
import { exceededPage } from './pages/request-pages.ts';
import type { Visitor } from './pages/visitor.ts';
import {
  isNotice,
  limitedPage,
  noticePage,
  notStartedPage,
  passwordPage,
  serverErrorPage,
  trailingCharactersPage,
} from './pages/visitor-pages.ts';
import { referenceWithoutTrailingCharacters } from './path.ts';
import { readBrowser } from './recipient-form.ts';

/**
 * The details on the page of an error: the limit that refused the visit, the time at which the link opens, what is read before
 * its password, the step of a recipient, and that an address only has trailing characters too many.
 */
export type ErrorDetails = {
  cause?: LimitCause;
  startsAt?: EpochMs | null;
  ofRequest?: boolean;
  introduction?: Introduction;
  hasTrailingCharacters?: boolean;
  recipient?: RecipientStep;
};

/** Returns the page of an error of a visit. */
export function toErrorPage(
  { code, retryAfterMs = 0, params, reference }: ErrorStatus,
  request: IncomingMessage,
  visitor: Visitor,
  { cause, startsAt, ofRequest, introduction: shown, hasTrailingCharacters, recipient = {} }: ErrorDetails,
): Page {
  if (code === 'PASSWORD_REQUIRED')
    return passwordPage(visitor, request.method === 'POST' ? 'missing' : undefined, shown);
  if (code === 'INVALID_PASSWORD') return passwordPage(visitor, 'wrong', shown);
  if (asksForRecipient(code)) {
    const hasCookie = readBrowser(request) !== undefined;
    return recipientPage(visitor, { ...recipient, isWrong: code === 'INVALID_RECIPIENT', hasCookie, shown });
  }
  if (code === 'RATE_LIMITED')
    return limitedPage(visitor, retryAfterMs, cause === 'RECIPIENT_CODES' ? 'CODES_LIMITED' : code);
  if (code === 'VIEW_LIMIT_REACHED' && ofRequest) return noticePage('REQUEST_FULL', visitor);
  if (code === 'DATABASE_UNAVAILABLE' || code === 'STORAGE_UNAVAILABLE')
    return noticePage('SERVER_ERROR', visitor);
  if (code === 'TOO_MANY_FILES' || code === 'FILE_TOO_LARGE')
    return exceededPage(visitor, params?.['max'] ?? '');
  if (code === 'CROSS_SITE_FORM') return noticePage('CROSS_SITE', visitor);
  if (code === 'LEASE_NOT_HERE') return noticePage('OTHER_BROWSER', visitor);
  if (code.startsWith('LEASE_')) return noticePage('DOWNLOAD_ENDED', visitor);
  if (hasTrailingCharacters)
    return trailingCharactersPage(visitor, referenceWithoutTrailingCharacters(request));
  if (typeof startsAt === 'number') return notStartedPage(visitor, startsAt);
  if (reference !== undefined) return serverErrorPage(visitor, reference);
  return noticePage(isNotice(code) ? code : 'UNREADABLE_FORM', visitor);
}
