import { randomInt } from 'node:crypto';

/**
 * Into how many rows each count is shared out. A transaction holds its slot from its write to the end of its
 * commit; with two groups under way in each of eight instances, above one transaction in three meets another in its
 * slot and waits for that commit. The statistics read so many rows for one number.
 */
const SLOTS = 32;

/** The slot of the next transaction: in turn, so that those of one instance never meet; from a random start. */
export function prepareNextSlot(): () => number {
  let slot = randomInt(SLOTS);
  return () => {
    slot = (slot + 1) % SLOTS;
    return slot;
  };
}
