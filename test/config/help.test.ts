import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { propertiesTable } from '../../docs/generate-tables.ts';
import { helpText } from '../../src/config/config.ts';
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
    const lines = helpText().split('\n');
    const start = lines.findIndex((line) => line.startsWith('property '));
    assert.equal(lines.length, start + 1 + DOCUMENTED.length + 1);
    for (const [index, { name, environment, shown, meaning }] of tableRows.entries()) {
      assert.equal(environment.split(' or ')[0], name.toUpperCase().replaceAll(/[.-]/g, '_'));
      assert.notEqual(meaning, '');
      const line = lines[start + 1 + index] ?? '';
      assert.deepEqual(line.split(/ {2,}/).slice(0, 3), [name, environment, shown]);
    }
  });

  test('the columns of --help are aligned', () => {
    const lines = helpText()
      .trimEnd()
      .split('\n')
      .slice(-DOCUMENTED.length - 1);
    const heading = lines[0] ?? '';
    for (const column of ['environment', 'default', 'meaning']) {
      const at = heading.indexOf(column);
      for (const line of lines) assert.match(line.slice(at - 2, at + 1), /^ {2}\S$/, line);
    }
  });

  test('a default that is shown as a value is the default', () => {
    for (const { name, shown } of tableRows) {
      if (shown.startsWith('(')) continue;
      const written = shown.replace('<server.port>', '8080');
      assert.deepEqual(configOf(withFlag(name, written)), configOf(), name);
    }
  });

  test('the default trusted proxies are listed', () => {
    assert.ok(helpText().includes(configOf().trustedProxies.join(', ')));
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
