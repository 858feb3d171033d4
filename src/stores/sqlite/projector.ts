import type { EpochMs } from '../../links/link.ts';
import type { ProjectorStatus } from '../../links/ports.ts';
import { createProjection } from '../projection.ts';
import type { Projected } from '../read-projected.ts';
import { SQLITE } from '../sql/query.ts';
import { type Floor, prepareWriteProjection, SELECT_FLOOR, type Step } from '../sql/write-projection.ts';
import type { LinkLog, Memory } from './link-log.ts';
import type { Run } from './query.ts';

export type ProjectorOptions = {
  /** Whether this process projects. A command beside the service leaves it to that. */
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

const SET_COUNTED = 'UPDATE projector SET counted = $1';
const SELECT_OLDEST = 'SELECT at FROM entry WHERE seq > $1 ORDER BY seq LIMIT 1';
const SET_POSITION = 'UPDATE projector SET position = $1';

/** Someone who waits until an entry is projected. */
type Waiter = { seq: number; of: Projected } & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

/**
 * Projects the log: writes what follows from its entries, in rounds of short transactions.
 *
 * @param options.inTransaction runs work in a transaction; when that fails, the memory of the log is dropped
 */
export function createProjector(
  log: LinkLog,
  run: Run,
  options: ProjectorOptions & { inTransaction: (work: (known: Memory) => void) => void },
) {
  const {
    maxWaiting = MAX_WAITING,
    idleMs = IDLE_MS,
    isOwner = true,
    sliceMs = SLICE_MS,
    inTransaction,
  } = options;
  const writer = prepareWriteProjection(SQLITE);
  let waiters: Waiter[] = [];
  let round: { known: Memory; slices: Generator<void, void>; beganAt: number } | undefined;
  let immediate: NodeJS.Immediate | undefined;
  let appendedAt = performance.now();
  let failure: unknown;
  let failures = 0;
  let roundSeconds = 0;
  const timer = isOwner ? setInterval(look, Math.min(idleMs, POLL_MS)) : undefined;

  const write = (steps: readonly Step[]) => {
    for (const { statement, values } of steps) run(statement, values);
  };

  /** Projects the entries so far. Each part may be a transaction of its own. */
  function* project(known: Memory): Generator<void, void> {
    const target = known.lastSeq;
    const projection = known.pending;
    // Of what is committed meanwhile, another round writes the changes.
    known.pending = createProjection();
    for (const step of writer.writeOrigins(projection)) {
      write([step]);
      yield;
    }
    const [floor] = run<NonNullable<Floor>>(SELECT_FLOOR);
    write(writer.writeCounts(projection, floor));
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

  /** Runs one short transaction of a round. Returns whether entries are left. */
  function advance(): boolean {
    let isLeft = false;
    try {
      inTransaction((known) => {
        if (known.position === known.lastSeq) return;
        const now = performance.now();
        if (round?.known !== known) round = { known, slices: project(known), beganAt: now };
        const end = now + sliceMs;
        let isDone = false;
        do isDone = round.slices.next().done === true;
        while (!isDone && performance.now() < end);
        if (isDone) {
          roundSeconds = (performance.now() - round.beganAt) / 1000;
          round = undefined;
        }
        isLeft = !isDone || known.position < known.lastSeq;
      });
      failure = undefined;
      settle();
    } catch (error) {
      round = undefined; // with the memory that it was about
      failure = error;
      failures += 1;
      const waiting = waiters.splice(0);
      for (const { reject } of waiting) reject(error);
      return false;
    }
    return isLeft;
  }

  function settle(): void {
    const known = log.memory();
    if (!known) return;
    const isReached = ({ seq, of }: Waiter) => known[of] >= seq;
    for (const { resolve } of waiters.filter(isReached)) resolve();
    waiters = waiters.filter((waiter) => !isReached(waiter));
  }

  function work(): void {
    immediate = undefined;
    if (advance()) schedule();
  }

  function countWaiting(): number {
    const known = log.memory();
    return known ? known.lastSeq - known.position : 0;
  }

  function schedule(): void {
    if (!isOwner || immediate) return;
    const isIdle = performance.now() - appendedAt >= idleMs;
    if (round || waiters.length > 0 || countWaiting() >= (isIdle ? 1 : maxWaiting))
      immediate = setImmediate(work);
  }

  function look(): void {
    try {
      log.begin();
      schedule();
    } catch (error) {
      failure = error; // the next transaction fails, too, or finds what was missed
    }
  }

  function stop(): void {
    clearInterval(timer);
    clearImmediate(immediate);
  }

  return {
    advance,
    /** Called after each transaction that may have appended entries. */
    appended(): void {
      appendedAt = performance.now();
      schedule();
    },
    /** Resolves once all entries that are committed are projected. */
    async waitFor(of: Projected): Promise<void> {
      const { lastSeq, [of]: projected } = log.begin();
      if (projected >= lastSeq) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiters.push({ seq: lastSeq, of, resolve, reject });
      schedule();
      await promise;
    },
    /** Returns the error of the last round; undefined after one that succeeded. */
    failure: () => failure,
    measure(now: EpochMs): ProjectorStatus {
      const { position, lastSeq } = log.begin();
      const [oldest] = run<{ at: EpochMs }>(SELECT_OLDEST, [position]);
      const oldestAgeSeconds = oldest ? Math.max(0, now - oldest.at) / 1000 : 0;
      const waitingEntries = lastSeq - position;
      return { waitingEntries, oldestAgeSeconds, roundSeconds, failures, rejected: 0 };
    },
    stop,
    /** Projects everything before a stop. An error leaves it to the next start, as a kill does. */
    finish(): void {
      stop();
      while (isOwner && advance());
    },
  };
}
