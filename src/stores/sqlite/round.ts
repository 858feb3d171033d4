import { addProjection, createProjection, type Projection } from '../projection.ts';
import { SQLITE } from '../sql/query.ts';
import {
  prepareWriteProjection,
  SELECT_THRESHOLD,
  type Step,
  type Threshold,
} from '../sql/write-projection.ts';
import { isDataError } from './errors.ts';
import type { LinkLog, Memory } from './link-log.ts';
import type { Run } from './query.ts';

const LINKS_AT_ONCE = 200;
/** So many entries are read at once while one that cannot be counted is looked for. */
const ENTRIES_PER_PART = 4_096;

const SET_COUNTED = 'UPDATE projector SET counted = $1';
const SET_POSITION = 'UPDATE projector SET position = $1';

/** Changes memory as a transaction has changed the database, once that is committed. */
type Apply = () => void;
type RoundParts = { log: LinkLog; run: Run; sliceMs: number };
/** `pending`: what the round counts, until that is committed. */
type Round = { known: Memory; target: number; pending: Projection | undefined; startedAt: number };

/**
 * Prepares rounds. Each consists of short transactions, which change memory only once they are committed: after a failed
 * one, memory is still right.
 */
export function prepareRound(parts: RoundParts) {
  let round: (Round & { slices: Generator<Apply, Apply, void> }) | undefined;
  let seconds = 0;

  return {
    /** Runs one transaction of the round, or of a new one. */
    advance(known: Memory): Apply {
      const applied: Apply[] = [];
      if (known.position === known.lastSeq) return () => {};
      if (round?.known !== known) round = beginRound(parts, known);
      const { slices, startedAt } = round;
      const end = performance.now() + parts.sliceMs;
      let isDone = false;
      do {
        const next = slices.next();
        isDone = next.done === true;
        applied.push(next.value);
      } while (!isDone && performance.now() < end);
      return () => {
        for (const apply of applied) apply();
        if (!isDone) return;
        seconds = (performance.now() - startedAt) / 1000;
        round = undefined;
      };
    },
    /** Ends the round after an error. */
    undo(): void {
      const { known, pending } = round ?? {};
      round = undefined;
      if (!known || !pending) return;
      addProjection(pending, known.pending);
      known.pending = pending;
    },
    isRunning: (): boolean => round !== undefined,
    /** Returns how long the last round took. */
    seconds: () => seconds,
  };
}

function beginRound(parts: RoundParts, known: Memory) {
  const { pending, lastSeq: target } = known;
  known.pending = createProjection(); // of what is committed meanwhile, for another round
  const round: Round = { known, target, pending, startedAt: performance.now() };
  return Object.assign(round, { slices: project(parts, round, pending) });
}

const WRITER = prepareWriteProjection(SQLITE);

function write(run: Run, steps: readonly Step[]): void {
  for (const { statement, values } of steps) run(statement, values);
}

function count(run: Run, projection: Projection): void {
  write(run, WRITER.writeOrigins(projection));
  writeCounts(run, projection);
}

function writeCounts(run: Run, projection: Projection): void {
  const [threshold] = run<NonNullable<Threshold>>(SELECT_THRESHOLD);
  write(run, WRITER.writeCounts(projection, threshold));
}

/** Projects the entries so far. Each part may be a transaction of its own. */
function* project(
  { log, run }: RoundParts,
  round: Round,
  pending: Projection,
): Generator<Apply, Apply, void> {
  const { known, target } = round;
  for (const step of WRITER.writeOrigins(pending)) {
    write(run, [step]);
    yield () => {};
  }
  writeCounts(run, pending);
  run(SET_COUNTED, [target]);
  yield () => {
    known.counted = target;
    round.pending = undefined;
  };
  const shortCodes = [...known.links.keys()].sort(); // neighbours share pages
  for (let index = 0; index < shortCodes.length; index += LINKS_AT_ONCE) {
    const written = shortCodes.slice(index, index + LINKS_AT_ONCE);
    log.writeLinks(known, written);
    yield () => log.dropLinks(known, written);
  }
  run(SET_POSITION, [target]);
  return () => {
    known.position = target;
  };
}

/** Returns the `seq` of the first entry that cannot be projected. Writes nothing. */
export function findUnprojectable(
  { log, run }: Omit<RoundParts, 'sliceMs'>,
  known: Memory,
): number | undefined {
  run('SAVEPOINT search');
  try {
    for (let after = known.counted; after < known.lastSeq; ) {
      const entries = log.readAfter(after, ENTRIES_PER_PART);
      const entry = findFailing(run, entries, (part) => count(run, log.toProjection(known, part)));
      if (entry) return entry.seq;
      after = entries.at(-1)?.seq ?? known.lastSeq;
    }
    const shortCode = findFailing(run, [...known.links.keys()], (part) => log.writeLinks(known, part));
    return shortCode === undefined ? undefined : (known.links.get(shortCode)?.head.lastSeq ?? undefined);
  } finally {
    run('ROLLBACK TO search');
    run('RELEASE search');
  }
}

/** Writes items, up to the first one that cannot be written. Returns that one. */
function findFailing<Item>(
  run: Run,
  items: readonly Item[],
  writeAll: (items: readonly Item[]) => void,
): Item | undefined {
  run('SAVEPOINT part');
  try {
    writeAll(items);
    return undefined;
  } catch (error) {
    if (!isDataError(error)) throw error;
    run('ROLLBACK TO part');
    if (items.length === 1) return items[0];
    const half = Math.ceil(items.length / 2);
    return findFailing(run, items.slice(0, half), writeAll) ?? findFailing(run, items.slice(half), writeAll);
  } finally {
    run('RELEASE part');
  }
}
