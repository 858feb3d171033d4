import type { EpochMs } from '../../core/model/link.ts';
import type { ProjectorStatus } from '../../core/ports/ports.ts';
import type { Projected } from '../read-projected.ts';
import type { LinkLog, Memory } from './link-log.ts';
import type { Run } from './query.ts';
import { prepareRound } from './round.ts';

export type ProjectorOptions = {
  /** A round begins when so many entries wait. */
  maxWaiting?: number;
  /** A round begins once no entry was appended for so long. */
  idleMs?: number;
  /** One transaction of a round takes about this long. Those of clients come between two of them. */
  sliceMs?: number;
};
const MAX_WAITING = 16_384;
const IDLE_MS = 500;
/** So often it looks whether a round is due. */
const LOOK_MS = 250;
const SLICE_MS = 4;
/** A failed round is repeated after this time, and after twice as long with each further failure. */
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;

const SELECT_OLDEST = 'SELECT at FROM entry WHERE seq > $1 ORDER BY seq LIMIT 1';

/** A caller that waits until an entry is projected. */
type Waiter = { seq: number; of: Projected } & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

/**
 * Projects the log: writes what follows from its entries, in rounds of short transactions.
 *
 * @param options.inTransaction runs work in a transaction; when its COMMIT fails, the memory of the log is dropped
 */
export function createProjector(
  log: LinkLog,
  run: Run,
  options: ProjectorOptions & { inTransaction: RoundParts['inTransaction'] },
) {
  const { maxWaiting = MAX_WAITING, idleMs = IDLE_MS } = options;
  const waiters = createWaiters();
  const rounds = createRounds({ ...options, log, run, waiters });
  let immediate: NodeJS.Immediate | undefined;
  let appendedAt = performance.now();
  const timer = setInterval(look, Math.min(idleMs, LOOK_MS));

  function schedule(): void {
    if (immediate || rounds.isPausing()) return;
    const isIdle = performance.now() - appendedAt >= idleMs;
    if (rounds.isRunning() || !waiters.isEmpty() || countWaiting(log.memory()) >= (isIdle ? 1 : maxWaiting))
      immediate = setImmediate(() => {
        immediate = undefined;
        if (rounds.advance()) schedule();
      });
  }

  function look(): void {
    try {
      log.begin();
      schedule();
    } catch (error) {
      rounds.noteFailure(error); // the next transaction fails, too, or finds what was missed
    }
  }

  function stop(): void {
    clearInterval(timer);
    clearImmediate(immediate);
  }

  return {
    ...rounds,
    /** Called after each transaction that may have appended entries. */
    appended(): void {
      appendedAt = performance.now();
      schedule();
    },
    /** Resolves once all entries that are committed are projected. */
    async waitFor(of: Projected): Promise<void> {
      const { lastSeq, [of]: projected } = log.begin();
      if (projected >= lastSeq) return;
      const projecting = waiters.add(lastSeq, of);
      schedule();
      await projecting;
    },
    stop,
    /** Projects everything before a stop. An error leaves it to the next start, as a kill does. */
    finish(): void {
      stop();
      while (rounds.advance());
    },
  };
}

function countWaiting(known: Memory | undefined): number {
  return known ? known.lastSeq - known.position : 0;
}

type RoundParts = {
  log: LinkLog;
  run: Run;
  waiters: ReturnType<typeof createWaiters>;
  inTransaction: (work: (known: Memory) => void) => void;
  sliceMs?: number;
};

function createRounds({ log, run, waiters, inTransaction, sliceMs = SLICE_MS }: RoundParts) {
  const round = prepareRound({ log, run, sliceMs });
  let failure: unknown;
  let failures = 0;
  let failuresInSequence = 0;
  let retryAt = 0;

  function fail(error: unknown): void {
    failure = error;
    failures += 1;
    retryAt = performance.now() + Math.min(FIRST_RETRY_MS * 2 ** failuresInSequence, MAX_RETRY_MS);
    failuresInSequence += 1;
    waiters.reject(failure);
  }

  return {
    /** Runs one short transaction of a round. Returns whether entries are left. */
    advance(): boolean {
      let apply = () => {};
      try {
        inTransaction((known) => {
          apply = round.advance(known);
        });
      } catch (error) {
        const found = round.fail(error);
        if (found !== undefined) fail(found);
        return found === undefined;
      }
      apply();
      if (!round.isRunning()) {
        failure = undefined;
        failuresInSequence = 0;
      }
      const known = log.memory();
      waiters.settle(known);
      return !known || round.isRunning() || countWaiting(known) > 0;
    },
    isRunning: round.isRunning,
    /** Returns whether the last round has failed so recently that the next one would fail, too. */
    isPausing: (): boolean => performance.now() < retryAt,
    /** Returns the error of the last round; undefined after one that succeeded. */
    failure: () => failure,
    noteFailure(error: unknown): void {
      failure = error;
    },
    measure(now: EpochMs): ProjectorStatus {
      const known = log.begin();
      const [oldest] = run<{ at: EpochMs }>(SELECT_OLDEST, [known.position]);
      const oldestAgeSeconds = oldest ? Math.max(0, now - oldest.at) / 1000 : 0;
      return {
        waitingEntries: countWaiting(known),
        oldestAgeSeconds,
        roundSeconds: round.seconds(),
        failures,
      };
    },
  };
}

function createWaiters() {
  let waiters: Waiter[] = [];
  return {
    isEmpty: (): boolean => waiters.length === 0,
    /** Resolves once an entry is projected. */
    add(seq: number, of: Projected): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiters.push({ seq, of, resolve, reject });
      return promise;
    },
    settle(known: Memory | undefined): void {
      const isReached = ({ seq, of }: Waiter) => known !== undefined && known[of] >= seq;
      for (const { resolve } of waiters.filter(isReached)) resolve();
      waiters = waiters.filter((waiter) => !isReached(waiter));
    },
    reject(error: unknown): void {
      for (const { reject } of waiters.splice(0)) reject(error);
    },
  };
}
