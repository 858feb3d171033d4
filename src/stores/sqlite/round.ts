import { addEntries, notProjected } from '../sql/projections.ts';
import { SQLITE } from '../sql/query.ts';
import { isDataError } from './errors.ts';
import type { LinkLog, Memory } from './link-log.ts';
import type { Run } from './query.ts';

/** Entries that are counted at once, in 1 ms, or up to 5 if each has another address, and links that are written at once. */
const ENTRIES_AT_ONCE = 512;
const LINKS_AT_ONCE = 200;

const SET_COUNTED = 'UPDATE projector SET counted = $1';
const SET_POSITION = 'UPDATE projector SET position = $1';

/** Changes memory as a transaction has changed the database, once that is committed. */
type Apply = () => void;
type RoundParts = { log: LinkLog; run: Run; sliceMs: number };

/**
 * Prepares rounds. Each consists of short transactions, which change memory only once they are committed: after a failed
 * one, memory is still right. Smaller and smaller steps find an entry that cannot be projected.
 */
export function prepareRound({ log, run, sliceMs }: RoundParts) {
  let round: { known: Memory; startedAt: number; steps: Generator<Apply, Apply, void> } | undefined;
  let seconds = 0;
  /** The entries of a step, and the first of them, or that of a link. */
  const step = { size: ENTRIES_AT_ONCE, firstSeq: 0 };

  return {
    /** Runs one transaction of the round, or of a new one. */
    advance(known: Memory): Apply {
      const applied: Apply[] = [];
      if (known.position === known.lastSeq) return () => {};
      if (round?.known !== known)
        round = { known, startedAt: performance.now(), steps: project({ log, run }, known, step) };
      const { steps, startedAt } = round;
      const end = performance.now() + sliceMs;
      let isDone = false;
      do {
        const next = steps.next();
        isDone = next.done === true;
        applied.push(next.value);
      } while (!isDone && performance.now() < end);
      return () => {
        for (const apply of applied) apply();
        step.size = Math.min(2 * step.size, ENTRIES_AT_ONCE);
        if (!isDone) return;
        seconds = (performance.now() - startedAt) / 1000;
        round = undefined;
      };
    },
    /** Ends the round after an error. Returns the error of its first entry; undefined while smaller steps look for it. */
    fail(error: unknown): unknown {
      round = undefined;
      if (!isDataError(error)) return error;
      if (step.size === 1) return notProjected(step.firstSeq, error);
      step.size = Math.ceil(step.size / 2);
      return undefined;
    },
    isRunning: (): boolean => round !== undefined,
    /** Returns how long the last round took. */
    seconds: () => seconds,
  };
}

const ADD_ENTRIES = addEntries(SQLITE, '(SELECT * FROM entry WHERE seq >= $1 AND seq <= $2) AS entry');

/** Projects the entries so far. Each part may be a transaction of its own. */
function* project(
  { log, run }: Omit<RoundParts, 'sliceMs'>,
  known: Memory,
  step: { size: number; firstSeq: number },
): Generator<Apply, Apply, void> {
  const target = known.lastSeq;
  for (let counted = known.counted; counted < target; ) {
    step.firstSeq = counted + 1;
    const last = Math.min(counted + step.size, target);
    for (const statement of ADD_ENTRIES) run(statement, [step.firstSeq, last]);
    run(SET_COUNTED, [last]);
    yield () => {
      known.counted = last;
    };
    counted = last;
  }
  const shortCodes = [...known.links.keys()].sort(); // neighbours share pages
  for (let index = 0; index < shortCodes.length; ) {
    const written = shortCodes.slice(index, index + Math.min(step.size, LINKS_AT_ONCE));
    step.firstSeq = known.links.get(written[0] ?? '')?.head.lastSeq ?? 0;
    log.writeLinks(known, written);
    yield () => log.keepLinks(known, written);
    index += written.length;
  }
  run(SET_POSITION, [target]);
  return () => {
    known.position = target;
  };
}
