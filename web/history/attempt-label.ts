import { isFetch } from '../../src/core/model/user-agent.ts';
import type { Translate } from '../i18n/translate.ts';
import type { AttemptEntry } from '../service/contract.ts';
import { isPageShown } from '../service/history.ts';
import { labelOfResult } from './result-labels.ts';

/**
 * Returns what an attempt came to, as `labelOfResult` does. It has a number if the link existed, so what it did not find was
 * the file.
 */
export function labelOfAttempt(
  {
    result,
    number,
    count,
    userAgent,
    recipientAddress: address,
    personalSha256,
  }: Pick<AttemptEntry, 'result' | 'number' | 'count' | 'userAgent' | 'recipientAddress' | 'personalSha256'>,
  t: Translate,
): string {
  if (address !== undefined && result === 'SUCCESS') return t('entry.openedBy', { address });
  // Whether an erased entry had an address is unknown.
  if (result === 'RECIPIENT_REQUIRED' && personalSha256 === undefined)
    return address === undefined ? t('entry.addressAsked') : t('entry.codeAsked', { address });
  if (address !== undefined && result === 'INVALID_RECIPIENT')
    return t('entry.refused', { reason: `${t('access.invalidRecipient')}: ${address}`, count });
  if (isFetch({ result, userAgent, recipientAddress: address })) return t('entry.fetched');
  if (isPageShown({ result, count, userAgent })) return t('entry.pageShown');
  const isFileMissing = result === 'NOT_FOUND' && number > 0;
  return isFileMissing
    ? t('entry.refused', { reason: t('access.fileMissing'), count })
    : labelOfResult(result, t, count);
}
