/** The progress of an upload. Speed and remaining time are null until they can be measured. */
export type Progress = {
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | null;
  secondsLeft: number | null;
};

/** The speed is that of the last seconds, so that it follows the connection. */
const WINDOW_MS = 4_000;
/** Earlier than this after the start, a speed is noise. */
const SETTLED_MS = 500;

/** Returns a function that measures one upload, to be called at each progress event. */
export function prepareMeasure(startedAt: number) {
  const samples = [{ at: startedAt, sentBytes: 0 }];
  return (now: number, sentBytes: number, totalBytes: number): Progress => {
    samples.push({ at: now, sentBytes });
    // One sample from before the window stays, so that the speed always spans at least the window.
    while (samples.length > 2 && now - (samples[1]?.at ?? now) > WINDOW_MS) samples.shift();
    const first = samples[0] ?? { at: now, sentBytes };
    const elapsedMs = now - first.at;
    const isSettled = now - startedAt >= SETTLED_MS && sentBytes > first.sentBytes;
    const bytesPerSecond = isSettled ? ((sentBytes - first.sentBytes) / elapsedMs) * 1000 : null;
    const secondsLeft = bytesPerSecond === null ? null : (totalBytes - sentBytes) / bytesPerSecond;
    return { sentBytes, totalBytes, bytesPerSecond, secondsLeft };
  };
}
