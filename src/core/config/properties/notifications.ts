import { LINK_EVENT_TYPES, type LinkEventType } from '../../model/link-event.ts';
import { accept } from '../../model/parsed.ts';
import { tryToDecode } from '../../model/percent-encoding.ts';
import { isMailAddress } from '../../rules/notify-email.ts';
import { isHttpUrl } from '../../rules/target-url.ts';
import { isWebhookSecret, type MailSender, type MailServer } from '../../use-cases/notify/settings.ts';
import {
  isLoopback,
  oneOf,
  type Parser,
  parseHost,
  parseList,
  parseNetworks,
  parsePort,
  refuse,
} from '../parsers.ts';
import { define, unset } from '../property.ts';

/** Parses `none`, or http and https URLs separated by commas, without credentials. */
const parseWebhookUrls: Parser<string[]> = (text) =>
  parseList(
    text,
    (item) => (isWebhookUrl(item) ? item : undefined),
    'must be none, or https URLs without a user name, separated by commas, such as https://hooks.example/postern',
  );

function isWebhookUrl(text: string): boolean {
  const url = isHttpUrl(text) ? URL.parse(text) : null;
  return url !== null && url.username === '' && url.password === '';
}

/** Parses one secret, or two while receivers change from the second to the first. */
const parseWebhookSecrets: Parser<string[]> = (text) => {
  const secrets = text.split(',').map((item) => item.trim());
  return secrets.length <= 2 && secrets.every(isWebhookSecret)
    ? accept(secrets)
    : refuse(
        'must be whsec_ and 24 to 64 random bytes in base64, such as the output of echo "whsec_$(openssl rand -base64 32)"; during a change, the new secret, a comma and the old one',
      );
};

/** Parses `none`, or types of events separated by commas. */
const parseEventTypes: Parser<LinkEventType[]> = (text) =>
  parseList(
    text,
    (item) => LINK_EVENT_TYPES.find((type) => type === item),
    `must be none, or events separated by commas: ${LINK_EVENT_TYPES.join(', ')}`,
  );

/** Parses port numbers separated by commas. */
const parsePorts: Parser<number[]> = (text) =>
  parseList(
    text,
    (item) => {
      const port = parsePort(item);
      return port.ok ? port.value : undefined;
    },
    'must be port numbers separated by commas, such as 443,8443',
  );

const URL_ERROR =
  'must be smtps://<user>:<password>@<host>:<port> (TLS), smtp://… (STARTTLS, which the server must offer) or smtp://<host>:<port>?tls=none, with special characters percent-encoded';

const DEFAULT_PORTS = { TLS: 465, STARTTLS: 587, NONE: 25 } as const satisfies Record<
  MailServer['security'],
  number
>;

/** Parses the URL of an SMTP server. Credentials are sent without TLS to this machine only. */
const parseMailUrl: Parser<MailServer> = (text) => {
  const url = URL.parse(text);
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (!url || !/^smtps?:$/.test(url.protocol) || !/^\/?$/.test(url.pathname) || !parseHost(host).ok)
    return refuse(URL_ERROR);
  const security = readSecurity(url);
  const user = tryToDecode(url.username);
  const pass = tryToDecode(url.password);
  if (security === undefined || user === undefined || pass === undefined || url.hash !== '')
    return refuse(URL_ERROR);
  if ((user === '') !== (pass === '')) return refuse('must have a user and a password, or neither');
  if (user !== '' && security === 'NONE' && !isLoopback(host))
    return refuse('must not send a password without TLS; leave ?tls=none out, or the password');
  const port = url.port === '' ? DEFAULT_PORTS[security] : Number(url.port);
  return accept({ host, port, security, credentials: user === '' ? null : { user, pass } });
};

function readSecurity({ protocol, search }: URL): MailServer['security'] | undefined {
  if (protocol === 'smtps:') return search === '' ? 'TLS' : undefined;
  if (search === '') return 'STARTTLS';
  return search === '?tls=none' ? 'NONE' : undefined;
}

/** A name without characters that have a meaning in a header, and an address. */
const NAMED = /^([^\p{C}"\\<>(),;:@[\]]{1,64}?) *<([^<>]+)>$/u;

/** Parses an address, or a name and an address in angle brackets. */
const parseMailSender: Parser<MailSender> = (text) => {
  const [, name = '', address = text] = NAMED.exec(text) ?? [];
  return isMailAddress(address)
    ? accept({ name, address })
    : refuse('must be a mail address, or a name and an address, such as Postern <links@example.com>');
};

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/;

/** Parses `none`, or mail addresses and domains separated by commas, into lower case. */
const parseRecipients: Parser<string[]> = (text) =>
  parseList(
    text,
    (item) => {
      const lower = item.toLowerCase();
      return isMailAddress(lower) || DOMAIN.test(lower) ? lower : undefined;
    },
    'must be none, or mail addresses and domains separated by commas, such as example.com,alice@example.org',
  );

/** The receivers of notifications, and their events. */
export const NOTIFICATION_PROPERTIES = {
  webhooks: {
    secrets: unset(
      {
        name: 'app.webhooks.secret',
        parse: parseWebhookSecrets,
        meaning:
          'secret that signs webhooks: whsec_ and 24 to 64 random bytes in base64; during a change, new,old',
        secret: true,
      },
      [],
    ),
    urls: define({
      name: 'app.webhooks.url',
      byDefault: 'none',
      parse: parseWebhookUrls,
      meaning: 'URLs that get the events of all links, separated by commas',
      confidential: true,
    }),
    events: define({
      name: 'app.webhooks.events',
      byDefault: LINK_EVENT_TYPES.join(','),
      parse: parseEventTypes,
      meaning: 'events that app.webhooks.url gets, separated by commas',
    }),
    perLink: define({
      name: 'app.webhooks.per-link',
      byDefault: 'signed-in',
      parse: oneOf(['off', 'signed-in', 'everyone']),
      meaning:
        'who may create a link with a notifyUrl: off (no client), signed-in (clients with the scope create) or everyone',
    }),
    receivers: {
      allowedNetworks: define({
        name: 'app.webhooks.allowed-networks',
        byDefault: 'none',
        parse: parseNetworks,
        meaning:
          'IP addresses and CIDRs that are not public, to which webhooks may be sent, also without https',
      }),
      ports: define({
        name: 'app.webhooks.ports',
        byDefault: '443',
        parse: parsePorts,
        meaning: 'ports of public receivers, separated by commas',
      }),
    },
  },
  mail: {
    server: unset({
      name: 'app.mail.url',
      parse: parseMailUrl,
      meaning: 'smtps://<user>:<password>@<host>:<port> or smtp://… of the server that takes mails',
      confidential: true,
    }),
    from: unset({
      name: 'app.mail.from',
      parse: parseMailSender,
      meaning: 'sender of mails, such as Postern <links@example.com>; needed with app.mail.url',
    }),
    perLink: define({
      name: 'app.mail.per-link',
      byDefault: 'signed-in',
      parse: oneOf(['signed-in', 'everyone']),
      meaning:
        'who may create a link with a notifyEmail or verifiedRecipients: signed-in (clients with the scope create) or everyone',
    }),
    links: define({
      name: 'app.mail.links',
      byDefault: 'signed-in',
      parse: oneOf(['off', 'signed-in']),
      meaning:
        'who may mail a link to its recipient: off (no client) or signed-in (a signed-in user, at most app.limits.mails)',
    }),
    recipients: define({
      name: 'app.mail.recipients',
      byDefault: 'none',
      parse: parseRecipients,
      meaning: 'mail addresses and domains that notifyEmail may name, separated by commas',
    }),
  },
};
