import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { composeService } from '../../src/compose.ts';
import { createLog } from '../../src/observability/log.ts';
import { assertErrorRecord, json, member, send, sendJson } from '../support/http-client.ts';
import { openLink } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS, sendForm } from '../support/multipart.ts';
import { startService, type TestService, temporaryDirectory, testConfig } from '../support/service.ts';

/** The test file of all scanners. It is put together here, so that none of them removes this file. */
const EICAR = `${String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR`}-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`;

/** A scanner. The first line of a file says what it does. */
const SCANNER = String.raw`#!/bin/sh
read -r line
case $line in
  *EICAR-STANDARD*) cat >/dev/null; echo "stream: Eicar-Signature FOUND"; exit 1 ;;
  limit) cat >/dev/null; printf '\nINSTREAM size\033[31m limit exceeded. ERROR\n' >&2; exit 2 ;;
  environment) env | cut -d= -f1 | sort | tr '\n' ' '; exit 2 ;;
  hang) tail -f /dev/null ;;
  early) exit 0 ;;
  killed) kill -9 $$ ;;
esac
cat >/dev/null
`;

async function startScanning(t: test.TestContext): Promise<TestService> {
  const directory = temporaryDirectory(t);
  const scanner = join(directory, 'scanner');
  writeFileSync(scanner, SCANNER);
  chmodSync(scanner, 0o700);
  const flags = [`--app.upload.scan=${scanner} -`, '--app.upload.scan-timeout=PT2S'];
  return startService(t, { directory, flags });
}

const upload = (service: TestService, content: string | Buffer) => sendForm(service, [file(content)]);

describe('the scan of uploads', () => {
  test('a file is clean, infected or not scanned, and only an infected one is held back', async (t) => {
    const service = await startScanning(t);
    const cases: [content: string | Buffer, scan: string, note: string | undefined, status: number][] = [
      ['harmless', 'CLEAN', undefined, 200],
      [EICAR, 'INFECTED', 'stream: Eicar-Signature FOUND', 403],
      ['limit\n', 'NOT_SCANNED', 'INSTREAM size [31m limit exceeded. ERROR', 200],
      ['environment\n', 'NOT_SCANNED', 'LC_ALL PATH PWD', 200],
      ['hang\n', 'NOT_SCANNED', 'not done after 2 s', 200],
      ['killed\n', 'NOT_SCANNED', 'exit code null', 200],
      [`early\n${'x'.repeat(1_000_000)}`, 'NOT_SCANNED', 'the scanner did not read the whole file', 200],
    ];
    for (const [content, scan, note, status] of cases) {
      const created = await upload(service, content);
      assert.equal(member(json(created), 'scan'), scan, String(content).slice(0, 20));
      const shortCode = String(member(json(created), 'shortCode'));
      const { text } = await send(service, `/api/links/${shortCode}`);
      const { state, file: shown } = JSON.parse(text);
      assert.deepEqual([shown.scan, shown.scanNote], [scan, note]);
      assert.equal(state, scan === 'INFECTED' ? 'PAUSED' : 'ACTIVE');
      assert.equal((await openLink(service, shortCode)).status, status);
    }
  });

  test('an infected file is held back until a clean one replaces it, and the history says so', async (t) => {
    const service = await startScanning(t);
    const created = await upload(service, EICAR);
    const shortCode = String(member(json(created), 'shortCode'));
    const path = `/api/links/${shortCode}`;
    const headers = { 'x-link-token': String(created.headers['x-link-token']) };
    const resume = () =>
      send(service, path, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"paused":false}',
      });
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
    assert.equal((await openLink(service, shortCode)).text, 'harmless');
    const worse = await replace(EICAR);
    assert.equal(member(json(worse), 'state'), 'PAUSED');
    const history = await send(service, `${path}/history`, { headers });
    const details = JSON.parse(history.text).items.map((item: { details?: object }) => item.details ?? {});
    assert.partialDeepStrictEqual(details[0], {
      scan: { new: 'INFECTED', old: 'CLEAN' },
      paused: { new: true, old: false },
    });
    assert.partialDeepStrictEqual(details.at(-1), { scan: 'INFECTED', paused: true });
  });

  test('a text is scanned as a file is', async (t) => {
    const service = await startScanning(t);
    const created = await sendJson(service, '/api/links', { text: EICAR });
    assert.equal(member(json(created), 'scan'), 'INFECTED');
  });

  test('the service does not start without its scanner', async (t) => {
    const config = testConfig(temporaryDirectory(t), '--app.upload.scan=no-such-scanner -');
    await assert.rejects(
      composeService(config, createLog('error', { write: () => undefined })),
      /^Error: app\.upload\.scan: there is no program no-such-scanner/,
    );
  });
});
