/** The exit codes of the command line. 130 is that of a program that a signal ended, by convention. */
export const EXIT_CODES = { failed: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

type FailureDetails = { remedy?: string | undefined; code?: string | undefined; cause?: unknown };

/** An error that ends a command: its message, what to do about it, and the exit code. */
export class Failure extends Error {
  override name = 'Failure';
  readonly kind: keyof typeof EXIT_CODES;
  readonly exitCode: number;
  readonly remedy: string | undefined;
  /** The code of the service's error record, for programs. */
  readonly code: string | undefined;

  constructor(kind: keyof typeof EXIT_CODES, message: string, { remedy, code, cause }: FailureDetails = {}) {
    super(message, { cause });
    this.kind = kind;
    this.exitCode = EXIT_CODES[kind];
    this.remedy = remedy;
    this.code = code;
  }

  /** Returns the same failure, with the name of what failed in front of its message. */
  of(subject: string): Failure {
    const { remedy, code, cause } = this;
    return new Failure(this.kind, `${subject}: ${this.message}`, { remedy, code, cause });
  }
}

/** Returns a failure of the arguments. */
export function usageFailure(message: string, remedy?: string): Failure {
  return new Failure('usage', message, { remedy });
}
