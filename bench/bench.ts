import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { VERSION } from '../src/version.ts';
import { redirectHot, redirectSpread } from './scenarios/redirect.ts';
import { startWithAMillionLinks } from './scenarios/start.ts';
import { GENERATOR } from './support/load.ts';
import type { Row, Scenario } from './support/scenario.ts';

const SCENARIOS: Scenario[] = [redirectHot, redirectSpread, startWithAMillionLinks];
const RESULTS = new URL('results/', import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
const unknown = positionals.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) print(`There is no scenario ${unknown.join(', ')}.\n`);
  print('npm run bench -- [scenario …] [--rounds=5] [--seconds=5]\n');
  for (const { name, about } of SCENARIOS) print(`  ${name.padEnd(18)} ${about}`);
  process.exit(unknown.length > 0 ? 1 : 0);
}

const machine = {
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  postern: VERSION,
  load: GENERATOR,
};
print(`${machine.processor}, ${machine.cores} cores, Node ${machine.node}, load by ${machine.load}`);
print(`Each figure: median of ${effort.rounds} rounds of ${effort.seconds} s (least to greatest).\n`);

const results: { scenario: string; rows: Row[] }[] = [];
for (const scenario of SCENARIOS) {
  if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
  print(`${scenario.name}: ${scenario.about}`);
  const rows = await scenario.run(effort);
  for (const row of rows) print(`  ${toLine(row)}`);
  print('');
  results.push({ scenario: scenario.name, rows });
}
mkdirSync(RESULTS, { recursive: true });
const file = new URL(`${new Date().toISOString().replaceAll(':', '-')}.json`, RESULTS);
writeFileSync(file, `${JSON.stringify({ machine, effort, results }, null, 2)}\n`);
print(`Written to ${file.pathname}`);

function toLine({ what, figures, unit, goal }: Row): string {
  const text = (value: number) =>
    value.toLocaleString('en', { maximumFractionDigits: unit === 'ratio' ? 3 : value < 100 ? 1 : 0 });
  const { median, min, max } = figures;
  const told = `${what.padEnd(20)} ${text(median).padStart(9)} ${unit}  (${text(min)} to ${text(max)})`;
  if (!goal) return told;
  const isMet = 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost;
  const wanted = 'atLeast' in goal ? `at least ${text(goal.atLeast)}` : `at most ${text(goal.atMost)}`;
  return `${told}  ${isMet ? 'ok' : 'MISSED'}: ${wanted}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
