import { hash } from 'node:crypto';
import type { Author } from '../../model/author.ts';
import { type Rate, type RateLimiter, requestKeyOf, UNLIMITED } from './rate-limiter.ts';

/** Limits codes that are mailed to recipients of links. */
export type CodeLimits = {
  /** Takes one code. Returns 0, or for how long codes of this client, link or address are refused. */
  acquire(of: { client: Author; shortCode: string; address: string }): Promise<number>;
  deleteEnded(): void;
};

/**
 * How many times the codes for one address of one link a mailbox may get of all links, a client ask for, and a link send.
 * With 10 codes a day of 5 tries each, the guesses of a day at one link open it with a chance of one in a thousand.
 */
const FACTORS = { recipientMailbox: 3, recipientClient: 5, recipientLink: 20 };

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
    async acquire({ client, shortCode, address }) {
      // No count of a limit names a person.
      const mailbox = hash('sha256', address.toLowerCase()).slice(0, 32);
      const taken = [
        [ofClient, requestKeyOf(client)],
        [ofAddress, `${shortCode} ${mailbox}`],
        [ofMailbox, mailbox],
        [ofLink, shortCode],
      ] as const;
      for (const [limiter, key] of taken) {
        const waitMs = await limiter.acquire(key);
        if (waitMs > 0) return waitMs;
      }
      return 0;
    },
    deleteEnded() {
      for (const limiter of [ofAddress, ofMailbox, ofClient, ofLink]) limiter.deleteEnded();
    },
  };
}
