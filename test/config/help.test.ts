import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { propertiesTable } from '../../docs/generate-tables.ts';
import { helpText } from '../../src/service/config/help-text.ts';
import { configOf, DOCUMENTED, withFlag } from '../support/config.ts';

/** The cells of the documented tables, without backticks. */
const tableRows = propertiesTable()
  .trimEnd()
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [name = '', environment = '', shown = '', meaning = ''] = line
      .slice(2, -2)
      .split(/ (?<!\\)\| /)
      .map((cell) => cell.replaceAll('`', ''));
    return { name, environment, shown, meaning };
  });

describe('help', () => {
  test('the documented tables and --help list every property with its environment name, and no other', () => {
    assert.deepEqual(
      tableRows.map((row) => row.name),
      DOCUMENTED,
    );
    const listed = helpText().matchAll(/^ {2}(\S+) {2}(\S.*)\n {4}(.+)\n {4}default: (.+)$/gm);
    const found = [...listed].map(([, name, environment, meaning, shown]) => ({
      ...{ name, environment, shown, meaning: meaning?.replaceAll('`', '') },
    }));
    for (const { name, environment } of tableRows)
      assert.equal(environment.split(' or ')[0], name.toUpperCase().replaceAll(/[.-]/g, '_'));
    const toNames = ({
      name,
      environment,
      shown,
    }: { [Key in 'name' | 'environment' | 'shown']: string | undefined }) => [name, environment, shown];
    assert.deepEqual(found.map(toNames), tableRows.map(toNames));
  });

  test('a default that is shown as a value is the default', () => {
    for (const { name, shown } of tableRows) {
      if (shown.startsWith('(')) continue;
      const written = shown.replace('<server.port>', '8080');
      assert.deepEqual(configOf(withFlag(name, written)), configOf(), name);
    }
  });

  test('the default trusted proxies are listed', () => {
    assert.ok(helpText().includes(configOf().server.trustedProxies.join(', ')));
  });

  test('the tables have four cells a line, and angle brackets only in code', () => {
    for (const line of propertiesTable()
      .split('\n')
      .filter((each) => each.startsWith('|'))) {
      assert.equal(line.replaceAll('\\|', '').split('|').length, 6, line);
      assert.doesNotMatch(line.replaceAll(/`[^`]*`/g, ''), /</);
    }
  });
});
