import { isFetch } from '../../src/core/model/user-agent.ts';
import type { Translate } from '../i18n/translate.ts';
import type { AttemptEntry } from '../service/contract.ts';
import { isPageShown } from '../service/history.ts';
import { labelOfResult } from './result-labels.ts';

/**
 * Returns whether an attempt got the page that asks for an email address, again where the link does not name the address that was
 * entered. Whether an erased entry had an address is unknown.
 */
export const isAddressAsked = ({
  result,
  recipientAddress,
  personalSha256,
}: Pick<AttemptEntry, 'result' | 'recipientAddress' | 'personalSha256'>): boolean =>
  result === 'RECIPIENT_REQUIRED' && recipientAddress === undefined && personalSha256 === undefined;

/**
 * Returns what an attempt came to, as `labelOfResult` does. It has a number if the link existed, so what it did not find was
 * the file.
 */
export function labelOfAttempt(
  attempt: Pick<
    AttemptEntry,
    'result' | 'number' | 'count' | 'userAgent' | 'recipientAddress' | 'personalSha256'
  >,
  t: Translate,
): string {
  const { result, number, count, userAgent, recipientAddress: address, personalSha256 } = attempt;
  if (address !== undefined && result === 'SUCCESS') return t('entry.openedBy', { address });
  if (isAddressAsked(attempt)) return t('entry.addressAsked');
  if (address !== undefined && result === 'RECIPIENT_REQUIRED' && personalSha256 === undefined)
    return t('entry.codeAsked', { address });
  if (address !== undefined && result === 'INVALID_RECIPIENT')
    return t('entry.refused', { reason: `${t('access.invalidRecipient')}: ${address}`, count });
  if (isFetch({ result, userAgent, recipientAddress: address })) return t('entry.fetched');
  if (isPageShown({ result, count, userAgent })) return t('entry.pageShown');
  const isFileMissing = result === 'NOT_FOUND' && number > 0;
  return isFileMissing
    ? t('entry.refused', { reason: t('access.fileMissing'), count })
    : labelOfResult(result, t, count);
}
