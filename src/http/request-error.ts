import type { FieldError } from '../core/model/parsed.ts';

/** The status, the code and the message of an error response. */
export type ErrorStatus = {
  status: number;
  code: string;
  message: string;
  /** The time after which the client may try again; becomes the header Retry-After. */
  retryAfterMs?: number | undefined;
  /** The field or parameter that the error concerns. */
  field?: string | undefined;
  params?: FieldError['params'] | undefined;
  /** The name of a server error in the log. */
  reference?: string | undefined;
};

type ErrorDetails = Omit<ErrorStatus, 'status' | 'code' | 'message'> & { headers?: readonly string[] };

/** An error whose status, code and message are meant for the client. */
export class RequestError extends Error implements ErrorStatus {
  override name = 'RequestError';
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly field: string | undefined;
  readonly params: FieldError['params'] | undefined;
  readonly reference: string | undefined;
  /** Further headers of the response: names and values in turn. */
  readonly headers: readonly string[];

  constructor(status: number, code: string, message: string, details: ErrorDetails = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = details.retryAfterMs;
    this.field = details.field;
    this.params = details.params;
    this.reference = details.reference;
    this.headers = details.headers ?? [];
  }
}

/** A function that creates an error, with what all its errors have. */
export type CreateError<Code, Inputs extends unknown[]> = ((...inputs: Inputs) => RequestError) & {
  status: number;
  code: Code;
};

/** Returns a function that creates errors with a status and a code. */
export function errorOf<Code extends string, Inputs extends unknown[]>(
  status: number,
  code: Code,
  describe: (...inputs: Inputs) => ErrorDetails & { message: string },
): CreateError<Code, Inputs> {
  const create = (...inputs: Inputs): RequestError => {
    const { message, ...details } = describe(...inputs);
    return new RequestError(status, code, message, details);
  };
  return Object.assign(create, { status, code });
}

export const error = <Code extends string>(
  status: number,
  code: Code,
  message: string,
  details: ErrorDetails = {},
) => errorOf(status, code, () => ({ message, ...details }));
