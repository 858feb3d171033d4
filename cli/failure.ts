/** The exit codes of the command line. */
export const EXIT_CODES = { failed: 1, usage: 2, unreachable: 3 } as const;

type FailureDetails = { remedy?: string | undefined; code?: string | undefined; cause?: unknown };

/** An error that ends a command: its message, what to do about it, and the exit code. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exitCode: number;
  readonly remedy: string | undefined;
  /** The code of the service's error record, for programs. */
  readonly code: string | undefined;

  constructor(kind: keyof typeof EXIT_CODES, message: string, { remedy, code, cause }: FailureDetails = {}) {
    super(message, { cause });
    this.exitCode = EXIT_CODES[kind];
    this.remedy = remedy;
    this.code = code;
  }
}

/** Returns a failure of the arguments. */
export function usageFailure(message: string, remedy?: string): Failure {
  return new Failure('usage', message, { remedy });
}
