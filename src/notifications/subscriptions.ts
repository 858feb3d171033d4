import {
  ATTEMPT_EVENT_TYPES,
  LINK_EVENT_TYPES,
  type LinkEventType,
  type NotifiedLinks,
} from '../links/link-event.ts';
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
