import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { toLinkOfRow } from '../../cli/bulk-items.ts';
import { formatCsv, parseCsv as parseTable, readText } from '../../client/bulk-csv.ts';
import { toRequests } from '../../client/bulk-requests.ts';
import { SHOWN_STATES } from '../../src/core/model/link.ts';
import { LINK_COLUMNS } from '../../src/core/model/terms.ts';
import {
  changedTerms,
  type EditDraft,
  maxViewsHint,
  rebaseDraft,
  toEditDraft,
  toPatch,
} from '../../web/actions/edit/edit-draft.ts';
import { type BulkPolicy, checkRows } from '../../web/links/bulk/check-rows.ts';
import { exportLinks } from '../../web/links/export-links.ts';
import { isFiltered, NO_FILTER, parseFilter, toQuery } from '../../web/links/filter.ts';
import type { LinkDescription } from '../../web/service/contract.ts';
import { LINK_SORTS } from '../../web/service/link-list.ts';
import { termsOf } from '../support/attempts.ts';

const parseCsv = (csv: string) => parseTable(csv, LINK_COLUMNS);

const text = fc.string().map((value) => value.trim());
const day = fc.constantFrom('', '2026-06-15', '2024-02-29');

describe('the address of the list', () => {
  test('the address names every filter, so that a bookmark shows the same links', () => {
    const filters = fc.record(
      {
        ...{ search: text, label: text, tag: text, owner: text, team: text, from: day, to: day },
        states: fc.subarray([...SHOWN_STATES]),
        ownerKind: fc.constantFrom('', 'ANONYMOUS'),
        show: fc.constantFrom('', 'mine', 'all'),
        type: fc.constantFrom('', 'REDIRECT', 'DOWNLOAD'),
        sort: fc.constantFrom(...LINK_SORTS),
        order: fc.constantFrom('desc', 'asc'),
      },
      { noNullPrototype: true },
    );
    fc.assert(fc.property(filters, (filter) => assert.deepEqual(parseFilter(toQuery(filter)), filter)));
  });

  test('the address is bare without filters, and what is not valid in it is left out', () => {
    assert.equal(toQuery(NO_FILTER), '');
    const query = '?state=GONE,ACTIVE&type=MAIL&sort=size&order=up&from=yesterday&to=2026-02-31&limit=5';
    assert.deepEqual(parseFilter(query), { ...NO_FILTER, states: ['ACTIVE'] });
    assert.ok(!isFiltered({ ...NO_FILTER, sort: 'views', order: 'asc' }), 'an order leaves out no link');
    assert.ok(isFiltered({ ...NO_FILTER, states: ['PAUSED'] }));
  });
});

const LINK: LinkDescription = {
  shortCode: 'Ab12Cd34',
  accessUrl: 'https://go.example.com/l/Ab12Cd34',
  ...{ type: 'REDIRECT', status: 'ACTIVE', state: 'ACTIVE', targetUrl: 'https://example.com/' },
  ...{ startsAt: null, expiresAt: '2026-06-16T12:00:30Z', maxViews: 3, viewCount: 1, file: null },
  ...{ passwordProtected: true, confirm: false, createdAt: '2026-06-15T12:00:00Z' },
  ...{ label: 'Report', note: 'First line\nsecond', tags: ['a', 'b'], recipient: null },
  ...{ notifyUrl: null, notifyEmail: 'me@example.org' },
};

describe('the changes of a link', () => {
  const draft = toEditDraft(LINK);
  const patchOf = (changed: Partial<EditDraft>) => toPatch(draft, { ...draft, ...changed });

  test('the changes contain only what the user has changed', () => {
    assert.deepEqual(patchOf({}), {}, 'not even the seconds that the field leaves out');
    assert.deepEqual(patchOf({ label: ' ', tags: 'b,, c ', maxViews: '' }), {
      label: null,
      maxViews: null,
      tags: ['b', 'c'],
    });
    assert.deepEqual(patchOf({ expiresAt: '', startsAt: '2026-06-15T18:30', paused: true }), {
      expiresAt: null,
      startsAt: new Date('2026-06-15T18:30').toISOString(),
      paused: true,
    });
    assert.deepEqual(
      patchOf({ notifyEmail: ' ', notifyUrl: '' }),
      { notifyEmail: null },
      'it has no webhook',
    );
    assert.deepEqual(patchOf({ maxViews: 'ten' }), { maxViews: 'ten' }, 'the service explains the error');
  });

  test('the changes keep, set or remove the password', () => {
    assert.deepEqual(patchOf({ password: 'unused' }), {});
    assert.deepEqual(patchOf({ passwordChange: 'SET', password: ' new ' }), { password: ' new ' });
    assert.deepEqual(patchOf({ passwordChange: 'REMOVE' }), { password: null });
  });

  test('changes of the user stay after a conflict, and those of another user are added', () => {
    const latest = toEditDraft({ ...LINK, maxViews: 9, label: 'Theirs' });
    const own: EditDraft = { ...draft, label: 'Mine', passwordChange: 'SET', password: 'x' };
    const rebased = rebaseDraft(own, draft, latest);
    assert.deepEqual(changedTerms(draft, latest), ['maxViews', 'label']);
    assert.deepEqual(toPatch(latest, rebased), { label: 'Mine', password: 'x' });
    assert.equal(rebased.maxViews, '9');
  });

  test('changes with a view limit below the views so far show the limit that is saved', () => {
    const tooLow = ['1', ' 2 ', '3', '4', '', '0', 'x'].filter(
      (maxViews) => maxViewsHint(maxViews, 3) === 'edit.maxViewsTooLow',
    );
    assert.deepEqual(tooLow, ['1', ' 2 ']);
  });
});

function rowsOf(csv: string) {
  const parsed = parseCsv(csv);
  assert.ok(parsed.ok, csv);
  return parsed.file.rows;
}

describe('a CSV file', () => {
  test('a CSV file has the same rows after it was written and parsed, with either delimiter', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r\n', ' ', 'ä') });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), fc.constantFrom(',', ';'), (notes, delimiter) => {
        const written = formatCsv([['targetUrl', 'note'], ...notes.map((note) => ['x', note])], delimiter);
        const rows = rowsOf(written);
        assert.deepEqual(
          rows.map(({ cells }) => cells.note),
          notes.map((note) => note.trim()),
        );
      }),
    );
  });

  test('a CSV file has headings in any case and order, and rows numbered as in a spreadsheet', () => {
    const parsed = parseCsv(
      'Note;Target URL;\r\n"a;b";https://x.example;\r\n;;\r\n\r\nc;https://y.example\r\n',
    );
    assert.ok(parsed.ok);
    const { rows, delimiter } = parsed.file;
    assert.equal(delimiter, ';');
    assert.deepEqual(rows, [
      { number: 2, cells: { note: 'a;b', targetUrl: 'https://x.example' }, valueCount: 2, columnCount: 2 },
      { number: 5, cells: { note: 'c', targetUrl: 'https://y.example' }, valueCount: 2, columnCount: 2 },
    ]);
  });

  for (const [problem, csv] of [
    ['EMPTY', 'targetUrl,label\n\n'],
    ['EMPTY', ''],
    ['NO_TARGET', 'url,label\nhttps://x.example,a\n'],
    ['QUOTES', 'targetUrl,label\nhttps://x.example,"a\n'],
    ['DUPLICATE_COLUMN', 'targetUrl,Target URL\na,b\n'],
    ['TOO_MANY', `targetUrl\n${'a\n'.repeat(10_001)}`],
  ] as const) {
    test(`a CSV file is refused as a whole: ${problem} for ${JSON.stringify(csv.slice(0, 30))}`, () => {
      assert.deepEqual(parseCsv(csv), { ok: false, problem });
    });
  }

  test('a CSV file is refused with columns that a link does not have', () => {
    assert.deepEqual(parseCsv('targetUrl,maxView,label,Room\nhttps://x.example,1,a,3\n'), {
      ok: false,
      problem: 'UNKNOWN_COLUMN',
      columns: ['maxView', 'Room'],
    });
  });

  test('a CSV file is read as UTF-8 with or without its mark, else as Windows-1252', async () => {
    for (const bytes of [Buffer.from('\uFEFFMüller'), Buffer.from('Müller'), Buffer.from('Müller', 'latin1')])
      assert.equal(await readText(new Blob([bytes])), 'Müller');
  });

  test('a CSV file is read as spreadsheets write it: in UTF-16, with a line that names the delimiter, or with tabs', async () => {
    const target = 'https://x.example/?a,b';
    const utf16 = Buffer.from(`\uFEFFtargetUrl\tlabel\r\n${target}\tMüller\r\n`, 'utf16le');
    for (const [bytes, number] of [
      [utf16, 2],
      [Buffer.from(utf16).swap16(), 2],
      [Buffer.from(`sep=;\r\ntargetUrl;label\r\n${target};Müller\r\n`), 3],
      [Buffer.from(`\uFEFF"sep=|"\ntargetUrl|label\n${target}|Müller\n`), 3],
    ] as const) {
      const rows = rowsOf(await readText(new Blob([new Uint8Array(bytes)])));
      const cells = { targetUrl: target, label: 'Müller' };
      assert.deepEqual(rows, [{ number, cells, valueCount: 2, columnCount: 2 }]);
    }
    const quoted = parseCsv('"Room; floor; house",targetUrl\na,https://x.example\n');
    assert.deepEqual(quoted, { ok: false, problem: 'UNKNOWN_COLUMN', columns: ['Room; floor; house'] });
  });

  test('a CSV file has no cell that a spreadsheet computes', () => {
    assert.equal(formatCsv([['=1+1', '-2', 'a']], ','), '"\'=1+1","\'-2",a\r\n');
  });
});

describe('a row', () => {
  const now = Date.parse('2026-06-15T12:00:00Z');
  const policy: BulkPolicy = { customCodes: true, passwordRequired: false };
  const check = (cells: Record<string, string>, changed: Partial<BulkPolicy> = {}) => {
    const csv = formatCsv([Object.keys(cells), Object.values(cells)], ';');
    const [checked] = checkRows(rowsOf(csv), { ...policy, ...changed }, now);
    return checked && 'problems' in checked ? checked.problems : checked?.item;
  };
  const targetUrl = 'https://example.com/';

  test('a target without a scheme gets one in a row of the page and of the command line, and in a change', () => {
    const [row] = rowsOf('targetUrl\nexample.com/a');
    assert.ok(row);
    const changed = { ...toEditDraft(LINK), targetUrl: ' example.com/a ' };
    assert.deepEqual(
      [
        (check({ targetUrl: 'example.com/a' }) as { targetUrl?: string }).targetUrl,
        toLinkOfRow(row, {}, now).targetUrl,
        toPatch(toEditDraft(LINK), changed).targetUrl,
      ],
      Array(3).fill('https://example.com/a'),
    );
  });

  test('a row becomes the members of a link', () => {
    const { notifyLanguage: _, ...plain } = termsOf('ann');
    const texts = { targetUrl, password: ' p ', customCode: 'my-code', team: 'sales' };
    const typed = Object.entries(plain).map(([name, value]) => [name, value === true ? 'yes' : `${value}`]);
    const cells: Record<string, string> = {
      ...{ ...Object.fromEntries(typed), ...texts, maxViews: '3', startsAt: '2026-06-16 9:05' },
      ...{ expiresAt: '2026-06-17T10:00:00+02:00', fallbackUrl: 'ann.example/end', forwardQuery: 'no' },
    };
    assert.deepEqual(Object.keys(cells).sort(), [...LINK_COLUMNS].sort());
    assert.deepEqual(check(cells), {
      ...{ ...plain, ...texts, maxViews: 3, startsAt: new Date('2026-06-16T09:05').toISOString() },
      ...{ expiresAt: '2026-06-17T08:00:00.000Z', forwardQuery: false },
    });
    assert.deepEqual(check({ targetUrl, label: '', maxViews: '' }), { targetUrl, confirm: false });
  });

  for (const [text, instant] of [
    ['2026-06-17 18:00', new Date('2026-06-17T18:00').toISOString()],
    ['2026-06-17T18:00:30+0100', '2026-06-17T17:00:30.000Z'],
    ['90m', '2026-06-15T13:30:00.000Z'],
    ['7d', '2026-06-22T12:00:00.000Z'],
  ] as const) {
    test(`a row with expiresAt “${text}” ends at ${instant}`, () => {
      assert.deepEqual(check({ targetUrl, expiresAt: text }), {
        targetUrl,
        expiresAt: instant,
        confirm: false,
      });
    });
  }

  for (const [confirm, maxViews, isConfirmed] of [
    ['', '', false],
    ['', '1', true],
    ['FALSE', '1', false],
    ['no', '1', false],
    ['yes', '', true],
    ['True', '', true],
  ] as const) {
    test(`a row with confirm “${confirm}” and maxViews “${maxViews}” shows a confirmation page: ${isConfirmed}`, () => {
      const checked = check({ targetUrl, confirm, maxViews });
      assert.equal(checked && 'targetUrl' in checked && checked.confirm, isConfirmed);
    });
  }

  test('a row reports all its errors', () => {
    const cells = { targetUrl: 'x', expiresAt: 'soon', maxViews: '0', confirm: 'maybe', customCode: 'a b' };
    const problems = check(cells, { passwordRequired: true });
    assert.deepEqual(Array.isArray(problems) && problems.map(({ column }) => column), [
      ...['targetUrl', 'expiresAt', 'maxViews', 'confirm', 'password', 'customCode'],
    ]);
  });

  for (const [column, value, problem] of [
    ['targetUrl', '', 'error.targetMissing'],
    ['targetUrl', 'ftp://example.com', 'error.targetInvalid'],
    ['targetUrl', 'https://', 'error.targetInvalid'],
    ['expiresAt', '31.12.2026', 'bulk.dateInvalid'],
    ['expiresAt', '2026-12-31', 'bulk.dateInvalid'],
    ['expiresAt', '2027-02-31 10:00', 'bulk.dateInvalid'],
    ['expiresAt', '2027-02-31T10:00Z', 'bulk.dateInvalid'],
    ['expiresAt', '2026-06-15T12:00:00Z', 'error.datePast'],
    ['startsAt', 'soon', 'bulk.dateInvalid'],
    ['maxViews', '0', 'error.viewsTooSmall'],
    ['maxViews', '1.5', 'error.integer'],
    ['confirm', 'perhaps', 'bulk.confirmInvalid'],
    ['customCode', 'a b', 'error.codeInvalid'],
  ] as const) {
    test(`a row with ${column} “${value}” is not sent: ${problem}`, () => {
      assert.deepEqual(check({ targetUrl, label: 'x', [column]: value }), [{ column, text: problem }]);
    });
  }

  test('a row obeys the rules of the service', () => {
    const password = [{ column: 'password', text: 'error.passwordMissing' }];
    assert.deepEqual(check({ targetUrl }, { passwordRequired: true }), password);
    const code = [{ column: 'customCode', text: 'error.codesOff' }];
    assert.deepEqual(check({ targetUrl, customCode: 'code' }, { customCodes: false }), code);
  });

  test('a row with the short code of an earlier row, or with too many or too few cells, is not sent', () => {
    const csv = `targetUrl,customCode\n${targetUrl},code\n${targetUrl},code\n${targetUrl},other,x\n${targetUrl}\n${targetUrl},,\n`;
    const problems = checkRows(rowsOf(csv), policy, now).map(
      (row) => 'problems' in row && row.problems.map(({ text }) => text),
    );
    assert.deepEqual(problems, [
      ...[false, ['bulk.repeatedCode'], ['bulk.extraCells'], ['bulk.missingCells'], false],
    ]);
  });
});

test('the items of a file are sent in requests of at most 1,000 links and 4 MB', () => {
  const targetUrl = 'https://example.com/';
  const sizes = (items: { targetUrl: string; note?: string }[]) => {
    const requests = toRequests(items);
    assert.deepEqual(
      requests.flatMap(({ some }) => some),
      items,
    );
    return requests.map(({ start, some }) => [start, some.length]);
  };
  assert.deepEqual(sizes([]), []);
  assert.deepEqual(sizes(Array<{ targetUrl: string }>(2001).fill({ targetUrl })), [
    [0, 1000],
    [1000, 1000],
    [2000, 1],
  ]);
  const large = Array<{ targetUrl: string; note: string }>(1000).fill({ targetUrl, note: '€'.repeat(2000) });
  const requests = toRequests(large);
  assert.ok(requests.length > 1);
  for (const { some } of requests) assert.ok(Buffer.byteLength(JSON.stringify({ items: some })) <= 4_000_000);
});

test('an export says nothing of what the user may not see', async () => {
  const [changeable, readable] = [{ shortCode: 'a', confirm: true, forwardPath: false }, { shortCode: 'b' }];
  const csv = await (await exportLinks([changeable, readable] as LinkDescription[])).text(); // as lists have them
  const [names, ...rows] = csv.split('\r\n').map((row) => row.split(','));
  const shown = rows
    .slice(0, 2)
    .map((row) => ['shortCode', 'confirm', 'forwardPath'].map((name) => row[names?.indexOf(name) ?? -1]));
  assert.deepEqual(shown, [
    ['a', 'true', 'false'],
    ['b', '', ''],
  ]);
});
