/** Thrown when a database or a storage cannot be used. The request gets 503, unless the class says otherwise. */
export class UnavailableError extends Error {}

/** Thrown when the database cannot be used for a reason outside the service, such as no connection or a full disk. */
export class DatabaseUnavailableError extends UnavailableError {
  override readonly name = 'DatabaseUnavailableError';
}

/** Thrown when object storage cannot be reached, fails or refuses a request. */
export class StorageUnavailableError extends UnavailableError {
  override readonly name = 'StorageUnavailableError';
}

/** Thrown when the storage has no room for more bytes or files, or a quota is used up. The request gets 507. */
export class StorageFullError extends UnavailableError {
  override readonly name = 'StorageFullError';
}

/** A client that is refused for it may try again after this time. */
export const UNAVAILABLE_RETRY_MS = 5_000;

/** The queues of bounded length. */
export type BoundedQueue = 'passwords' | 'statistics' | 'history' | 'exports' | 'bulk' | 'scans' | 'store';

/** Thrown when too much work is waiting. Nothing of the refused work was committed. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
  readonly queue: BoundedQueue;

  constructor(queue: BoundedQueue) {
    super(`too much work is waiting (${queue})`);
    this.queue = queue;
  }
}

/** Thrown instead of beginning work whose client has left. */
export class ClientClosedError extends Error {
  override readonly name = 'ClientClosedError';
  readonly queue: BoundedQueue;

  constructor(queue: BoundedQueue) {
    super(`the client left before its work began (${queue})`);
    this.queue = queue;
  }
}

/** A client that is refused for an overload may try again after this time. */
export const OVERLOAD_RETRY_MS = 5_000;
