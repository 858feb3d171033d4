import { ATTEMPT_EVENT_TYPES, LINK_EVENT_TYPES, type LinkEventType } from '../links/link-event.ts';
import type { NotifiedLinks } from '../links/resolve-link.ts';
import type { MailSettings } from './mail-settings.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** Which events go where. An empty list of events: nothing is sent there. */
export type Subscriptions = Readonly<{
  /** The webhooks of the service. */
  webhooks: Readonly<{ urls: readonly string[]; events: readonly LinkEventType[] }>;
  /** What the `notifyUrl` of a link gets. */
  linkWebhookEvents: readonly LinkEventType[];
  /** What the `notifyEmail` of a link gets. */
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
export function wantsOfAllLinks({ webhooks }: Subscriptions, type: LinkEventType): boolean {
  return webhooks.urls.length > 0 && webhooks.events.includes(type);
}

/** Returns which links' attempts must commit events. */
export function notifiedLinksOf(subscriptions: Subscriptions): NotifiedLinks {
  if (ATTEMPT_EVENT_TYPES.some((type) => wantsOfAllLinks(subscriptions, type))) return 'ALL';
  const { linkWebhookEvents, mailEvents } = subscriptions;
  return linkWebhookEvents.length + mailEvents.length > 0 ? 'SUBSCRIBED' : 'NONE';
}

/** Returns whether the service sends anything. */
export function sendsAnything(subscriptions: Subscriptions): boolean {
  return subscriptions.webhooks.urls.length > 0 || notifiedLinksOf(subscriptions) !== 'NONE';
}
