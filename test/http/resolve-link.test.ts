import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import {
  assertErrorRecord,
  exchange,
  headerBytes,
  json,
  openSocket,
  type TestResponse,
  until,
} from '../support/http-client.ts';
import { auditRecords, createLink, openLink, TARGET, uploadFile, WAYS_OF_VISITS } from '../support/links.ts';
import { startService } from '../support/service.ts';

for (const [way, options] of WAYS_OF_VISITS) {
  test(`a link to a URL redirects with 302${way}`, async (t) => {
    const service = await startService(t, options);
    const shortCode = await createLink(service);

    await t.test('to the target, verbatim, without a body', async () => {
      const answer = await openLink(service, shortCode);
      assert.equal(answer.status, 302);
      assert.equal(answer.headers.location, TARGET);
      assert.equal(answer.text, '');
      assertPrivate(answer);
    });

    const redirected = [
      undefined,
      '',
      '*/*',
      'text/html',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'image/png',
    ];
    for (const accept of [...redirected, 'application/*', 'application/xml', 'text/json', 'application/js']) {
      await t.test(`for Accept: ${accept}`, async () => {
        const answer = await openLink(service, shortCode, accept === undefined ? {} : { accept });
        assert.equal(answer.status, 302);
        assert.equal(answer.headers.location, TARGET);
      });
    }

    const asJson = [
      'application/json',
      'application/json;q=0.9',
      'text/html, application/json',
      '*/*,application/json',
    ];
    for (const accept of asJson) {
      await t.test(`Accept: ${accept} selects 200 and JSON`, async () => {
        const answer = await openLink(service, shortCode, { accept });
        assert.equal(answer.status, 200);
        assert.deepEqual(json(answer), { type: 'REDIRECT', targetUrl: TARGET });
        assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
        assert.equal(answer.headers.location, undefined);
        assertPrivate(answer);
      });
    }
  });
}

function assertPrivate({ headers }: TestResponse): void {
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
}

/** What has nothing to do with what is sent: the connection, the trace, CORS. */
const OF_EVERY_ANSWER = /^(date|connection|keep-alive|vary|x-correlation-id|access-control-.*)$/;

for (const [way, options] of WAYS_OF_VISITS) {
  test(`a link to a file sends its bytes, and never as something to show${way}`, async (t) => {
    const service = await startService(t, options);
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
        await t.test(`${fileName} for Accept: ${accept}`, async () => {
          const shortCode = await uploadFile(service, content, { fileName });
          const answer = await openLink(service, shortCode, accept === undefined ? {} : { accept });
          assert.equal(answer.status, 200);
          assert.ok(answer.body.equals(Buffer.from(content)));
          const headers = Object.entries(answer.headers).filter(([name]) => !OF_EVERY_ANSWER.test(name));
          assert.deepEqual(Object.fromEntries(headers), {
            'content-type': 'application/octet-stream',
            'content-length': String(Buffer.byteLength(content)),
            'content-disposition': `attachment; filename="${fileName}"`,
            'cache-control': 'private, no-store',
            'x-content-type-options': 'nosniff',
            'content-security-policy': "sandbox; default-src 'none'",
          });
        });
      }
    }

    await t.test('a part of it cannot be asked for: every view is of the whole file', async () => {
      const shortCode = await uploadFile(service, 'content', { fields: { maxViews: '1' } });
      const range = {
        range: 'bytes=0-0',
        'if-none-match': '*',
        'if-modified-since': 'Sat, 01 Jan 2050 00:00:00 GMT',
      };
      const answer = await openLink(service, shortCode, range);
      assert.equal(answer.status, 200);
      assert.equal(answer.text, 'content');
      assert.equal((await openLink(service, shortCode, range)).status, 410);
    });
  });
}

for (const [way, options] of WAYS_OF_VISITS) {
  test(`a short code is read exactly${way}`, async (t) => {
    const service = await startService(t, options);
    const shortCode = await createLink(service);
    const swapped = shortCode.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    const percentEncoded = [...Buffer.from(shortCode)].map((byte) => `%${byte.toString(16)}`).join('');
    const found = [shortCode, `${shortCode}?utm=1`, `${shortCode}?`, percentEncoded];
    for (const path of found) {
      await t.test(`/l/${path} is found`, async () => {
        assert.equal((await openLink(service, path)).status, 302);
      });
    }
    const missed = [
      swapped,
      `${shortCode}/`,
      `${shortCode}x`,
      shortCode.slice(1),
      `%20${shortCode}`,
      `${shortCode}%00`,
    ];
    for (const path of [
      ...missed,
      `${shortCode};a`,
      `${shortCode}.`,
      `../l/${shortCode}`,
      `x/../${shortCode}`,
    ]) {
      if (path === shortCode) continue; // no letter to swap
      await t.test(`/l/${path} is not`, async () => {
        assertErrorRecord(await openLink(service, path), {
          status: 404,
          message: 'Link not found',
          path: `/l/${path}`,
        });
      });
    }
  });
}

for (const [way, options] of WAYS_OF_VISITS) {
  test(`any text in the place of the short code gets 404 and a record cut to 20 characters${way}`, async (t) => {
    const service = await startService(t, options);
    // The record holds the text as it reads, or as it was sent where it cannot be percent-decoded.
    const texts: [path: string, recorded: string][] = [
      ['unknown1', 'unknown1'],
      ['', ''],
      ['a/b/c', 'a/b/c'],
      ['/', '/'],
      ['..%2f..%2fetc%2fpasswd', '../../etc/passwd'],
      ['%E2%82%AC', '€'],
      ['%F0%9F%98%80', '😀'],
      ['%F0%9F%98%80'.repeat(15), '😀'.repeat(10)],
      [`x${'%F0%9F%98%80'.repeat(15)}`, `x${'😀'.repeat(9)}\ufffd`],
      ['a%00b', 'a\ufffdb'],
      ['%0d%0aSet-Cookie:%20x=1', '\r\nSet-Cookie: x=1'],
      ['%3Cscript%3Ealert(1)%3C%2Fscript%3E', '<script>alert(1)</sc'],
      ["x'%20OR%201=1--", "x' OR 1=1--"],
      ['%', '%'],
      ['%ZZ', '%ZZ'],
      ['%E2%82', '%E2%82'],
      ['%C0%AF', '%C0%AF'],
      [`%ff${'a'.repeat(40)}`, `%ff${'a'.repeat(17)}`],
      ['x'.repeat(20), 'x'.repeat(20)],
      ['x'.repeat(21), 'x'.repeat(20)],
      ['x'.repeat(5000), 'x'.repeat(20)],
      ['%78'.repeat(5000), 'x'.repeat(20)],
      ['{shortCode}', '{shortCode}'],
      ['*', '*'],
      [':shortCode', ':shortCode'],
      ['__proto__', '__proto__'],
    ];
    for (const [text, recorded] of texts) {
      await t.test(JSON.stringify(text.slice(0, 60)), async () => {
        service.clock.now += 1; // dates the record, so that it is the last one
        const answer = await openLink(service, text, { 'user-agent': 'Visitor/1.0' });
        assertErrorRecord(answer, { status: 404, message: 'Link not found', path: `/l/${text}` });
        assert.match(String(answer.headers['x-correlation-id']), /^[0-9a-f-]{36}$/);
        assert.equal(answer.headers['set-cookie'], undefined);
        assert.deepEqual(auditRecords(service).at(-1), {
          shortCode: recorded,
          result: 'NOT_FOUND',
          ipAddress: '127.0.0.1',
          userAgent: 'Visitor/1.0',
          accessedAt: service.clock.now,
        });
      });
    }
    assert.equal(auditRecords(service).length, texts.length, 'one record for each');
  });
}

for (const [way, options] of WAYS_OF_VISITS) {
  test(`every attempt leaves exactly one record, of its result, address, agent and time${way}`, async (t) => {
    const service = await startService(t, options);
    const shortCode = await createLink(service);
    const lastRecord = () => auditRecords(service).at(-1);
    const open = (headers: Record<string, string>) => {
      service.clock.now += 1;
      return openLink(service, shortCode, headers);
    };

    await t.test('the agent as it was sent', async () => {
      await open({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' });
      assert.deepEqual(lastRecord(), {
        shortCode,
        result: 'SUCCESS',
        ipAddress: '127.0.0.1',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
        accessedAt: service.clock.now,
      });
    });
    await t.test('no agent', async () => {
      await open({});
      assert.equal(lastRecord()?.userAgent, null);
    });
    await t.test('an agent of 500 characters', async () => {
      await open({ 'user-agent': 'x'.repeat(500) });
      assert.equal(lastRecord()?.userAgent, 'x'.repeat(500));
    });
    await t.test('a longer agent, cut to 500 characters', async () => {
      await open({ 'user-agent': `${'x'.repeat(500)}${'y'.repeat(4000)}` });
      assert.equal(lastRecord()?.userAgent, 'x'.repeat(500));
    });
    await t.test('an agent with markup and bytes beyond ASCII', async () => {
      await open({ 'user-agent': headerBytes('"><svg onload=alert(1)> é') });
      assert.match(lastRecord()?.userAgent ?? '', /^"><svg onload=alert\(1\)> /);
    });
    await t.test('a hundred at once leave a hundred', async () => {
      const before = auditRecords(service).length;
      await Promise.all(Array.from({ length: 100 }, () => openLink(service, shortCode)));
      assert.equal(auditRecords(service).length, before + 100);
    });
    await t.test('a client that hangs up before its answer leaves one too', async () => {
      const before = auditRecords(service).length;
      const arriving = once(service.app.server, 'request');
      const socket = await openSocket(service);
      socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await arriving;
      socket.resetAndDestroy();
      await until(() => auditRecords(service).length === before + 1);
    });
    await t.test('an HTTP/1.0 client leaves one, and has its answer', async () => {
      const before = auditRecords(service).length;
      const answer = await exchange(service, `GET /l/${shortCode} HTTP/1.0\r\n\r\n`);
      assert.equal(answer.headers.location, TARGET);
      assert.equal(auditRecords(service).length, before + 1);
    });
    await t.test('requests in one packet leave one each, and are answered in their order', async () => {
      const before = auditRecords(service).length;
      const [first, last] = ['first', 'last'].map(
        (id) => `GET /l/${id}000 HTTP/1.1\r\nHost: x\r\n${id === 'last' ? 'Connection: close\r\n' : ''}\r\n`,
      );
      const { text } = await exchange(service, `${first}${last}`);
      assert.match(text, /"path":"\/l\/first000".*"path":"\/l\/last000"/s);
      assert.equal(auditRecords(service).length, before + 2);
    });
  });
}
