import type { DispatchObserver } from '../core/use-cases/notify/dispatcher.ts';
import { receiverOf } from '../core/use-cases/notify/receiver-queue.ts';
import type { Observers } from './observe.ts';
import type { OperationObserver } from './observe-operations.ts';

/** Returns what logs and counts deliveries. A receiver is named by its origin: the path of a URL may be a secret. */
export function observeNotifications(
  { log, metrics }: Observers,
  operations: OperationObserver,
  onError: DispatchObserver['onError'],
): DispatchObserver {
  const measure = {
    WEBHOOK: operations.prepare('notifications', 'webhook'),
    LINK_WEBHOOK: operations.prepare('notifications', 'link_webhook'),
    MAIL: operations.prepare('notifications', 'mail'),
    LINK_MAIL: operations.prepare('notifications', 'link_mail'),
    RECEIPT: operations.prepare('notifications', 'receipt'),
  };
  return {
    measureDelivery: (kind, deliver) => measure[kind](deliver),
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
