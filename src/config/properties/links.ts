import { parseAbuseContact } from '../abuse-contact.ts';
import { parseBlockedHostsPath } from '../blocked-hosts-file.ts';
import { oneOf, parseDuration, parseSize, wholeNumber } from '../parsers.ts';
import { define } from '../property.ts';

const DEFAULT_MAX_BYTES = 50 * 1024 ** 2;

/** What links may be. */
export const LINK_PROPERTIES = {
  defaultTtl: define<Temporal.Duration | null>({
    name: 'app.link.default-ttl',
    fallback: null,
    shown: '(unset)',
    parse: parseDuration,
    meaning:
      'lifetime of a link created without expiresAt, ISO 8601 such as PT24H, at most P100Y; unset: no limit',
    optional: true,
  }),
  maxTtl: define<Temporal.Duration | null>({
    name: 'app.links.max-ttl',
    fallback: null,
    shown: '(unset)',
    parse: parseDuration,
    meaning:
      'longest lifetime of a new link, ISO 8601 such as P30D, at most P100Y; a link created without expiresAt gets it, or app.link.default-ttl if that is shorter; unset: no limit',
    optional: true,
  }),
  maxViews: define<number | null>({
    name: 'app.links.max-views',
    fallback: null,
    shown: '(unset)',
    parse: wholeNumber(1, 999_999_999),
    meaning:
      'largest maxViews of a new link, from 1 to 999999999; a link created without maxViews gets it; unset: no limit',
    optional: true,
  }),
  passwordRequired: define<'true' | 'false'>({
    name: 'app.links.password-required',
    fallback: 'false',
    parse: oneOf(['true', 'false']),
    meaning: 'true: a link is created only with a password',
  }),
  customCodes: define<'true' | 'false'>({
    name: 'app.links.custom-codes',
    fallback: 'true',
    parse: oneOf(['true', 'false']),
    meaning:
      'true: a client may choose the short code of its link, 4 to 20 characters, which can be guessed; false: every short code is random',
  }),
  blockedHosts: define<string | null>({
    name: 'app.links.blocked-hosts',
    fallback: null,
    shown: '(unset)',
    parse: parseBlockedHostsPath,
    meaning:
      'path of a text file with hosts to which no new link may lead, one per line; a name includes its subdomains; changes apply within a minute',
    optional: true,
  }),
  abuseContact: define<string | null>({
    name: 'app.abuse-contact',
    fallback: null,
    shown: '(unset)',
    parse: parseAbuseContact,
    meaning:
      'where visitors report abuse: a mail address, a mailto: URL or an https: URL, to which the visitor pages link; unset: no such link',
    optional: true,
  }),
  maxFileBytes: define({
    name: 'spring.servlet.multipart.max-file-size',
    fallback: DEFAULT_MAX_BYTES,
    shown: '50MB',
    parse: parseSize,
    meaning: 'largest uploaded file; B, KB, MB, GB are powers of 1024, a bare number is bytes',
  }),
  maxRequestBytes: define({
    name: 'spring.servlet.multipart.max-request-size',
    fallback: DEFAULT_MAX_BYTES,
    shown: '50MB',
    parse: parseSize,
    meaning: 'largest upload request, including its file; same units',
  }),
};
