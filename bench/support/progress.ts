const EVERY_MS = 5_000;

/** Prints the progress of long work on standard error, every few seconds; short work prints nothing. */
export function startProgress(what: string, count: number): { at(done: number): void; end(): void } {
  const startedAt = performance.now();
  let printedAt = startedAt;
  function print(done: number, now: number): void {
    printedAt = now;
    const seconds = (now - startedAt) / 1000;
    const [percent, rate] = [(done / count) * 100, done / seconds];
    process.stderr.write(
      `  building ${what}: ${percent.toFixed(0)} % after ${seconds.toFixed(0)} s, ${rate.toFixed(0)} a second\n`,
    );
  }
  return {
    at(done) {
      if (done % 1_000 !== 0) return;
      const now = performance.now();
      if (now - printedAt >= EVERY_MS) print(done, now);
    },
    end() {
      if (printedAt > startedAt) print(count, performance.now());
    },
  };
}
