const MIN_COOLDOWN_MS = 1_000;
const MAX_COOLDOWN_MS = 60_000;
/** The cooldown lasts so many times as long as the work, within these bounds. */
const COOLDOWN_PER_WORK = 4;

/**
 * Returns a function that runs work at once or, while it runs or cools down, after its cooldown. All calls meanwhile
 * share that one run, with the argument of the last.
 */
export function throttle<Argument>(
  work: (argument: Argument) => Promise<void>,
): (argument: Argument) => void {
  let isBusy = false;
  let wanted: { argument: Argument } | undefined;

  async function run(argument: Argument): Promise<void> {
    isBusy = true;
    wanted = undefined;
    const startedAt = performance.now();
    await work(argument);
    const cooldownMs = COOLDOWN_PER_WORK * (performance.now() - startedAt);
    setTimeout(
      () => {
        isBusy = false;
        if (wanted) void run(wanted.argument);
      },
      Math.min(Math.max(cooldownMs, MIN_COOLDOWN_MS), MAX_COOLDOWN_MS),
    );
  }

  return (argument) => {
    if (isBusy) wanted = { argument };
    else void run(argument);
  };
}
