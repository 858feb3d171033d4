import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debianUnit } from '../../packaging/debian-package.ts';
import { environmentName } from '../../src/core/config/property.ts';
import { configFrom } from '../support/deployed-settings.ts';
import { readProjectFile } from '../support/documents.ts';

test('the settings of the Debian package cause no warning, ask for keys, and create no database', () => {
  const lines = [...readProjectFile('packaging/debian/postern.conf').matchAll(/^#?(\w[\w.-]+)=(.*)$/gm)];
  const variables = lines.map(([, name = '', value]) => [environmentName({ name }), value]);
  const config = configFrom(Object.fromEntries(variables), {});
  assert.equal(config.access.mode, 'keys');
  assert.equal(config.databaseMustExist, true);
});

test('the unit of the Debian package differs from that of a checkout in places, and leaves settings to the file', () => {
  const unit = debianUnit();
  assert.match(unit, /^ExecStart=\/usr\/bin\/postern serve$/m);
  assert.match(unit, /^WorkingDirectory=\/var\/lib\/postern$/m);
  assert.match(unit, /^CacheDirectory=postern$/m);
  assert.doesNotMatch(unit, /\/opt\/|^Environment=(APP|SERVER)_/m);
});
