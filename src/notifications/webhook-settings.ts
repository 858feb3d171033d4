import type { LinkEventType } from '../links/link-event.ts';
import type { ReceiverPolicy } from '../links/rules/receiver.ts';
import type { WebhookSecret } from './signature.ts';

/** The settings of webhooks. Without a secret there are none. */
export type WebhookSettings = Readonly<{
  /** The current secret, and the one before during a change. */
  secrets: readonly WebhookSecret[];
  /** The receivers of the events of all links. */
  urls: readonly string[];
  /** The events that `urls` get. */
  events: readonly LinkEventType[];
  /** Who may name a receiver of the events of a new link. */
  perLink: 'off' | 'signed-in' | 'everyone';
  receivers: ReceiverPolicy;
}>;
