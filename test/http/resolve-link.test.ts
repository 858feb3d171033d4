import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { AUDIT_RESULTS } from '../../src/core/model/verdict.ts';
import { findDifferences } from '../../src/tools/commands/verify-store.ts';
import {
  assertErrorRecord,
  exchange,
  json,
  openSocket,
  readResponse,
  type TestResponse,
  until,
} from '../support/http-client.ts';
import {
  auditedResults,
  auditRecords,
  createLink,
  linkState,
  openLink,
  TARGET,
  uploadFile,
} from '../support/links.ts';
import { scrape, valuesOf } from '../support/prometheus.ts';
import { startService, temporaryDirectory, testConfig } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

test('Location and JSON return the target verbatim, and its non-ASCII text is encoded in Location', async () => {
  const service = await sharedService();
  const targets: [targetUrl: string, location?: string][] = [
    [TARGET],
    ['HTTP://EXAMPLE.com/a/../b/./c//d?next=%0d%0a#\\'],
    [`https://example.com/${'a'.repeat(8172)}`],
    ['https://example.com/?q=日本#ü', 'https://example.com/?q=%E6%97%A5%E6%9C%AC#%C3%BC'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ];
  for (const [targetUrl, location = targetUrl] of targets) {
    const shortCode = await createLink(service, { targetUrl });
    const redirect = await openLink(service, shortCode);
    assert.deepEqual([redirect.status, redirect.headers.location, redirect.text], [302, location, '']);
    const program = await openLink(service, shortCode, { accept: 'application/json' });
    assert.deepEqual([program.status, program.headers.location], [200, undefined]);
    assert.deepEqual(json(program), { type: 'REDIRECT', targetUrl });
    assert.equal(program.headers['content-type'], 'application/json; charset=utf-8');
    for (const response of [redirect, program]) assertPrivate(response);
  }
});

function assertPrivate({ headers }: TestResponse): void {
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
}

/** Headers that are independent of the content: connection, correlation, CORS. */
const COMMON_HEADERS = /^(date|connection|keep-alive|vary|x-correlation-id|access-control-.*)$/;

test('a link to a file sends its bytes as a download, never for display', async () => {
  const service = await sharedService();
  const contents: [fileName: string, content: string | Buffer][] = [
    ['report.pdf', '%PDF-1.7'],
    ['page.html', '<script>alert(1)</script>'],
    ['image.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['feed.xml', '<?xml version="1.0"?><x/>'],
    ['every.bin', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['large.bin', Buffer.alloc(2 * 1024 ** 2, 'postern')],
  ];
  for (const [fileName, content] of contents) {
    for (const accept of [undefined, 'application/json', 'text/html']) {
      const shortCode = await uploadFile(service, content, { fileName });
      const response = await openLink(service, shortCode, accept === undefined ? {} : { accept });
      assert.equal(response.status, 200);
      assert.ok(response.body.equals(Buffer.from(content)));
      const headers = Object.entries(response.headers).filter(([name]) => !COMMON_HEADERS.test(name));
      const { etag = '', 'content-location': address } = response.headers;
      assert.equal(address, `./${shortCode}/${etag.slice(1, -1)}/${fileName}`);
      assert.deepEqual(Object.fromEntries(headers), {
        'content-type': 'application/octet-stream',
        'content-length': String(Buffer.byteLength(content)),
        'content-disposition': `attachment; filename="${fileName}"`,
        'repr-digest': `sha-256=:${hash('sha256', content, 'base64')}:`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-accel-buffering': 'no',
        'accept-ranges': 'bytes',
        'content-location': address,
        etag,
      });
    }
  }

  const shortCode = await uploadFile(service, 'content', { fields: { maxViews: '1' } });
  const range = {
    ...{ range: 'bytes=0-0', 'if-none-match': '*' },
    'if-modified-since': 'Sat, 01 Jan 2050 00:00:00 GMT',
  };
  const whole = await openLink(service, shortCode, range);
  assert.deepEqual([whole.status, whole.text], [200, 'content'], 'a range is ignored');
  assert.equal((await openLink(service, shortCode, range)).status, 410);
});

test('a short code matches exactly', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  const swapped = shortCode.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const percentEncoded = [...Buffer.from(shortCode)].map((byte) => `%${byte.toString(16)}`).join('');
  for (const path of [shortCode, `${shortCode}?utm=1`, `${shortCode}?`, percentEncoded])
    assert.equal((await openLink(service, path)).status, 302, path);
  const missed = [`${shortCode}/`, `${shortCode}x`, `%20${shortCode}`, `${shortCode}%00`, `${shortCode};a`];
  for (const other of [...missed, `../l/${shortCode}`, ...(swapped === shortCode ? [] : [swapped])]) {
    const path = `/l/${other}`;
    assertErrorRecord(await openLink(service, other), { status: 404, message: 'Link not found', path });
  }
});

test('any text as the short code gets 404 and a record of at most 20 characters', async (t) => {
  const service = await startService(t);
  // The record holds the percent-decoded text; the text as it was sent where decoding fails.
  const texts: [path: string, recorded: string][] = [
    ['unknown1', 'unknown1'],
    ['', ''],
    ['a/b/c', 'a/b/c'],
    ['/', '/'],
    [`x${'%F0%9F%98%80'.repeat(15)}`, `x${'😀'.repeat(9)}…`],
    ['%F0%9F%98%80'.repeat(15), `${'😀'.repeat(9)}\ufffd…`],
    ['a%00b', 'a\ufffdb'],
    ['%0d%0aSet-Cookie:%20x=1', '\ufffd\ufffdSet-Cookie: x=1'],
    ['..', '..'],
    ['%2e%2e%2f%2e%2e%5cx', '../..\\x'],
    ['%', '%'],
    ['%ZZ', '%ZZ'],
    ['%E2%82', '%E2%82'],
    ['%C0%AF', '%C0%AF'],
    [`%ff${'a'.repeat(40)}`, `%ff${'a'.repeat(16)}…`],
    ['x'.repeat(20), 'x'.repeat(20)],
    ['x'.repeat(21), `${'x'.repeat(19)}…`],
    ['%78'.repeat(5000), `${'x'.repeat(19)}…`],
    ['{shortCode}', '{shortCode}'],
    ['*', '*'],
    [':shortCode', ':shortCode'],
    ['__proto__', '__proto__'],
  ];
  for (const [text, recorded] of texts) {
    service.clock.now += 1; // so that this record is the last one
    const response = await openLink(service, text, { 'user-agent': 'Visitor/1.0' });
    assertErrorRecord(response, { status: 404, message: 'Link not found', path: `/l/${text}` });
    assert.match(String(response.headers['x-correlation-id']), /^[0-9a-f-]{36}$/);
    assert.equal(response.headers['set-cookie'], undefined);
    assert.deepEqual(auditRecords(service).at(-1), {
      shortCode: recorded,
      result: 'NOT_FOUND',
      count: 1,
      ipAddress: '127.0.0.1',
      userAgent: 'Visitor/1.0',
      accessedAt: service.clock.now,
    });
  }
  assert.equal(auditRecords(service).length, texts.length, 'each attempt has one record');
});

describe('a text that is one longer than the longest of its field', () => {
  const LONGEST_CODE = 'a-code-of-20-letters';
  const LONGEST_ADDRESS = '2001:0db8:0000:0000:0000:0000:192.168.100.100';

  test('a longer short code stays out of the history of a link, which verify finds unchanged', async (t) => {
    const directory = temporaryDirectory(t);
    const flags = ['--app.links.custom-codes=true'];
    const service = await startService(t, { directory, flags });
    await createLink(service, { customCode: LONGEST_CODE });
    service.clock.now += 2 * 60_000; // later, a record without a place in the history is a difference
    assert.equal((await openLink(service, `${LONGEST_CODE}x`)).status, 404);
    assert.deepEqual(auditedResults(service, LONGEST_CODE), []);
    assert.deepEqual(auditedResults(service, `${LONGEST_CODE.slice(0, -1)}…`), ['NOT_FOUND']);
    assert.deepEqual((await findDifferences(testConfig(directory, ...flags))).differences, []);
    const lines = service.events().filter(({ shortCode }) => shortCode === LONGEST_CODE);
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['secure_link_created'],
    );
  });

  test('a user agent of 501 characters is cut, and a longer address is none', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await startService(t, { directory });
    const shortCode = await createLink(service);
    const headers = { 'user-agent': 'u'.repeat(501), 'x-forwarded-for': `${LONGEST_ADDRESS}0` };
    assert.equal((await openLink(service, shortCode, headers)).status, 302);
    headers['x-forwarded-for'] = LONGEST_ADDRESS;
    assert.equal((await openLink(service, shortCode, headers)).status, 302);
    assert.deepEqual(
      auditRecords(service).map(({ ipAddress, userAgent }) => [ipAddress, userAgent]),
      ['127.0.0.1', '2001:db8::c0a8:6464'].map((address) => [address, 'u'.repeat(500)]),
    );
    assert.deepEqual((await findDifferences(testConfig(directory))).differences, []);
  });

  test('the user agent of an unknown code is cut to 100 characters', async () => {
    const service = await sharedService();
    await openLink(service, 'unknown1', { 'user-agent': 'u'.repeat(101) });
    assert.equal(auditRecords(service).at(-1)?.userAgent, 'u'.repeat(100));
  });

  test('no result is longer than its field', () => {
    assert.ok(AUDIT_RESULTS.every(({ length }) => length <= 30));
  });
});

test('every attempt writes exactly one record', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  await t.test(
    'a client that disconnects has a record, or is counted as one that left before it was decided',
    async () => {
      const countEnded = async () => {
        const abandoned = valuesOf(await scrape(service), 'secure_link_abandoned_total')['store'] ?? 0;
        return auditRecords(service).length + abandoned;
      };
      const before = await countEnded();
      const arriving = once(service.app.server, 'request');
      const socket = await openSocket(service);
      socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await arriving;
      socket.resetAndDestroy();
      await until(async () => (await countEnded()) === before + 1);
    },
  );
  await t.test('an HTTP/1.0 client gets its response and a record', async () => {
    const before = auditRecords(service).length;
    const response = await exchange(service, `GET /l/${shortCode} HTTP/1.0\r\n\r\n`);
    assert.equal(response.headers.location, TARGET);
    assert.equal(auditRecords(service).length, before + 1);
  });
});

test('garbage after a visit does not replace the response to the counted view', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  const socket = await openSocket(service);
  socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n`);
  const response = await readResponse(socket);
  assert.equal(response.status, 302);
  assert.equal(linkState(service, shortCode).viewCount, 1);
});
