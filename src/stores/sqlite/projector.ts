import type { EpochMs } from '../../links/link.ts';
import type { ProjectorStatus } from '../../links/ports.ts';
import { createProjection } from '../projection.ts';
import type { Projected } from '../read-projected.ts';
import { SQLITE } from '../sql/query.ts';
import {
  prepareWriteProjection,
  SELECT_THRESHOLD,
  type Step,
  type Threshold,
} from '../sql/write-projection.ts';
import type { LinkLog, Memory } from './link-log.ts';
import type { Run } from './query.ts';

export type ProjectorOptions = {
  /** True if this process projects. A command beside the service leaves that to the service. */
  isOwner?: boolean;
  /** A round begins when so many entries wait. */
  maxWaiting?: number;
  /** A round begins once no entry was appended for so long. */
  idleMs?: number;
  /** One transaction of a round takes about this long. Those of clients come between two of them. */
  sliceMs?: number;
};
const MAX_WAITING = 16_384;
const IDLE_MS = 500;
/** So often the log is read, to which a command may append. */
const POLL_MS = 250;
const SLICE_MS = 4;
const LINKS_AT_ONCE = 200;
/** After a failed round, the log is read again. Twice as long is waited after each further failure. */
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;

const SET_COUNTED = 'UPDATE projector SET counted = $1';
const SELECT_OLDEST = 'SELECT at FROM entry WHERE seq > $1 ORDER BY seq LIMIT 1';
const SET_POSITION = 'UPDATE projector SET position = $1';

/** A caller that waits until an entry is projected. */
type Waiter = { seq: number; of: Projected } & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

/**
 * Projects the log: writes what follows from its entries, in rounds of short transactions.
 *
 * @param options.inTransaction runs work in a transaction; when that fails, the memory of the log is dropped
 */
export function createProjector(
  log: LinkLog,
  run: Run,
  options: ProjectorOptions & { inTransaction: InTransaction },
) {
  const { maxWaiting = MAX_WAITING, idleMs = IDLE_MS, isOwner = true } = options;
  const waiters = createWaiters();
  const rounds = createRounds({ ...options, log, run, waiters });
  let immediate: NodeJS.Immediate | undefined;
  let appendedAt = performance.now();
  const timer = isOwner ? setInterval(look, Math.min(idleMs, POLL_MS)) : undefined;

  function schedule(): void {
    if (!isOwner || immediate || rounds.isPausing()) return;
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
      while (isOwner && rounds.advance());
    },
  };
}

function countWaiting(known: Memory | undefined): number {
  return known ? known.lastSeq - known.position : 0;
}

type InTransaction = (work: (known: Memory) => void) => void;
type RoundParts = {
  log: LinkLog;
  run: Run;
  waiters: ReturnType<typeof createWaiters>;
  inTransaction: InTransaction;
  sliceMs?: number;
};

function createRounds({ log, run, waiters, inTransaction, sliceMs = SLICE_MS }: RoundParts) {
  let round: { known: Memory; slices: Generator<void, void>; startedAt: number } | undefined;
  let failure: unknown;
  let failures = 0;
  let failuresInSequence = 0;
  let retryAt = 0;
  let roundSeconds = 0;

  /** Runs slices of the round, or of a new one. Returns whether entries are left. */
  function runSlices(known: Memory): boolean {
    if (known.position === known.lastSeq) return false;
    const now = performance.now();
    if (round?.known !== known) round = { known, slices: project(log, run, known), startedAt: now };
    const end = now + sliceMs;
    let isDone = false;
    do isDone = round.slices.next().done === true;
    while (!isDone && performance.now() < end);
    if (isDone) {
      roundSeconds = (performance.now() - round.startedAt) / 1000;
      round = undefined;
    }
    return !isDone || known.position < known.lastSeq;
  }

  return {
    /** Runs one short transaction of a round. Returns whether entries are left. */
    advance(): boolean {
      let isLeft = false;
      try {
        inTransaction((known) => {
          isLeft = runSlices(known);
        });
        failure = undefined;
        failuresInSequence = 0;
        waiters.settle(log.memory());
        return isLeft;
      } catch (error) {
        if (round) log.forget(); // also if the transaction did not begin: the rest of the round is not in the memory
        round = undefined;
        failure = error;
        failures += 1;
        retryAt = performance.now() + Math.min(FIRST_RETRY_MS * 2 ** failuresInSequence, MAX_RETRY_MS);
        failuresInSequence += 1;
        waiters.reject(error);
        return false;
      }
    },
    isRunning: (): boolean => round !== undefined,
    /** Returns whether the last round has failed so recently that the next one would only read the log again. */
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
      return { waitingEntries: countWaiting(known), oldestAgeSeconds, roundSeconds, failures, rejected: 0 };
    },
  };
}

const WRITER = prepareWriteProjection(SQLITE);

/** Projects the entries so far. Each part may be a transaction of its own. */
function* project(log: LinkLog, run: Run, known: Memory): Generator<void, void> {
  const write = (steps: readonly Step[]) => {
    for (const { statement, values } of steps) run(statement, values);
  };
  const target = known.lastSeq;
  const projection = known.pending;
  // Of what is committed meanwhile, another round writes the changes.
  known.pending = createProjection();
  for (const step of WRITER.writeOrigins(projection)) {
    write([step]);
    yield;
  }
  const [threshold] = run<NonNullable<Threshold>>(SELECT_THRESHOLD);
  write(WRITER.writeCounts(projection, threshold));
  run(SET_COUNTED, [target]);
  known.counted = target;
  yield;
  const shortCodes = [...known.links.keys()].sort(); // neighbours share pages
  for (let index = 0; index < shortCodes.length; index += LINKS_AT_ONCE) {
    log.writeLinks(known, shortCodes.slice(index, index + LINKS_AT_ONCE));
    yield;
  }
  run(SET_POSITION, [target]);
  known.position = target;
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
