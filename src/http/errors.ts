import {
  FIELD_ERROR_CODES,
  type FieldError,
  type FieldErrorCode,
  type Parsed,
} from '../core/model/parsed.ts';
import {
  OVERLOAD_RETRY_MS,
  StorageFullError,
  StorageUnavailableError,
  UNAVAILABLE_RETRY_MS,
  type UnavailableError,
} from '../core/model/unavailable.ts';
import type { Denial } from '../core/model/verdict.ts';
import { type ErrorStatus, error, errorOf, RequestError } from './request-error.ts';
import { UPLOAD_ERRORS } from './upload-errors.ts';

export { type ErrorStatus, RequestError };

/** The code by which a program distinguishes errors. It never changes, unlike the message. */
export type ErrorCode = Denial | (typeof ERRORS)[keyof typeof ERRORS]['code'] | FieldErrorCode;

/** Returns the codes of error records with a status. */
export function codesOf(status: number): ErrorCode[] {
  const fieldErrors = FIELD_ERROR_CODES.map((code) => ({ status: 400, code }));
  const all = [...Object.values(DENIALS), ...Object.values(ERRORS), ...fieldErrors];
  return [...new Set(all.filter((error) => error.status === status).map(({ code }) => code))];
}

const denial = <Code extends Denial>(status: number, code: Code, message: string) => ({
  status,
  code,
  message,
});

/** The error of each denial. The compiler stops here when a result is added. */
export const DENIALS = {
  NOT_FOUND: denial(404, 'NOT_FOUND', 'Link not found'),
  FILE_NOT_FOUND: denial(404, 'FILE_NOT_FOUND', 'File not found'),
  REVOKED: denial(410, 'REVOKED', 'Link has been revoked'),
  EXPIRED: denial(410, 'EXPIRED', 'Link has expired'),
  VIEW_LIMIT_REACHED: denial(410, 'VIEW_LIMIT_REACHED', 'Link has reached its view limit'),
  PASSWORD_REQUIRED: denial(401, 'PASSWORD_REQUIRED', 'Password required'),
  INVALID_PASSWORD: denial(401, 'INVALID_PASSWORD', 'Invalid password'),
  RECIPIENT_REQUIRED: denial(
    401,
    'RECIPIENT_REQUIRED',
    'This link names its recipients: POST recipientAddress, and a code is mailed to that address if the link names it; then POST recipientAddress and recipientCode, with the cookie of the response',
  ),
  INVALID_RECIPIENT: denial(
    401,
    'INVALID_RECIPIENT',
    'The code is wrong or has ended, or it was sent to another browser; POST recipientAddress alone for another',
  ),
  UNEXPECTED_STATE: denial(410, 'UNEXPECTED_STATE', 'Link is not active'),
  PAUSED: denial(403, 'PAUSED', 'Link is paused; try again later'),
  NOT_STARTED: denial(403, 'NOT_STARTED', 'Link is not open yet; try again later'),
  RATE_LIMITED: denial(429, 'RATE_LIMITED', 'Too many attempts; try again after the seconds in Retry-After'),
} satisfies { [Code in Denial]: ErrorStatus & { code: Code } };

/** Returns whether the error with this code asks a visitor to prove a mail address. */
export const asksForRecipient = (code: string): boolean =>
  code === 'RECIPIENT_REQUIRED' || code === 'INVALID_RECIPIENT';

/** Returns the header of a 401 of a visit. RFC 9110, 15.5.2: it names a way to authenticate. */
export const authenticate = (code: string): string[] => [
  'www-authenticate',
  `${asksForRecipient(code) ? 'Recipient-Code' : 'X-Link-Password'} realm="link"`,
];

/** Returns how the administrator gets an API key. */
const createsKey = (scope: string): string =>
  `An administrator creates one: postern keys create NAME --scopes=${scope}`;

/** Returns the header that asks for an API key (RFC 6750, 3). */
function challenge(...details: string[]): string[] {
  return ['www-authenticate', ['Bearer realm="postern"', ...details].join(', ')];
}

/** Every other error response. What is thrown and is no known error becomes `unexpected`. */
export const ERRORS = {
  malformedJson: error(400, 'MALFORMED_JSON', 'Malformed JSON request'),
  malformedMultipart: error(400, 'MALFORMED_MULTIPART', 'Malformed multipart request'),
  malformedRequest: error(400, 'MALFORMED_REQUEST', 'Malformed request'),
  malformedHost: error(400, 'MALFORMED_HOST', 'Malformed request: send one valid Host header'),
  severalCredentials: error(400, 'SEVERAL_CREDENTIALS', 'Malformed request: send one Authorization header'),
  unusableUserName: errorOf(400, 'UNUSABLE_USER_NAME', (header: string) => ({
    message: `The reverse proxy must send ${header} once, with a name of 1 to 128 visible characters: letters of one script, digits, ASCII punctuation and single spaces`,
  })),
  signInRequired: error(
    401,
    'SIGN_IN_REQUIRED',
    'Sign in, or send an API key (postern_…): Authorization: Bearer <key>',
    { headers: challenge() },
  ),
  keyRequired: errorOf(401, 'API_KEY_REQUIRED', (scope: string) => ({
    message: `Send an API key (postern_…) with the scope ${scope}: Authorization: Bearer <key>. ${createsKey(scope)}`,
    headers: challenge(),
  })),
  keyOrLinkTokenRequired: errorOf(401, 'API_KEY_OR_LINK_TOKEN_REQUIRED', (scope: string) => ({
    message:
      'Send the token of the link in X-Link-Token, as its creation returned it, or an API key (postern_…) with the ' +
      `scope ${scope}: Authorization: Bearer <key>. ${createsKey(scope)}`,
    headers: challenge(),
  })),
  keyOrLinkTokensRequired: errorOf(401, 'API_KEY_OR_LINK_TOKEN_REQUIRED', (scope: string) => ({
    message:
      'Send the tokens of the links in tokens, as their creation returned them, or an API key (postern_…) with the ' +
      `scope ${scope}: Authorization: Bearer <key>. ${createsKey(scope)}`,
    headers: challenge(),
  })),
  invalidKey: error(
    401,
    'INVALID_API_KEY',
    'The API key is unknown, expired or revoked; send another one, which begins with postern_',
    { headers: challenge('error="invalid_token"') },
  ),
  insufficientScope: errorOf(403, 'INSUFFICIENT_SCOPE', (scope: string) => ({
    message: `This needs the scope ${scope}; send an API key that has it`,
    headers: challenge('error="insufficient_scope"', `scope="${scope}"`),
  })),
  foreignLinkToken: error(
    403,
    'FOREIGN_LINK_TOKEN',
    'X-Link-Token is not the token of this link; send the one that its creation returned, or an API key alone',
  ),
  /** Of a request that needs neither a token nor a key. */
  needlessLinkToken: error(
    403,
    'NEEDLESS_LINK_TOKEN',
    'X-Link-Token is not the token of this link; send the one that its creation returned, or leave the header out',
  ),
  codesUnavailable: errorOf(503, 'CODES_UNAVAILABLE', (retryAfterMs: number) => ({
    message:
      'The service cannot mail codes at the moment, and this link opens only with one; try again after the seconds in Retry-After',
    retryAfterMs,
  })),
  wrongNameOrPassword: error(401, 'WRONG_NAME_OR_PASSWORD', 'The name or the password is wrong', {
    headers: challenge(),
  }),
  passwordLinkEnded: error(
    410,
    'PASSWORD_LINK_ENDED',
    'This link was used, has expired or is incomplete; the administrator makes another with postern people reset NAME',
  ),
  signInNeedsTls: error(
    403,
    'SIGN_IN_NEEDS_TLS',
    'Browsers keep a sign-in only over https; set app.base-url to the https address of the service, and open that',
  ),
  sessionNeedsOwnPage: error(
    403,
    'SESSION_NEEDS_OWN_PAGE',
    'With the cookie of a sign-in, only pages of this service may change something; a program sends an API key',
  ),
  noSuchSession: error(404, 'NO_SUCH_SESSION', 'No such session; it may have ended'),
  noSuchPerson: error(404, 'NO_SUCH_PERSON', 'There is no person with this name, or it was deactivated'),
  noSuchTeam: error(404, 'NO_SUCH_TEAM', 'There is no team with this name'),
  noSuchKey: error(404, 'NO_SUCH_KEY', 'There is no API key with this name, or it is not yours'),
  nameTaken: error(
    409,
    'NAME_TAKEN',
    'name: is taken, perhaps by a deactivated person, a revoked key, or a user of the reverse proxy who owns links; choose another',
    { field: 'name' },
  ),
  lastAdministrator: error(
    409,
    'LAST_ADMINISTRATOR',
    'This is the last person with the scope admin who can sign in; give it to another person first',
  ),
  teamHasLinks: error(
    409,
    'TEAM_HAS_LINKS',
    'Links are shared with this team; share them with another team, or with none, and delete it then',
  ),
  cannotGrant: error(
    403,
    'CANNOT_GRANT_SCOPES',
    'A key gives only scopes that it has, and links of others, a place in a team, or an account with links only with read ' +
      'and manage; sign in as a person with the scope admin, or use a key that has them',
  ),
  crossSiteRequest: error(
    403,
    'CROSS_SITE_REQUEST',
    'Cross-site request refused; to allow its origin, set app.cors.allowed-origins, or app.base-url behind a proxy',
  ),
  crossSite: error(403, 'CROSS_SITE_FORM', 'Cross-site form refused; open the link directly'),
  mailsNoLinks: error(
    403,
    'MAILS_NO_LINKS',
    'Only a person who has signed in can mail a link, if app.mail.url is set and app.mail.links is not off',
  ),
  mailsNoInvitations: error(
    409,
    'MAILS_NO_INVITATIONS',
    'A password link is mailed only if app.mail.url is set and the person has a mail address',
  ),
  mailNotSent: errorOf(502, 'MAIL_NOT_SENT', (reason: string) => ({
    message: `The mail was not sent: ${reason}. Send the link yourself`,
  })),
  leaseRequired: error(
    428,
    'LEASE_REQUIRED',
    'A download is continued at the address in the Content-Location of its first response, for example with ' +
      'curl -C - --remote-name <address>; this request spent no view',
  ),
  leaseMismatch: error(
    412,
    'LEASE_MISMATCH',
    'If-Match names another download than this one; send the ETag of its first response, or open the link again, which ' +
      'spends a view; this request spent none',
  ),
  leaseEnded: error(
    410,
    'LEASE_ENDED',
    'The time to continue this download is over, or the file was replaced; open the link again, which spends a view',
  ),
  leaseNotHere: error(
    404,
    'LEASE_NOT_HERE',
    'A download of a recipient is continued only with the cookie of the browser that confirmed the address; open the link ' +
      'again, which needs a code and spends a view',
  ),
  leaseUsedUp: error(
    410,
    'LEASE_USED_UP',
    'This download was repeated too often to be continued; open the link again, which spends a view',
  ),
  rangeNotSatisfiable: error(
    416,
    'RANGE_NOT_SATISFIABLE',
    'The file has none of these bytes; its size is in Content-Range',
  ),
  customCodeTaken: error(
    409,
    'CUSTOM_CODE_TAKEN',
    'customCode: is the code of another link; choose another, or leave it out',
    { field: 'customCode' },
  ),
  invalidIdempotencyKey: error(
    400,
    'INVALID_IDEMPOTENCY_KEY',
    'Idempotency-Key must be 1 to 255 visible ASCII characters; send a new UUID with each new request',
  ),
  idempotentRequestRunning: error(
    409,
    'IDEMPOTENT_REQUEST_RUNNING',
    'A request with this Idempotency-Key is still running; repeat yours when it has ended',
  ),
  idempotencyKeyReused: error(
    422,
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key belongs to another request; repeat that one unchanged, or send a new key',
  ),
  linkIsRevoked: error(409, 'LINK_IS_REVOKED', 'Link has been revoked, so nothing of it can be changed'),
  linkHasEnded: error(
    409,
    'LINK_HAS_ENDED',
    'The link has expired or has no views left; move its end with PATCH first',
  ),
  linkHasNoFile: error(
    409,
    'LINK_HAS_NO_FILE',
    'The link leads to no file; create a link to the file, or change where a link to a URL leads with targetUrl',
  ),
  encryptionRequired: error(
    400,
    'ENCRYPTION_REQUIRED',
    'The file request wants files that are encrypted with age to its recipientKey; encrypt them, and send encrypted=true',
  ),
  fileHeldBack: error(
    409,
    'FILE_HELD_BACK',
    'Malware was found in the file, or it was not scanned, so the link stays paused; replace the file by a clean one, or try again once the scanner works',
  ),
  versionMismatch: error(
    412,
    'VERSION_MISMATCH',
    'The link has another version than If-Match names; read it again, and send its ETag',
  ),
  sendsNoNotifications: error(
    409,
    'NOTIFICATIONS_NOT_SET_UP',
    'This service sends nothing; set app.webhooks.secret or app.mail.url first',
  ),
  noSuchNotification: error(
    404,
    'NO_SUCH_NOTIFICATION',
    'No such failed notification; it may have been delivered',
  ),
  noCheckpoint: error(404, 'NO_CHECKPOINT', 'There is no checkpoint yet, or none of so many entries'),
  entriesDetached: error(
    409,
    'ENTRIES_DETACHED',
    'The proof needs entries of a detached month of the history; attach it, or compare with a later checkpoint',
  ),
  signsNoCheckpoints: error(
    409,
    'SIGNS_NO_CHECKPOINTS',
    'The log has no key that could sign a new one: set app.evidence.key-file, or begin a new log',
  ),
  notAFileRequest: error(409, 'NOT_A_FILE_REQUEST', 'The link is no file request, so it takes no files'),
  noSuchPath: error(404, 'NO_SUCH_ENDPOINT', 'No such endpoint; see /docs'),
  methodNotAllowed: errorOf(405, 'METHOD_NOT_ALLOWED', (method: string, allowed: string) => ({
    message: `Method ${method} is not supported at this path; use ${allowed}`,
  })),
  requestTimeout: error(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive'),
  bodyTooLarge: errorOf(413, 'BODY_TOO_LARGE', (limit: string) => ({
    message: `The request body must be at most ${limit}`,
  })),
  tooManyValues: errorOf(413, 'BODY_TOO_LARGE', (max: number) => ({
    message: `The request body must have at most ${max} JSON values`,
  })),
  fileTooLarge: errorOf(413, 'FILE_TOO_LARGE', (limit: string, remedy = '') => ({
    message: `file: must be at most ${limit}${remedy}`,
    field: 'file',
    params: { max: limit },
  })),
  tooManyFiles: errorOf(413, 'TOO_MANY_FILES', (max: number) => ({
    message: `file: must be at most ${max} files`,
    field: 'file',
    params: { max },
  })),
  tooManyParts: errorOf(400, 'TOO_MANY_PARTS', (max: number) => ({
    message: `A form must have at most ${max} parts; send more files as an upload that resumes (/api/uploads), which takes thousands`,
    params: { max },
  })),
  requestTooLarge: errorOf(413, 'REQUEST_TOO_LARGE', (limit: string, remedy = '') => ({
    message: `request: must be at most ${limit}${remedy}`,
    params: { max: limit },
  })),
  unsupportedContentType: errorOf(415, 'UNSUPPORTED_CONTENT_TYPE', (expected: string) => ({
    message: `Content-Type must be ${expected}`,
  })),
  unsupportedContentEncoding: error(
    415,
    'UNSUPPORTED_CONTENT_ENCODING',
    'Content-Encoding is not supported; send the body as it is',
  ),
  misdirectedRequest: errorOf(421, 'MISDIRECTED_REQUEST', (host: string) => ({
    message: `This service has no host name ${host}; to allow it, set app.allowed-hosts or app.base-url`,
  })),
  rateLimited: errorOf(429, 'RATE_LIMITED', (retryAfterMs: number) => ({
    message: 'Too many requests; try again after the seconds in Retry-After',
    retryAfterMs,
  })),
  ...UPLOAD_ERRORS,
  headersTooLarge: error(431, 'HEADERS_TOO_LARGE', 'The request line and headers are too large'),
  quotaExceeded: error(
    507,
    'QUOTA_EXCEEDED',
    'The quota for stored files has no room for this upload; ask the administrator for more, or to erase files',
  ),
  storageFull: error(
    507,
    'STORAGE_FULL',
    'The disk for uploaded files is almost full; try again later or send less',
  ),
  tooManyConnections: error(
    503,
    'TOO_MANY_CONNECTIONS',
    'Too many connections from this address; close some, or try again later',
  ),
  /** The reference is in the log, with the stack. */
  unexpected: errorOf(500, 'UNEXPECTED_ERROR', (reference: string) => ({
    message: `An unexpected error occurred. Reference ID: ${reference}`,
    reference,
  })),
  overloaded: error(
    503,
    'OVERLOADED',
    'Too much work is waiting; try again after the seconds in Retry-After',
    { retryAfterMs: OVERLOAD_RETRY_MS },
  ),
  databaseUnavailable: error(
    503,
    'DATABASE_UNAVAILABLE',
    'The database cannot be used; try again after the seconds in Retry-After',
    { retryAfterMs: UNAVAILABLE_RETRY_MS },
  ),
  storageUnavailable: error(
    503,
    'STORAGE_UNAVAILABLE',
    'The storage of the files cannot be used; try again after the seconds in Retry-After',
    { retryAfterMs: UNAVAILABLE_RETRY_MS },
  ),
};

/** Returns the response to an error of a database or a storage. */
export function unavailable(error: UnavailableError): RequestError {
  if (error instanceof StorageFullError) return ERRORS.storageFull();
  const isOfStorage = error instanceof StorageUnavailableError;
  return isOfStorage ? ERRORS.storageUnavailable() : ERRORS.databaseUnavailable();
}

/** Returns the error of a field that a client sent. */
export function invalidField({ code, field, text, params }: FieldError): RequestError {
  return new RequestError(400, code, `${field}: ${text}`, { field, params });
}

/** Returns a value that a client sent. @throws RequestError a 400 when it is invalid */
export function requireValid<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw invalidField(parsed.error);
  return parsed.value;
}

/** Returns the error for a link that does not exist. */
export function linkNotFound(): RequestError {
  return new RequestError(404, 'NOT_FOUND', DENIALS.NOT_FOUND.message);
}
