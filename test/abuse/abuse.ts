import { parseArgs } from 'node:util';
import { withCleanup } from '../support/cleanup.ts';
import { boundText, format, missedBound, ROWS } from './rows.ts';
import { type Figure, HEAP_MB, MEMORY_LIMIT_MIB, type Row } from './victim.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const scale = Number(values.scale);
const unknown = positionals.filter((name) => !ROWS.some((row) => row.name === name));

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one attack and prints its figures. Returns true if all of them are as they must be. */
async function runRow(row: Row): Promise<boolean> {
  print(`${row.name}: ${row.attack}\n  must be: ${row.mustBe}`);
  let figures: Figure[];
  try {
    figures = await withCleanup((cleanup) => row.run({ cleanup, scale }));
  } catch (error) {
    print(`  MISSED  the service failed: ${String(error).slice(0, 300)}\n`);
    return false;
  }
  for (const figure of figures) {
    const missed = missedBound(figure, { judgesTimes: true });
    const bound = boundText(figure);
    const verdict = bound === '' ? '' : missed === undefined ? 'ok' : 'MISSED';
    const must = bound === '' ? '' : `must be ${bound}`;
    print(
      `  ${verdict.padEnd(7)} ${figure.what.padEnd(50)} ${format(figure).padStart(14)}   ${must}`.trimEnd(),
    );
  }
  print('');
  return figures.every((figure) => missedBound(figure, { judgesTimes: true }) === undefined);
}

async function main(): Promise<number> {
  const chosen = ROWS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const rows = values.short ? chosen.filter(({ isShort }) => isShort) : chosen;
  print(`Each attack on a service with a heap of ${HEAP_MB} MiB and a limit of ${MEMORY_LIMIT_MIB} MiB.\n`);
  const missed: string[] = [];
  for (const row of rows) if (!(await runRow(row))) missed.push(row.name);
  print(
    missed.length === 0 ? `All ${rows.length} rows are as they must be.` : `MISSED: ${missed.join(', ')}`,
  );
  return missed.length === 0 ? 0 : 1;
}

if (values.help || unknown.length > 0 || !(scale > 0)) {
  for (const name of unknown) print(`Unknown row ${name}; these exist:`);
  print('npm run abuse -- [row …] [--short] [--scale=1]\n');
  for (const { name, attack } of ROWS) print(`  ${name.padEnd(18)} ${attack}`);
  print('\n--short leaves out the rows that take minutes. A scale below 1 makes the attacks smaller.');
  process.exit(values.help ? 0 : 1);
}
process.exit(await main());
