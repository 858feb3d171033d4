/** Thrown when the database cannot be used for a reason outside the service, such as no connection or a full disk. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** A client that is refused for it may try again after this time. */
export const UNAVAILABLE_RETRY_MS = 5_000;
