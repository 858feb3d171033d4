import type { Config } from '../../core/config/config.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import { type CompareOptions, compareFiles } from '../../core/use-cases/files/compare-files.ts';
import { composeFiles, composeRebuild, composeVerification } from '../../service/open-stores.ts';
import type { RecountParts } from '../../stores/sql/recount.ts';

/**
 * The findings of verifying a store: one sentence for each difference, and how much was compared. `notes`: what is neither
 * lost nor wrong. `isRebuildable`: the differences of the database are all in data that follows from records and links.
 * `isRecordDamaged`: records or links differ themselves.
 */
export type Verified = Pick<RecountParts, 'auditRecords' | 'linkCount' | 'erased' | 'detachedMonths'> & {
  differences: string[];
  notes: string[];
  isRebuildable: boolean;
  isRecordDamaged: boolean;
  fileCount: number;
};

/** `withoutFiles`: checks the database alone. */
type VerifyOptions = CompareOptions & { withoutFiles?: boolean };

/** Checks the database, recounts every projection from the log, and compares links with files. Changes nothing. */
export async function findDifferences(config: Config, options: VerifyOptions = {}): Promise<Verified> {
  const files = await composeFiles(config);
  const verification = composeVerification(config);
  await verification.assertNoUnfinishedMove();
  const damage = verification.checkIntegrity();
  // A recount of damaged tables would fail, or list what follows from the damage.
  if (damage.length > 0) {
    const isRebuildable = verification.isOnlyDerivedDamage(damage);
    const erased = { entries: 0, erasures: 0, files: 0 };
    const counts = { auditRecords: 0, linkCount: 0, fileCount: 0, erased, detachedMonths: undefined };
    return { differences: damage, notes: [], isRebuildable, isRecordDamaged: !isRebuildable, ...counts };
  }
  const { derived, records, ...counts } = await verification.recountParts();
  const { findings, orphans, fileCount } = options.withoutFiles
    ? { findings: [], orphans: [], fileCount: 0 }
    : await compareFiles(files, verification.knownFiles, options);
  return {
    differences: [...records, ...derived, ...findings],
    notes: orphans.map(({ fileId }) => `file ${fileId} belongs to no link`),
    isRebuildable: derived.length > 0 && records.length === 0,
    isRecordDamaged: records.length > 0,
    ...counts,
    fileCount,
  };
}

/**
 * The result of rebuilding. `refused`: the records themselves are damaged, so nothing was changed. `fixed`: the
 * differences that are gone. `remaining`: those that are not.
 */
export type Rebuilt =
  | { kind: 'refused'; differences: string[] }
  | { kind: 'rebuilt'; fixed: string[]; remaining: string[] };

/**
 * Rebuilds all data of a store that follows from its records and links, if these are whole.
 *
 * @param report prints what begins, if it shows no progress of its own
 * @throws while a service uses an SQLite database, or where there is no store of this version
 */
export async function rebuildStore(
  config: Config,
  progress: ProgressReporter,
  report: (line: string) => void = () => {},
): Promise<Rebuilt> {
  const verification = composeVerification(config);
  const { assertNotInUse, rebuild } = composeRebuild(config, progress);
  await verification.assertNoUnfinishedMove();
  await assertNotInUse();
  report('Checking the store');
  const damage = verification.checkIntegrity();
  if (damage.length > 0 && !verification.isOnlyDerivedDamage(damage))
    return { kind: 'refused', differences: damage };
  const before = await verification.recountParts();
  if (before.records.length > 0) return { kind: 'refused', differences: before.records };
  await rebuild();
  report('Checking the store again');
  const after = await verification.recountParts();
  const remaining = [...verification.checkIntegrity(), ...after.records, ...after.derived];
  const fixed = [...damage, ...before.derived].filter((difference) => !remaining.includes(difference));
  return { kind: 'rebuilt', fixed, remaining };
}
