import { LINK_EVENT_TYPES, type LinkEventType } from '../../links/link-event.ts';
import type { MailSender, MailServer } from '../../notifications/mail-settings.ts';
import { parseMailSender, parseMailUrl, parseRecipients } from '../mail-parsers.ts';
import { oneOf } from '../parsers.ts';
import { define } from '../property.ts';
import {
  parseEventTypes,
  parseNetworks,
  parsePorts,
  parseWebhookSecrets,
  parseWebhookUrls,
} from '../webhook-parsers.ts';

/** Who is notified of what happens to links. */
export const NOTIFICATION_PROPERTIES = {
  webhookSecrets: define<string[]>({
    name: 'app.webhooks.secret',
    fallback: [],
    shown: '(unset)',
    parse: parseWebhookSecrets,
    meaning:
      'secret that signs webhooks: whsec_ and 24 to 64 random bytes in base64; during a change, the new one, a comma and the old one; unset: no webhooks',
    optional: true,
    secret: true,
  }),
  webhookUrls: define<string[]>({
    name: 'app.webhooks.url',
    fallback: [],
    shown: 'none',
    parse: parseWebhookUrls,
    meaning: 'URLs that get the events of all links, separated by commas; needs app.webhooks.secret',
    confidential: true,
  }),
  webhookEvents: define<LinkEventType[]>({
    name: 'app.webhooks.events',
    fallback: [...LINK_EVENT_TYPES],
    shown: LINK_EVENT_TYPES.join(','),
    parse: parseEventTypes,
    meaning: 'events that app.webhooks.url gets, separated by commas',
  }),
  linkWebhooks: define<'off' | 'signed-in' | 'everyone'>({
    name: 'app.webhooks.per-link',
    fallback: 'signed-in',
    parse: oneOf(['off', 'signed-in', 'everyone']),
    meaning:
      'who may create a link with a notifyUrl, which gets its events: off (nobody), signed-in (clients with an API key or a signed-in user) or everyone; needs app.webhooks.secret',
  }),
  webhookNetworks: define<string[]>({
    name: 'app.webhooks.allowed-networks',
    fallback: [],
    shown: 'none',
    parse: parseNetworks,
    meaning:
      'IP addresses and CIDRs that are not public, to which webhooks may be sent, also without https; everyone who may create a link with a notifyUrl can reach them',
  }),
  webhookPorts: define<number[]>({
    name: 'app.webhooks.ports',
    fallback: [443],
    shown: '443',
    parse: parsePorts,
    meaning: 'ports of public receivers, separated by commas',
  }),
  mailServer: define<MailServer | null>({
    name: 'app.mail.url',
    fallback: null,
    shown: '(unset)',
    parse: parseMailUrl,
    meaning:
      'smtps://<user>:<password>@<host>:<port> or smtp://… of the server that takes mails; smtp:// requires STARTTLS, unless it ends with ?tls=none; unset: no mails',
    optional: true,
    confidential: true,
  }),
  mailSender: define<MailSender | null>({
    name: 'app.mail.from',
    fallback: null,
    shown: '(unset)',
    parse: parseMailSender,
    meaning:
      'sender of mails, such as Postern <links@example.com>; a sender without a name gets app.brand.name; needed with app.mail.url',
    optional: true,
  }),
  linkMails: define<'signed-in' | 'everyone'>({
    name: 'app.mail.per-link',
    fallback: 'signed-in',
    parse: oneOf(['signed-in', 'everyone']),
    meaning:
      'who may create a link with a notifyEmail: signed-in (clients with an API key or a signed-in user) or everyone; needs app.mail.url',
  }),
  mailRecipients: define<string[]>({
    name: 'app.mail.recipients',
    fallback: [],
    shown: 'none',
    parse: parseRecipients,
    meaning:
      'mail addresses and domains, separated by commas, that a new link may name as its notifyEmail; needs app.mail.url',
  }),
};
