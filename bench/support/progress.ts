const EVERY_MS = 5_000;

/** Tells on standard error how far a long piece of work is, every few seconds; short ones say nothing. */
export function startProgress(what: string, count: number): { at(done: number): void; end(): void } {
  const startedAt = performance.now();
  let toldAt = startedAt;
  function tell(done: number, now: number): void {
    toldAt = now;
    const seconds = (now - startedAt) / 1000;
    const [percent, rate] = [(done / count) * 100, done / seconds];
    process.stderr.write(
      `  making ${what}: ${percent.toFixed(0)} % after ${seconds.toFixed(0)} s, ${rate.toFixed(0)} a second\n`,
    );
  }
  return {
    at(done) {
      if (done % 1_000 !== 0) return;
      const now = performance.now();
      if (now - toldAt >= EVERY_MS) tell(done, now);
    },
    end() {
      if (toldAt > startedAt) tell(count, performance.now());
    },
  };
}
