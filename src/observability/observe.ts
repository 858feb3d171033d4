import { toAuditCode } from '../links/attempt.ts';
import type { Author } from '../links/author.ts';
import type { ChangeLink, RevokeLink } from '../links/change-link.ts';
import type { CreateLink } from '../links/create-link.ts';
import { formatInstant } from '../links/rules/expiry-time.ts';
import { AbandonedError, OverloadedError } from '../links/unavailable.ts';
import type { DispatchObserver } from '../notifications/dispatcher.ts';
import { receiverOf } from '../notifications/receiver-queue.ts';
import type { Log } from './log.ts';
import type { AccessDenial, Metrics } from './metrics.ts';

/** A use case that also logs and counts its outcome, with the correlation id of its request. */
export type Observed<UseCase extends (...input: never[]) => unknown> = (
  correlationId: string,
  ...input: Parameters<UseCase>
) => ReturnType<UseCase>;

type Observers = { log: Log; metrics: Metrics };

/** Logs and counts each created link. Of its password, only its presence is logged; of its token, nothing. */
export function observeCreateLink(createLink: CreateLink, { log, metrics }: Observers): Observed<CreateLink> {
  return async (correlationId, target, wanted, author, client) => {
    const created = await createLink(target, wanted, author, client);
    const { link } = created;
    metrics.created.inc({ type: target.type });
    log.write('info', 'secure_link_created', {
      correlationId,
      type: target.type,
      shortCode: link.shortCode,
      expiresAt: link.expiresAt === null ? null : formatInstant(link.expiresAt),
      maxViews: link.maxViews,
      passwordProtected: link.passwordHash !== null,
      ...toLogFields(author),
    });
    return created;
  };
}

/** Counts an error of a queue that refused work or dropped it. Returns false for any other error. */
export function countQueueError(error: unknown, { overloads, abandoned }: Metrics): boolean {
  if (error instanceof OverloadedError) overloads.inc({ queue: error.queue });
  else if (error instanceof AbandonedError) abandoned.inc({ queue: error.queue });
  else return false;
  return true;
}

/** Logs and counts each change of a link, with the names of the changed terms. */
export function observeChangeLink(changeLink: ChangeLink, { log, metrics }: Observers): Observed<ChangeLink> {
  return async (correlationId, sentCode, requested, author, client) => {
    const result = await changeLink(sentCode, requested, author, client);
    if (result.result !== 'changed') return result;
    metrics.changed.inc();
    log.write('info', 'secure_link_changed', {
      correlationId,
      shortCode: toAuditCode(sentCode),
      terms: result.changedTerms,
      ...toLogFields(author),
    });
    return result;
  };
}

/** Logs and counts each revoked link, and each request to revoke a link that does not exist. */
export function observeRevokeLink(revokeLink: RevokeLink, { log, metrics }: Observers): Observed<RevokeLink> {
  return async (correlationId, sentCode, author) => {
    const result = await revokeLink(sentCode, author);
    const shortCode = toAuditCode(sentCode);
    if (result === 'revoked') {
      metrics.revoked.inc();
      log.write('info', 'secure_link_revoked', { correlationId, shortCode, ...toLogFields(author) });
    } else if (result === 'not-found') {
      metrics.revokeDenials.inc({ reason: 'not_found' });
      log.write('info', 'secure_link_revoke_denied', { correlationId, shortCode, reason: 'not_found' });
    }
    return result;
  };
}

/** Returns what logs and counts deliveries. A receiver is named by its origin: the path of a URL may be a secret. */
export function observeNotifications(
  { log, metrics }: Observers,
  onError: DispatchObserver['onError'],
): DispatchObserver {
  return {
    onDelivery({ id, kind, address, shortCode, tries }, outcome, error) {
      metrics.notificationDeliveries.inc({ outcome });
      if (outcome === 'delivered') return;
      const fields = {
        notificationId: id,
        kind,
        receiver: receiverOf({ kind, address }),
        shortCode,
        tries,
        reason: error,
      };
      if (outcome === 'failed') log.write('warn', 'notification_failed', fields);
      else log.write('info', 'notification_retried', fields);
    },
    onGivenUp(receiver, count) {
      metrics.notificationDeliveries.inc({ outcome: 'failed' }, count);
      log.write('warn', 'notifications_given_up', { receiver, count });
    },
    onUnreadable: ({ shortCode, id }) =>
      log.write('error', 'notified_entry_unreadable', { shortCode, entryId: id }),
    onError,
  };
}

/** A request that was refused for its credentials. `uri` is the pattern of its path. */
type DeniedRequest = {
  correlationId: string;
  method: string;
  uri: string;
  reason: AccessDenial;
  author: Author;
};

/** Logs and counts a request that was refused for its credentials, never these themselves. */
export function reportAccessDenial({ log, metrics }: Observers, { author, ...denied }: DeniedRequest): void {
  metrics.accessDenials.inc({ reason: denied.reason });
  const { ipAddress } = author;
  log.write('info', 'access_denied', { ...denied, ipAddress, ...toLogFields(author) });
}

/** Names the author of a change who sent credentials, never these. Anonymous changes keep the specified fields. */
function toLogFields({ kind, name }: Author): Record<string, string> {
  if (kind === 'ANONYMOUS') return {};
  return name === null ? { authorKind: kind } : { authorKind: kind, authorName: name };
}
