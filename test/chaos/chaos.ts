import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/common/error-details.ts';
import { seededInt } from '../support/random.ts';
import { FAULT_NAMES, FAULTS, type FaultName, faultOf, type StoreKind } from './fault-table.ts';
import { WITH_MOUNTS, whyNotHere } from './mounts.ts';
import { type Skipped, toMarkdown } from './report.ts';
import { type FaultReport, longestMs, runFault } from './run-fault.ts';

const USAGE = `npm run chaos -- [--only=FAULT]… [--store=sqlite|postgres] [--rounds=50] [--seed=N] [--seconds=5] [--clients=12]
                [--json=FILE] [--markdown=FILE]

Runs each fault on a service of its own, while clients create, also in bulk and again with the same Idempotency-Key, upload,
open, guess, change, revoke and read statistics, and a receiver gets webhooks. Then it checks that nothing acknowledged is
lost, no limit is overshot, one key makes one link, every event reaches the receiver, statistics equal a recount, every
file is whole, and a sweep leaves nothing else. Prints what clients saw, what is lost, and the times from the end of the fault to the first
normal response, to health UP, and to the last error. Exit code 1 when any check fails or nothing ran.

--rounds is the number of kills, --seconds how long a fault lasts that does not end by itself.

Faults:
${FAULT_NAMES.map((name) => `  ${name.padEnd(26)} ${FAULTS[name].what} (${FAULTS[name].stores.join(', ')})`).join('\n')}`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: FAULT_NAMES },
    store: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '12' },
    json: { type: 'string' },
    markdown: { type: 'string' },
    mounted: { type: 'boolean', default: false }, // this process has mounts of its own
    help: { type: 'boolean', default: false },
  },
});
const isFault = (text: string): text is FaultName => FAULT_NAMES.some((name) => name === text);
const isStore = (text: string): text is StoreKind => text === 'sqlite' || text === 'postgres';
const numbers = [values.rounds, values.seconds, values.clients].map(Number);
const isValid =
  values.only.every(isFault) && values.store.every(isStore) && numbers.every((number) => number > 0);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one fault. A harness that fails is a finding too. */
async function run(fault: FaultName, store: StoreKind): Promise<FaultReport> {
  const options = {
    random: seededInt(Number(values.seed)),
    holdMs: Number(values.seconds) * 1_000,
    rounds: Number(values.rounds),
    clientCount: Number(values.clients),
    patience: 1,
    awaitsWebhooks: true,
  };
  try {
    if (faultOf(fault).needs === 'mounts' && !values.mounted) return runWithMounts(fault, store);
    return await runFault(fault, store, options);
  } catch (error) {
    const none = { firstResponseMs: 'never', healthUpMs: 'never', lastErrorMs: null } as const;
    const findings = [`The run failed: ${messageOf(error).slice(0, 1_000)}`];
    return { fault, store, requests: 0, seen: {}, health: [], recovery: none, lost: 0, findings, notes: [] };
  }
}

/** Runs one fault in a process that may mount file systems. */
function runWithMounts(fault: FaultName, store: StoreKind): FaultReport {
  const json = join(mkdtempSync(join(tmpdir(), 'postern-chaos-')), 'report.json');
  const passed = (['rounds', 'seed', 'seconds', 'clients'] as const).map(
    (name) => `--${name}=${values[name]}`,
  );
  const [unshare, ...options] = WITH_MOUNTS;
  const args = [
    import.meta.filename,
    '--mounted',
    `--only=${fault}`,
    `--store=${store}`,
    `--json=${json}`,
    ...passed,
  ];
  const { stderr } = spawnSync(unshare, [...options, process.execPath, ...args], {
    encoding: 'utf8',
    timeout:
      2 * longestMs({ holdMs: Number(values.seconds) * 1_000, rounds: Number(values.rounds), patience: 1 }),
    killSignal: 'SIGKILL',
  });
  if (!existsSync(json)) throw new Error(`The process with its own mounts failed: ${stderr}`);
  const [report]: FaultReport[] = JSON.parse(readFileSync(json, 'utf8'));
  rmSync(dirname(json), { recursive: true });
  if (!report) throw new Error('The process with its own mounts reported nothing');
  return report;
}

async function main(): Promise<number> {
  print(`Seed ${values.seed}`);
  const reports: FaultReport[] = [];
  const skipped: Skipped[] = [];
  for (const fault of values.only.filter(isFault)) {
    for (const store of values.store.filter(isStore).filter((one) => faultOf(fault).stores.includes(one))) {
      const whyNot = whyNotHere(faultOf(fault).needs);
      if (whyNot) {
        print(`skipped ${fault} on ${store}: ${whyNot}`);
        skipped.push({ fault, store, whyNot });
        continue;
      }
      const report = await run(fault, store);
      reports.push(report);
      print(
        `${report.findings.length === 0 ? 'ok    ' : 'FAILED'} ${fault} on ${store}, ${report.requests} requests`,
      );
      for (const finding of [...report.findings.slice(0, 10), ...report.notes]) print(`       ${finding}`);
    }
  }
  const table = toMarkdown(reports, skipped);
  print(`\n${table}`);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`);
  if (values.markdown) writeFileSync(values.markdown, table);
  if (reports.length === 0)
    print('No fault ran: the chosen faults do not exist on the chosen stores, or were skipped');
  return reports.length > 0 && reports.every(({ findings }) => findings.length === 0) ? 0 : 1;
}

if (values.help || !isValid) {
  for (const name of values.only.filter((text) => !isFault(text)))
    print(`Unknown fault ${name}; see below.\n`);
  print(USAGE);
  process.exit(values.help ? 0 : 1);
}
process.exit(await main());
