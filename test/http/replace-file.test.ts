import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { recountStore } from '../../src/stores/sql/recount.ts';
import { readSqliteStore } from '../../src/stores/sqlite/read-store.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import { json, member, type RequestOptions, send, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import {
  countRows,
  linkState,
  openLink,
  revokeLink,
  shortCodeOf,
  storedFileOf,
  TARGET,
  uploadFile,
} from '../support/links.ts';
import { fields, file, type Part, sendForm } from '../support/multipart.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { addBytes, beginUpload } from '../support/uploads.ts';

const KEY = 'k'.repeat(40);
const WITH_KEY = bearer(KEY);
const FLAGS = [`--app.access.initial-key=${KEY}`];
const HOUR_MS = 3_600_000;
const OLD = 'the old file';
const NEW = 'the new file, which is longer';

function replaceFile(
  service: TestService,
  shortCode: string,
  parts: Part[] = [file(NEW, 'new.pdf')],
  headers: RequestOptions['headers'] = {},
) {
  return sendForm(service, parts, {
    method: 'PUT',
    path: `/api/links/${shortCode}/file`,
    headers: { ...WITH_KEY, ...headers },
  });
}

describe('PUT /api/links/{shortCode}/file', () => {
  let bucket: S3Server;
  before(async () => {
    bucket = await startS3Server();
  });
  after(() => bucket.stop());

  for (const storage of ['a directory', 'a bucket']) {
    test(`PUT replaces the file in ${storage}, keeps the rest, and records both files`, async (t) => {
      const isBucket = storage === 'a bucket';
      const service = await startService(t, { flags: [...FLAGS, ...(isBucket ? bucket.flags : [])] });
      const form = { maxViews: '3', label: 'Report' };
      const shortCode = await uploadFile(service, OLD, { fileName: 'old.pdf', fields: form });
      assert.equal((await openLink(service, shortCode)).text, OLD);
      const response = await replaceFile(service, shortCode, undefined, { 'if-match': '"0"' });
      assert.equal(response.status, 200, response.text);
      assert.equal(response.headers.etag, '"1"');
      const shown = { name: 'new.pdf', sizeBytes: NEW.length, sha256: hash('sha256', NEW) };
      assert.deepEqual(member(json(response), 'file'), shown);
      const opened = await openLink(service, shortCode);
      assert.deepEqual([opened.text, linkState(service, shortCode).viewCount], [NEW, 2]);
      const { text } = await send(service, `/api/links/${shortCode}/history`, { headers: WITH_KEY });
      const changed = (JSON.parse(text) as { items: { kind: string; details: unknown }[] }).items.find(
        ({ kind }) => kind === 'CHANGED',
      );
      assert.deepEqual(changed?.details, {
        fileName: { new: 'new.pdf', old: 'old.pdf' },
        fileSha256: { new: shown.sha256, old: hash('sha256', OLD) },
        sizeBytes: { new: NEW.length, old: OLD.length },
      });
      const found = await send(service, '/api/links?search=new.pdf', { headers: WITH_KEY });
      assert.match(found.text, new RegExp(shortCode));
      assert.deepEqual((await readSqliteStore(service.databasePath, recountStore)).differences, []);
      service.clock.now += 25 * HOUR_MS;
      await service.startJobs();
      assert.equal(countRows(service, 'upload'), 0, 'the former file is swept');
      if (!isBucket) assert.deepEqual(service.storedFiles(), [storedFileOf(service, shortCode)]);
      assert.equal((await openLink(service, shortCode)).text, NEW);
    });
  }

  test('a lease of the former file ends, although no one has opened the new one', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const shortCode = await uploadFile(service, OLD);
    const tag = String((await openLink(service, shortCode)).headers.etag);
    const rest = { range: 'bytes=4-', 'if-range': tag };
    assert.equal((await openLink(service, shortCode, rest)).status, 206);
    assert.equal((await replaceFile(service, shortCode)).status, 200);
    const response = await openLink(service, shortCode, rest);
    assert.deepEqual([response.status, member(json(response), 'code')], [410, 'LEASE_ENDED']);
    assert.equal(linkState(service, shortCode).viewCount, 1);
  });

  test('the same bytes replace a lost file', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const shortCode = await uploadFile(service, OLD, { fileName: 'a.txt' });
    rmSync(storedFileOf(service, shortCode));
    assert.equal((await openLink(service, shortCode)).status, 404);
    assert.equal((await replaceFile(service, shortCode, [file(OLD, 'a.txt')])).status, 200);
    assert.equal((await openLink(service, shortCode)).text, OLD);
    assert.deepEqual((await readSqliteStore(service.databasePath, recountStore)).differences, []);
  });

  test('an upload that resumes replaces a file that is too large for a form', async (t) => {
    const service = await startService(t, {
      flags: [...FLAGS, '--spring.servlet.multipart.max-file-size=1KB'],
    });
    const large = Buffer.alloc(4096, 'x');
    const replace = (shortCode: string, body: object, headers: Record<string, string>) =>
      sendJson(service, `/api/links/${shortCode}/file`, body, { method: 'PUT', headers });
    for (const headers of [WITH_KEY, {}]) {
      const created = await sendForm(service, [file(OLD)]);
      const token = { 'x-link-token': String(created.headers['x-link-token']) };
      const shortCode = shortCodeOf(created);
      const address = await beginUpload(service, large.length, headers);
      await addBytes(service, address, { offset: 0, bytes: large, headers });
      const proof = { ...headers, ...(headers === WITH_KEY ? {} : token) };
      const upload = {
        uploadId: address.split('/').at(-1),
        fileName: '../new.bin',
        sha256: hash('sha256', large),
      };
      assert.equal((await replace(shortCode, { ...upload, sha256: '0'.repeat(64) }, proof)).status, 422);
      assert.equal((await replace(shortCode, { ...upload, uploadID: 'x' }, proof)).status, 400);
      const unnamed = await replace(shortCode, {}, proof);
      assert.equal(unnamed.status, 400, unnamed.text);
      assert.match(unnamed.text, /"uploadId: must be the id of an upload"/);
      const replaced = await replace(shortCode, upload, proof);
      assert.equal(replaced.status, 200, replaced.text);
      assert.equal(Object(json(replaced)).file.name, 'new.bin');
      assert.equal((await openLink(service, shortCode)).text, large.toString());
      assert.equal((await replace(shortCode, upload, proof)).status, 404, 'an upload is used once');
      const refused = await replaceFile(service, shortCode, [file(large)], proof);
      assert.match(
        refused.text,
        /"file: must be at most 1 KB; send a larger file in parts, as an upload to http:\/\/localhost:8080\/api\/uploads"/,
      );
    }
    assert.deepEqual((await readSqliteStore(service.databasePath, recountStore)).differences, []);
  });

  test('a refused file leaves the link and nothing else', async (t) => {
    const service = await startService(t, {
      flags: [...FLAGS, '--spring.servlet.multipart.max-file-size=1KB'],
    });
    const created = await sendJson(service, '/api/links', { targetUrl: TARGET });
    const toUrl = shortCodeOf(created);
    const [revoked, link] = [await uploadFile(service, OLD), await uploadFile(service, OLD)];
    await revokeLink(service, revoked);
    const cases: [string, Part[], RequestOptions['headers'], number, string][] = [
      [toUrl, [file(NEW)], {}, 409, 'LINK_HAS_NO_FILE'],
      [revoked, [file(NEW)], {}, 409, 'LINK_IS_REVOKED'],
      ['unknown1', [file(NEW)], {}, 404, 'NOT_FOUND'],
      [link, [file(NEW)], { 'if-match': '"7"' }, 412, 'VERSION_MISMATCH'],
      [link, [], {}, 400, 'FILE_MISSING'],
      [link, [file('')], {}, 400, 'FILE_EMPTY'],
      [link, fields({ file: 'text' }), {}, 400, 'FILE_MISSING'],
      [link, [file('x'.repeat(2000))], {}, 413, 'FILE_TOO_LARGE'],
    ];
    for (const [shortCode, parts, headers, status, code] of cases) {
      const response = await replaceFile(service, shortCode, parts, headers);
      assert.deepEqual([response.status, member(json(response), 'code')], [status, code], response.text);
    }
    assert.equal(countRows(service, 'upload'), 0);
    assert.equal(service.storedFiles().length, 2);
    assert.equal((await openLink(service, link)).text, OLD);
  });
});
describe('PUT /api/links/{shortCode}/file with files that stay', () => {
  let bucket: S3Server;
  before(async () => {
    bucket = await startS3Server();
  });
  after(() => bucket.stop());
  const SET = [file('one', 'a.txt'), file('two two', 'b.txt'), file('three', 'c.txt')];
  const keep = (service: TestService, shortCode: string, body: object, headers = {}) =>
    sendJson(service, `/api/links/${shortCode}/file`, body, {
      method: 'PUT',
      headers: { ...WITH_KEY, ...headers },
    });
  const filesOf = async (service: TestService, shortCode: string) => {
    const response = await send(service, `/api/links/${shortCode}/files`, { headers: WITH_KEY });
    return (JSON.parse(response.text) as { files: { name: string; sha256: string }[] }).files;
  };
  const expectFiles = async (service: TestService, shortCode: string, expected: [string, string][]) => {
    const listed = (await filesOf(service, shortCode)).map(({ name, sha256 }) => [name, sha256]);
    assert.deepEqual(
      listed,
      expected.map(([name, content]) => [name, hash('sha256', content)]),
    );
    const headers = { ...WITH_KEY, accept: 'application/x-ndjson' };
    const { text } = await send(service, `/api/links/${shortCode}/history`, { headers });
    for (const [name, content] of expected) {
      const compared = { path: 'x', sha256: hash('sha256', content) };
      const { findings, proved } = await checkExport(new Blob([text]).stream(), null, compared);
      assert.deepEqual(findings.shown, []);
      assert.ok(proved.join().includes(expected.length === 1 ? 'x is the file of' : `x is ${name}, one of`));
    }
    const opened = await openLink(service, shortCode);
    for (const [index, [, content]] of expected.entries()) {
      const address = String(opened.headers['content-location']).replace(/[^/]*$/, `${index + 1}/x`);
      const path = new URL(address, `http://host/l/${shortCode}`).pathname;
      assert.equal(
        (await send(service, expected.length === 1 ? path.replace('/1/x', '/x') : path)).text,
        content,
      );
    }
  };

  for (const storage of ['a directory', 'a bucket'])
    test(`files are added to a set in ${storage} and removed from it, each as a change with the digest of the set`, async (t) => {
      const isBucket = storage === 'a bucket';
      const service = await startService(t, { flags: [...FLAGS, ...(isBucket ? bucket.flags : [])] });
      const shortCode = shortCodeOf(await sendForm(service, SET));
      const before = await send(service, `/api/links/${shortCode}`, { headers: WITH_KEY });
      const added = await replaceFile(service, shortCode, [
        ...fields({ keep: '1,2,3' }),
        file('four', 'b.txt'),
      ]);
      assert.equal(added.status, 200, added.text);
      assert.equal(Object(member(json(added), 'file')).name, Object(member(json(before), 'file')).name);
      const four: [string, string][] = [
        ['a.txt', 'one'],
        ['b.txt', 'two two'],
        ['c.txt', 'three'],
        ['b (2).txt', 'four'],
      ];
      await expectFiles(service, shortCode, four);
      assert.equal((await keep(service, shortCode, { keep: '4,1' })).status, 200);
      await expectFiles(service, shortCode, [
        ['b (2).txt', 'four'],
        ['a.txt', 'one'],
      ]);
      const upload = await beginUpload(service, 4, WITH_KEY);
      await addBytes(service, upload, { offset: 0, bytes: Buffer.from('five'), headers: WITH_KEY });
      const uploadId = upload.split('/').at(-1);
      assert.equal((await keep(service, shortCode, { keep: '2', uploadId, fileName: 'e.txt' })).status, 200);
      await expectFiles(service, shortCode, [
        ['a.txt', 'one'],
        ['e.txt', 'five'],
      ]);
      assert.equal((await keep(service, shortCode, { keep: '1' })).status, 200);
      await expectFiles(service, shortCode, [['a.txt', 'one']]);
      const { text } = await send(service, `/api/links/${shortCode}/history`, { headers: WITH_KEY });
      const changes = (JSON.parse(text) as { items: { kind: string; details: object }[] }).items.filter(
        ({ kind }) => kind === 'CHANGED',
      );
      assert.equal(changes.length, 4);
      assert.deepEqual(Object.keys(changes[2]?.details ?? {}), [
        'fileCount',
        'fileSha256',
        'partsSha256',
        'sizeBytes',
      ]);
      assert.deepEqual((await readSqliteStore(service.databasePath, recountStore)).differences, []);
      service.clock.now += 25 * HOUR_MS;
      await service.startJobs();
      if (!isBucket) assert.deepEqual(service.storedFiles(), [storedFileOf(service, shortCode)]);
      assert.equal(countRows(service, 'upload'), 0, 'the former files are swept');
    });

  test('an export lists the files of a protected link only for those who may change it', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const shortCode = shortCodeOf(
      await sendForm(service, [...fields({ password: 'correct horse' }), ...SET]),
    );
    const reader = bearer(await addKey(service, 'reader', ['read']));
    const headOf = async (headers: Record<string, string>) => {
      const path = `/api/links/${shortCode}/history`;
      const { text } = await send(service, path, { headers: { ...headers, accept: 'application/x-ndjson' } });
      const head = Object(JSON.parse(text.split('\n', 1)[0] ?? ''));
      assert.equal(head.kind, 'HEAD');
      return head;
    };
    assert.equal((await headOf(WITH_KEY)).files.length, 3);
    assert.equal((await headOf(reader)).files, undefined);
  });

  test('one file becomes a set, and a change in the meantime is not undone', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const shortCode = await uploadFile(service, OLD, { fileName: 'old.pdf' });
    const [first, second] = await Promise.all(
      ['x', 'y'].map((content) =>
        replaceFile(service, shortCode, [...fields({ keep: '1' }), file(content, `${content}.txt`)]),
      ),
    );
    const statuses = [first?.status, second?.status];
    // Both may have read the link before, or one after the change of the other: then its number 1 is the former file, too.
    if (statuses.includes(412)) assert.deepEqual(statuses.toSorted(), [200, 412]);
    else assert.deepEqual(statuses, [200, 200]);
    const [kept, ...others] = await filesOf(service, shortCode);
    assert.deepEqual([kept?.sha256, others.length], [hash('sha256', OLD), 1]);
    const stale = await keep(service, shortCode, { keep: '1' }, { 'if-match': '"0"' });
    assert.equal(stale.status, 412);
  });

  test('an opening during changes gets one set or the other, whole', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const shortCode = shortCodeOf(await sendForm(service, SET));
    const whole = new Set([hash('sha256', (await openLink(service, shortCode)).body)]);
    const zips: string[] = [];
    let isChanging = true;
    const opening = (async () => {
      while (isChanging) {
        const opened = await openLink(service, shortCode);
        assert.equal(opened.status, 200, opened.text);
        zips.push(hash('sha256', opened.body));
      }
    })();
    for (const part of [file('x', 'x.txt'), file('y', 'y.txt'), file('z', 'z.txt')]) {
      assert.equal((await replaceFile(service, shortCode, [...fields({ keep: '1,2' }), part])).status, 200);
      whole.add(hash('sha256', (await openLink(service, shortCode)).body));
    }
    isChanging = false;
    await opening;
    assert.deepEqual(
      zips.filter((zip) => !whole.has(zip)),
      [],
    );
  });

  test('numbers of no file, none at all, and files that cannot be kept are refused', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const shortCode = shortCodeOf(await sendForm(service, SET));
    const text = shortCodeOf(
      await sendJson(service, '/api/links', { text: 'secret' }, { headers: WITH_KEY }),
    );
    for (const [code, value] of [
      [shortCode, '4'],
      [shortCode, '0'],
      [shortCode, '1,1'],
      [shortCode, 'a'],
      [shortCode, ''],
      [text, '1'],
    ] as const) {
      const refused = await keep(service, code, { keep: value });
      assert.deepEqual([refused.status, member(json(refused), 'code')], [400, 'INVALID_FILE_NUMBERS'], value);
    }
    const flags = await replaceFile(service, shortCode, [
      ...fields({ keep: '1', viewable: 'true' }),
      file('%PDF-1.7', 'a.pdf'),
    ]);
    assert.deepEqual([flags.status, member(json(flags), 'code')], [400, 'NOT_VIEWABLE']);
    assert.equal((await filesOf(service, shortCode)).length, 3);
    assert.equal(countRows(service, 'upload'), 0, 'nothing is left of what was refused');
  });
});
