import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configFrom, STOP_AT_LAST_SECONDS } from '../support/deployed-settings.ts';
import { fencedBlocks, readProjectFile } from '../support/documents.ts';

const [{ text: unit } = { text: '' }] = fencedBlocks(readProjectFile('docs/operations/install.md'), 'ini');

test('the documented unit file has settings without a warning, asks for keys, and creates no database', () => {
  const variables = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)];
  const config = configFrom(Object.fromEntries(variables.map(([, name, value]) => [name, value])), {});
  assert.equal(config.access.mode, 'keys');
  assert.equal(config.databaseMustExist, true);
});

test('the documented unit file starts the service as npm start does, and lets it stop', () => {
  const { scripts } = JSON.parse(readProjectFile('package.json'));
  const [, command] = /^ExecStart=\/opt\/postern\/node_modules\/\.bin\/(.*)$/m.exec(unit) ?? [];
  assert.equal(`exec ${command}`, scripts.start);
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  assert.ok(Number(seconds) > STOP_AT_LAST_SECONDS);
});
