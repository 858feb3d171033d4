import { isMailAddress } from '../links/rules/notify-email.ts';
import { accept } from '../links/rules/parsed.ts';
import type { MailSender, MailServer } from '../notifications/mail-settings.ts';
import { isLoopback, type Parser, parseHost, parseList, refuse } from './parsers.ts';

const URL_ERROR =
  'must be smtps://<user>:<password>@<host>:<port> (TLS), smtp://… (STARTTLS, which the server must offer) or smtp://<host>:<port>?tls=none, with special characters percent-encoded';

const DEFAULT_PORTS = { TLS: 465, STARTTLS: 587, NONE: 25 } as const satisfies Record<
  MailServer['security'],
  number
>;

/** Parses the URL of an SMTP server. Credentials are sent without TLS to this machine only. */
export const parseMailUrl: Parser<MailServer> = (text) => {
  const url = URL.parse(text);
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (!url || !/^smtps?:$/.test(url.protocol) || !/^\/?$/.test(url.pathname) || !parseHost(host).ok)
    return refuse(URL_ERROR);
  const security = readSecurity(url);
  const user = decode(url.username);
  const pass = decode(url.password);
  if (security === undefined || user === undefined || pass === undefined || url.hash !== '')
    return refuse(URL_ERROR);
  if ((user === '') !== (pass === '')) return refuse('must have a user and a password, or neither');
  if (user !== '' && security === 'NONE' && !isLoopback(host)) {
    return refuse('must not send a password without TLS; leave ?tls=none out, or the password');
  }
  const port = url.port === '' ? DEFAULT_PORTS[security] : Number(url.port);
  return accept({ host, port, security, credentials: user === '' ? null : { user, pass } });
};

function readSecurity({ protocol, search }: URL): MailServer['security'] | undefined {
  if (protocol === 'smtps:') return search === '' ? 'TLS' : undefined;
  if (search === '') return 'STARTTLS';
  return search === '?tls=none' ? 'NONE' : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A name without characters that have a meaning in a header, and an address. */
const NAMED = /^([^\p{C}"\\<>(),;:@[\]]{1,64}?) *<([^<>]+)>$/u;

/** Parses an address, or a name and an address in angle brackets. */
export const parseMailSender: Parser<MailSender> = (text) => {
  const [, name = '', address = text] = NAMED.exec(text) ?? [];
  return isMailAddress(address)
    ? accept({ name, address })
    : refuse('must be a mail address, or a name and an address, such as Postern <links@example.com>');
};

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/;

/** Parses `none`, or mail addresses and domains separated by commas, into lower case. */
export const parseRecipients: Parser<string[]> = (text) =>
  parseList(
    text,
    (item) => {
      const lower = item.toLowerCase();
      return isMailAddress(lower) || DOMAIN.test(lower) ? lower : undefined;
    },
    'must be none, or mail addresses and domains separated by commas, such as example.com,alice@example.org',
  );
