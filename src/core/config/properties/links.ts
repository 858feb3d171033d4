import { accept } from '../../model/parsed.ts';
import { tryToDecode } from '../../model/percent-encoding.ts';
import { parseBlockedHostsPath } from '../blocked-hosts.ts';
import {
  isPath,
  type Parser,
  parseBoolean,
  parseChunkSize,
  parseDuration,
  parseHost,
  parseRetention,
  parseSize,
  parseTimeout,
  refuse,
  wholeNumber,
} from '../parsers.ts';
import { define, unset } from '../property.ts';

/** The characters before the `@` that HTML allows in `<input type=email>`. */
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;

const MAILTO = /^mailto:(?<address>[^?#\s]+)(?<query>\?[^#\s]*)?$/i;

/** Parses a mail address, a mailto: URL or an https: URL. The value is the URL for a link. */
const parseContact: Parser<string> = (text) => {
  const href = toWebHref(text) ?? toMailHref(text);
  return href === undefined
    ? refuse(
        'must be a mail address, a mailto: URL or an https: URL, such as abuse@links.example or https://links.example/abuse',
      )
    : accept(href);
};

function toWebHref(text: string): string | undefined {
  const url = /^https:\/\/[^/?#@\\\s]+([/?#]\S*)?$/i.test(text) ? URL.parse(text) : null;
  return url?.href;
}

function toMailHref(text: string): string | undefined {
  const { address, query = '' } = MAILTO.exec(text)?.groups ?? { address: encodeURI(text.toWellFormed()) };
  const [local = '', host = '', ...rest] = (tryToDecode(address ?? '') ?? '').split('@');
  const isAddress = rest.length === 0 && LOCAL_PART.test(local) && parseHost(host).ok;
  return isAddress ? URL.parse(`mailto:${encodeURIComponent(local)}@${host}${query}`)?.href : undefined;
}

/** Parses a program and its arguments. No shell reads them. */
const parseCommand: Parser<readonly [string, ...string[]]> = (text) => {
  const [program = '', ...words] = text.split(' ').filter((word) => word !== '');
  return program !== '' && isPath(text)
    ? accept([program, ...words])
    : refuse('must be a program and its arguments, such as clamdscan --no-summary -');
};

/** The administrator's rules for links. */
export const LINK_PROPERTIES = {
  links: {
    defaultTtl: unset({
      name: 'app.link.default-ttl',
      parse: parseDuration,
      meaning: 'lifetime of a link created without expiresAt, ISO 8601 such as PT24H, at most P100Y',
    }),
    policy: {
      maxTtl: unset({
        name: 'app.links.max-ttl',
        parse: parseDuration,
        meaning: 'longest lifetime of a new link, ISO 8601 such as P30D, at most P100Y',
      }),
      maxViews: unset({
        name: 'app.links.max-views',
        parse: wholeNumber(1, 999_999_999),
        meaning: 'largest maxViews of a new link, from 1 to 999999999',
      }),
      passwordRequired: define({
        name: 'app.links.password-required',
        byDefault: 'false',
        parse: parseBoolean,
        meaning: 'true: a link is created only with a password',
      }),
      customCodes: define({
        name: 'app.links.custom-codes',
        byDefault: 'true',
        parse: parseBoolean,
        meaning: 'true: a client may choose the short code of its link, 3 to 20 characters',
      }),
    },
    blockedHostsPath: unset({
      name: 'app.links.blocked-hosts',
      parse: parseBlockedHostsPath,
      meaning: 'path of a text file with hosts to which no new link may lead, one per line',
    }),
  },
  retention: {
    audit: unset({
      name: 'app.audit.retention',
      parse: parseRetention,
      meaning:
        'age after which addresses, user agents, names and texts are erased from the audit and the histories, ISO 8601 such as P90D',
    }),
    links: unset({
      name: 'app.links.retention-after-end',
      parse: parseRetention,
      meaning:
        'time after the end of a link after which its target, its password, its terms for people and the personal fields of its history are erased, ISO 8601 such as P1Y',
    }),
    files: unset({
      name: 'app.storage.retention-after-end',
      parse: parseRetention,
      meaning: 'time after the end of a link after which its uploaded file is deleted, ISO 8601 such as P30D',
    }),
  },
  recordsReferrers: define({
    name: 'app.audit.referrers',
    byDefault: 'true',
    parse: parseBoolean,
    meaning: 'true: the audit has the host of the page from which a link was opened',
  }),
  contacts: {
    abuse: unset({
      name: 'app.abuse-contact',
      parse: parseContact,
      meaning:
        'where visitors report abuse, a mail address, mailto: or https: URL to which all visitor pages link',
    }),
    operator: unset({
      name: 'app.contact',
      parse: parseContact,
      meaning: 'where visitors of a link that has ended or is unknown can ask, as above',
    }),
  },
  uploads: {
    maxFileBytes: define({
      name: 'app.upload.max-size',
      byDefault: '2GB',
      parse: parseSize,
      meaning:
        'largest file or set of files of a link; B, KB, MB, GB are powers of 1024, a bare number is bytes',
    }),
    maxFormFileBytes: define({
      name: 'spring.servlet.multipart.max-file-size',
      byDefault: '50MB',
      parse: parseSize,
      meaning: 'largest file of a form; same units',
    }),
    maxRequestBytes: define({
      name: 'spring.servlet.multipart.max-request-size',
      byDefault: '50MB',
      parse: parseSize,
      meaning: 'largest form with a file, including the file; same units',
    }),
    chunkBytes: define({
      name: 'app.upload.chunk-size',
      byDefault: '64MB',
      parse: parseChunkSize,
      meaning:
        'largest request of an upload by the pages and the command line, at least 5MB; proxies in front must pass it on',
    }),
    maxFiles: define({
      name: 'app.upload.max-files',
      byDefault: '10000',
      parse: wholeNumber(1, 10_000),
      meaning: 'most files that one link can have',
    }),
    quota: {
      totalBytes: unset({
        name: 'app.storage.quota',
        parse: parseSize,
        meaning:
          'largest size of all stored files together; an upload beyond it is refused with 507; same units',
      }),
      perOwnerBytes: unset({
        name: 'app.storage.quota-per-owner',
        parse: parseSize,
        meaning: 'largest size of the stored files of one person or key, as above',
      }),
    },
    scan: {
      command: unset({
        name: 'app.upload.scan',
        parse: parseCommand,
        meaning: 'program that scans uploads for malware, such as clamdscan --no-summary -',
      }),
      timeoutMs: define({
        name: 'app.upload.scan-timeout',
        byDefault: 'PT5M',
        parse: parseTimeout,
        meaning: 'maximum time of the scan of the files of a link, PT0.1S to PT1H',
      }),
      isRequired: define({
        name: 'app.scan.required',
        byDefault: 'false',
        parse: parseBoolean,
        meaning: 'true: a file is opened only if app.upload.scan found nothing in it',
      }),
    },
  },
};
