import {
  FIELD_ERROR_CODES,
  type FieldError,
  type FieldErrorCode,
  type Parsed,
} from '../links/rules/parsed.ts';
import { OVERLOAD_RETRY_MS, UNAVAILABLE_RETRY_MS } from '../links/unavailable.ts';
import type { Denial } from '../links/verdict.ts';

/** The status of each code. The codes of fields, which are not listed here, have 400. */
const STATUSES = {
  NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  REVOKED: 410,
  EXPIRED: 410,
  VIEW_LIMIT_REACHED: 410,
  PASSWORD_REQUIRED: 401,
  INVALID_PASSWORD: 401,
  UNEXPECTED_STATE: 410,
  PAUSED: 403,
  NOT_STARTED: 403,
  RATE_LIMITED: 429,
  MALFORMED_JSON: 400,
  MALFORMED_MULTIPART: 400,
  MALFORMED_REQUEST: 400,
  MALFORMED_HOST: 400,
  SEVERAL_CREDENTIALS: 400,
  UNUSABLE_USER_NAME: 400,
  SIGN_IN_REQUIRED: 401,
  API_KEY_REQUIRED: 401,
  API_KEY_OR_LINK_TOKEN_REQUIRED: 401,
  INVALID_API_KEY: 401,
  INSUFFICIENT_SCOPE: 403,
  FOREIGN_LINK_TOKEN: 403,
  NEEDLESS_LINK_TOKEN: 403,
  CROSS_SITE_REQUEST: 403,
  CROSS_SITE_FORM: 403,
  CUSTOM_CODE_TAKEN: 409,
  INVALID_IDEMPOTENCY_KEY: 400,
  IDEMPOTENT_REQUEST_RUNNING: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  LINK_IS_REVOKED: 409,
  VERSION_MISMATCH: 412,
  NOTIFICATIONS_NOT_SET_UP: 409,
  NO_SUCH_NOTIFICATION: 404,
  NO_SUCH_ENDPOINT: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  BODY_TOO_LARGE: 413,
  FILE_TOO_LARGE: 413,
  REQUEST_TOO_LARGE: 413,
  UNSUPPORTED_CONTENT_TYPE: 415,
  UNSUPPORTED_CONTENT_ENCODING: 415,
  UNKNOWN_EXPECTATION: 417,
  MISDIRECTED_REQUEST: 421,
  HEADERS_TOO_LARGE: 431,
  STORAGE_FULL: 507,
  TOO_MANY_CONNECTIONS: 503,
  UNEXPECTED_ERROR: 500,
  TOO_MANY_STREAMS: 503,
  OVERLOADED: 503,
  DATABASE_UNAVAILABLE: 503,
} as const satisfies Record<Denial, number> & Record<string, number>;
type ListedCode = keyof typeof STATUSES;

/** The code by which a program tells errors apart. It never changes, unlike the message. */
export type ErrorCode = ListedCode | FieldErrorCode;

/** The status, the code and the message of an error response. */
export type ErrorStatus = {
  status: number;
  code: ErrorCode;
  message: string;
  /** When the client may try again; becomes the header Retry-After. */
  retryAfterMs?: number | undefined;
  /** The field or parameter that the error concerns. */
  field?: string | undefined;
  params?: FieldError['params'] | undefined;
};

function isListed(code: string): code is ListedCode {
  return Object.hasOwn(STATUSES, code);
}

function statusOf(code: ErrorCode): number {
  return isListed(code) ? STATUSES[code] : 400;
}

/** Returns the codes of error records with a status. */
export function codesOf(status: number): ErrorCode[] {
  const listed = Object.keys(STATUSES).filter(isListed);
  return [...listed, ...FIELD_ERROR_CODES].filter((code) => statusOf(code) === status);
}

function denial<Code extends Denial>(code: Code, message: string): ErrorStatus & { code: Code } {
  return { status: statusOf(code), code, message };
}

/** The error of each denial. The compiler stops here when a result is added. */
export const DENIALS = {
  NOT_FOUND: denial('NOT_FOUND', 'Link not found'),
  FILE_NOT_FOUND: denial('FILE_NOT_FOUND', 'File not found'),
  REVOKED: denial('REVOKED', 'Link has been revoked'),
  EXPIRED: denial('EXPIRED', 'Link has expired'),
  VIEW_LIMIT_REACHED: denial('VIEW_LIMIT_REACHED', 'Link has reached its view limit'),
  PASSWORD_REQUIRED: denial('PASSWORD_REQUIRED', 'Password required'),
  INVALID_PASSWORD: denial('INVALID_PASSWORD', 'Invalid password'),
  UNEXPECTED_STATE: denial('UNEXPECTED_STATE', 'Link is not active'),
  PAUSED: denial('PAUSED', 'Link is paused; try again later'),
  NOT_STARTED: denial('NOT_STARTED', 'Link is not open yet; try again later'),
  RATE_LIMITED: denial('RATE_LIMITED', 'Too many attempts; try again after the seconds in Retry-After'),
} satisfies { [Code in Denial]: ErrorStatus & { code: Code } };

type ErrorDetails = Omit<ErrorStatus, 'status' | 'code' | 'message'> & { headers?: readonly string[] };

/** An error that is the client's, whose message is meant for the client. */
export class RequestError extends Error implements ErrorStatus {
  override name = 'RequestError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined;
  readonly field: string | undefined;
  readonly params: FieldError['params'] | undefined;
  /** Further headers of the response: names and values in turn. */
  readonly headers: readonly string[];

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.status = statusOf(code);
    this.code = code;
    this.retryAfterMs = details.retryAfterMs;
    this.field = details.field;
    this.params = details.params;
    this.headers = details.headers ?? [];
  }
}

/** Returns how the administrator gets an API key. */
const createsKey = (scope: string): string =>
  `the administrator creates one, which begins with postern_, with npm run keys -- create NAME --scopes=${scope}`;

/** Returns the header that asks for an API key (RFC 6750, 3). */
function challenge(...details: string[]): string[] {
  return ['www-authenticate', ['Bearer realm="postern"', ...details].join(', ')];
}

/** Streams last, so that another one may be free only after some time. */
const STREAM_RETRY_MS = 30_000;

/** Every other error response. An error that is thrown and is not a RequestError becomes `unexpected`. */
export const ERRORS = {
  malformedJson: () => new RequestError('MALFORMED_JSON', 'Malformed JSON request'),
  malformedMultipart: () => new RequestError('MALFORMED_MULTIPART', 'Malformed multipart request'),
  malformedRequest: () => new RequestError('MALFORMED_REQUEST', 'Malformed request'),
  malformedHost: () => new RequestError('MALFORMED_HOST', 'Malformed request: send one valid Host header'),
  severalCredentials: () =>
    new RequestError('SEVERAL_CREDENTIALS', 'Malformed request: send one Authorization header'),
  invalidField: ({ code, field, text, params }: FieldError) =>
    new RequestError(code, `${field}: ${text}`, { field, params }),
  unusableUserName: (header: string) =>
    new RequestError(
      'UNUSABLE_USER_NAME',
      `The reverse proxy must send ${header} once, with a name of 1 to 128 visible characters`,
    ),
  signInRequired: () =>
    new RequestError(
      'SIGN_IN_REQUIRED',
      'Sign in: send an API key in the header Authorization, which begins with Bearer: Bearer <key>',
      {
        headers: challenge(),
      },
    ),
  keyRequired: (scope: string) =>
    new RequestError(
      'API_KEY_REQUIRED',
      `Send an API key with the scope ${scope} as Authorization: Bearer <key>; ${createsKey(scope)}`,
      { headers: challenge() },
    ),
  keyOrLinkTokenRequired: (scope: string) =>
    new RequestError(
      'API_KEY_OR_LINK_TOKEN_REQUIRED',
      'Send the token of the link in the header X-Link-Token, or those of several in tokens, which their creation ' +
        `returned, or an API key with the scope ${scope} as Authorization: Bearer <key>; ${createsKey(scope)}`,
      { headers: challenge() },
    ),
  invalidKey: () =>
    new RequestError(
      'INVALID_API_KEY',
      'The API key is unknown, expired or revoked; send another one. Keys of npm run keys begin with postern_',
      { headers: challenge('error="invalid_token"') },
    ),
  insufficientScope: (scope: string) =>
    new RequestError('INSUFFICIENT_SCOPE', `This needs the scope ${scope}; send an API key that has it`, {
      headers: challenge('error="insufficient_scope"', `scope="${scope}"`),
    }),
  foreignLinkToken: () =>
    new RequestError(
      'FOREIGN_LINK_TOKEN',
      'X-Link-Token is not the token of this link; send the one that its creation returned, or an API key alone',
    ),
  /** Of a request that needs neither a token nor a key. */
  needlessLinkToken: () =>
    new RequestError(
      'NEEDLESS_LINK_TOKEN',
      'X-Link-Token is not the token of this link; send the one that its creation returned, or leave the header out',
    ),
  crossSiteRequest: () =>
    new RequestError(
      'CROSS_SITE_REQUEST',
      'Cross-site request refused; to allow its origin, set app.cors.allowed-origins, or app.base-url behind a proxy',
    ),
  crossSite: () => new RequestError('CROSS_SITE_FORM', 'Cross-site form refused; open the link directly'),
  customCodeTaken: () =>
    new RequestError(
      'CUSTOM_CODE_TAKEN',
      'customCode: is the code of another link; choose another, or leave it out',
      { field: 'customCode' },
    ),
  invalidIdempotencyKey: () =>
    new RequestError(
      'INVALID_IDEMPOTENCY_KEY',
      'Idempotency-Key must be 1 to 255 visible ASCII characters; send a new UUID with each new request',
    ),
  idempotentRequestRunning: () =>
    new RequestError(
      'IDEMPOTENT_REQUEST_RUNNING',
      'A request with this Idempotency-Key is still running; repeat yours when it has ended',
    ),
  idempotencyKeyReused: () =>
    new RequestError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key belongs to another request; repeat that one unchanged, or send a new key',
    ),
  linkIsRevoked: () =>
    new RequestError('LINK_IS_REVOKED', 'Link has been revoked, so nothing of it can be changed'),
  versionMismatch: () =>
    new RequestError(
      'VERSION_MISMATCH',
      'The link has another version than If-Match names; read it again, and send its ETag',
    ),
  sendsNoNotifications: () =>
    new RequestError(
      'NOTIFICATIONS_NOT_SET_UP',
      'This service sends nothing; set app.webhooks.secret or app.mail.url first',
    ),
  noSuchNotification: () =>
    new RequestError('NO_SUCH_NOTIFICATION', 'No such failed notification; it may have been delivered'),
  noSuchPath: () => new RequestError('NO_SUCH_ENDPOINT', 'No such endpoint; see /docs'),
  methodNotAllowed: (method: string, allowed: string) =>
    new RequestError('METHOD_NOT_ALLOWED', `Method ${method} is not supported at this path; use ${allowed}`),
  requestTimeout: () => new RequestError('REQUEST_TIMEOUT', 'The request took too long to arrive'),
  bodyTooLarge: (limit: string) =>
    new RequestError('BODY_TOO_LARGE', `The request body must be at most ${limit}`),
  tooManyValues: (max: number) =>
    new RequestError('BODY_TOO_LARGE', `The request body must have at most ${max} JSON values`),
  fileTooLarge: (limit: string) =>
    new RequestError('FILE_TOO_LARGE', `file: must be at most ${limit}`, {
      field: 'file',
      params: { max: limit },
    }),
  requestTooLarge: (limit: string) =>
    new RequestError('REQUEST_TOO_LARGE', `request: must be at most ${limit}`, {
      params: { max: limit },
    }),
  unsupportedContentType: (expected: string) =>
    new RequestError('UNSUPPORTED_CONTENT_TYPE', `Content-Type must be ${expected}`),
  unsupportedContentEncoding: () =>
    new RequestError(
      'UNSUPPORTED_CONTENT_ENCODING',
      'Content-Encoding is not supported; send the body as it is',
    ),
  unknownExpectation: () => new RequestError('UNKNOWN_EXPECTATION', 'Only Expect: 100-continue is supported'),
  misdirectedRequest: (host: string) =>
    new RequestError(
      'MISDIRECTED_REQUEST',
      `This service has no host name ${host}; to allow it, set app.allowed-hosts or app.base-url`,
    ),
  rateLimited: (retryAfterMs: number) =>
    new RequestError('RATE_LIMITED', 'Too many requests; try again after the seconds in Retry-After', {
      retryAfterMs,
    }),
  headersTooLarge: () => new RequestError('HEADERS_TOO_LARGE', 'The request line and headers are too large'),
  storageFull: () =>
    new RequestError(
      'STORAGE_FULL',
      'The disk for uploaded files is almost full; try again later or send less',
    ),
  tooManyConnections: () =>
    new RequestError(
      'TOO_MANY_CONNECTIONS',
      'Too many connections from this address; close some, or try again later',
    ),
  /** The reference is in the log, with the stack. */
  unexpected: (reference: string) =>
    new RequestError('UNEXPECTED_ERROR', `An unexpected error occurred. Reference ID: ${reference}`),
  tooManyStreams: () =>
    new RequestError('TOO_MANY_STREAMS', 'Too many live updates are open; close some, or try again later', {
      retryAfterMs: STREAM_RETRY_MS,
    }),
  overloaded: () =>
    new RequestError('OVERLOADED', 'Too much work is waiting; try again after the seconds in Retry-After', {
      retryAfterMs: OVERLOAD_RETRY_MS,
    }),
  databaseUnavailable: () =>
    new RequestError(
      'DATABASE_UNAVAILABLE',
      'The database cannot be used; try again after the seconds in Retry-After',
      { retryAfterMs: UNAVAILABLE_RETRY_MS },
    ),
} satisfies Record<string, (...args: never[]) => RequestError>;

/** Returns a value that a client sent. @throws RequestError a 400 when it is invalid */
export function requireValid<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw ERRORS.invalidField(parsed.error);
  return parsed.value;
}

/** Returns the error for a link that does not exist. */
export function linkNotFound(): RequestError {
  return new RequestError(DENIALS.NOT_FOUND.code, DENIALS.NOT_FOUND.message);
}
