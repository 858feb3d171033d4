import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKeyFile } from '../../src/adapters/key-file.ts';
import { createSigner } from '../../src/core/model/ed25519.ts';
import type { EvidenceStore } from '../../src/core/ports/evidence.ts';
import { beginRestoredLog } from '../../src/service/compose-evidence.ts';
import { configOf } from '../support/config.ts';
import { temporaryDirectory } from '../support/service.ts';

test('of instances that create the key at the same time, all use the same one', async (t) => {
  const directory = temporaryDirectory(t);
  const path = join(directory, 'evidence-key');
  const keepers = Array.from({ length: 8 }, () => createKeyFile(path));
  const created = await Promise.all(
    keepers.map((keeper, index) => keeper.create({ secret: `key ${index}`, handovers: [] })),
  );
  assert.equal(created.filter(Boolean).length, 1);
  for (const keeper of keepers)
    assert.deepEqual(await keeper.read(), { secret: `key ${created.indexOf(true)}`, handovers: [] });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(directory), ['evidence-key']);
});

test('an error of a key that cannot be written names its path', async (t) => {
  const path = join(temporaryDirectory(t), 'missing', 'key');
  await assert.rejects(
    createKeyFile(path).writeNewest('note'),
    /missing\/key\.newest cannot be written: ENOENT/,
  );
});

test('a restore that ends early leaves no key, and not that of the backup', async (t) => {
  const directory = temporaryDirectory(t);
  const evidence = { readTree: () => Promise.reject(new Error('ended')) } as unknown as EvidenceStore; // reads nothing else
  const readKey = async () => ({ secret: createSigner('links.example/log/1').secret, handovers: [] });
  const log = { path: join(directory, 'evidence-key'), readKey };
  await assert.rejects(beginRestoredLog(configOf(), evidence, log), /ended/);
  assert.deepEqual(readdirSync(directory), []);
});
