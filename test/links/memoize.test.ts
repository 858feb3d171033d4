import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes } from '../../src/common/format.ts';
import { memoize } from '../../src/common/memoize.ts';

test('a formatter is made once for each key, and a bounded number is kept', () => {
  const made: string[] = [];
  const formatOf = memoize((locale: string, unit: string) => {
    made.push(`${locale} ${unit}`);
    return made.length;
  });
  for (const _ of [1, 2]) for (const locale of ['de', 'en']) formatOf(locale, 'byte');
  assert.deepEqual(made.splice(0), ['de byte', 'en byte']);
  for (let index = 0; index < 1_000; index++) formatOf(`en-${index}`, 'byte');
  for (let index = 900; index < 1_000; index++) formatOf(`en-${index}`, 'byte');
  assert.equal(made.length, 1_000);
  formatOf('de', 'byte');
  assert.equal(made.length, 1_001);
});

test('the sizes of 10,000 rows make a formatter for each unit', (t) => {
  const spy = t.mock.method(Intl, 'NumberFormat');
  for (let bytes = 0; bytes < 10_000; bytes++) formatBytes(bytes, 'de-LI');
  assert.ok(spy.mock.callCount() <= 3, `${spy.mock.callCount()}`);
});
