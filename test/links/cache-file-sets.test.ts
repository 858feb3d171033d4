import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as scheduleImmediate } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { cacheFileSets } from '../../src/core/use-cases/files/cache-file-sets.ts';

const partsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    fileName: `${index}`,
    sizeBytes: 1,
    sha256: '00',
    crc32: 0,
  }));

test('a few sets are read at once, each once, and the last ones are kept', async () => {
  const read: string[] = [];
  let reading = 0;
  const readParts = cacheFileSets(async (fileId) => {
    read.push(fileId);
    reading += 1;
    assert.ok(reading <= 4, 'a few at once');
    await setImmediate();
    reading -= 1;
    if (fileId === 'broken') throw new Error('no database');
    return fileId === 'gone' ? undefined : partsOf(10_000);
  }, setImmediate);
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

test('a read that does not end delays neither a kept set nor the read of another', async () => {
  const { promise: never } = Promise.withResolvers<undefined>();
  const readParts = cacheFileSets(async (fileId) => (fileId === 'slow' ? never : partsOf(1)), setImmediate);
  const kept = await readParts('kept');
  for (const _ of Array(10)) void readParts('slow');
  assert.equal(await readParts('kept'), kept);
  assert.deepEqual(await readParts('other'), partsOf(1));
});

test('callers get their sets in different turns of the event loop, and sets are read in different turns', async () => {
  let turn = 0;
  let ended = false;
  const count = (): void => {
    turn += 1;
    if (!ended) scheduleImmediate(count);
  };
  scheduleImmediate(count);
  const readInTurn: number[] = [];
  const readParts = cacheFileSets(async () => {
    readInTurn.push(turn);
    return partsOf(1);
  }, setImmediate);
  const usedInTurn = await Promise.all(
    ['a', 'a', 'b', 'c', 'd', 'e', 'f'].map(async (id) => readParts(id).then(() => turn)),
  );
  ended = true;
  assert.equal(new Set(readInTurn).size, 6, 'reads');
  assert.equal(new Set(usedInTurn).size, 7, 'uses');
});
