import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf } from '../../src/common/error-details.ts';
import type { StoreKind } from '../drive/arena.ts';
import { drive, print, type Trial } from '../drive/drive.ts';
import { WITH_MOUNTS, whyNotHere } from '../drive/mounts.ts';
import { flag, number, seed, some, text, type ValuesOf } from '../drive/options.ts';
import { seededInt } from '../support/random.ts';
import { FAULT_NAMES, FAULTS, type FaultName, faultOf } from './fault-table.ts';
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

const OPTIONS = {
  only: some(FAULT_NAMES),
  store: some(['sqlite', 'postgres']),
  rounds: number(50),
  seed: seed(),
  seconds: number(5),
  clients: number(12),
  json: text(),
  markdown: text(),
  mounted: flag(), // this process has mounts of its own
};
type Values = ValuesOf<typeof OPTIONS>;

const reports: FaultReport[] = [];
const skipped: Skipped[] = [];

function plan(values: Values): Trial[] {
  return values.only.flatMap((fault) =>
    values.store
      .filter((store) => faultOf(fault).stores.includes(store))
      .map((store) => planFault(values, fault, store)),
  );
}

function planFault(values: Values, fault: FaultName, store: StoreKind): Trial {
  const whyNot = whyNotHere(faultOf(fault).needs);
  if (whyNot !== undefined) skipped.push({ fault, store, whyNot });
  const numbers = (['rounds', 'seed', 'seconds', 'clients'] as const).map(
    (name) => `--${name}=${values[name]}`,
  );
  const args = [`--only=${fault}`, `--store=${store}`, ...numbers];
  return {
    name: `${fault} on ${store}`,
    about: faultOf(fault).what,
    whyNotHere: whyNot,
    repeat: `chaos -- ${args.join(' ')}`,
    async run() {
      const report = await run(values, { fault, store, args });
      reports.push(report);
      return report;
    },
  };
}

/** Runs one fault. A harness that fails is a finding too. */
async function run(
  { seed, seconds, rounds, clients, mounted }: Values,
  { fault, store, args }: { fault: FaultName; store: StoreKind; args: readonly string[] },
): Promise<FaultReport> {
  const options = {
    random: seededInt(seed),
    holdMs: seconds * 1_000,
    rounds,
    clientCount: clients,
    patience: 1,
    awaitsWebhooks: true,
  };
  try {
    if (faultOf(fault).needs === 'mounts' && !mounted) return runWithMounts(args, 2 * longestMs(options));
    return await runFault(fault, store, options);
  } catch (error) {
    const none = { firstResponseMs: 'never', healthUpMs: 'never', lastErrorMs: null } as const;
    const findings = [`The run failed: ${messageOf(error).slice(0, 1_000)}`];
    return { fault, store, requests: 0, seen: {}, health: [], recovery: none, lost: 0, findings, notes: [] };
  }
}

/** Runs one fault in a process that may mount file systems. */
function runWithMounts(args: readonly string[], timeout: number): FaultReport {
  const json = join(mkdtempSync(join(tmpdir(), 'postern-chaos-')), 'report.json');
  const [unshare, ...options] = WITH_MOUNTS;
  const program = [process.execPath, import.meta.filename, '--mounted', `--json=${json}`, ...args];
  const { stderr } = spawnSync(unshare, [...options, ...program], {
    encoding: 'utf8',
    timeout,
    killSignal: 'SIGKILL',
  });
  if (!existsSync(json)) throw new Error(`The process with its own mounts failed: ${stderr}`);
  const [report]: FaultReport[] = JSON.parse(readFileSync(json, 'utf8'));
  rmSync(dirname(json), { recursive: true });
  if (!report) throw new Error('The process with its own mounts reported nothing');
  return report;
}

await drive({
  usage: USAGE,
  options: OPTIONS,
  plan,
  finish({ json, markdown }) {
    const table = toMarkdown(reports, skipped);
    print(table);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(reports, null, 2)}\n`);
    if (markdown !== undefined) writeFileSync(markdown, table);
  },
});
