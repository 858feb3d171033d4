import { CUSTOM_CODE } from '../short-code.ts';
import { accept, type Parsed, refuse } from './parsed.ts';

const FIELD = 'customCode';

/** Words that are paths of the API or of pages, or that pretend to speak for the service. Compared in lower case. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['admin', 'administrator', 'actuator', 'api', 'assets', 'audit', 'bulk', 'dashboard', 'docs', 'favicon'],
  ...[
    'health',
    'help',
    'history',
    'index',
    'links',
    'live',
    'login',
    'logout',
    'null',
    'password',
    'postern',
  ],
  ...[
    'revoke',
    'root',
    'robots',
    'security',
    'settings',
    'sign-in',
    'sign-out',
    'static',
    'stats',
    'status',
    'support',
  ],
  ...['system', 'undefined', 'upload', 'well-known'],
]);

/** Returns whether a short code is a word that no client may choose. */
export function isReservedCode(code: string): boolean {
  return RESERVED.has(code.toLowerCase());
}

/**
 * Reads the short code that a client chooses for its link.
 *
 * @param isAllowed whether the administrator allows such codes
 */
export function parseCustomCode(value: unknown, isAllowed: boolean): Parsed<string> {
  if (!isAllowed) return refuse(FIELD, 'CUSTOM_CODES_OFF', 'is not allowed by this service; leave it out');
  if (typeof value !== 'string' || !CUSTOM_CODE.test(value))
    return refuse(
      FIELD,
      'INVALID_CUSTOM_CODE',
      'must be 4 to 20 letters, digits, - or _, of which the first and the last are a letter or a digit',
    );
  if (isReservedCode(value))
    return refuse(FIELD, 'CUSTOM_CODE_RESERVED', 'must not be a reserved word; choose another');
  return accept(value);
}
