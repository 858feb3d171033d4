import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { VERSION } from '../src/common/version.ts';
import { backup } from './scenarios/backup.ts';
import { beside } from './scenarios/beside.ts';
import { bulk } from './scenarios/bulk.ts';
import { checkpoint } from './scenarios/checkpoint.ts';
import { connections } from './scenarios/connections.ts';
import { costs, postgresCosts, verify } from './scenarios/costs.ts';
import { create } from './scenarios/create.ts';
import { encryption } from './scenarios/encryption.ts';
import { expiry } from './scenarios/expiry.ts';
import { growth, redirectLarge } from './scenarios/growth.ts';
import { history, postgresHistory } from './scenarios/history.ts';
import { list, postgresList, search } from './scenarios/list.ts';
import { log } from './scenarios/log.ts';
import { memory } from './scenarios/memory.ts';
import {
  postgresCommitted,
  postgresGroups,
  postgresInstances,
  postgresSpread,
} from './scenarios/postgres.ts';
import { protectedLink } from './scenarios/protected.ts';
import { redirectFlushed, redirectHot, redirectSpread, redirectWebhooks } from './scenarios/redirect.ts';
import { denied, json, unknown } from './scenarios/responses.ts';
import { downloadResumed, downloadResumedS3, uploadResumed, uploadResumedS3 } from './scenarios/resume.ts';
import { sizes } from './scenarios/sizes.ts';
import { start } from './scenarios/start.ts';
import { postgresStatistics, statistics, statisticsLoaded } from './scenarios/statistics.ts';
import { store } from './scenarios/store.ts';
import { download1Gb, download10Mb, upload1Gb, upload10Mb } from './scenarios/transfer.ts';
import { uploadS3 } from './scenarios/upload-s3.ts';
import { verifyPage } from './scenarios/verify-page.ts';
import { zip1Gb, zipSmall } from './scenarios/zip.ts';
import { GENERATOR } from './support/load.ts';
import { MEGABYTE, type Row, type Scenario } from './support/scenario.ts';
import { toTable } from './support/table.ts';

const SCENARIOS: Scenario[] = [
  redirectHot,
  redirectFlushed,
  redirectSpread,
  redirectWebhooks,
  postgresSpread,
  postgresCommitted,
  postgresGroups,
  postgresInstances,
  connections,
  json,
  denied,
  unknown,
  protectedLink,
  create,
  bulk,
  upload10Mb,
  upload1Gb,
  uploadS3,
  download10Mb,
  download1Gb,
  downloadResumed,
  downloadResumedS3,
  encryption,
  zip1Gb,
  zipSmall,
  uploadResumed,
  uploadResumedS3,
  statistics,
  statisticsLoaded,
  postgresStatistics,
  history,
  postgresHistory,
  list,
  search,
  postgresList,
  growth,
  redirectLarge,
  expiry,
  sizes,
  start,
  memory,
  log,
  backup,
  beside,
  verify,
  costs,
  postgresCosts,
  checkpoint,
  verifyPage,
  store,
];
const RESULTS = new URL('results/', import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    scale: { type: 'string', default: '1' },
    against: { type: 'string' },
    guarded: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const effort = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  scale: Number(values.scale),
};
const against = values.against && resolve(values.against);
const unknownNames = positionals.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
const badOptions = Object.entries(effort).filter(([, value]) => !(value > 0));
if (values.help || unknownNames.length > 0 || badOptions.length > 0) {
  for (const name of unknownNames) print(`Unknown scenario ${name}; these exist:`);
  for (const [name] of badOptions) print(`--${name} must be a number above 0.`);
  print(
    'npm run bench -- [scenario …] [--rounds=5] [--seconds=5] [--scale=1] [--against=DIRECTORY] [--guarded]\n',
  );
  for (const { name, about } of SCENARIOS) print(`  ${name.padEnd(16)} ${about}`);
  print(
    '\nA scale below 1 shrinks stores, files and counts, to try a scenario out. Goals are then not checked.\n' +
      'redirect-*, create and statistics can measure the service against that of another checkout, after `npm ci` there.\n' +
      'With --guarded, redirect-* start this service, not the other one, with app.access=keys and every limit.',
  );
  process.exit(values.help ? 0 : 1);
}

const machine = {
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryMb: Math.round(totalmem() / MEGABYTE),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  sqlite: process.versions['sqlite'],
  postern: VERSION,
  load: GENERATOR,
};
print(
  `${machine.processor}, ${machine.cores} cores, ${machine.memoryMb} MB; Node ${machine.node}, ` +
    `SQLite ${machine.sqlite}, Postern ${machine.postern}; load by ${machine.load}`,
);
print(`Median of ${effort.rounds} rounds of ${effort.seconds} s, then the minimum and the maximum.\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const startedAt = new Date();
const results: { scenario: string; rows: Row[] }[] = [];
for (const scenario of SCENARIOS) {
  if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
  print(`${scenario.name}: ${scenario.about}`);
  const rows = await scenario.run({ ...effort, against, isGuarded: values.guarded });
  print(`${toTable(rows, { isJudged: effort.scale === 1 })}\n`);
  results.push({ scenario: scenario.name, rows });
  save(); // after each scenario, so that an error late in a long run loses no results
}
print(`Written to ${fileURLToPath(resultFile())}`);

function resultFile(): URL {
  return new URL(`${startedAt.toISOString().replaceAll(':', '-')}.json`, RESULTS);
}

function save(): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(resultFile(), `${JSON.stringify({ startedAt, machine, effort, results }, null, 2)}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
