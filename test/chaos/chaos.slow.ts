import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoreKind } from '../drive/arena.ts';
import { seededInt } from '../support/random.ts';
import { type FaultName, faultOf } from './fault-table.ts';
import { runFault } from './run-fault.ts';

/** Faults that take seconds. `npm run chaos` runs them all, longer and with more clients. */
const IN_TESTS: [name: FaultName, store: StoreKind][] = [
  ['killed', 'sqlite'],
  ['clients-vanish', 'sqlite'],
  ['storage-removed', 'sqlite'],
  ['clock-back', 'sqlite'],
  ['stopped-with-downloads', 'sqlite'],
  ['log-reader-stalled', 'sqlite'],
  ['postgres-connections-cut', 'postgres'],
  ['postgres-killed', 'postgres'],
];

const OPTIONS = { holdMs: 500, rounds: 3, clientCount: 16, patience: 6, awaitsWebhooks: false };

describe('a service under load loses nothing acknowledged', { concurrency: 2 }, () => {
  for (const [index, [name, store]] of IN_TESTS.entries()) {
    test(`${name}: ${faultOf(name).what}, on ${store}`, async () => {
      const report = await runFault(name, store, { ...OPTIONS, random: seededInt(20_260_615 + index) });
      assert.deepEqual(report.findings, []);
      assert.ok(Object.keys(report.seen).length > 0, 'clients sent requests during the fault');
    });
  }
});
