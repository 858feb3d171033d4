import { messageOf } from '../../common/error-details.ts';
import type { CurrentLink } from '../link-rows.ts';
import { addProjection, createProjection, MAX_REJECTED, type Projection } from '../projection.ts';
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
/** So many entries are counted at once while one that cannot be counted is looked for. */
const ENTRIES_PER_PART = 512;

const SET_COUNTED = 'UPDATE projector SET counted = $1';
const SET_POSITION = 'UPDATE projector SET position = $1';
const REJECT = `UPDATE projector SET rejected = rejected + $1, first_rejected = coalesce(first_rejected, $2)
         RETURNING rejected`;
const SELECT_REJECTED = 'SELECT rejected, first_rejected AS first FROM projector';

/** Changes memory as a transaction has changed the database, once that is committed. */
type Apply = () => void;
/** An entry that is put aside, because it cannot be written. */
type Rejected = { seq: number; error: unknown };
type RoundParts = {
  log: LinkLog;
  run: Run;
  /** Notes entries that are put aside, in the caller's transaction. */
  reject: (entries: readonly Rejected[]) => void;
  sliceMs: number;
};
/** `pending`: what the round counts, until that is committed. */
type Round = { known: Memory; target: number; pending: Projection | undefined; startedAt: number };

/** Prepares noting which entries are put aside, so that all else continues. */
export function prepareRejections(run: Run) {
  let lastError: string | undefined;
  const read = (): { rejected: number; first: number | null } =>
    run<ReturnType<typeof read>>(SELECT_REJECTED)[0] ?? { rejected: 0, first: null };
  return {
    read,
    /** @throws if more are put aside than can be damaged: then a table is, and nothing may be put aside */
    reject(entries: readonly Rejected[]): void {
      const [first] = entries;
      if (!first) return;
      const [noted] = run<{ rejected: number }>(REJECT, [entries.length, first.seq]);
      if (noted && noted.rejected > MAX_REJECTED) throw tooMany(first.error);
      lastError = messageOf(first.error);
    },
    /** Returns which entries are put aside; undefined if none is. */
    describe(): string | undefined {
      const { rejected, first } = read();
      if (rejected === 0) return undefined;
      return `${rejected} entries cannot be counted, the first with seq ${first}: ${lastError ?? 'since before the start'}`;
    },
  };
}

function tooMany(cause: unknown): Error {
  return new Error(`more than ${MAX_REJECTED} entries cannot be counted: ${messageOf(cause)}`, { cause });
}

/**
 * Prepares rounds. Each consists of short transactions, which change memory only once they are committed: after a failed
 * one, memory is still right.
 */
export function prepareRound(parts: RoundParts) {
  const { log, run, reject, sliceMs } = parts;
  let round: (Round & { slices: Generator<Apply, Apply, void> }) | undefined;
  /** Entries up to here are counted in parts, because one of them cannot be counted. */
  let apartUntil = 0;
  let seconds = 0;

  function runSlices(known: Memory): Apply {
    const applied: Apply[] = [];
    if (known.position === known.lastSeq) return () => {};
    if (round?.known !== known) round = beginRound(parts, known);
    const { slices, startedAt } = round;
    const end = performance.now() + sliceMs;
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
  }

  /** Counts the next entries without those that cannot be counted. */
  function countPart(known: Memory): Apply {
    const entries = log.readUncounted(known, ENTRIES_PER_PART);
    const target = entries.at(-1)?.seq ?? known.lastSeq;
    const failed = writeApart(run, entries, (part) => count(run, log.toProjection(known, part)));
    reject(failed.map(({ item, error }) => ({ seq: item.seq, error })));
    run(SET_COUNTED, [target]);
    return () => {
      known.counted = target;
      if (target < apartUntil) return;
      apartUntil = 0;
      log.forget(); // what is pending includes entries that are counted now
    };
  }

  return {
    /** Runs one transaction of the round, or of a new one. */
    advance(known: Memory): Apply {
      if (known.counted < apartUntil) return countPart(known);
      apartUntil = 0;
      return runSlices(known);
    },
    /** Ends the round after an error. Returns whether it can be repeated at once, without the entry that caused it. */
    undo(error: unknown): boolean {
      const { known, pending, target = 0 } = round ?? {};
      round = undefined;
      if (!known || !pending) return false;
      addProjection(pending, known.pending);
      known.pending = pending;
      if (!isDataError(error) || known.counted >= target) return false;
      apartUntil = target;
      return true;
    },
    isRunning: (): boolean => round !== undefined || apartUntil > 0,
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
  { log, run, reject }: RoundParts,
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
    const failed = writeApart(run, written, (part) => log.writeLinks(known, part));
    for (const { item } of failed) log.writeLinks(known, [item], limitViews);
    reject(failed.map(({ item, error }) => ({ seq: known.links.get(item)?.head.lastSeq ?? target, error })));
    yield () => log.dropLinks(known, written);
  }
  run(SET_POSITION, [target]);
  return () => {
    known.position = target;
  };
}

/** Returns a link with no more views than its row may have. Entries that were added by hand can exceed them. */
function limitViews({ state, head }: CurrentLink): CurrentLink {
  return {
    state: { ...state, viewCount: Math.min(state.viewCount, state.maxViews ?? state.viewCount) },
    head,
  };
}

/** Writes items, together or in smaller and smaller parts. Returns those that cannot be written. */
function writeApart<Item>(
  run: Run,
  items: readonly Item[],
  writeAll: (items: readonly Item[]) => void,
): { item: Item; error: unknown }[] {
  run('SAVEPOINT part');
  try {
    writeAll(items);
    run('RELEASE part');
    return [];
  } catch (error) {
    if (!isDataError(error)) throw error;
    run('ROLLBACK TO part');
    run('RELEASE part');
    if (items.length === 1) return items.map((item) => ({ item, error }));
    const half = Math.ceil(items.length / 2);
    const failed = writeApart(run, items.slice(0, half), writeAll);
    if (failed.length > MAX_REJECTED) throw tooMany(error);
    return [...failed, ...writeApart(run, items.slice(half), writeAll)];
  }
}
