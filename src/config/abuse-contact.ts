import { accept } from '../links/rules/parsed.ts';
import { type Parser, parseHost, refuse } from './parsers.ts';

/** The characters before the `@` that HTML allows in `<input type=email>`. */
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;

const MAILTO = /^mailto:(?<address>[^?#\s]+)(?<query>\?[^#\s]*)?$/i;

/** Parses a mail address, a mailto: URL or an https: URL. The value is the URL for a link. */
export const parseAbuseContact: Parser<string> = (text) => {
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
  const [local = '', host = '', ...rest] = decode(address ?? '').split('@');
  const isAddress = rest.length === 0 && LOCAL_PART.test(local) && parseHost(host).ok;
  return isAddress ? URL.parse(`mailto:${encodeURIComponent(local)}@${host}${query}`)?.href : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
