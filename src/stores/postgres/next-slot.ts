import { randomInt } from 'node:crypto';

/**
 * Each count is a sharded counter with this many rows (slots). A transaction locks its slot from its write to its
 * commit. With two batches in flight in each of eight instances, more than one transaction in three finds its slot
 * locked and waits. The statistics read all slots of a count.
 */
const SLOTS = 32;

/** Returns the slots for transactions: in turn, so that those of one instance never collide, from a random start. */
export function prepareNextSlot(): () => number {
  let slot = randomInt(SLOTS);
  return () => {
    slot = (slot + 1) % SLOTS;
    return slot;
  };
}
