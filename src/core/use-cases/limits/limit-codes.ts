import { hash } from 'node:crypto';
import type { Author } from '../../model/author.ts';
import { type Rate, type RateLimiter, requestKeyOf, UNLIMITED } from './rate-limiter.ts';

/** A code that is asked for. `isNamed`: the link names the address. */
export type AskedCode = { client: Author; shortCode: string; address: string; isNamed: boolean };

/** Limits codes that are mailed to recipients of links. */
export type CodeLimits = {
  /**
   * Takes one code. `retryAfterMs`: 0, or for how long codes of this client, or for this address of this link, are refused.
   * `isWithheld`: the mailbox or the link has had its codes. A refusal would show that the link names the address, so there is none.
   */
  acquire(asked: AskedCode): Promise<{ retryAfterMs: number; isWithheld: boolean }>;
  deleteEnded(): void;
};

/**
 * How many times the codes for one address of one link a mailbox may get of all links, a client ask for, and a link send.
 * With 10 codes a day of 5 tries each, the guesses of a day at one link open it with a chance of one in a thousand. All recipients of a
 * link may be behind one address.
 */
const FACTORS = { recipientMailbox: 3, recipientClient: 20, recipientLink: 20 };

/** @param limiterOf creates a limiter by its name */
export function createCodeLimits(
  rate: Rate | null,
  limiterOf: (name: string, rate: Rate) => RateLimiter,
): CodeLimits {
  const create = (name: string, factor = 1): RateLimiter =>
    rate ? limiterOf(name, { ...rate, events: factor * rate.events }) : UNLIMITED;
  const ofAddress = create('recipientAddress');
  const ofMailbox = create('recipientMailbox', FACTORS.recipientMailbox);
  const ofClient = create('recipientClient', FACTORS.recipientClient);
  const ofLink = create('recipientLink', FACTORS.recipientLink);
  return {
    async acquire({ client, shortCode, address, isNamed }) {
      // No count of a limit names a person.
      const mailbox = hash('sha256', address.toLowerCase()).slice(0, 32);
      const ofBoth = [
        [ofClient, requestKeyOf(client)],
        [ofAddress, `${shortCode} ${mailbox}`],
      ] as const;
      for (const [limiter, key] of ofBoth) {
        const retryAfterMs = await limiter.acquire(key);
        if (retryAfterMs > 0) return { retryAfterMs, isWithheld: false };
      }
      // Others count apart, to take as long. So they use up no code of the mailbox, nor of those whom the link names.
      const prefix = isNamed ? '' : 'other ';
      const isInMailbox = await ofMailbox.count(prefix + mailbox);
      const isInLink = await ofLink.count(prefix + shortCode);
      return { retryAfterMs: 0, isWithheld: !(isInMailbox && isInLink) };
    },
    deleteEnded() {
      for (const limiter of [ofAddress, ofMailbox, ofClient, ofLink]) limiter.deleteEnded();
    },
  };
}
