import { join } from 'node:path';
import { createKeyFile } from '../../src/adapters/key-file.ts';
import { prepareSignCheckpoint } from '../../src/core/use-cases/evidence/sign-checkpoint.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { dataSet } from '../support/data-set.ts';
import { figuresOf } from '../support/figures.ts';
import { type Row, type Scenario, scaled } from '../support/scenario.ts';
import { copyDataSet, inScratch } from '../support/scratch.ts';

export const checkpoint: Scenario = {
  name: 'checkpoint',
  about: 'the first checkpoint of a log of 1 M entries, in processor time of all threads',
  run: (effort) =>
    inScratch(async (scratch) => {
      const records = scaled(1_000_000, effort);
      const set = await dataSet({ links: scaled(10_000, effort), records });
      const times: number[] = [];
      for (let round = 0; round < effort.rounds; round++) {
        const directory = scratch.directory();
        copyDataSet(set, directory);
        const store = await openSqliteStore({ path: join(directory, 'postern.db') });
        const { evidence } = store;
        await evidence.readSettled();
        const sign = prepareSignCheckpoint({
          ...{ evidence, clock: Date.now, keeper: createKeyFile(join(directory, 'key')) },
          newOrigin: () => 'links.example/log/bench',
        });
        const before = process.cpuUsage();
        const signed = await sign();
        const { user, system } = process.cpuUsage(before);
        times.push((user + system) / (signed?.size ?? 0));
        await store.close();
      }
      const rows: Row[] = [{ what: 'an entry', figures: figuresOf(times), unit: 'µs' }];
      return rows;
    }),
};
