import type { Author } from '../../model/author.ts';
import { OVERLOAD_RETRY_MS, OverloadedError } from '../../model/unavailable.ts';
import type { ClientState, LinkStore, PasswordHasher, VisitLimits, WorkQueue } from '../../ports/ports.ts';
import { isTooLongForPassword } from '../../rules/parse-password.ts';

/** The reason to refuse a visit that may succeed later. */
export type LimitCause = 'UNKNOWN_CODES' | 'WRONG_PASSWORDS' | 'OVERLOAD' | 'RECIPIENT_CODES' | 'NO_MAIL';

/** A refusal, and when the client may try again. */
export type Limited = { cause: LimitCause; retryAfterMs: number };

/** The result of checking a password. `limited` is set where a limit kept it from being checked, as if it were missing. */
export type PasswordCheck = { password: 'MISSING' | 'WRONG' | 'RIGHT'; limited?: Limited };

export type CheckPasswordParts = {
  links: LinkStore;
  passwords: PasswordHasher;
  passwordQueue: WorkQueue;
  limits: VisitLimits;
};

type ProtectedLink = { shortCode: string; passwordHash: string };

type PasswordRequest = {
  password: string | null;
  ipAddress: string | null;
} & Pick<ClientState, 'abortSignal'>;

/**
 * Checks the password of a visit. Only a password that may be right is hashed, within the limits of the client. Rejects when
 * the client leaves before that begins.
 */
export async function checkPassword(
  parts: CheckPasswordParts,
  { shortCode, passwordHash }: ProtectedLink,
  { password, ipAddress, abortSignal }: PasswordRequest,
): Promise<PasswordCheck> {
  const { links, passwords, passwordQueue, limits } = parts;
  const guess = { shortCode, address: ipAddress };
  const blockedMs = limits.guessesBlockedMs(guess);
  if (blockedMs > 0) return limitedBy('WRONG_PASSWORDS', blockedMs);
  if (password === null) return { password: 'MISSING' };
  // A revoked link stays revoked, and is refused before its password is looked at.
  if ((await links.read(shortCode))?.status === 'REVOKED') return { password: 'MISSING' };

  const signal = abortSignal?.();
  const check = (isRight: () => Promise<boolean>) => limits.guess(guess, isRight, signal);
  try {
    await limits.delayGuess(guess, signal);
    const result = isTooLongForPassword(password)
      ? await check(async () => false)
      : await passwordQueue.run({ address: ipAddress, link: shortCode, ...(signal && { signal }) }, () =>
          check(() => passwords.verify(password, passwordHash)),
        );
    if (result.kind === 'LIMITED') return limitedBy('WRONG_PASSWORDS', result.retryAfterMs);
    return { password: result.isRight ? 'RIGHT' : 'WRONG' };
  } catch (error) {
    if (!(error instanceof OverloadedError && error.queue === 'passwords')) throw error;
    return limitedBy('OVERLOAD', OVERLOAD_RETRY_MS);
  }
}

function limitedBy(cause: LimitCause, retryAfterMs: number): PasswordCheck {
  return { password: 'MISSING', limited: { cause, retryAfterMs } };
}

/** Hashes the password of a link when it is its author's turn. */
export type HashPassword = (password: string, author: Author, client?: ClientState) => Promise<string>;

/** Prepares hashing the passwords that links are created with or get later. */
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
