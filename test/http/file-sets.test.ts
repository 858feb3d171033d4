import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { newLease } from '../../src/core/model/lease.ts';
import { chargeOf } from '../../src/core/use-cases/files/resume-download.ts';
import { json, member, send, sendJson, type TestResponse } from '../support/http-client.ts';
import { linkState, openLink, shortCodeOf } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { isInstalled, UNPACKERS } from '../support/unpackers.ts';
import { addBytes, addressOf, codeOf, linkTo } from '../support/uploads.ts';

const FILES = { 'docs/a.txt': 'first', 'docs/empty': '', 'docs/more/b ü.bin': 'x'.repeat(300_000) };
const STORED = Object.values(FILES).join('');
const BROWSER = { accept: 'text/html' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PASSWORD = 'open-sesame';
const UNPACKER = UNPACKERS.find(({ program }) => isInstalled(program));
const WITHOUT_UNPACKER = UNPACKER ? false : 'no program that unpacks is installed';

const createSet = async (service: TestService, files = FILES, more: Record<string, string> = {}) =>
  shortCodeOf(
    await sendForm(service, [
      ...Object.entries(files).map(([name, content]) => file(content, name)),
      ...fields(more),
    ]),
  );

const addressIn = ({ headers }: TestResponse): string =>
  new URL(String(headers['content-location'] ?? headers.location), 'http://host/l/').pathname;

/** Opens a set as a browser does, and returns the address of its page. */
async function openPage(service: TestService, code: string): Promise<string> {
  const opened = await openLink(service, code, BROWSER);
  assert.equal(opened.status, 303);
  return addressIn(opened);
}

const digestOf = (text: string): string => `sha-256=:${hash('sha256', text, 'base64')}:`;

let s3: S3Server;
let prefixes = 0;
before(async () => {
  s3 = await startS3Server();
});
after(() => s3.stop());

for (const storage of ['a directory', 'a bucket'] as const)
  describe(`a link to several files in ${storage}`, () => {
    const serviceOn = (t: TestContext) =>
      storage === 'a directory'
        ? sharedService()
        : startService(t, { flags: [`${s3.flags[0]}/${prefixes++}`, `${s3.flags[1]}`] });

    test('several files of a form are described as a set', async (t) => {
      const service = await serviceOn(t);
      const code = await createSet(service);
      const description = json(await send(service, `/api/links/${code}`));
      const described = member(description, 'file');
      assert.deepEqual(
        ['name', 'sizeBytes', 'sha256', 'fileCount'].map((name) => member(described, name)),
        ['docs.zip', STORED.length, hash('sha256', STORED), 3],
      );
    });

    test('the files of a set are listed, those of a protected one only to those who may change it', async (t) => {
      const service = await serviceOn(t);
      const [code, secret] = [
        await createSet(service),
        await createSet(service, FILES, { password: PASSWORD }),
      ];
      const namesOf = async (path: string) => {
        const files = member(json(await send(service, `/api/links/${path}/files`)), 'files') as {
          name: string;
        }[];
        return files.map(({ name }) => name);
      };
      assert.deepEqual(await namesOf(code), Object.keys(FILES));
      assert.deepEqual(await namesOf(secret), []);
      const asked = await send(service, `/l/${secret}`, { headers: BROWSER });
      assert.doesNotMatch(asked.text, /a\.txt|docs/);
      const form = { method: 'POST', headers: { ...BROWSER, ...FORM }, body: `password=${PASSWORD}` };
      const dryRun = await send(service, `/l/${secret}`, { ...form, body: `${form.body}&ask=true` });
      assert.match(dryRun.text, /docs\/a\.txt/);
      assert.match(addressIn(await send(service, `/l/${secret}`, form)), /\/lease_[\w-]{32}\/$/);
    });

    test('a program gets the ZIP, and continues it in any part', async (t) => {
      const service = await serviceOn(t);
      const code = await createSet(service, FILES, { maxViews: '1' });
      const whole = await openLink(service, code);
      assert.deepEqual(
        [whole.status, whole.headers['content-disposition'], whole.headers['repr-digest']],
        [200, 'attachment; filename="docs.zip"', undefined],
      );
      assert.equal(Number(whole.headers['content-length']), whole.body.length);
      const path = addressIn(whole);
      const size = whole.body.length;
      for (const [first, last] of [
        [0, 9],
        [40, 400],
        [100_000, size - 1],
        [size - 30, size - 1],
      ] as const) {
        const part = await send(service, path, { headers: { range: `bytes=${first}-${last}` } });
        assert.deepEqual(
          [part.status, part.headers['content-range']],
          [206, `bytes ${first}-${last}/${size}`],
        );
        assert.ok(part.body.equals(whole.body.subarray(first, last + 1)));
      }
      assert.deepEqual(linkState(service, code), { status: 'ACTIVE', viewCount: 1 });
    });

    test('the ZIP is unpacked to the files of the set', { skip: WITHOUT_UNPACKER }, async (t) => {
      const service = await serviceOn(t);
      const whole = await openLink(service, await createSet(service));
      assert.ok(UNPACKER);
      const directory = temporaryDirectory(t);
      const [zip, target] = [join(directory, 'set.zip'), join(directory, 'out')];
      writeFileSync(zip, whole.body);
      mkdirSync(target);
      execFileSync(UNPACKER.program, UNPACKER.unpack(zip, target), {
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      });
      for (const [name, content] of Object.entries(FILES))
        assert.equal(readFileSync(join(target, name), 'utf8'), content);
    });

    test('a browser gets a page with each file, under one view', async (t) => {
      const service = await serviceOn(t);
      const code = await createSet(service);
      const page = await openPage(service, code);
      const { status, text } = await send(service, page, { headers: BROWSER });
      assert.equal(status, 200);
      const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
      assert.deepEqual(
        links.filter((href) => !href.startsWith('data:')),
        ['docs.zip', '1/a.txt', '2/empty', '3/b%20%C3%BC.bin'],
      );
      for (const [index, content] of Object.values(FILES).entries()) {
        const one = await send(service, new URL(links[index + 2] ?? '', `http://host${page}`).pathname);
        assert.deepEqual([one.status, one.text], [200, content]);
        assert.equal(one.headers['repr-digest'], digestOf(content));
      }
      const part = await send(service, `${page}3/b`, { headers: { range: 'bytes=299998-' } });
      assert.deepEqual([part.status, part.text], [206, 'xx']);
      assert.equal((await send(service, `${page}4/c`)).status, 404);
      assert.equal(
        (await send(service, page)).headers['content-disposition'],
        'attachment; filename="docs.zip"',
      );
      assert.equal(linkState(service, code).viewCount, 1);
    });
  });

test('a large set has several pages, whose links open its files, and a list in parts', async (t) => {
  const service = await startService(t);
  const names = Array.from({ length: 450 }, (_, index) => `docs/${index}.txt`);
  const files = names.map((fileName) => ({ fileName, sizeBytes: 3 }));
  const address = addressOf(await sendJson(service, '/api/uploads', { files }));
  const content = names.map((_, index) => `${index}`.padStart(3, '0')).join('');
  await addBytes(service, address, { offset: 0, bytes: Buffer.from(content) });
  const code = shortCodeOf(await linkTo(service, address));
  const page = await openPage(service, code);
  const hrefsOf = async (query: string) => {
    const { text } = await send(service, page + query, {
      headers: { ...BROWSER, 'accept-language': 'de-AT' },
    });
    return [...text.matchAll(/href="(\?page=\d+|\d+\/[^"]*)"/g)].map(([, href = '']) => href);
  };
  const filesOf = (first: number, end: number) =>
    names.slice(first, end).map((name, index) => `${first + index + 1}/${name.slice(5)}`);
  const cases: [query: string, hrefs: string[]][] = [
    ['', [...filesOf(0, 200), '?page=2']],
    ['?page=2', [...filesOf(200, 400), '?page=1', '?page=3']],
    ['?page=3', [...filesOf(400, 450), '?page=2']],
    ['?page=99999', [...filesOf(400, 450), '?page=2']],
    ['?page=0', [...filesOf(0, 200), '?page=2']],
  ];
  for (const [query, hrefs] of cases) assert.deepEqual(await hrefsOf(query), hrefs, query);
  assert.equal((await send(service, `${page}450/449.txt`)).text, '449');
  assert.equal(linkState(service, code).viewCount, 1);

  const listed: unknown[] = [];
  let next: unknown = '0';
  for (let parts = 0; typeof next === 'string' && parts < 4; parts++) {
    const response = await send(service, `/api/links/${code}/files?limit=150&cursor=${next}`);
    next = member(json(response), 'next');
    listed.push(...(member(json(response), 'files') as { name: string }[]).map(({ name }) => name));
  }
  assert.deepEqual([listed, next], [names, null]);
  assert.equal(member(json(await send(service, `/api/links/${code}/files`)), 'next'), null);
  for (const [query, refusal] of [
    ['cursor=x', 'INVALID_CURSOR'],
    ['limit=1001', 'LIMIT_OUT_OF_RANGE'],
  ] as const) {
    const refused = await send(service, `/api/links/${code}/files?${query}`);
    assert.deepEqual([refused.status, codeOf(refused)], [400, refusal]);
  }
});

test('the pages and the headers of a set count against its lease', async (t) => {
  const service = await startService(t);
  const page = await openPage(service, await createSet(service, { ...FILES, 'docs/more/b ü.bin': 'x' }));
  const statusOf = (requests: number) =>
    Promise.all(
      Array.from({ length: requests }, (_, index) =>
        index % 2 === 0
          ? send(service, page, { headers: BROWSER })
          : send(service, `${page}docs.zip`, { method: 'HEAD' }),
      ),
    ).then((responses) => responses.map(({ status }) => status).sort());
  assert.deepEqual(await statusOf(20), [...Array(18).fill(200), 410, 410], 'three times six bytes');
});

test('each of many small files can be downloaded by itself, twice', () => {
  const [fileCount, sizeBytes] = [10_000, 30_000];
  const lease = newLease(
    { fileId: '', fileName: '', sizeBytes, sha256: '' },
    { endsAt: 0, isSentAtOnce: false },
    randomBytes,
  );
  assert.ok(2 * fileCount * chargeOf(3, { sizeBytes, traits: { fileCount } }) <= lease.lease.restBytes);
});

test('a damaged file of a set does not arrive whole, alone or in the ZIP', async (t) => {
  const service = await startService(t);
  const code = await createSet(service);
  const page = await openPage(service, code);
  const [stored = ''] = service.storedFiles();
  const bytes = readFileSync(stored);
  bytes[bytes.length - 1] = 0;
  writeFileSync(stored, bytes);
  assert.equal((await send(service, `${page}1/a.txt`)).text, 'first');
  await assert.rejects(send(service, `${page}3/b`));
  await assert.rejects(send(service, page));
});
