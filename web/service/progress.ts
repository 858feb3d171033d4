/** How far an upload is. Speed and what is left are told once there is something to tell them from. */
export type Progress = {
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | null;
  secondsLeft: number | null;
};

/** The speed is that of the last seconds: the reader wants to know how it goes now. */
const WINDOW_MS = 4_000;
/** Sooner than this after the beginning, a speed is only noise. */
const SETTLED_MS = 500;

/** Makes the function that tells the progress of one upload, asked with the time and what was sent by then. */
export function prepareMeasure(
  startedAt: number,
): (now: number, sentBytes: number, totalBytes: number) => Progress {
  const samples = [{ at: startedAt, sentBytes: 0 }];
  return (now, sentBytes, totalBytes) => {
    samples.push({ at: now, sentBytes });
    // One sample from before the window stays, so that there is always a stretch to measure.
    while (samples.length > 2 && now - (samples[1]?.at ?? now) > WINDOW_MS) samples.shift();
    const first = samples[0] ?? { at: now, sentBytes };
    const passedMs = now - first.at;
    const isSettled = now - startedAt >= SETTLED_MS && sentBytes > first.sentBytes;
    const bytesPerSecond = isSettled ? ((sentBytes - first.sentBytes) / passedMs) * 1000 : null;
    const secondsLeft = bytesPerSecond === null ? null : (totalBytes - sentBytes) / bytesPerSecond;
    return { sentBytes, totalBytes, bytesPerSecond, secondsLeft };
  };
}
