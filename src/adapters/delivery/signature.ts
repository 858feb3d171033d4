import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX, type WebhookSecret } from '../../core/use-cases/notify/settings.ts';

/**
 * Returns the secret of one link, which its creator gets. It follows from the secret of the service, so nothing is stored,
 * and a receiver that knows it can sign for no other link.
 */
export function linkSecretOf(secret: WebhookSecret, shortCode: string): WebhookSecret {
  return (
    WEBHOOK_SECRET_PREFIX + createHmac('sha256', keyOf(secret)).update(`link ${shortCode}`).digest('base64')
  );
}

/** A message as it is signed: the time of this try in seconds since 1970, and the exact body. */
export type SignedMessage = { id: string; timestamp: number; body: string };

/** Returns the value of the header webhook-signature: one signature for each secret, of which one is valid. */
export function sign(secrets: readonly WebhookSecret[], { id, timestamp, body }: SignedMessage): string {
  return secrets
    .map((secret) =>
      createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64'),
    )
    .map((signature) => `v1,${signature}`)
    .join(' ');
}

function keyOf(secret: WebhookSecret): Buffer {
  return Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
}
