import process from 'node:process';
import { parseArgs } from 'node:util';
import { withCleanup } from '../support/cleanup.ts';
import { seededInt } from '../support/random.ts';
import { flipBits } from './flip-bits.ts';
import { makeSeededStore } from './seeded-store.ts';

// Prints how many flipped bits `postern verify` misses: node test/bit-flips/run.ts --flips=2000 --seed=1

const { values } = parseArgs({
  options: { flips: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});

await withCleanup(async (cleanup) => {
  const store = await makeSeededStore(cleanup);
  const random = seededInt(Number(values.seed));
  const harmful = await flipBits({ ...store, flips: Number(values.flips), random });
  const missed = harmful.filter(({ isFound }) => !isFound);
  const missedByRecount = harmful.filter(({ isFoundByRecount }) => !isFoundByRecount);
  process.stdout.write(
    `${values.flips} flips, ${harmful.length} harmful: verify misses ${missed.length}, ` +
      `a recount alone ${missedByRecount.length}\n`,
  );
  for (const [table, flips] of Map.groupBy(missed, ({ table }) => table))
    process.stdout.write(`  ${String(flips.length).padStart(5)} ${table}\n`);
});
