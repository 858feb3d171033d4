import { isOfDnsLength, isParsableAuthority } from './host-name.ts';
import { accept, type Parsed, refuse } from './parsed.ts';

/** "over 8,192 characters" is refused. Counted in UTF-16 units, like all bounds here. */
const MAX_CHARACTERS = 8192;

const FIELD = 'targetUrl';
const INVALID = 'must be a valid URL';

/**
 * Matches http or https with a host. An authority with a backslash is refused, because parsers disagree on
 * its end: `http://a\@b` leads to a in a browser, and to b by RFC 3986.
 */
const HTTP_AUTHORITY = /^https?:\/\/([^/?#\\]+)(?:[/?#]|$)/i;

const WHITE_SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

/** Reads "not blank; valid URL with `http://` or `https://`", "kept and returned verbatim". */
export function parseTargetUrl(value: unknown): Parsed<string> {
  if (value === undefined || value === null) return refuse(FIELD, 'TARGET_URL_MISSING', 'must not be blank');
  if (typeof value !== 'string') return refuse(FIELD, 'INVALID_TARGET_URL', INVALID);
  if (value.trim() === '') return refuse(FIELD, 'TARGET_URL_MISSING', 'must not be blank');
  if (value.length > MAX_CHARACTERS)
    return refuse(FIELD, 'TARGET_URL_TOO_LONG', `${INVALID} of at most ${MAX_CHARACTERS} characters`, {
      max: MAX_CHARACTERS,
    });
  return isHttpUrl(value) ? accept(value) : refuse(FIELD, 'INVALID_TARGET_URL', INVALID);
}

/** Returns whether a text is an http or https URL that all parsers read alike, with a host that DNS could have. */
export function isHttpUrl(text: string): boolean {
  // Checked first: the URL parser silently drops or encodes white space, controls and lone surrogates.
  if (!text.isWellFormed() || WHITE_SPACE_OR_CONTROL.test(text)) return false;
  const [, authority] = HTTP_AUTHORITY.exec(text) ?? [];
  if (authority === undefined || !isParsableAuthority(authority)) return false;
  const url = URL.parse(text);
  return url !== null && isOfDnsLength(url.hostname);
}
