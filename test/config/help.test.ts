import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { propertiesList } from '../../docs/generate-tables.ts';
import { ALL_PROPERTIES } from '../../src/core/config/properties.ts';
import { helpText } from '../../src/service/config/help-text.ts';
import { configOf, withFlag } from '../support/config.ts';
import { pluck } from '../support/pluck.ts';

/** The documented properties, without backticks around the default. */
const items = propertiesList()
  .split('\n')
  .filter((line) => line.startsWith('- '))
  .map((line) => {
    const [, name = '', value, text = '(unset)'] =
      /^- `([^`]+)`(?: \(`([^`]+)`\)| (\([^)]+\)))?: \S/.exec(line) ?? assert.fail(line);
    return { name, shown: value ?? text };
  });

describe('help', () => {
  test('the documents and --help list every property, --help with its environment name, and no other', () => {
    const names = items.map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ALL_PROPERTIES.map(({ name }) => name).sort());
    const listed = helpText().matchAll(/^ {2}(\S+) {2}(\S.*)\n {4}.+\n {4}default: (.+)$/gm);
    const found = [...listed].map(([, name, environment, shown]) => ({ name, environment, shown }));
    for (const { name = '', environment } of found)
      assert.equal(environment?.split(' or ')[0], name.toUpperCase().replaceAll(/[.-]/g, '_'));
    assert.deepEqual(
      pluck(found, 'name', 'shown'),
      items.map(({ name, shown }) => [name, shown]),
    );
  });

  test('a default that is shown as a value is the default', () => {
    for (const { name, shown } of items) {
      if (shown.startsWith('(')) continue;
      const written = shown.replace('<server.port>', '8080');
      assert.deepEqual(configOf(withFlag(name, written)), configOf(), name);
    }
  });

  test('the default trusted proxies are listed', () => {
    assert.ok(helpText().includes(configOf().server.trustedProxies.join(', ')));
  });

  test('the documents have angle brackets only in code', () => {
    assert.doesNotMatch(propertiesList().replaceAll(/`[^`]*`/g, ''), /</);
  });
});
