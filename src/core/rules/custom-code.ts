import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { CUSTOM_CODE, toShortCode } from '../model/short-code.ts';

const FIELD = 'customCode';

/** Words that are paths of the API or of pages, or that pretend to speak for the service. Compared in lower case. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'account actuator admin administrator api assets audit bulk checkpoint dashboard docs favicon health help history index ' +
    'keys links live login logout notifications null password people postern revoke robots root security sessions ' +
    'settings sign-in sign-out static stats status support system teams undefined upload verify well-known'
  ).split(' '),
);

/** Returns whether a short code is a word that no client may choose. */
export function isReservedCode(code: string): boolean {
  return RESERVED.has(code.toLowerCase()) || OF_UPLOADS.test(code);
}

/** The addresses of uploads for a file request are below its own. */
const OF_UPLOADS = /(?:^|\/)uploads(?:\/|$)/i;

/**
 * Reads the short code that a client chooses for its link.
 *
 * @param isAllowed whether the administrator allows such codes
 */
export function parseCustomCode(value: unknown, isAllowed: boolean): Parsed<string> {
  if (!isAllowed) return refuse(FIELD, 'CUSTOM_CODES_OFF', 'is not allowed by this service; leave it out');
  const code = typeof value === 'string' ? toShortCode(value, CUSTOM_CODE) : undefined;
  if (code === undefined)
    return refuse(
      FIELD,
      'INVALID_CUSTOM_CODE',
      'must be 3 to 20 letters, digits, -, _, ~ or . in up to 5 segments separated by /, each of which begins and ends with a letter or a digit',
    );
  if (isReservedCode(code))
    return refuse(FIELD, 'CUSTOM_CODE_RESERVED', 'must not be a reserved word; choose another');
  return accept(code);
}
