import { createHash } from 'node:crypto';
import type { Destination, NotificationKind } from '../../ports/notifications.ts';

/** All mails go through one server. */
const MAIL_QUEUES: Partial<Record<NotificationKind, string>> = {
  ...{ MAIL: 'mail', LINK_MAIL: 'link_mail', RECEIPT: 'receipt' },
};

/**
 * Returns the queue of a destination. Each URL has one, and the service's webhooks have others than those of links. So a
 * path that fails delays no other, and no creator of a link can delay those of the administrator. A hash, because the
 * path may be a secret.
 */
export function queueOf({ kind, address }: Destination): string {
  return MAIL_QUEUES[kind] ?? `${kind}:${createHash('sha256').update(address).digest('hex').slice(0, 32)}`;
}

/** Returns the name of a receiver: the origin of its URL, whose path may be a secret; of mails, that of their queue. */
export function receiverOf({ kind, address }: Pick<Destination, 'kind' | 'address'>): string {
  return MAIL_QUEUES[kind] ?? URL.parse(address)?.origin ?? 'an invalid URL';
}
