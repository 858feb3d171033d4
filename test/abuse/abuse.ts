import { drive } from '../drive/drive.ts';
import { flag, number } from '../drive/options.ts';
import { ROWS } from './rows.ts';
import { HEAP_MB, MEMORY_LIMIT_MIB } from './victim.ts';

const USAGE = `npm run abuse -- [row …] [--short] [--scale=1]

Runs each attack on a service with a heap of ${HEAP_MB} MiB and a limit of ${MEMORY_LIMIT_MIB} MiB. Exit code 1 when any figure is not as
it must be. --short leaves out the rows that take minutes. A scale below 1 makes the attacks smaller.

Rows:
${ROWS.map(({ name, attack }) => `  ${name.padEnd(18)} ${attack}`).join('\n')}`;

await drive({
  usage: USAGE,
  options: { scale: number(1), short: flag() },
  names: ROWS.map(({ name }) => name),
  plan: ({ scale, short }, chosen) =>
    ROWS.filter(({ name, isLong }) => chosen.includes(name) && !(isLong && short)).map((row) => ({
      name: row.name,
      about: `${row.attack}\n  must be: ${row.mustBe}`,
      repeat: `abuse -- ${row.name} --scale=${scale}`,
      run: async (cleanup) => ({ findings: [], figures: await row.run({ cleanup, scale }) }),
    })),
});
