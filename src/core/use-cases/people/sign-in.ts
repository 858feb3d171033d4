import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../model/people/hash-secret.ts';
import type { Person } from '../../model/people/person.ts';
import { toPersonName } from '../../model/people/person-name.ts';
import type { PersonStore } from '../../ports/people.ts';
import type { GuessLimits, PasswordHasher, Requester, WorkQueue } from '../../ports/ports.ts';
import { isTooLongForPassword } from '../../rules/parse-password.ts';

/** The result of a sign-in with a password. An unknown name and a wrong password are not distinguished. */
export type SignInResult =
  | { kind: 'SIGNED_IN'; person: Person & { passwordHash: string } }
  | { kind: 'WRONG' }
  | { kind: 'LIMITED'; retryAfterMs: number };

/** Checks the name and the password of a person. */
export type SignIn = (given: { name: string; password: string }, client: Requester) => Promise<SignInResult>;

/**
 * Prepares sign-ins with passwords. Guesses are limited by name and client, and by client alone, and delayed by name, as those
 * of the password of a link are. Each that could be right takes one hash, whether the name
 * exists or not.
 *
 * @param parts.isEmergencyOnly true if only people who are marked for emergencies may sign in with a password
 */
export function prepareSignIn(parts: {
  people: Pick<PersonStore, 'findPerson'>;
  passwords: PasswordHasher;
  passwordQueue: WorkQueue;
  limits: GuessLimits;
  isEmergencyOnly: boolean;
}): SignIn {
  const { people, passwords, passwordQueue, limits, isEmergencyOnly } = parts;
  let decoy: string | undefined;

  return async ({ name, password }, client) => {
    const { address, signal } = client;
    const wanted = toPersonName(name).trim();
    const guess = { shortCode: guessKeyOf(wanted), address };
    const blockedMs = limits.guessesBlockedMs(guess);
    if (blockedMs > 0) return { kind: 'LIMITED', retryAfterMs: blockedMs };
    decoy ??= await passwords.hash(randomBytes(16).toString('hex'));
    const decoyHash = decoy;
    const person = await people.findPerson(wanted);
    const stored = person && mayUsePassword(person, isEmergencyOnly) ? person.passwordHash : null;

    async function isRight(): Promise<boolean> {
      if (password === '' || !password.isWellFormed() || isTooLongForPassword(password)) return false;
      return (await passwords.verify(password, stored ?? decoyHash)) && stored !== null;
    }
    await limits.delayGuess(guess, signal);
    const result = await passwordQueue.run(client, () => limits.guess(guess, isRight, signal));
    if (result.kind === 'LIMITED') return result;
    return result.isRight && person && stored !== null
      ? { kind: 'SIGNED_IN', person: { ...person, passwordHash: stored } }
      : { kind: 'WRONG' };
  };
}

/** Returns the key by which guesses are counted. A short code has no space, and so is never the same. */
export function guessKeyOf(name: string): string {
  return `person ${hashSecret(name)}`;
}

/** Returns whether a person may sign in with a password. */
export function mayUsePassword(person: Person, isEmergencyOnly: boolean): boolean {
  return person.deactivatedAt === null && (!isEmergencyOnly || person.isEmergency);
}
