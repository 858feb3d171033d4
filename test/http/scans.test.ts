import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { createLog } from '../../src/observability/log.ts';
import { composeService } from '../../src/service/compose.ts';
import { uploadEncrypted } from '../support/encrypted-links.ts';
import {
  assertErrorRecord,
  json,
  member,
  send,
  sendJson,
  type TestResponse,
  until,
} from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { createLink, openLink, shortCodeOf } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS, sendForm } from '../support/multipart.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startService, type TestService, temporaryDirectory, testConfig } from '../support/service.ts';
import { addBytes, beginUpload, linkTo } from '../support/uploads.ts';

/** The test file of all scanners. It is put together here, so that none of them removes this file. */
const EICAR = `${String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR`}-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`;

/** A scanner. The first line of a file says what it does. */
const SCANNER = String.raw`#!/bin/sh
here=$(dirname "$0")
read -r line
case $line in
  *EICAR-STANDARD*) cat >/dev/null; echo "stream: Eicar-Signature FOUND"; exit 1 ;;
  limit) cat >/dev/null; printf '\nINSTREAM size\033[31m limit exceeded. ERROR\n' >&2; exit 2 ;;
  environment) env | cut -d= -f1 | sort | tr '\n' ' '; exit 2 ;;
  slow) echo run >>"$here/runs"; until [ -e "$here/finish" ]; do sleep 0.05; done ;;
  hang) tail -f /dev/null ;;
  early) exit 0 ;;
  killed) kill -9 $$ ;;
  down) [ -e "$here/up" ] || exit 2 ;;
esac
cat >/dev/null
`;

async function startScanning(
  t: test.TestContext,
  {
    timeout = 'PT2S',
    more = [],
    directory = temporaryDirectory(t),
  }: { timeout?: string; more?: string[]; directory?: string } = {},
): Promise<TestService & { directory: string }> {
  const scanner = join(directory, 'scanner');
  writeFileSync(scanner, SCANNER);
  chmodSync(scanner, 0o700);
  const flags = [`--app.upload.scan=${scanner} -`, `--app.upload.scan-timeout=${timeout}`, ...more];
  return { ...(await startService(t, { directory, flags })), directory };
}

type Content = string | readonly string[];

const upload = (service: TestService, content: Content): Promise<TestResponse> =>
  sendForm(
    service,
    [content].flat().map((each, index) => file(each, `${index}.txt`)),
  );

/** Returns the state of a link, and the scan of its file. */
async function describeFile(service: TestService, shortCode: string) {
  const { state, file: shown } = JSON.parse((await send(service, `/api/links/${shortCode}`)).text);
  return [state, shown.scan, shown.scanNote];
}

describe('the scan of uploads', () => {
  test('a file is clean, infected or not scanned, and only an infected one is held back', async (t) => {
    const service = await startScanning(t);
    const cases: [content: Content, scan: string, note: string | undefined, status: number][] = [
      ['harmless', 'CLEAN', undefined, 200],
      [EICAR, 'INFECTED', 'stream: Eicar-Signature FOUND', 403],
      ['limit\n', 'NOT_SCANNED', 'INSTREAM size [31m limit exceeded. ERROR', 200],
      ['environment\n', 'NOT_SCANNED', 'LC_ALL PATH PWD', 200],
      ['hang\n', 'NOT_SCANNED', 'not done in time', 200],
      ['killed\n', 'NOT_SCANNED', 'exit code null', 200],
      [`early\n${'x'.repeat(1_000_000)}`, 'NOT_SCANNED', 'the scanner did not read the whole file', 200],
      [['harmless', EICAR, 'more'], 'INFECTED', 'file 2: stream: Eicar-Signature FOUND', 403],
      [['hang\n', 'hang\n', EICAR], 'NOT_SCANNED', 'not done in time', 200],
    ];
    for (const [content, scan, note, status] of cases) {
      const created = await upload(service, content);
      assert.equal(member(json(created), 'scan'), scan, String(content).slice(0, 20));
      const shortCode = String(member(json(created), 'shortCode'));
      const state = scan === 'INFECTED' ? 'PAUSED' : 'ACTIVE';
      assert.deepEqual(await describeFile(service, shortCode), [state, scan, note]);
      assert.equal((await openLink(service, shortCode)).status, status);
    }
  });

  test('an infected file is held back until a clean one replaces it, and the history says so', async (t) => {
    const service = await startScanning(t);
    const created = await upload(service, EICAR);
    const shortCode = String(member(json(created), 'shortCode'));
    const path = `/api/links/${shortCode}`;
    const headers = { 'x-link-token': String(created.headers['x-link-token']) };
    const resume = () => sendJson(service, path, { paused: false }, { method: 'PATCH', headers });
    assertErrorRecord(await resume(), { status: 409, path, message: /^Malware was found/ });
    const replace = (content: string) =>
      send(service, `${path}/file`, {
        method: 'PUT',
        headers: { ...headers, ...MULTIPART_HEADERS },
        body: encodeForm([file(content)]),
      });
    const replaced = await replace('harmless');
    assert.equal(replaced.status, 200, replaced.text);
    assert.equal((await openLink(service, shortCode)).status, 403);
    assert.equal((await resume()).status, 200);
    const opened = await openLink(service, shortCode);
    assert.equal(opened.text, 'harmless');
    const rest = { range: 'bytes=4-', 'if-range': String(opened.headers.etag) };
    assert.equal((await openLink(service, shortCode, rest)).text, 'less');
    const worse = await replace(EICAR);
    assert.equal(member(json(worse), 'state'), 'PAUSED');
    assert.equal(member(json(await openLink(service, shortCode, rest)), 'code'), 'LEASE_ENDED');
    const history = await send(service, `${path}/history`, { headers });
    const details = JSON.parse(history.text).items.map((item: { details?: object }) => item.details ?? {});
    assert.partialDeepStrictEqual(details[0], {
      scan: { new: 'INFECTED', old: 'CLEAN' },
      paused: { new: true, old: false },
    });
    assert.partialDeepStrictEqual(details.at(-1), { scan: 'INFECTED', paused: true });
  });

  for (const storage of ['a directory', 'a bucket'])
    test(`a text and the files of a set are scanned in ${storage}`, async (t) => {
      const bucket = storage === 'a bucket' ? await startS3Server() : undefined;
      t.after(() => bucket?.stop());
      const service = await startScanning(t, { more: bucket?.flags ?? [] });
      const infected = await sendJson(service, '/api/links', { text: EICAR });
      assert.equal(member(json(infected), 'scan'), 'INFECTED');
      const clean = await sendJson(service, '/api/links', { text: 'harmless' });
      assert.equal(member(json(clean), 'scan'), 'CLEAN');
      const opened = await openLink(service, shortCodeOf(clean), { 'user-agent': 'curl/8.5.0' });
      assert.equal(opened.text, 'harmless');
      const set = shortCodeOf(await upload(service, ['harmless', EICAR]));
      assert.deepEqual((await describeFile(service, set)).slice(0, 2), ['PAUSED', 'INFECTED']);
    });

  for (const storage of ['a directory', 'a bucket'])
    test(`with a required scan, only files in ${storage} open in which it found nothing`, async (t) => {
      const bucket = storage === 'a bucket' ? await startS3Server() : undefined;
      t.after(() => bucket?.stop());
      const more = bucket?.flags ?? [];
      const directory = temporaryDirectory(t);
      const before = await startService(t, { directory, flags: more });
      const old = shortCodeOf(await upload(before, 'from before'));
      const begun = await openLink(before, old);
      const encrypted = await uploadEncrypted(before, [['a.txt', 'content']]);
      await before.stop();
      const service = await startScanning(t, { directory, more: [...more, '--app.scan.required=true'] });
      const manage = bearer(await addKey(service, 'root', ['read', 'manage']));
      const resume = (code: string) =>
        sendJson(service, `/api/links/${code}`, { paused: false }, { method: 'PATCH', headers: manage });
      const lease = { range: 'bytes=4-', 'if-range': String(begun.headers.etag) };
      const failing = shortCodeOf(await upload(service, 'down\n'));
      const failingSet = shortCodeOf(await upload(service, ['harmless', 'down\n']));
      for (const code of [old, failing, failingSet]) {
        const opened = await openLink(service, code, code === old ? lease : {});
        assertErrorRecord(opened, {
          status: 403,
          path: `/l/${code}`,
          message: 'Link is paused; try again later',
        });
        assert.equal((await describeFile(service, code))[0], 'PAUSED');
      }
      assert.equal(member(json(await resume(failing)), 'code'), 'FILE_HELD_BACK');
      writeFileSync(join(directory, 'up'), '');
      for (const code of [old, failing, failingSet]) {
        const resumed = await resume(code);
        assert.equal(member(json(resumed), 'state'), 'ACTIVE', resumed.text);
        assert.equal((await openLink(service, code)).status, 200);
      }
      const history = await send(service, `/api/links/${failing}/history`, { headers: manage });
      const scans = JSON.parse(history.text).items.map(
        (item: { details?: { scan?: unknown } }) => item.details?.scan,
      );
      assert.deepEqual(scans.filter(Boolean), [{ old: 'NOT_SCANNED', new: 'CLEAN' }, 'NOT_SCANNED']);
      const infected = shortCodeOf(await upload(service, EICAR));
      assert.equal((await resume(infected)).status, 409);
      await assert.rejects(uploadEncrypted(service, [['a.txt', 'content']]), /SCAN_REQUIRED/);
      const request = { message: 'Contracts' };
      const key = { recipientKey: `age1${'q'.repeat(58)}` };
      const asked = shortCodeOf(await sendJson(service, '/api/links', { request }));
      for (const refused of [
        await sendJson(service, '/api/links', { request: { ...request, ...key } }),
        await sendJson(
          service,
          `/api/links/${asked}`,
          { request: key },
          { method: 'PATCH', headers: manage },
        ),
      ]) {
        assert.equal(refused.status, 400, refused.text);
        assert.partialDeepStrictEqual(json(refused), { code: 'SCAN_REQUIRED', field: 'recipientKey' });
      }
      const [code = ''] = new URL(encrypted).pathname.split('/').slice(-1);
      assert.equal((await openLink(service, code)).status, 403);
      assert.equal(member(json(await resume(code)), 'code'), 'FILE_HELD_BACK');
    });

  test('a file that was encrypted before its upload is not scanned', async (t) => {
    const service = await startScanning(t);
    const link = new URL(await uploadEncrypted(service, [['a.txt', EICAR]]));
    const shortCode = String(link.pathname.split('/').at(-1));
    assert.deepEqual(await describeFile(service, shortCode), ['ACTIVE', 'NOT_SCANNED', 'encrypted']);
  });

  test('a scan goes on when its client leaves, and a repeated request gets its result', async (t) => {
    const service = await startScanning(t, { timeout: 'PT1M' });
    const address = await beginUpload(service, 5);
    await addBytes(service, address, { offset: 0, bytes: Buffer.from('slow\n') });
    const inDirectory = (name: string) => join(service.directory, name);
    const taken = await createLink(service);
    const leaving = new AbortController();
    const left = fetch(`${service.url}/api/links`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uploadId: address.split('/').at(-1) }),
      signal: leaving.signal,
    });
    await until(() => existsSync(inDirectory('runs')));
    leaving.abort();
    await assert.rejects(left, { name: 'AbortError' });
    const joined = linkTo(service, address, { customCode: taken });
    writeFileSync(inDirectory('finish'), '');
    assert.equal((await joined).status, 409);
    const created = await linkTo(service, address);
    assert.equal(member(json(created), 'scan'), 'CLEAN', created.text);
    assert.equal(readFileSync(inDirectory('runs'), 'utf8'), 'run\n');
  });

  test('the service does not start without its scanner', async (t) => {
    const config = testConfig(temporaryDirectory(t), '--app.upload.scan=no-such-scanner -');
    await assert.rejects(
      composeService(config, createLog('error', { write: () => undefined })),
      /^Error: app\.upload\.scan: there is no program no-such-scanner/,
    );
  });
});
