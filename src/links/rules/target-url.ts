import { accept, type Parsed, refuse } from './parsed.ts';

/** "over 8,192 characters" is refused; counted in UTF-16 units, as all bounds here. */
const MAX_CHARACTERS = 8192;

const FIELD = 'targetUrl';
const INVALID = 'must be a valid URL';

/**
 * http or https with something for a host. An authority with a backslash is refused, because readers differ on
 * where it ends: for a browser `http://a\@b` leads to a, for a reader by RFC 3986 to b.
 */
const HTTP_AUTHORITY = /^https?:\/\/[^/?#\\]+(?:[/?#]|$)/i;

const WHITE_SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

/** "not blank; valid URL with `http://` or `https://`", "kept and returned verbatim". */
export function parseTargetUrl(value: unknown): Parsed<string> {
  if (value === undefined || value === null) return refuse(FIELD, 'must not be blank');
  if (typeof value !== 'string') return refuse(FIELD, INVALID);
  if (value.trim() === '') return refuse(FIELD, 'must not be blank');
  if (value.length > MAX_CHARACTERS)
    return refuse(FIELD, `${INVALID} of at most ${MAX_CHARACTERS} characters`);
  return isHttpUrl(value) ? accept(value) : refuse(FIELD, INVALID);
}

function isHttpUrl(text: string): boolean {
  // The URL parser quietly drops or encodes white space, controls and lone surrogates: they are looked for first.
  return (
    text.isWellFormed() &&
    !WHITE_SPACE_OR_CONTROL.test(text) &&
    HTTP_AUTHORITY.test(text) &&
    URL.canParse(text)
  );
}
