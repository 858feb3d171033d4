import type { Config } from '../config/config.ts';
import { type CompareOptions, compareFiles } from '../links/compare-files.ts';
import { composeFiles, composeVerification } from '../open-stores.ts';

/**
 * What verifying a store has found: one sentence for each difference, and how much was compared. `notes`: what is neither
 * lost nor wrong. `isRebuildable`: the differences of the database are all in data that follows from records and links.
 * `isRecordDamaged`: records or links differ themselves.
 */
export type Verified = {
  differences: string[];
  notes: string[];
  isRebuildable: boolean;
  isRecordDamaged: boolean;
  auditRecords: number;
  linkCount: number;
  fileCount: number;
  detachedMonths: string | undefined;
};

/** Checks the database, recounts every projection from the log, and compares links with files. Changes nothing. */
export async function findDifferences(config: Config, options?: CompareOptions): Promise<Verified> {
  const files = await composeFiles(config);
  const verification = composeVerification(config);
  await verification.assertNoUnfinishedMove();
  const damage = verification.checkIntegrity();
  // A recount of damaged tables would fail, or list what follows from the damage.
  if (damage.length > 0) {
    const isRebuildable = verification.isOnlyDerivedDamage(damage);
    const counts = { auditRecords: 0, linkCount: 0, fileCount: 0, detachedMonths: undefined };
    return { differences: damage, notes: [], isRebuildable, isRecordDamaged: !isRebuildable, ...counts };
  }
  const { derived, records, ...counts } = await verification.recountParts();
  const { findings, notes, fileCount } = await compareFiles(files, verification.knownFiles, options);
  return {
    differences: [...records, ...derived, ...findings],
    notes,
    isRebuildable: derived.length > 0 && records.length === 0,
    isRecordDamaged: records.length > 0,
    ...counts,
    fileCount,
  };
}
