import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBlobSorter } from '../../web/verify/blob-sorter.ts';

test('entries are read in the order of their numbers and lines, in runs of any size', async () => {
  const entry = fc.record({ number: fc.nat(50), text: fc.string({ unit: 'binary' }) });
  await fc.assert(
    fc.asyncProperty(fc.array(entry), fc.integer({ min: 1, max: 300 }), async (given, maxCharacters) => {
      const entries = given.map((each, line) => ({ ...each, line, at: line }));
      const sorter = createBlobSorter(maxCharacters);
      for (const each of entries) sorter.add(each);
      const read: typeof entries = [];
      for await (const each of sorter.read()) read.push(each);
      assert.deepEqual(
        read,
        entries.toSorted((a, b) => a.number - b.number || a.line - b.line),
      );
    }),
  );
});
