import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProductName } from '../../src/tools/import/products.ts';
import { readRecords } from '../../src/tools/import/read-records.ts';
import type { SourceRecord } from '../../src/tools/import/source-record.ts';
import { readProjectFile } from '../support/documents.ts';
import { pluck } from '../support/pluck.ts';

const sample = (name: string): Buffer => Buffer.from(readProjectFile(`test/import/samples/${name}`));

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(bytes: Uint8Array, name: ProductName, chunkBytes = 65_536): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for await (const batch of readRecords(inChunks(bytes, chunkBytes), name)) records.push(...batch);
  return records;
}

const readString = (text: string, name: ProductName) => read(Buffer.from(text), name);

const NOTHING = {
  ...{ shortCode: null, host: null, targetUrl: null, createdAt: null, startsAt: null, expiresAt: null },
  ...{ maxViews: null },
  ...{ views: null, label: null, note: null, tags: [], recipient: null, password: null },
  ...{ forwardPath: false, forwardQuery: false, refusals: [], losses: [] },
};

const BITLY_OFFER = {
  ...{ line: 1, targetUrl: 'https://example.com/offer?a=1&b=2', label: 'Offer', tags: ['spring', 'mail'] },
  createdAt: '2022-10-24T10:40:37+0000',
};
const BITLY_ROW = {
  ...{ line: 2, targetUrl: 'https://example.com/offer', label: 'Offer', tags: ['spring', 'mail'] },
  createdAt: '2022-10-24 10:40:37',
};

const SAMPLES: [file: string, name: ProductName, records: Partial<SourceRecord>[]][] = [
  [
    'shlink-pages.txt',
    'shlink',
    [
      {
        ...{ line: 1, shortCode: '12C18', targetUrl: 'https://store.example.com/?a=1&b="{[' },
        ...{ createdAt: '2016-08-21T20:34:16+02:00', startsAt: '2017-01-21T00:00:00+02:00' },
        ...{ maxViews: '3', views: '2', label: 'The "store"', tags: ['games', 'tech'] },
        ...{ host: 's.example.org', forwardQuery: true, losses: ['redirect rules'] },
      },
      {
        ...{ line: 1, shortCode: '12Kb3', targetUrl: 'https://shlink.example.com', views: '1029' },
        ...{ createdAt: '2016-05-01T20:34:16+02:00', expiresAt: '2020-05-01T20:34:16+02:00' },
        ...{ host: 's.example.org', tags: ['shlink'], forwardQuery: true },
      },
      {
        ...{ line: 36, shortCode: 'docs/de', targetUrl: 'https://www.example.com' },
        ...{ createdAt: '2015-10-01T20:34:16+02:00', views: '25', maxViews: '20', forwardQuery: true },
        ...{ host: 'go.example.org', losses: ['the target for Android', 'the entry for search engines'] },
      },
    ],
  ],
  [
    'shlink-web-client.csv',
    'shlink',
    [
      {
        ...{ line: 2, shortCode: 'rMbLE', targetUrl: 'https://example.com/a,b', label: 'Two\nlines' },
        ...{ createdAt: '2023-03-11T09:00:00+01:00', views: '1234', tags: ['foo', 'bar'] },
        host: 's.example.org',
      },
      {
        ...{ line: 4, shortCode: '99z', targetUrl: 'https://example.com/c' },
        ...{ createdAt: '2023-03-12T09:00:00+01:00', views: '0', host: 's.example.org' },
      },
    ],
  ],
  [
    'yourls-phpmyadmin.csv',
    'yourls',
    [
      {
        ...{ line: 2, shortCode: 'gh', targetUrl: 'https://code.example.com/', label: '"Code", \\o/' },
        ...{ createdAt: '2024-01-10 10:00:00', views: '3' },
      },
      {
        ...{ line: 3, shortCode: 'blog', targetUrl: 'https://blog.example.org/' },
        ...{ createdAt: '2024-02-15 11:30:00', views: '2' },
      },
    ],
  ],
  [
    'yourls-stats.json',
    'yourls',
    [
      {
        ...{ line: 1, shortCode: '1f', targetUrl: 'https://example.com/?x=1', label: 'Example' },
        ...{ createdAt: '2014-03-08 00:38:44', views: '123', host: 'go.example.org' },
      },
      {
        ...{ line: 1, shortCode: 'ozh', targetUrl: 'https://ozh.example.org/', label: 'Ozh' },
        ...{ createdAt: '2026-02-25 08:28:34', views: '7', host: 'go.example.org' },
      },
    ],
  ],
  [
    'kutt-links.json',
    'kutt',
    [
      {
        ...{ line: 1, shortCode: 'promo', targetUrl: 'https://shop.example.com/spring', views: '41' },
        ...{ label: 'Spring promotion', createdAt: '2024-05-01T12:00:00.000Z' },
        ...{ host: 'kutt.example.org', expiresAt: '2099-01-01T00:00:00.000Z' },
      },
      {
        ...{ line: 1, shortCode: 'secret', targetUrl: 'https://shop.example.com/secret', views: '0' },
        ...{ host: 'kutt.example.org', createdAt: '2024-05-02T12:00:00.000Z', refusals: ['password'] },
      },
      {
        ...{ line: 1, shortCode: 'bad', targetUrl: 'https://evil.example/', views: '9' },
        ...{ host: 'kutt.example.org', createdAt: '2024-05-03T12:00:00.000Z', refusals: ['banned'] },
      },
    ],
  ],
  [
    'kutt-table.csv',
    'kutt',
    [
      {
        ...{ line: 2, shortCode: 'promo', targetUrl: 'https://shop.example.com/spring', views: '41' },
        ...{ label: 'Spring promotion', createdAt: '2024-05-01 12:00:00.123+00' },
        expiresAt: '2099-01-01 00:00:00+00',
      },
      {
        ...{ line: 3, shortCode: 'secret', targetUrl: 'https://shop.example.com/secret', views: '0' },
        ...{ createdAt: '2024-05-02 12:00:00+00', refusals: ['password'] },
      },
    ],
  ],
  [
    'kutt-domains.json',
    'kutt',
    [
      {
        ...{ line: 1, shortCode: 'jobs', targetUrl: 'https://shop.example.com/jobs', views: '5' },
        ...{ host: 'go.example.org', createdAt: '2024-05-04T12:00:00.000Z' },
      },
    ],
  ],
  [
    'bitly-pages.txt',
    'bitly',
    [
      { ...BITLY_OFFER, shortCode: '3SD8bAQ', host: 'bit.ly' },
      { ...BITLY_OFFER, shortCode: 'offer', host: 'go.example.org' },
      {
        ...{ line: 2, shortCode: 'old1', host: 'bit.ly', targetUrl: 'https://example.com/old' },
        ...{ createdAt: '2021-01-05T08:00:00+0000', refusals: ['deleted'] },
        losses: ['the links into apps', 'the mark "archived"'],
      },
    ],
  ],
  [
    'bitly-export.csv',
    'bitly',
    [
      { ...BITLY_ROW, shortCode: '3SD8bAQ', host: 'bit.ly', views: '1,204' },
      { ...BITLY_ROW, shortCode: 'offer', host: 'go.example.org' },
      {
        ...{ line: 3, shortCode: 'plain1', host: 'bit.ly', targetUrl: 'https://example.com/plain' },
        ...{ createdAt: '2021-01-05 08:00:00', views: '0' },
      },
    ],
  ],
  [
    'other-names.csv',
    'csv',
    [
      {
        ...{ line: 2, shortCode: 'offer', host: 'go.example.org', targetUrl: 'https://example.com/offer' },
        ...{ label: 'Offer', views: '1,204', createdAt: '2022-10-24', note: 'For the fair' },
        tags: ['spring', 'mail'],
      },
      {
        ...{ line: 3, shortCode: 'own', host: 'go.example.org', targetUrl: 'https://example.com/own' },
        views: '0',
      },
    ],
  ],
  [
    'own.csv',
    'csv',
    [
      {
        ...{ line: 2, shortCode: 'summer', targetUrl: 'https://example.com/summer', views: '2' },
        ...{ createdAt: '2024-06-01T10:00:00Z', expiresAt: '2099-01-01T00:00:00Z', maxViews: '3' },
        ...{ label: 'Summer', note: 'A "note"\nof two lines', tags: ['a', 'b'], recipient: 'Ada' },
      },
      { line: 4, shortCode: 'locked', targetUrl: 'https://example.com/locked', password: 'open sesame' },
    ],
  ],
];

describe('an export', () => {
  for (const [file, name, records] of SAMPLES) {
    test(`${file} gives its links, however it is cut into chunks`, async () => {
      const expected = records.map((record) => ({ ...NOTHING, ...record }));
      for (const chunkBytes of [1, 7, 65_536])
        assert.deepEqual(await read(sample(file), name, chunkBytes), expected);
    });
  }

  test('an export of lines or an array of links is read as one of pages', async () => {
    const [first, second] = ['a', 'b'].map(
      (code) => `{"address": "${code}", "target": "https://example.com/"}`,
    );
    const texts: [text: string, lines: number[]][] = [
      [`${first}\n${second}\n`, [1, 2]],
      [`\n${first} ${second}`, [2, 2]],
      [`[${first},\n${second}]`, [1, 1]],
      [`[{"data":[${first}]},{"data":[\n${second}]}]\n`, [1, 1]],
    ];
    for (const [text, lines] of texts)
      assert.deepEqual(
        pluck(await readString(text, 'kutt'), 'line', 'shortCode'),
        ['a', 'b'].map((code, index) => [lines[index], code]),
      );
  });

  test('a CSV file may have a byte order mark, blank lines, other ends of lines and tabs', async () => {
    const text = '\uFEFFKeyword\tURL\r\n\r\nab\thttps://example.com/\r\n';
    const [row] = await readString(text, 'yourls');
    assert.deepEqual(row, { ...NOTHING, line: 3, shortCode: 'ab', targetUrl: 'https://example.com/' });
  });
});

test('the files of spreadsheets are read, however they are cut into chunks', async () => {
  const rows = 'Target;Code\r\n"https://a.example/?a,b";a\r\n';
  const expected = [{ ...NOTHING, line: 2, shortCode: 'a', targetUrl: 'https://a.example/?a,b' }];
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const table: [Buffer, number][] = [
    [Buffer.from(rows), 2],
    [Buffer.from(`sep=;\r\n${rows}`), 3],
    [Buffer.from(`\ufeff"sep=;"\n${rows}`), 3],
    [utf16(rows), 2],
    [utf16(`sep=;\r\n${rows}`).swap16(), 3],
    [utf16(rows.replaceAll(';', '\t')), 2],
    [
      Buffer.from(
        rows.replace('Code', '"Code"').replace('Target', '"Target"').replace('\r\n', ';"a, b, c, d"\r\n'),
      ),
      2,
    ],
  ];
  for (const [bytes, line] of table)
    for (const chunkBytes of [1, 3, 65_536])
      assert.deepEqual(
        await read(bytes, 'csv', chunkBytes),
        [{ ...expected[0], line }],
        `${bytes} by ${chunkBytes}`,
      );
});

test('the columns of csv that are not imported are named once', async () => {
  const text =
    'shortCode,targetUrl,Team,notes from 2019\na,https://a.example/,x,y\nb,https://b.example/,x,y\n';
  const named: (readonly string[])[] = [];
  const chunks = inChunks(Buffer.from(text), 65_536);
  for await (const _ of readRecords(chunks, 'csv', undefined, (columns) => void named.push(columns)));
  assert.deepEqual(named, [['Team', 'notes from 2019']]);
});

test('the members of JSON that are not imported are named once', async () => {
  const named: (readonly string[])[] = [];
  const chunks = inChunks(sample('bitly-pages.txt'), 65_536);
  for await (const _ of readRecords(chunks, 'bitly', undefined, (names) => void named.push(names)));
  assert.deepEqual(named, [['created_by', 'client_id', 'launchpad_ids', 'references.group']]);
});

describe('a file is refused', () => {
  const KUTT = readProjectFile('test/import/samples/kutt-links.json');
  const REFUSED: [name: ProductName, text: string, error: RegExp][] = [
    ['shlink', KUTT, /line 1 is not a link of shlink; its fields are id, address.*, so try import kutt/],
    ['csv', 'a,b\n1,2\n', /line 2 is not a link of csv; its fields are a, b: csv takes CSV/],
    ['csv', '', /the file is empty/],
    ['csv', 'shortCode,targetUrl,Max view\na,b,3\n', /"Max view" is unknown; did you mean maxViews\? Rename/],
    ['csv', 'Slug,URL,Destination\na,b,c\n', /columns "Destination" and "URL" are both targetUrl; remove/],
    ['csv', 'shortCode,Short code,targetUrl\n', /the column "shortcode" twice/],
    ['csv', `a,b${',x'.repeat(999)}\n`, /the header has 1001 columns; export at most 1000/],
    [
      'csv',
      'a,b\n"a\n",c\n"b"c,d\n',
      /line 4: a quote is not closed, or not doubled; correct it, and run the/,
    ],
    [
      'csv',
      'shortCode,targetUrl\na,b,x\n',
      /line 2: the row has 3 cells, but the header has 2: quote cells that/,
    ],
    [
      'kutt',
      '{"address":"a","target":"b"}\n{"data":[{"targ',
      /line 2: .*the file is not JSON, or is cut off/,
    ],
    ['kutt', '{"data":[}', /line 1: .*the file is not JSON/],
    ['kutt', '{"data":[],"total":0}', /the file has no links; kutt takes the JSON of GET/],
  ];
  for (const [name, text, error] of REFUSED)
    test(`a file is refused with ${error.source}`, () =>
      assert.rejects(readString(text, name), { name: 'UnreadableFile', message: error }));

  test('a file in another encoding is refused, with the remedy', () =>
    assert.rejects(read(Buffer.from('keyword,url\nä,b', 'latin1'), 'yourls'), /not in UTF-8 .* iconv/));
});
