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

  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
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
  RATE_LIMITED: { status: 429, message: 'Too many attempts; try again after the seconds in Retry-After' },
} as const satisfies Record<Denial, ErrorStatus>;

/** Every other error response. An error that is thrown and is not a RequestError becomes `unexpected`. */
export const ERRORS = {
  malformedJson: () => new RequestError(400, 'Malformed JSON request'),
  malformedMultipart: () => new RequestError(400, 'Malformed multipart request'),
  malformedRequest: () => new RequestError(400, 'Malformed request'),
  invalidField: ({ field, text }: FieldError) => new RequestError(400, `${field}: ${text}`),
  crossSite: () => new RequestError(403, 'Cross-site form refused; open the link directly'),
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
  rateLimited: (retryAfterMs: number) =>
    new RequestError(429, 'Too many requests; try again after the seconds in Retry-After', retryAfterMs),
  headersTooLarge: () => new RequestError(431, 'The request line and headers are too large'),
  tooManyConnections: () =>
    new RequestError(503, 'Too many connections from this address; close some, or try again later'),
  /** The reference is in the log, with the stack. */
  unexpected: (reference: string) =>
    new RequestError(500, `An unexpected error occurred. Reference ID: ${reference}`),
  overloaded: () =>
    new RequestError(
      503,
      'Too much work is waiting; try again after the seconds in Retry-After',
      OVERLOAD_RETRY_MS,
    ),
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
