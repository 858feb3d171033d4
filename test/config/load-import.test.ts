import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadImport } from '../../src/tools/import/load-import.ts';

const load = (...argv: string[]) => loadImport({ argv, env: {}, readFile: () => Buffer.alloc(0) });

describe('the settings of an import', () => {
  test('settings have defaults, and take flags and properties in any order', () => {
    const loaded = load('--dry-run', 'shlink', '--app.base-url=https://go.example.org', 'links.json');
    assert.ok(loaded.ok);
    assert.equal(loaded.config.baseUrl, 'https://go.example.org');
    assert.deepEqual(loaded.settings, {
      ...{ from: 'shlink', file: 'links.json', isDryRun: true, onConflict: 'skip', withRefusal: 'pause' },
      ...{ allowsBlocked: false, timeZone: 'UTC', reportPath: null },
    });
    const other = load(
      ...['csv', 'a.csv', '--on-conflict', 'fail', '--with-password=skip', '--allow-blocked'],
      ...['--timezone', 'Europe/Berlin', '--report', 'r.csv'],
    );
    assert.ok(other.ok);
    const { onConflict, withRefusal, allowsBlocked, timeZone, reportPath } = other.settings;
    assert.deepEqual(
      [onConflict, withRefusal, allowsBlocked, timeZone, reportPath],
      ['fail', 'skip', true, 'Europe/Berlin', 'r.csv'],
    );
  });

  const REFUSED: [argv: string[], error: RegExp][] = [
    [[], /the source is missing; write one of shlink, yourls, kutt, bitly, csv, and the name of the file/],
    [['shlnk', 'a'], /unknown source "shlnk", did you mean shlink\?/],
    [['kutt'], /kutt needs the name of the file, such as kutt links\.json/],
    [['kutt', 'a', 'b'], /unexpected argument "b"; quote the name of a file/],
    [['kutt', 'a', '--dry-run=yes'], /--dry-run takes no value/],
    [['kutt', 'a', '--report='], /--report: an empty value must be the name of a new file/],
    [['kutt', 'a', '--on-conflict=skip', '--on-conflict=fail'], /--on-conflict is given more than once/],
    [['kutt', 'a', '--on-conflict=replace'], /--on-conflict: "replace" must be one of skip, fail/],
    [['kutt', 'a', '--with-password=keep'], /--with-password: "keep" must be one of pause, skip/],
    [['kutt', 'a', '--timezone=Berlin'], /--timezone: "Berlin" must be the name of a time zone/],
    [['kutt', 'a', '--app.databse.url=x'], /did you mean --app\.database\.url\?/],
  ];
  for (const [argv, error] of REFUSED)
    test(`the settings refuse ${argv.join(' ') || 'nothing'}`, () => {
      const loaded = load(...argv);
      assert.ok(!loaded.ok);
      assert.match(loaded.errors.join('\n'), error);
    });
});
