import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { dataSet } from '../support/data-set.ts';
import { figuresOf } from '../support/figures.ts';
import { type Row, type Scenario, scaled, shortCount } from '../support/scenario.ts';
import { copyDataSet, inScratch } from '../support/scratch.ts';

const AT_ONCE = [1, 32, 64, 256, 1_024];
const WARM_UP_SECONDS = 1;

export const store: Scenario = {
  name: 'store',
  about: 'attempts on the SQLite store without HTTP: its own limit',
  run: (effort) =>
    inScratch(async (scratch) => {
      const rows: Row[] = [];
      for (const links of [1, scaled(100_000, effort)]) {
        const set = await dataSet({ links });
        const directory = scratch.directory();
        copyDataSet(set, directory);
        const store = await openSqliteStore({ path: join(directory, 'postern.db') });
        const shortCodes = set.paths.map((path) => path.slice('/l/'.length));
        await attemptsPerSecond(store, shortCodes, { atOnce: 64, seconds: WARM_UP_SECONDS });
        for (const atOnce of AT_ONCE) {
          const rates: number[] = [];
          for (let round = 0; round < effort.rounds; round++) {
            rates.push(await attemptsPerSecond(store, shortCodes, { atOnce, seconds: effort.seconds }));
          }
          const what = `${links === 1 ? 'hot' : `over ${shortCount(links)} links`}, ${atOnce} at once`;
          rows.push({ what, figures: figuresOf(rates), unit: 'attempts/s' });
        }
        await store.close();
      }
      return rows;
    }),
};

/** Keeps `atOnce` attempts in flight; the store commits waiting ones in batches. */
async function attemptsPerSecond(
  store: Store,
  shortCodes: readonly string[],
  { atOnce, seconds }: { atOnce: number; seconds: number },
): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let attempts = 0;
  async function attemptOn(): Promise<void> {
    while (performance.now() < endsAt) {
      const at = Date.now();
      const { verdict } = await store.attempt({
        id: uuidV7(at, crypto.randomUUID()),
        at,
        salt: randomBytes(16).toString('hex'),
        shortCode: shortCodes[Math.floor(Math.random() * shortCodes.length)] ?? '',
        ipAddress: '127.0.0.1',
        userAgent: null,
        purpose: 'OPEN',
        prechecks: { password: 'NOT_NEEDED', file: 'NOT_NEEDED', confirmation: 'NOT_NEEDED' },
        version: 0,
      });
      if (verdict !== 'SUCCESS') throw new Error(`An attempt ended as ${verdict}`);
      attempts += 1;
    }
  }
  await Promise.all(Array.from({ length: atOnce }, attemptOn));
  return attempts / ((performance.now() - startedAt) / 1000);
}
