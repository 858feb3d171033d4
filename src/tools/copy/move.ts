import type { Clock } from '../../core/ports/ports.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import { readKnownFiles } from '../../stores/sql/linked-files.ts';
import type { MoveTarget } from '../../stores/sql/move-target.ts';
import {
  MOVED_TABLES,
  readState,
  readTable,
  type StoreState,
  type TableDigest,
} from '../../stores/sql/moved-tables.ts';
import type { StoreMoment, StoreRead } from '../../stores/sql/query.ts';
import { recountStore } from '../../stores/sql/recount.ts';
import { type CopiedLinkFiles, copyLinkFiles, type FilePlaces } from './copy-files.ts';

/** A database of a move. `name`: in messages, without a password. `read` reads one moment of it. */
export type MovedStore = { name: string; read<T>(read: StoreRead<T>): Promise<T> };

/** A move. Without `target` the links stay where they are, without `files` the files. The move never writes to `source`. */
export type MovePlan = {
  /** Says where the move comes from, for the target's mark. */
  description: string;
  source: MovedStore;
  target: (MovedStore & MoveTarget) | null;
  files: FilePlaces | null;
  /** Deletes the rows of an unfinished move into the target first. To resume gains little: a million records take ten seconds. */
  restart: boolean;
  progress: ProgressReporter;
  clock: Clock;
};

/** The digest of each table, by its name. */
type TableDigests = ReadonlyMap<string, TableDigest>;

/**
 * The result of a move. After `differs` the move is unfinished: no service starts on its target. `isCopyExact`: the copy
 * equals the source, but does not verify.
 */
export type MoveOutcome =
  | { kind: 'moved'; tables: TableDigests; files: CopiedLinkFiles | null }
  | { kind: 'differs'; isCopyExact: boolean; differences: string[] };

/** The result of a copy. `state`: of the source, when the move began. `tables`: as they were read from the source. */
export type Copied = { state: StoreState; tables: TableDigests; files: CopiedLinkFiles | null };

/** Copies all rows and files, verifies the copy, and opens the target to services. */
export async function move(plan: MovePlan): Promise<MoveOutcome> {
  return verifyAll(plan, await copyAll(plan));
}

/** Copies all rows, then the files of all links. */
export async function copyAll(plan: MovePlan): Promise<Copied> {
  const { source, target, files, progress } = plan;
  const { state, known } = await source.read(async (moment) => ({
    state: await readState(moment),
    known: await readKnownFiles(moment.query),
  }));
  let tables: TableDigests = new Map();
  if (target) {
    await beginMove(target, plan);
    const step = { label: 'copy rows', total: state.rows, progress };
    tables = await source.read((moment) => readTables(moment, step, target.writeRows));
    await target.rebuild(progress);
    await assertUnchanged(source, state);
  }
  return { state, tables, files: files && (await copyLinkFiles(known, files, progress)) };
}

/**
 * Compares the digests of all tables, recounts the target's projections, and finishes the move if nothing differs. A digest
 * does not say which rows of its table differ.
 */
export async function verifyAll(plan: MovePlan, { state, tables, files }: Copied): Promise<MoveOutcome> {
  const { source, target, progress } = plan;
  const differences = [...(files?.damaged.values() ?? [])];
  let isCopyExact = differences.length === 0;
  await target?.read(async (moment) => {
    const copies = await readTables(moment, { label: 'compare rows', total: state.rows, progress });
    differences.push(...compareTables(tables, copies));
    isCopyExact = differences.length === 0;
    differences.push(...(await recountStore(moment)).differences);
  });
  await assertUnchanged(source, state);
  if (differences.length > 0) return { kind: 'differs', isCopyExact, differences };
  await target?.finish(plan.clock());
  return { kind: 'moved', tables, files };
}

/** Marks an empty target. Throws when it is not empty, unless it may be cleared of an unfinished move. */
async function beginMove(target: MovedStore & MoveTarget, { description, restart }: MovePlan): Promise<void> {
  const mark = await target.readMark();
  if (mark?.finishedAt === null) {
    if (!restart)
      throw new Error(
        `${target.name} holds an unfinished move ${mark.description}. Run the same command with ` +
          '--restart: it deletes everything in the target and copies it again',
      );
    await target.clear();
  } else if (mark || !(await target.isEmpty())) {
    const reason = mark
      ? `a move ${mark.description} was finished there`
      : 'it holds rows that no move brought';
    throw new Error(`${target.name} is not empty: ${reason}. Name an empty database`);
  }
  await target.begin(description);
}

/** Throws when a store was used since its state was read. */
export async function assertUnchanged({ name, read }: MovedStore, state: StoreState): Promise<void> {
  if ((await read(readState)).text === state.text) return;
  throw new Error(
    `${name} was used since the move began, so the copy is inconsistent. Stop every service ` +
      'that uses it, and move again',
  );
}

type ReadStep = { label: string; total: number; progress: ProgressReporter };

/** Reads all moved tables of a store. `take` gets their rows. */
async function readTables(
  moment: StoreMoment,
  { label, total, progress }: ReadStep,
  take?: MoveTarget['writeRows'],
): Promise<TableDigests> {
  const step = progress.begin({ label, unit: 'rows', total });
  const digests = new Map<string, TableDigest>();
  let done = 0;
  for (const table of MOVED_TABLES) {
    const digest = await readTable(moment, table, async (rows) => {
      await take?.(table, rows);
      done += rows.length;
      step.update(done);
    });
    digests.set(table.name, digest);
  }
  step.end();
  return digests;
}

/** Returns a text for each table whose rows differ. */
function compareTables(tables: TableDigests, copies: TableDigests): string[] {
  return [...tables].flatMap(([name, { rows, sha256 }]) => {
    const copy = copies.get(name);
    if (copy?.sha256 === sha256) return [];
    const counts = `table ${name}: ${rows} rows in the source, ${copy?.rows ?? 0} in the target`;
    return [copy?.rows === rows ? `${counts}, with other values` : counts];
  });
}
