import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { runCommand, storeFlags } from '../support/command.ts';
import type { Measured } from '../support/compare.ts';
import { dataSet } from '../support/data-set.ts';
import { figuresOf, single } from '../support/figures.ts';
import { type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { postern, recordsOf } from '../support/subjects.ts';

export const backup: Scenario = {
  name: 'backup',
  about: 'a backup of 1 M links and 10 M records under full load, and redirects meanwhile against before',
  run: (effort) =>
    inScratch(async (scratch) => {
      const set = await dataSet({
        links: scaled(1_000_000, effort),
        records: scaled(10_000_000, effort),
      });
      const service = await scratch.startService({ dataSet: set });
      const load = postern(service, { paths: set.paths, status: 302 }, { count: recordsOf('SUCCESS') });
      const recipient = await identityToRecipient(await generateX25519Identity());
      const before: Measured[] = [];
      for (let round = 0; round <= effort.rounds; round++) {
        const measured = await load.measure(effort.seconds);
        if (round > 0) before.push(measured); // the first warms up
      }
      async function backUp(...flags: string[]): Promise<{ during: Measured[]; seconds: number }> {
        const startedAt = performance.now();
        let seconds: number | undefined;
        const args = ['backup', scratch.directory(), ...storeFlags(service.directory), ...flags];
        const ended = runCommand(args).then(() => {
          seconds = (performance.now() - startedAt) / 1000;
        });
        const during: Measured[] = [];
        while (seconds === undefined) during.push(await load.measure(effort.seconds));
        await ended;
        return { during, seconds };
      }
      return [
        ...rowsOf('before', before),
        ...backupRows('backup', await backUp()),
        ...backupRows('encrypted backup', await backUp(`--recipient=${recipient}`)),
      ];
    }),
};

function rowsOf(when: string, measured: readonly Measured[], goal?: Row['goal']): Row[] {
  return [
    { what: `redirects ${when}`, figures: figuresOf(measured.map(({ rate }) => rate)), unit: 'req/s' },
    {
      what: `p99 of redirects ${when}`,
      figures: figuresOf(measured.map(({ p99Ms = Number.NaN }) => p99Ms)),
      unit: 'ms',
      ...(goal && { goal }),
    },
  ];
}

function backupRows(what: string, { during, seconds }: { during: Measured[]; seconds: number }): Row[] {
  return [
    ...rowsOf(`during the ${what}`, during, { atMost: 50 }),
    { what: `${what} took`, figures: single(seconds), unit: 's', goal: { atMost: 120 } },
  ];
}
