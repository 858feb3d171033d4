import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { keepSets } from '../../src/links/keep-sets.ts';

const partsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    fileName: `${index}`,
    sizeBytes: 1,
    sha256: '00',
    crc32: 0,
  }));

test('sets are read one after the other, and the last ones are kept', async () => {
  const read: string[] = [];
  let reading = 0;
  const readParts = keepSets(async (fileId) => {
    read.push(fileId);
    reading += 1;
    assert.equal(reading, 1, 'one at a time');
    await setImmediate();
    reading -= 1;
    if (fileId === 'broken') throw new Error('no database');
    return fileId === 'gone' ? undefined : partsOf(10_000);
  });
  const names = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all([...names, ...names].map(readParts));
  assert.deepEqual(read, names, 'each once');
  assert.equal(await readParts('a'), await readParts('a'), 'the same list, whose ZIP is composed once');
  await readParts('f');
  await readParts('a');
  assert.deepEqual(read.splice(0), [...names, 'f']);
  await readParts('b');
  assert.deepEqual(read.splice(0), ['b'], 'the one that was used longest ago is dropped');
  await assert.rejects(readParts('broken'), /no database/);
  assert.equal(await readParts('gone'), undefined);
  assert.equal(await readParts('gone'), undefined);
  assert.deepEqual(read, ['broken', 'gone', 'gone'], 'a missing set may come');
});
