import { OVERLOAD_RETRY_MS } from '../links/overload.ts';
import type { FieldError, Parsed } from '../links/rules/parsed.ts';
import type { Denial } from '../links/verdict.ts';

/** The status and the message of an error response. */
export type ErrorStatus = {
  status: number;
  message: string;
  /** When the client may try again; becomes the header Retry-After. */
  retryAfterMs?: number;
};

/** An error that is the client's, whose message is meant for the client. */
export class RequestError extends Error implements ErrorStatus {
  override name = 'RequestError';
  readonly status: number;
  readonly retryAfterMs?: number;
  /** Further headers of the response: names and values in turn. */
  readonly headers: readonly string[];

  constructor(
    status: number,
    message: string,
    more: { retryAfterMs?: number; headers?: readonly string[] } = {},
  ) {
    super(message);
    this.status = status;
    if (more.retryAfterMs !== undefined) this.retryAfterMs = more.retryAfterMs;
    this.headers = more.headers ?? [];
  }
}

/** The status and text of each denial. The compiler stops here when a result is added. */
export const DENIALS = {
  NOT_FOUND: { status: 404, message: 'Link not found' },
  FILE_NOT_FOUND: { status: 404, message: 'File not found' },
  REVOKED: { status: 410, message: 'Link has been revoked' },
  EXPIRED: { status: 410, message: 'Link has expired' },
  VIEW_LIMIT_REACHED: { status: 410, message: 'Link has reached its view limit' },
  PASSWORD_REQUIRED: { status: 401, message: 'Password required' },
  INVALID_PASSWORD: { status: 401, message: 'Invalid password' },
  UNEXPECTED_STATE: { status: 410, message: 'Link is not active' },
  PAUSED: { status: 403, message: 'Link is paused; try again later' },
  NOT_STARTED: { status: 403, message: 'Link is not open yet; try again later' },
  RATE_LIMITED: { status: 429, message: 'Too many attempts; try again after the seconds in Retry-After' },
} as const satisfies Record<Denial, ErrorStatus>;

/** Returns how the operator gets an API key. */
const createsKey = (scope: string): string =>
  `the operator creates one, which begins with postern_, with npm run keys -- create NAME --scopes=${scope}`;

/** Returns the header that asks for an API key (RFC 6750, 3). */
function challenge(...details: string[]): string[] {
  return ['www-authenticate', ['Bearer realm="postern"', ...details].join(', ')];
}

/** Streams last, so that another one may be free only after some time. */
const STREAM_RETRY_MS = 30_000;

/** Every other error response. An error that is thrown and is not a RequestError becomes `unexpected`. */
export const ERRORS = {
  malformedJson: () => new RequestError(400, 'Malformed JSON request'),
  malformedMultipart: () => new RequestError(400, 'Malformed multipart request'),
  malformedRequest: () => new RequestError(400, 'Malformed request'),
  malformedHost: () => new RequestError(400, 'Malformed request: send one valid Host header'),
  severalCredentials: () => new RequestError(400, 'Malformed request: send one Authorization header'),
  invalidField: ({ field, text }: FieldError) => new RequestError(400, `${field}: ${text}`),
  unusableUserName: (header: string) =>
    new RequestError(
      400,
      `The reverse proxy must send ${header} once, with a name of 1 to 128 visible characters`,
    ),
  signInRequired: () =>
    new RequestError(
      401,
      'Sign in: send an API key in the header Authorization, which begins with Bearer: Bearer <key>',
      {
        headers: challenge(),
      },
    ),
  keyRequired: (scope: string) =>
    new RequestError(
      401,
      `Send an API key with the scope ${scope} as Authorization: Bearer <key>; ${createsKey(scope)}`,
      { headers: challenge() },
    ),
  keyOrLinkTokenRequired: (scope: string) =>
    new RequestError(
      401,
      'Send the token of the link in the header X-Link-Token, which its creation returned, or an API key with the ' +
        `scope ${scope} as Authorization: Bearer <key>; ${createsKey(scope)}`,
      { headers: challenge() },
    ),
  invalidKey: () =>
    new RequestError(
      401,
      'The API key is unknown, expired or revoked; send another one. Keys of npm run keys begin with postern_',
      { headers: challenge('error="invalid_token"') },
    ),
  insufficientScope: (scope: string) =>
    new RequestError(403, `This needs the scope ${scope}; send an API key that has it`, {
      headers: challenge('error="insufficient_scope"', `scope="${scope}"`),
    }),
  foreignLinkToken: () =>
    new RequestError(
      403,
      'X-Link-Token is not the token of this link; send the one that its creation returned, or an API key alone',
    ),
  /** Of a request that needs neither a token nor a key. */
  needlessLinkToken: () =>
    new RequestError(
      403,
      'X-Link-Token is not the token of this link; send the one that its creation returned, or leave the header out',
    ),
  crossSiteRequest: () =>
    new RequestError(
      403,
      'Cross-site request refused; to allow its origin, set app.cors.allowed-origins, or app.base-url behind a proxy',
    ),
  crossSite: () => new RequestError(403, 'Cross-site form refused; open the link directly'),
  customCodeTaken: () =>
    new RequestError(409, 'customCode: is the code of another link; choose another, or leave it out'),
  sendsNoNotifications: () =>
    new RequestError(409, 'This service sends nothing; set app.webhooks.secret or app.mail.url first'),
  noSuchNotification: () => new RequestError(404, 'No such failed notification; it may have been delivered'),
  noSuchPath: () => new RequestError(404, 'No such endpoint; see /docs'),
  methodNotAllowed: (method: string, allowed: string) =>
    new RequestError(405, `Method ${method} is not supported at this path; use ${allowed}`),
  requestTimeout: () => new RequestError(408, 'The request took too long to arrive'),
  bodyTooLarge: (limit: string) => new RequestError(413, `The request body must be at most ${limit}`),
  fileTooLarge: (limit: string) => new RequestError(413, `file: must be at most ${limit}`),
  requestTooLarge: (limit: string) => new RequestError(413, `request: must be at most ${limit}`),
  unsupportedContentType: (expected: string) => new RequestError(415, `Content-Type must be ${expected}`),
  unsupportedContentEncoding: () =>
    new RequestError(415, 'Content-Encoding is not supported; send the body as it is'),
  unknownExpectation: () => new RequestError(417, 'Only Expect: 100-continue is supported'),
  misdirectedRequest: (host: string) =>
    new RequestError(
      421,
      `This service has no host name ${host}; to allow it, set app.allowed-hosts or app.base-url`,
    ),
  rateLimited: (retryAfterMs: number) =>
    new RequestError(429, 'Too many requests; try again after the seconds in Retry-After', { retryAfterMs }),
  headersTooLarge: () => new RequestError(431, 'The request line and headers are too large'),
  storageFull: () =>
    new RequestError(507, 'The disk for uploaded files is almost full; try again later or send less'),
  tooManyConnections: () =>
    new RequestError(503, 'Too many connections from this address; close some, or try again later'),
  /** The reference is in the log, with the stack. */
  unexpected: (reference: string) =>
    new RequestError(500, `An unexpected error occurred. Reference ID: ${reference}`),
  tooManyStreams: () =>
    new RequestError(503, 'Too many live updates are open; close some, or try again later', {
      retryAfterMs: STREAM_RETRY_MS,
    }),
  overloaded: () =>
    new RequestError(503, 'Too much work is waiting; try again after the seconds in Retry-After', {
      retryAfterMs: OVERLOAD_RETRY_MS,
    }),
} satisfies Record<string, (...args: never[]) => RequestError>;

/** Returns a value that a client sent. @throws RequestError a 400 when it is invalid */
export function requireValid<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw ERRORS.invalidField(parsed.error);
  return parsed.value;
}

/** Returns the error for a link that does not exist. */
export function linkNotFound(): RequestError {
  return new RequestError(DENIALS.NOT_FOUND.status, DENIALS.NOT_FOUND.message);
}
