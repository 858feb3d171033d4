import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBulkFile, toLinkOfRow } from '../../cli/bulk-items.ts';
import { toFileName } from '../../cli/save-file.ts';
import { renderTable } from '../../cli/table.ts';
import { parseWhen } from '../../cli/terms.ts';
import { formatBytes } from '../../cli/texts.ts';
import { contentDisposition } from '../../src/http/headers.ts';
import { TARGET } from '../support/links.ts';

test('a table fits the terminal by shortening its flexible columns', () => {
  const columns = [
    { title: 'CODE' },
    { title: 'VIEWS', isNumber: true },
    { title: 'TARGET', isFlexible: true },
  ];
  const rows = [
    ['abc', '5', 'https://example.com/a/long/path'],
    ['日本', '12', 'short'],
  ];
  assert.equal(
    renderTable(columns, rows, { width: 24 }),
    'CODE  VIEWS  TARGET\nabc       5  https://ex…\n日本     12  short',
  );
  assert.match(renderTable(columns, rows, {}), /long\/path$/m);
});

test('texts of others control neither the terminal nor the directory', () => {
  const label = 'a\u001b[2Jb\u202ec\nd';
  assert.equal(renderTable([{ title: 'T' }], [[label]], { hasTitles: false }), 'a\ufffd[2Jb\ufffdc d');
  for (const [name, saved] of [
    ['report.pdf', 'report.pdf'],
    ['Bericht "ü".txt', 'Bericht _ü_.txt'],
    ['../../.ssh/keys', '__.._.ssh_keys'],
    ['..', 'file'],
    ['.bashrc', '_bashrc'],
    ['aux.h', '_aux.h'],
    ['C:\\x', 'C__x'],
  ] as const) {
    assert.equal(toFileName(contentDisposition(name)), saved);
  }
});

test('amounts of bytes have their plural', () => {
  assert.deepEqual([0, 1, 14, 1_536, 200 * 1024 ** 2].map(formatBytes), [
    '0 bytes',
    '1 byte',
    '14 bytes',
    '1.5 kB',
    '200 MB',
  ]);
});

test('a time is local, has an offset, or is a duration from now, also in a CSV file', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  assert.equal(parseWhen('expires', '90m', now), '2026-01-31T13:30:00.000Z');
  assert.equal(parseWhen('expires', '2w', now), '2026-02-14T12:00:00.000Z');
  assert.equal(parseWhen('expires', 'P1M', now), '2026-02-28T12:00:00.000Z');
  assert.equal(parseWhen('expires', '2030-01-31T12:00+02:00', now), '2030-01-31T10:00:00.000Z');
  const local = new Date('2030-01-31T18:00').toISOString();
  assert.equal(parseWhen('expires', '2030-01-31 18:00', now), local);
  const csv = (expiresAt: string) => readBulkFile(`targetUrl,expiresAt\n${TARGET},${expiresAt}\n`, now).rows;
  assert.deepEqual(
    csv('2030-01-31 18:00').map((row) => toLinkOfRow(row, {}, now).expiresAt),
    [local],
  );
  assert.throws(() => csv('soon'), {
    message: 'row 2: expiresAt: write 2026-12-31 18:00, 2026-12-31T18:00+01:00 or 7d',
  });
  for (const text of ['', '7', '2030-01-31', '7x', 'P'])
    assert.throws(() => parseWhen('expires', text, now), text);
});

test('a limit that is no limit is sent, so that the service refuses it', () => {
  for (const [text, sent] of [
    ['0', 0],
    ['00', 0],
    ['-1', -1],
    ['many', 'many'],
  ] as const) {
    const [row] = readBulkFile(`targetUrl,maxViews\n${TARGET},${text}\n`, 0).rows;
    assert.ok(row);
    assert.equal(toLinkOfRow(row, {}, 0).maxViews, sent);
  }
});

test('a file whose rows do not fit its columns creates no link', () => {
  const read = (csv: string) => readBulkFile(csv, 0);
  assert.throws(() => read(`targetUrl,maxViews,label\n${TARGET},1\n${TARGET},1,a\n${TARGET},1,a,b\n`), {
    message: 'row 2 has 2 of 3 values\nrow 4 has 4 of 3 values',
    kind: 'usage',
  });
  assert.throws(() => read(`targetUrl,maxView,label,Room\n${TARGET},1,a,3\n`), {
    message: 'the file names columns that a link does not have: maxView, Room',
    remedy: /^The columns are targetUrl, .*maxViews/,
  });
});
