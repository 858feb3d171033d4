import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReport, formatReportLine, type ImportedLine } from '../../src/tools/import/report.ts';

const imported = (line: number, remarks: { what: string; detail?: string }[], host = 'old.example') =>
  ({
    ...{ line, shortCode: `code-${line}`, host },
    ...{ result: 'IMPORTED', targetUrl: 'https://example.com/', isPaused: false, views: 2, remarks },
  }) as const satisfies ImportedLine;

test('a report counts each difference, foreign hosts and the earlier views, and names the first five links', () => {
  const report = createReport(['links.example']);
  const rules = { what: 'without redirect rules' };
  const tags = { what: 'without tags', detail: 'a, b' };
  report.add(imported(1, [rules, tags]));
  for (let line = 2; line <= 7; line++) report.add(imported(line, [rules]));
  report.add(imported(8, [], 'links.example'));
  const skipped = { line: 9, shortCode: '', host: 'old.example' } as const;
  report.add({ ...skipped, result: 'SKIPPED', reason: 'INVALID_CODE', detail: 'it has no short code' });

  const [table = '', ...groups] = report.format(true).split('\n\n');
  assert.deepEqual(
    table.split('\n').map((row) => row.trim().split(/ {2,}/)),
    [
      ['Would be imported', '8'],
      ['of them with differences', '7'],
      ['without redirect rules', '7'],
      ['without tags', '1'],
      ['Already there', '0'],
      ['Skipped', '1'],
      ['the short code cannot be kept', '1'],
      ['Earlier views, kept as numbers without the visits', '16'],
      ['Without their host old.example', '7'],
    ],
  );
  const [ofRules = '', ofTags, ofCodes] = groups;
  assert.equal(ofRules.split('\n').length, 7);
  assert.match(ofRules, /^Would be imported, without redirect rules:\n {4}line 1, "code-1"\n.*and 2 more$/s);
  assert.equal(ofTags, 'Would be imported, without tags:\n    line 1, "code-1": a, b');
  assert.equal(ofCodes, 'Skipped, the short code cannot be kept:\n    line 9: it has no short code\n');
  assert.equal(
    formatReportLine(imported(1, [rules, tags])),
    '1,code-1,imported,,"without redirect rules; without tags: a, b"\r\n',
  );
});
