import { printNote } from './terminal.ts';

/** npm passes on the Ctrl-C that the terminal sends to npm and to the program, so that of a person comes twice. */
const REPEATS_WITHIN_MS = 2_000;

type Stop = (signal: NodeJS.Signals) => void;

/**
 * Calls `stop` at the first signal that asks the program to stop, and says how to end it at once. `beforeEnd` is called
 * before that.
 */
export function onStopSignal(stop: Stop, beforeEnd = () => {}): void {
  const listen = prepareStopSignals({
    stop(signal) {
      if (signal === 'SIGINT')
        printNote(
          'Stopping: what is in progress is completed. Press Ctrl-C again after 2 seconds to end at once.\n',
        );
      stop(signal);
    },
    endAtOnce(signal) {
      beforeEnd();
      process.off(signal, listen);
      process.kill(process.pid, signal);
    },
    nowMs: () => performance.now(),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, listen);
}

/**
 * Returns the listener: the first signal stops, and later ones are ignored, except a SIGINT after two seconds, by a person
 * who does not want to wait.
 */
export function prepareStopSignals(parts: { stop: Stop; endAtOnce: Stop; nowMs: () => number }): Stop {
  const { stop, endAtOnce, nowMs } = parts;
  let stoppingSince: number | undefined;
  return (signal) => {
    if (stoppingSince === undefined) {
      stoppingSince = nowMs();
      stop(signal);
    } else if (signal === 'SIGINT' && nowMs() - stoppingSince >= REPEATS_WITHIN_MS) endAtOnce(signal);
  };
}
