import type { Author } from './author.ts';
import type { Departure, PasswordHasher, WorkQueue } from './ports.ts';

/** Hashes the password of a link when it is its author's turn. */
export type HashPassword = (password: string, author: Author, client?: Departure) => Promise<string>;

/**
 * Prepares hashing the passwords that links are created with or get later.
 *
 * @throws OverloadedError when too many passwords wait, AbandonedError when the client leaves before its turn
 */
export function prepareHashPassword(parts: {
  passwords: PasswordHasher;
  passwordQueue: WorkQueue;
}): HashPassword {
  const { passwords, passwordQueue } = parts;
  return (password, { ipAddress }, client) => {
    const hasLeft = client?.departure?.();
    const requester = { address: ipAddress, ...(hasLeft && { hasLeft }) };
    return passwordQueue.run(requester, () => passwords.hash(password));
  };
}
