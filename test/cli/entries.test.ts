import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEntry } from '../../cli/entries.ts';
import type { AttemptEntry } from '../../client/client.ts';

test('attempts that were recorded together are printed with their number', () => {
  const entry: AttemptEntry = {
    ...{ id: '019ecdb1-2841-7f47-9d91-9963de4c2b39', at: '2026-06-15T12:00:00.000Z', kind: 'ATTEMPT' },
    ...{
      format: 1,
      number: 2,
      shortCode: 'Ab12Cd34',
      salt: '0'.repeat(32),
      result: 'RATE_LIMITED',
      ipAddress: '192.0.2.1',
      userAgent: 'curl/8',
    },
    ...{ preview: false, downloads: [], count: 1_234 },
  };
  assert.deepEqual(describeEntry(entry).slice(1), ['RATE_LIMITED (1234 times)', '192.0.2.1', 'curl/8']);
  assert.equal(describeEntry({ ...entry, count: 1 })[1], 'RATE_LIMITED');
  const erased = { ...entry, personalSha256: '0'.repeat(64), salt: null, ipAddress: null, userAgent: null };
  assert.deepEqual(describeEntry(erased).slice(2), ['without personal data', '']);
});
