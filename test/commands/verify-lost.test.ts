import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findDifferences } from '../../src/commands/find-differences.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../support/attempts.ts';
import { copyOfKilled, logOf, openedStore, stateOf } from '../support/killed-store.ts';
import { temporaryDirectory, testConfig } from '../support/service.ts';

test('verify reports transactions that the state file has and the database lacks', async (t) => {
  const path = join(temporaryDirectory(t), 'postern.db');
  const first = await openedStore(t, path);
  await first.create(redirectLink(codeOf(1)), newChange());
  await first.close();
  const store = await openedStore(t, path);
  for (let count = 0; count < 3; count++) await store.attempt(attemptOn(codeOf(1)));
  const copy = copyOfKilled(t, path);
  const config = testConfig(dirname(copy));
  mkdirSync(join(dirname(copy), 'files'));
  const found = async () => (await findDifferences(config)).differences;
  assert.deepEqual(await found(), [], 'the log is whole');

  rmSync(logOf(copy));
  const [difference = '', ...others] = await found();
  assert.match(difference, /^committed attempts are missing: .*put it back.* delete \S+-state/);
  assert.deepEqual(others, []);
  const started = await openedStore(t, copy);
  await started.close();
  assert.equal((await found()).length, 1, 'a start does not hide the loss');

  rmSync(stateOf(copy));
  assert.deepEqual(await found(), [], 'the administrator has accepted the loss');
});
