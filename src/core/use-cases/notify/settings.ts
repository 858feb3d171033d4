import type { NotifiedLinks } from '../../model/link.ts';
import { ATTEMPT_EVENT_TYPES, LINK_EVENT_TYPES, type LinkEventType } from '../../model/link-event.ts';
import type { Caller } from '../../model/people/caller.ts';
import type { MailPolicy } from '../../rules/notify-email.ts';
import type { NotifyPolicy, ReceiverPolicy } from '../../rules/receiver.ts';

/** The settings of webhooks. Without a secret there are none. */
export type WebhookSettings = Readonly<{
  /** The current secret, and the one before during a change. */
  secrets: readonly WebhookSecret[];
  /** The receivers of the events of all links. */
  urls: readonly string[];
  /** The events that `urls` get. */
  events: readonly LinkEventType[];
  /** The clients that may name a receiver of the events of a new link. */
  perLink: 'off' | 'signed-in' | 'everyone';
  receivers: ReceiverPolicy;
}>;

/** The SMTP server that takes mails. STARTTLS is required where it is named, so no attacker can remove it. */
export type MailServer = Readonly<{
  host: string;
  port: number;
  security: 'TLS' | 'STARTTLS' | 'NONE';
  credentials: Readonly<{ user: string; pass: string }> | null;
}>;

/** The sender of mails. */
export type MailSender = Readonly<{ name: string; address: string }>;

/** The settings of mails. Without a server there are none, and with one there is a sender. */
export type MailSettings = Readonly<{
  server: MailServer | null;
  from: MailSender | null;
  /** The addresses and domains, in lower case, that links may notify besides the verified addresses of people. */
  recipients: readonly string[];
  /** The clients that may name one of them for a new link. */
  perLink: 'signed-in' | 'everyone';
  /** The clients that may mail a link to its recipient. */
  links: 'off' | 'signed-in';
}>;

/** The events of each receiver. An empty list: nothing is sent there. */
export type Subscriptions = Readonly<{
  /** The webhooks of the service. */
  webhooks: Readonly<{ urls: readonly string[]; events: readonly LinkEventType[] }>;
  /** The events that the `notifyUrl` of a link gets. */
  linkWebhookEvents: readonly LinkEventType[];
  /** The events that the `notifyEmail` of a link gets. */
  mailEvents: readonly LinkEventType[];
}>;

export function toSubscriptions(
  { secrets, urls, events, perLink }: WebhookSettings,
  mail: MailSettings,
): Subscriptions {
  const hasSecret = secrets.length > 0;
  return {
    webhooks: { urls: hasSecret ? urls : [], events },
    linkWebhookEvents: hasSecret && perLink !== 'off' ? LINK_EVENT_TYPES : [],
    mailEvents: mail.server ? ['link.opened'] : [],
  };
}

/** Returns whether a webhook of the service wants this event of every link. */
function wantsOfAllLinks({ webhooks }: Subscriptions, type: LinkEventType): boolean {
  return webhooks.urls.length > 0 && webhooks.events.includes(type);
}

/** Returns which links must commit these events. */
export function notifiedLinksOf(
  subscriptions: Subscriptions,
  types: readonly LinkEventType[] = ATTEMPT_EVENT_TYPES,
): NotifiedLinks {
  if (types.some((type) => wantsOfAllLinks(subscriptions, type))) return 'ALL';
  const { linkWebhookEvents, mailEvents } = subscriptions;
  const isWanted = types.some((type) => linkWebhookEvents.includes(type) || mailEvents.includes(type));
  return isWanted ? 'SUBSCRIBED' : 'NONE';
}

/** Returns whether the service sends anything. */
export function sendsAnything(subscriptions: Subscriptions): boolean {
  return subscriptions.webhooks.urls.length > 0 || notifiedLinksOf(subscriptions) !== 'NONE';
}

/**
 * Returns the policy of the `notifyUrl` of new links.
 *
 * @param isAuthorized whether the client has credentials that may create links
 */
export function notifyPolicyOf(settings: WebhookSettings, isAuthorized: boolean): NotifyPolicy {
  const { secrets, perLink, receivers } = settings;
  if (secrets.length === 0 || perLink === 'off') return { refusal: 'UNAVAILABLE', receivers };
  return { refusal: isAuthorized || perLink === 'everyone' ? null : 'SIGNED_IN', receivers };
}

/** Returns the policy of the `notifyEmail` of new links, in the same way. */
export function mailPolicyOf(
  { server, recipients, perLink }: MailSettings,
  isAuthorized: boolean,
  caller: Caller,
): MailPolicy {
  const own = (server && caller.kind !== 'ANONYMOUS' && caller.email) || null;
  return { recipients, isAllowed: isAuthorized || perLink === 'everyone', own, sendsMail: server !== null };
}

/** Returns whether a client may mail links to their recipients: only people, who answer for it by name. */
export const mayMailLinks = ({ server, links }: MailSettings, caller: Caller): boolean =>
  server !== null && links !== 'off' && caller.kind === 'USER';

/** A secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export type WebhookSecret = string;

export const WEBHOOK_SECRET_PREFIX = 'whsec_';

const MIN_BYTES = 24;

const MAX_BYTES = 64;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function isWebhookSecret(text: string): text is WebhookSecret {
  if (!text.startsWith(WEBHOOK_SECRET_PREFIX)) return false;
  const base64 = text.slice(WEBHOOK_SECRET_PREFIX.length);
  const bytes = Buffer.from(base64, 'base64');
  return BASE64.test(base64) && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
}
