const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;
/** The share of a pause that is random, so that notifications that failed together are not retried together. */
const JITTER = 0.5;

/** How long a notification is tried. */
export const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;

/**
 * Returns the pause after a number of failures in a row: about 5 seconds, then twice as long each time, up to an hour.
 *
 * @param random returns a number from 0 to less than 1
 */
export function backOffMs(failures: number, random: () => number): number {
  const pauseMs = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
  return Math.round(pauseMs * (1 - JITTER / 2 + JITTER * random()));
}
