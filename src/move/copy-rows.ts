import { assertSourceUnchanged, isEmpty, readFingerprint, type SourceFingerprint } from './fingerprint.ts';
import type { MoveMark, MoveSource, MoveTarget } from './ports.ts';
import type { ProgressReporter } from './progress.ts';
import { keyOf, MOVED_TABLES, type MovedTable, movedTable, type Row } from './tables.ts';

/** How many rows are read at once, and committed together with the progress that they are. */
export const BATCH_ROWS = 2_000;

/** How far a move has got: `table` is null when all rows are there. */
export type Progress = {
  /** What the source looked like when the move began. */
  fingerprint: SourceFingerprint;
  table: string | null;
  /** The key of the last row of the table that is there. */
  after: Row | null;
  /** How many of its rows are there. */
  rows: number;
};

/**
 * Copies every row that is not in the target yet, in batches. Whatever breaks this off, the next call goes on behind
 * the last batch that was committed.
 *
 * @param options.move names this very move, and no other
 * @param options.batchRows for tests
 * @returns 'finished-before' when this move was over already
 * @throws when the target holds anything that is not of this move, or the source was used meanwhile
 */
export async function copyRows(
  source: MoveSource,
  target: MoveTarget,
  options: { move: string; watch: ProgressReporter; batchRows?: number },
): Promise<'copied' | 'finished-before'> {
  const { move, watch, batchRows = BATCH_ROWS } = options;
  const found = await target.readMark();
  if (found?.move === move && found.finishedAt !== null) {
    await refuseEmptied(source, target);
    return 'finished-before';
  }
  let progress = found ? resume(target, found, move) : await begin(source, target, move);
  await assertSourceUnchanged(source, progress.fingerprint);
  while (progress.table !== null) progress = await copyTable(source, target, { progress, watch, batchRows });
  await assertSourceUnchanged(source, progress.fingerprint);
  return 'copied';
}

async function begin(source: MoveSource, target: MoveTarget, move: string): Promise<Progress> {
  if (!(await isEmpty(target))) {
    throw new Error(
      `${target.place} is not empty, and what it holds is not of this move: name an empty store, or empty this one`,
    );
  }
  const progress = {
    fingerprint: await readFingerprint(source),
    table: MOVED_TABLES[0]?.name ?? null,
    after: null,
    rows: 0,
  };
  await target.begin({ move, progress: JSON.stringify(progress) });
  return progress;
}

/** Somebody may have emptied the tables of a target and left the mark: then it is not ready. */
async function refuseEmptied(source: MoveSource, target: MoveTarget): Promise<void> {
  if (!(await isEmpty(target)) || (await isEmpty(source))) return;
  throw new Error(
    `${target.place} was the target of this very move, which was finished, and is empty now: drop it and make it ` +
      'anew, so that its mark (the table move_mark) is gone too',
  );
}

function resume(target: MoveTarget, found: MoveMark, move: string): Progress {
  if (found.move === move) return JSON.parse(found.progress) as Progress; // as `writeRows` left it
  throw new Error(
    `${target.place} is not empty: another move into it ${found.finishedAt === null ? 'has begun' : 'was made'}, ` +
      `${found.move}. This one comes ${move}. Name an empty store, or go on with that move by its own arguments`,
  );
}

/** Copies the rest of one table; gives the progress at the first row of the next. */
async function copyTable(
  source: MoveSource,
  target: MoveTarget,
  { progress, watch, batchRows }: { progress: Progress; watch: ProgressReporter; batchRows: number },
): Promise<Progress> {
  const table = movedTable(progress.table ?? '');
  const tell = watch.begin({
    step: 'copy',
    what: table.name,
    unit: 'rows',
    done: progress.rows,
    of: progress.fingerprint.rows[table.name] ?? null,
  });
  let at = progress;
  let reading = source.readRows(table, at.after, batchRows);
  for (;;) {
    const rows = await reading;
    const isLast = rows.length < batchRows;
    const next = isLast
      ? nextTable(at, table)
      : { ...at, after: lastKey(table, rows), rows: at.rows + rows.length };
    const writing = target.writeRows(table, rows, { from: JSON.stringify(at), to: JSON.stringify(next) });
    // The next are read while these are written; only one of the two is told when both fail.
    if (!isLast) reading = source.readRows(table, next.after, batchRows);
    reading.catch(() => {});
    await writing;
    tell.at(at.rows + rows.length);
    at = next;
    if (isLast) break;
  }
  tell.end();
  return at;
}

function nextTable({ fingerprint }: Progress, table: MovedTable): Progress {
  const next = MOVED_TABLES[MOVED_TABLES.indexOf(table) + 1];
  return { fingerprint, table: next?.name ?? null, after: null, rows: 0 };
}

function lastKey(table: MovedTable, rows: readonly Row[]): Row {
  return keyOf(table, rows.at(-1) ?? []);
}
