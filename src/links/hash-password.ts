import type { Author } from './author.ts';
import type { ClientState, PasswordHasher, WorkQueue } from './ports.ts';

/** Hashes the password of a link when it is its author's turn. */
export type HashPassword = (password: string, author: Author, client?: ClientState) => Promise<string>;

/**
 * Prepares hashing the passwords that links are created with or get later.
 *
 * @throws OverloadedError when too many passwords wait, ClientClosedError when the client leaves before its turn
 */
export function prepareHashPassword(parts: {
  passwords: PasswordHasher;
  passwordQueue: WorkQueue;
}): HashPassword {
  const { passwords, passwordQueue } = parts;
  return (password, { ipAddress }, client) => {
    const signal = client?.abortSignal?.();
    const requester = { address: ipAddress, ...(signal && { signal }) };
    return passwordQueue.run(requester, () => passwords.hash(password));
  };
}
