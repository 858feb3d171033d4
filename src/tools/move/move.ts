import { addFinding, createFindings, type Findings } from '../../common/findings.ts';
import type { MoveSource, MoveTarget, ProgressReporter } from '../../core/ports/move.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { compareRows } from './compare-rows.ts';
import { copyFiles, type FileStores, type MovedFiles } from './copy-files.ts';
import { assertSourceUnchanged, isEmpty, readFingerprint, type SourceFingerprint } from './fingerprint.ts';
import { PAGE_ROWS, readPages } from './read-pages.ts';

/** A move. Without `target` the links stay where they are, without `files` the files. */
export type MovePlan = {
  /** Says where the move comes from, for the target's mark. */
  description: string;
  source: MoveSource;
  target: MoveTarget | null;
  files: FileStores | null;
  /** Deletes the rows of an unfinished move into the target first. */
  restart: boolean;
  /** Recounts the target's projections, and returns the differences. */
  recount: () => Promise<string[]>;
  progress: ProgressReporter;
  clock: Clock;
  /** For tests. */
  pageRows?: number;
};

/**
 * The result of a move. After `differs` the move is unfinished: no service starts on its target. `isCopyExact`: the copy
 * equals the source, but does not verify.
 */
export type MoveOutcome =
  | { kind: 'moved'; rows: Record<string, number>; files: MovedFiles | null }
  | { kind: 'differs'; isCopyExact: boolean; findings: Findings };

/** The result of a copy: the state of the source, and the files. */
export type Copied = { fingerprint: SourceFingerprint; files: MovedFiles | null };

/** Copies all rows and files, verifies the copy, and opens the target to services. */
export async function move(plan: MovePlan): Promise<MoveOutcome> {
  return verifyAll(plan, await copyAll(plan));
}

/** Copies all rows, then the files of all links. */
export async function copyAll(plan: MovePlan): Promise<Copied> {
  const { source, target, files, progress } = plan;
  const fingerprint = await readFingerprint(source);
  if (target) {
    await beginMove(target, plan);
    await copyRows(plan, target, fingerprint);
    await assertSourceUnchanged(source, fingerprint);
  }
  return { fingerprint, files: files && (await copyFiles(source, files, progress)) };
}

async function copyRows(plan: MovePlan, target: MoveTarget, fingerprint: SourceFingerprint): Promise<void> {
  const { source, progress, pageRows = PAGE_ROWS } = plan;
  for (const table of source.tables) {
    const total = fingerprint.rows[table.name];
    const step = progress.begin({ label: `copy ${table.name}`, unit: 'rows', total });
    let copied = 0;
    for await (const rows of readPages(source, table, pageRows)) {
      await target.writeRows(table, rows);
      copied += rows.length;
      step.update(copied);
    }
    step.end();
  }
  await target.rebuild(progress);
}

/** Compares every row, recounts the target's projections, and finishes the move if nothing differs. */
export async function verifyAll(plan: MovePlan, { fingerprint, files }: Copied): Promise<MoveOutcome> {
  const { source, target, progress, pageRows = PAGE_ROWS } = plan;
  const findings = files?.damaged ?? createFindings();
  let rows: Record<string, number> = {};
  if (target) rows = await compareRows({ source, target }, findings, { fingerprint, progress, pageRows });
  const isCopyExact = findings.count === 0;
  if (target) {
    for (const difference of await plan.recount()) addFinding(findings, difference);
  }
  await assertSourceUnchanged(source, fingerprint);
  if (findings.count > 0) return { kind: 'differs', isCopyExact, findings };
  await target?.finish(plan.clock());
  return { kind: 'moved', rows, files };
}

/** Marks an empty target. Throws when it is not empty, unless it may be cleared of an unfinished move. */
async function beginMove(target: MoveTarget, { description, restart }: MovePlan): Promise<void> {
  const mark = await target.readMark();
  if (mark?.finishedAt === null) {
    if (!restart)
      throw new Error(
        `${target.name} holds an unfinished move ${mark.description}. Run the same command with ` +
          '--restart: it deletes everything in the target and copies it again',
      );
    await target.clear();
  } else if (mark || !(await isEmpty(target))) {
    const reason = mark
      ? `a move ${mark.description} was finished there`
      : 'it holds rows that no move brought';
    throw new Error(`${target.name} is not empty: ${reason}. Name an empty database`);
  }
  await target.begin(description);
}
