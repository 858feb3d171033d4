/**
 * Wraps a read by a thread that may be late, because it waits for another program's lock. Such a read is done elsewhere.
 * So is each one after it, until the thread has replied.
 *
 * @param read reads in the thread
 * @param readElsewhere reads here, which blocks, or in another thread
 */
export function readElsewhereIfLate<Input, Result>(
  read: (input: Input) => Promise<Result>,
  readElsewhere: (input: Input) => Result | Promise<Result>,
  waitMs: number,
): (input: Input) => Promise<Result> {
  let lateCount = 0;

  return async (input) => {
    if (lateCount > 0) return readElsewhere(input);
    const reading = read(input);
    if (await isInTime(reading, waitMs)) return reading;
    lateCount += 1;
    reading.catch(() => {}).finally(() => (lateCount -= 1)); // its result is not needed any more
    return readElsewhere(input);
  };
}

/** Returns whether a promise settles within a time. */
async function isInTime(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, late.promise]).finally(() => clearTimeout(timer));
}
