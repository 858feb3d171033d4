import type { WriteBack } from './write-back.ts';

/** The rows of links are written once no attempt came for so long. */
const IDLE_MS = 1_000;
/** So many entries are written at once, in about 3 ms. Waiting attempts come first. */
const ENTRIES_AT_ONCE = 500;

/** Wraps an operation on links in a transaction. */
type OnLinks = <Inputs extends unknown[], Result>(
  operation: (...inputs: Inputs) => Result,
) => (...inputs: Inputs) => Result;

/** Writes what attempts have left for later while the store is idle, so that little is left after a kill. */
export function writeWhenIdle(options: { writeBack: WriteBack; onLinks: OnLinks; idleMs?: number }) {
  const { writeBack, onLinks, idleMs = IDLE_MS } = options;
  const writeSome = onLinks(() => writeBack.writeLeft(ENTRIES_AT_ONCE));
  const finish = onLinks(writeBack.finish);
  const recover = onLinks(() => {});
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  let isBusy = false;

  function start(): void {
    if (timer || !writeBack.hasUnwritten()) return;
    isBusy = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isBusy) start();
      else writeNext();
    }, idleMs);
  }

  /** An error leaves the rest to the next attempt: the file's problem is reported elsewhere. */
  function writeNext(): void {
    if (isBusy || !attempt(writeSome)) start();
    else immediate = setImmediate(writeNext);
  }

  return {
    /** Reads what a killed process has left. An error leaves it to the first attempt. */
    recover: (): void => {
      if (!writeBack.mayHaveLeft()) return;
      attempt(recover);
      start();
    },
    /** Wraps an operation whose entries may be left for later. */
    after:
      <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
      (...inputs: Inputs): Result => {
        isBusy = true;
        try {
          return operation(...inputs);
        } finally {
          start();
        }
      },
    /** Writes everything before a clean stop. An error leaves it to the next start, as a kill does. */
    finish(): void {
      clearTimeout(timer);
      clearImmediate(immediate);
      attempt(finish);
    },
  };
}

/** Returns undefined after an error. */
function attempt<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch {
    return undefined;
  }
}
