import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { CSV_COLUMNS, PRODUCTS, type ProductName } from '../../src/tools/import/products.ts';
import { readRecords } from '../../src/tools/import/read-records.ts';
import { plainName } from '../../src/tools/import/source-record.ts';
import { fencedBlocks, readProjectFile } from '../support/documents.ts';
import { startCommand } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const sample = (name: string): string => readProjectFile(`test/import/samples/${name}`);
const [shlinkFirst = '', shlinkSecond = ''] = sample('shlink-pages.txt').split(/(?<=^\})\n/m);
const [bitlyFirst = '', bitlySecond = ''] = sample('bitly-pages.txt').split('\n');

type Api = {
  name: ProductName;
  /** Returns the page of an address, as the API of the product has it. */
  page: (url: URL, headers: IncomingHttpHeaders) => string;
  codes: string[];
};
const KEY = 'key-of-the-test';
const APIS: Api[] = [
  {
    name: 'shlink',
    page: ({ pathname, searchParams }, headers) => {
      assert.deepEqual([pathname, headers['x-api-key']], ['/rest/v3/short-urls', KEY]);
      return searchParams.get('page') === '1' ? shlinkFirst : shlinkSecond;
    },
    codes: ['12C18', '12Kb3', 'docs/de'],
  },
  {
    name: 'kutt',
    page: ({ pathname, searchParams }, headers) => {
      assert.deepEqual([pathname, headers['x-api-key']], ['/api/v2/links', KEY]);
      const [start, limit] = [Number(searchParams.get('skip')), Number(searchParams.get('limit'))];
      const addresses = Array.from({ length: 120 }, (_, index) => `code-${index}`).slice(
        start,
        start + limit,
      );
      const data = addresses.map((address) => ({ address, target: 'https://example.com/', password: false }));
      return JSON.stringify({ total: 120, limit, skip: start, data });
    },
    codes: Array.from({ length: 120 }, (_, index) => `code-${index}`),
  },
  {
    name: 'bitly',
    page: ({ pathname, searchParams }, headers) => {
      assert.deepEqual([pathname, headers.authorization], ['/v4/groups/B1/bitlinks', `Bearer ${KEY}`]);
      return searchParams.get('search_after') === 'x' ? bitlySecond : bitlyFirst;
    },
    codes: ['3SD8bAQ', 'offer', 'old1'],
  },
];

for (const { name, page, codes } of APIS)
  test(`the script for ${name} writes all pages, which the import reads`, async (t) => {
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      const url = new URL(request.url ?? '', `http://127.0.0.1:${port}`);
      response.end(page(url, request.headers).replaceAll(/https:\/\/api-ssl\.bitly\.com/g, url.origin));
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const scripts = fencedBlocks(readProjectFile('docs/operations/import.md'), 'sh');
    const script = scripts.find(({ text }) => text.includes(`${name.toUpperCase()}_`))?.text ?? '';
    const cwd = temporaryDirectory(t);
    writeFileSync(
      join(cwd, 'export.sh'),
      script.replace(/https:\/\/(old\.example|api-ssl\.bitly\.com)/, `http://127.0.0.1:${port}`),
    );
    const env = {
      PATH: '/usr/bin:/bin',
      SHLINK_KEY: KEY,
      KUTT_KEY: KEY,
      BITLY_TOKEN: KEY,
      BITLY_GROUP: 'B1',
    };
    const { code, stderr } = await startCommand(t, ['sh', 'export.sh'], { cwd, env }).exited;
    assert.deepEqual([code, stderr], [0, '']);
    const found: (string | null)[] = [];
    async function* chunks() {
      yield readFileSync(join(cwd, 'links.json'));
    }
    for await (const records of readRecords(chunks(), name))
      found.push(...records.map(({ shortCode }) => shortCode));
    assert.deepEqual(found, codes);
  });

test('every source of an import and every name of a column has a row in the documents', () => {
  const text = readProjectFile('docs/operations/import.md');
  for (const name of PRODUCTS) assert.ok(text.includes(`| \`${name}\` |`), name);
  for (const [member, others] of Object.entries(CSV_COLUMNS).filter(([, names]) => names.length > 0)) {
    const [, row = ''] = new RegExp(`^\\| \`${member}\` \\| ([^;|]+)`, 'm').exec(text) ?? [];
    assert.deepEqual(row.split(',').map(plainName), others.map(plainName), member);
  }
});
