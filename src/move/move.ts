import type { Clock, FileStore } from '../links/ports.ts';
import { compareRows, type Totals } from './compare-rows.ts';
import { copyFiles, type MovedFiles } from './copy-files.ts';
import { copyRows } from './copy-rows.ts';
import { createFindings, type Findings } from './findings.ts';
import { assertSourceUnchanged, readFingerprint, type SourceFingerprint } from './fingerprint.ts';
import type { MoveSource, MoveTarget } from './ports.ts';
import type { ProgressReporter } from './progress.ts';
import { MOVED_TABLES } from './tables.ts';

/** What is moved from where to where. Without `target` the links stay where they are, without `files` the files. */
export type MovePlan = {
  /** Names this very move, and no other, in words that follow "came". */
  move: string;
  source: MoveSource;
  target: MoveTarget | null;
  files: { source: FileStore; target: FileStore; targetPlace: string } | null;
  /** What a recount of the target's rollups does not confirm, in words. */
  recount: () => Promise<string[]>;
  watch: ProgressReporter;
  clock: Clock;
  /** For tests. */
  batchRows?: number;
};

export type Moved = {
  /** What the target has, by table; empty where no links were moved. */
  totals: Map<string, Totals>;
  files: MovedFiles | null;
};

/** What a move came to. One whose copy differs is not finished: no service starts on its target. */
export type MoveOutcome =
  | ({ kind: 'moved' } & Moved)
  | { kind: 'finished-before' }
  | { kind: 'differs'; findings: Findings };

/** The copying: all rows, then all files that links have. Goes on where an earlier call broke off. */
export async function copyAll(
  plan: MovePlan,
): Promise<
  { kind: 'finished-before' } | { kind: 'copied'; fingerprint: SourceFingerprint; files: MovedFiles | null }
> {
  const { source, target, files, watch } = plan;
  const fingerprint = await readFingerprint(source);
  if (target) {
    const copied = await copyRows(source, target, plan);
    if (copied === 'finished-before') return { kind: 'finished-before' };
  }
  return { kind: 'copied', fingerprint, files: files && (await copyFiles(source, files, watch)) };
}

/**
 * The verification: every row of the target is that of the source, its counts and sums too, and its rollups equal a
 * recount of its audit; no file was damaged. Only then is the target let be used.
 */
export async function verifyAll(
  plan: MovePlan,
  { fingerprint, files }: { fingerprint: SourceFingerprint; files: MovedFiles | null },
): Promise<MoveOutcome> {
  const { source, target, watch } = plan;
  const findings = createFindings();
  const totals = new Map<string, Totals>();
  for (const table of target ? MOVED_TABLES : []) {
    const of = fingerprint.rows[table.name] ?? null;
    const stores = { source, target: target ?? source };
    totals.set(table.name, await compareRows(stores, table, { findings, watch, of }));
  }
  if (target) for (const difference of await plan.recount()) findings.add(difference);
  if (files) findings.addAll(files.damaged);
  await assertSourceUnchanged(source, fingerprint);
  if (findings.count > 0) return { kind: 'differs', findings };
  await target?.finish(plan.clock());
  return { kind: 'moved', totals, files };
}

export async function moveAll(plan: MovePlan): Promise<MoveOutcome> {
  const copied = await copyAll(plan);
  return copied.kind === 'copied' ? verifyAll(plan, copied) : copied;
}
