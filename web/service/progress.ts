/** The progress of an upload. Speed and remaining time are null until they can be measured. */
export type Progress = {
  /** `RETRYING`: the connection was lost, and the upload goes on as soon as it is back. */
  state: 'SENDING' | 'RETRYING' | 'PAUSED';
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | null;
  secondsLeft: number | null;
};

/** The speed is that of the last seconds, so that it follows the connection. */
const WINDOW_MS = 4_000;
/** Earlier than this after the start, a speed is noise. */
const SETTLED_MS = 500;

/** Returns the progress of an upload whose speed is not known. */
export function unmeasured(sentBytes: number, totalBytes: number): Progress {
  return { state: 'SENDING', sentBytes, totalBytes, bytesPerSecond: null, secondsLeft: null };
}

/**
 * Returns a function that measures one upload, to be called at each progress event.
 *
 * @param formerBytes what was sent before, which does not count for the speed
 */
export function prepareMeasure(startedAt: number, formerBytes = 0) {
  const samples = [{ at: startedAt, sentBytes: formerBytes }];
  return (now: number, sentBytes: number, totalBytes: number): Progress => {
    samples.push({ at: now, sentBytes });
    // One sample from before the window stays, so that the speed spans the window.
    while (samples.length > 2 && now - (samples[1]?.at ?? now) > WINDOW_MS) samples.shift();
    const first = samples[0] ?? { at: now, sentBytes };
    const elapsedMs = now - first.at;
    const isSettled = now - startedAt >= SETTLED_MS && sentBytes > first.sentBytes;
    const bytesPerSecond = isSettled ? ((sentBytes - first.sentBytes) / elapsedMs) * 1000 : null;
    const secondsLeft = bytesPerSecond === null ? null : (totalBytes - sentBytes) / bytesPerSecond;
    return { state: 'SENDING', sentBytes, totalBytes, bytesPerSecond, secondsLeft };
  };
}
