import { toAuditCode } from '../links/attempt.ts';
import type { ChangeCode } from '../links/change-code.ts';
import type { ChangeLink, RevokeLink } from '../links/change-link.ts';
import type { CreateLink } from '../links/create-link.ts';
import {
  type Observed,
  type Observers,
  observeChangeLink,
  observeCreateLink,
  observeRevokeLink,
  toLogFields,
} from './observe.ts';

/** Logs and counts each change of a short code, as a change of the link that had the former one. */
function observeChangeCode(changeCode: ChangeCode, { log, metrics }: Observers): Observed<ChangeCode> {
  return async (correlationId, sentCode, requested, author) => {
    const result = await changeCode(sentCode, requested, author);
    if (result.result !== 'changed') return result;
    metrics.changed.inc();
    log.write('info', 'secure_link_changed', {
      correlationId,
      shortCode: toAuditCode(sentCode),
      terms: ['shortCode'],
      ...toLogFields(author),
    });
    return result;
  };
}

type UseCases = {
  createLink: CreateLink;
  changeLink: ChangeLink;
  changeCode: ChangeCode;
  revokeLink: RevokeLink;
};

/** Logs and counts all that changes links. */
export const observeUseCases = (useCases: UseCases, observers: Observers) => ({
  createLink: observeCreateLink(useCases.createLink, observers),
  changeLink: observeChangeLink(useCases.changeLink, observers),
  changeCode: observeChangeCode(useCases.changeCode, observers),
  revokeLink: observeRevokeLink(useCases.revokeLink, observers),
});
