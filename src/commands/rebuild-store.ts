import type { Config } from '../config/config.ts';
import type { ProgressReporter } from '../move/ports.ts';
import { composeRebuild, composeVerification } from '../open-stores.ts';

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
