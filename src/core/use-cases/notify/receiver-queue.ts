import { createHash } from 'node:crypto';
import type { Destination } from '../../ports/notifications.ts';

/** All mails go through one server. */
const MAIL_QUEUE = 'mail';

/**
 * Returns the queue of a destination. Each URL has one, and the service's webhooks have others than those of links. So a
 * path that fails delays no other, and no creator of a link can delay those of the administrator. A hash, because the
 * path may be a secret.
 */
export function queueOf({ kind, address }: Destination): string {
  if (kind === 'MAIL') return MAIL_QUEUE;
  return `${kind}:${createHash('sha256').update(address).digest('hex').slice(0, 32)}`;
}

/** Returns what the log and the API call a receiver: the origin of its URL, whose path may be a secret. */
export function receiverOf({ kind, address }: Pick<Destination, 'kind' | 'address'>): string {
  return kind === 'MAIL' ? MAIL_QUEUE : (URL.parse(address)?.origin ?? 'an invalid URL');
}
