import { domainToASCII, domainToUnicode } from 'node:url';
import { hostNameOf } from './host-name.ts';
import { SCRIPTS } from './scripts.ts';

/** The host of a target as the confirmation page shows it. */
export type ShownHost = {
  /** In ASCII, with the port unless it is the scheme's default. */
  ascii: string;
  /** The name in Unicode, without the port. Null where it is the same, or could imitate another name. */
  unicode: string | null;
};

/** Returns the host to which a target leads, never its path, query or user name. */
export function toShownHost(targetUrl: string): ShownHost {
  const url = new URL(targetUrl);
  const name = hostNameOf(url);
  const port = url.port === '' ? '' : `:${url.port}`;
  return { ascii: name + port, unicode: toUnicode(name) };
}

function toUnicode(ascii: string): string | null {
  if (!ascii.includes('xn--')) return null;
  const unicode = domainToUnicode(ascii);
  const isFaithful = unicode !== ascii && domainToASCII(unicode) === ascii;
  return isFaithful && unicode.split('.').every(hasOneScript) ? unicode : null;
}

const LABELS = SCRIPTS.map(({ withLatin }) => new RegExp(`^[-0-9${withLatin}]*$`, 'u'));

/** Returns true unless a label mixes scripts, as `pаypal` does with a Cyrillic letter. */
function hasOneScript(label: string): boolean {
  return LABELS.some((pattern) => pattern.test(label));
}
