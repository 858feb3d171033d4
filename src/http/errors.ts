import { STATUS_CODES } from 'node:http';
import type { FieldError } from '../links/rules/parsed.ts';
import type { Denial } from '../links/verdict.ts';

/** The body of every error answer ("Error record"). */
export type ErrorRecord = { timestamp: string; status: number; error: string; message: string; path: string };

/** "`error` equals the standard reason phrase of `status`." */
export function toErrorRecord(status: number, message: string, path: string, now: number): ErrorRecord {
  return {
    timestamp: new Date(now).toISOString(),
    status,
    error: STATUS_CODES[status] ?? 'Unknown',
    message,
    path,
  };
}

/** A request that is answered with an error record; its message is meant for the client. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The status and text of each verdict that denies. The compiler stops here when a result is added. */
export const DENIALS = {
  NOT_FOUND: { status: 404, message: 'Link not found' },
  FILE_NOT_FOUND: { status: 404, message: 'File not found' },
  REVOKED: { status: 410, message: 'Link has been revoked' },
  EXPIRED: { status: 410, message: 'Link has expired' },
  VIEW_LIMIT_REACHED: { status: 410, message: 'Link has reached its view limit' },
  PASSWORD_REQUIRED: { status: 401, message: 'Password required' },
  INVALID_PASSWORD: { status: 401, message: 'Invalid password' },
  UNEXPECTED_STATE: { status: 410, message: 'Link is not active' },
} as const satisfies Record<Denial, { status: number; message: string }>;

/** Every other error that a request can meet. What is thrown anywhere else is a fault, and answers 500. */
export const ERRORS = {
  malformedJson: () => new RequestError(400, 'Malformed JSON request'),
  malformedMultipart: () => new RequestError(400, 'Malformed multipart request'),
  malformedRequest: () => new RequestError(400, 'Malformed request'),
  invalidField: ({ field, text }: FieldError) => new RequestError(400, `${field}: ${text}`),
  crossSite: () => new RequestError(403, 'Another site sent this; open the link itself'),
  noSuchPath: () => new RequestError(404, 'There is nothing at this path; the reference is at /docs'),
  methodNotAllowed: (method: string, allowed: string) =>
    new RequestError(405, `Method ${method} is not supported at this path; use ${allowed}`),
  requestTimeout: () => new RequestError(408, 'The request took too long to arrive'),
  bodyTooLarge: (limit: string) => new RequestError(413, `The request body must be at most ${limit}`),
  fileTooLarge: (limit: string) => new RequestError(413, `file: must be at most ${limit}`),
  requestTooLarge: (limit: string) => new RequestError(413, `request: must be at most ${limit}`),
  unsupportedContentType: (expected: string) => new RequestError(415, `Content-Type must be ${expected}`),
  unsupportedContentEncoding: () =>
    new RequestError(415, 'Content-Encoding is not supported; send the body as it is'),
  unknownExpectation: () => new RequestError(417, 'The only expectation that can be met is 100-continue'),
  headersTooLarge: () => new RequestError(431, 'The request line and headers are too large'),
} satisfies Record<string, (...args: never[]) => RequestError>;

/** The text of a 500: the reference is in the log, beside the stack. */
export function unexpectedErrorMessage(reference: string): string {
  return `An unexpected error occurred. Reference ID: ${reference}`;
}
