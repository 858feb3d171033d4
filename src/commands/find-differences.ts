import type { Config } from '../config/config.ts';
import { compareFiles } from '../links/compare-files.ts';
import { composeFiles, composeVerification } from '../open-stores.ts';

/** What verifying a store has found: one sentence for each difference, and how much was compared. */
export type Verified = { differences: string[]; auditRecords: number; fileCount: number };

/** Checks the database, finds lost transactions, recounts every rollup from the audit, and compares links with files. Changes nothing. */
export async function findDifferences(config: Config): Promise<Verified> {
  const files = await composeFiles(config);
  const verification = composeVerification(config);
  await verification.assertNoUnfinishedMove();
  const damage = verification.checkIntegrity();
  // A recount of damaged tables would fail, or list what follows from the damage.
  if (damage.length > 0) return { differences: damage, auditRecords: 0, fileCount: 0 };
  const { differences, auditRecords } = await verification.recount();
  const { findings, fileCount } = await compareFiles(files, verification.knownFiles);
  return {
    differences: [
      ...verification.findLostCommits(),
      ...differences,
      ...(await verification.findUnsealedEntries()),
      ...(await verification.checkHistoryIndex()),
      ...findings,
    ],
    auditRecords,
    fileCount,
  };
}
