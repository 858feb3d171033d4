import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { AuditResult } from '../service/contract.ts';
import { REFUSALS } from '../service/results.ts';
import { ACCESS_RESULT_LABELS } from '../shell/labels.ts';

/**
 * Returns what an attempt came to: "Opened", "Password page shown", or "Refused: Expired". Of those that a limit refused,
 * it says how many: "Refused 7 times: Too many attempts".
 */
export function labelOfResult(result: AuditResult, t: Translate, count = 1): string {
  if (result === 'PREVIEW') return t('entry.preview', { count });
  if (result === 'PREVIEW_INVALID_PASSWORD') return t('entry.previewPassword');
  if (result === 'SUCCESS') return t('entry.opened');
  if (result === 'PASSWORD_REQUIRED' || result === 'RECIPIENT_REQUIRED')
    return t(ACCESS_RESULT_LABELS[result]);
  return t('entry.refused', { reason: t(ACCESS_RESULT_LABELS[result]), count });
}

/** A choice of the filter with the results that it stands for. None stands for all entries. */
type ResultChoice = { name: string; label: string; results: readonly AuditResult[] };

const GROUPS = [
  { name: 'ALL', label: 'filter.all', results: [] },
  { name: 'SUCCESS', label: 'entry.opened', results: ['SUCCESS'] },
  { name: 'REFUSED', label: 'access.refused', results: REFUSALS },
  { name: 'PASSWORD_REQUIRED', label: 'access.passwordRequired', results: ['PASSWORD_REQUIRED'] },
  { name: 'RECIPIENT_REQUIRED', label: 'access.recipientRequired', results: ['RECIPIENT_REQUIRED'] },
  { name: 'PREVIEWS', label: 'filter.previews', results: ['PREVIEW', 'PREVIEW_INVALID_PASSWORD'] },
] as const satisfies { name: string; label: MessageKey; results: readonly AuditResult[] }[];

/** Returns the choices for the history of one link. All refusals include the rare unexpected state. */
export function resultChoices(t: Translate): ResultChoice[] {
  const refused = REFUSALS.filter((result) => result !== 'UNEXPECTED_STATE');
  return [
    ...GROUPS.map(({ name, label, results }) => ({ name, label: t(label), results })),
    ...refused.map((result) => ({ name: result, label: labelOfResult(result, t), results: [result] })),
  ];
}
