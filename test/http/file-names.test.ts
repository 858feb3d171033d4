import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { exchange, send, type TestResponse } from '../support/http-client.ts';
import { openLink, shortCodeOf, uploadFile } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

/** Uploads a file of that name, opens its link, and returns the `Content-Disposition`. */
async function dispositionOf(service: TestService, fileName: string): Promise<string> {
  const content = `content of ${fileName.length}`;
  const response = await openLink(service, await uploadFile(service, content, { fileName }));
  assert.equal(response.status, 200, response.text);
  assert.equal(response.text, content);
  return checkedDisposition(response);
}

/** Returns the header after asserting that it is one line of printable ASCII. */
function checkedDisposition(response: TestResponse): string {
  const disposition = response.headers['content-disposition'] ?? '';
  assert.match(
    disposition,
    /^attachment; filename="(?:[\x20-\x7e])*"(?:; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+)?$/,
  );
  assert.equal(response.headers['content-type'], 'application/octet-stream');
  assert.equal(response.headers['set-cookie'], undefined);
  return disposition;
}

/** Returns the name that a client reads from the header: `filename*` before `filename` (RFC 6266, 4.3). */
function nameIn(disposition: string): string {
  const [, extended] = /; filename\*=UTF-8''(.*)$/.exec(disposition) ?? [];
  if (extended !== undefined) return decodeURIComponent(extended);
  const [, quoted = ''] = /^attachment; filename="((?:[^"\\]|\\.)*)"$/.exec(disposition) ?? [];
  return quoted.replace(/\\(.)/g, '$1');
}

test('file names, from upload to download', async (t) => {
  const service = await startService(t);

  await t.test('a plain ASCII name is returned only as filename="…"', async (t) => {
    const names: [fileName: string, disposition: string][] = [
      ['report.pdf', 'attachment; filename="report.pdf"'],
      ['my report (1).pdf', 'attachment; filename="my report (1).pdf"'],
      ['no-extension', 'attachment; filename="no-extension"'],
      ['.htaccess', 'attachment; filename=".htaccess"'],
      [`a';b=c, d.txt`, `attachment; filename="a';b=c, d.txt"`],
      ['100%.txt', 'attachment; filename="100%.txt"'],
      ['a%0d%0aSet-Cookie: x=1.txt', 'attachment; filename="a%0d%0aSet-Cookie: x=1.txt"'],
      ['"quoted".txt', 'attachment; filename="\\"quoted\\".txt"'],
      ['"><svg onload=alert(1)>.html', 'attachment; filename="\\"><svg onload=alert(1)>.html"'],
    ];
    for (const [fileName, disposition] of names) {
      await t.test(fileName, async () => {
        assert.equal(await dispositionOf(service, fileName), disposition);
      });
    }
  });

  await t.test("any other name is also returned as filename*=UTF-8''…", async (t) => {
    for (const fileName of [
      'naïve résumé.doc',
      '日本語.txt',
      'пример.pdf',
      '😀👩‍👩‍👧.png',
      "é'()*!~.txt",
      'שלום.txt',
    ]) {
      await t.test(fileName, async () => {
        const disposition = await dispositionOf(service, fileName);
        assert.match(disposition, /; filename\*=UTF-8''/);
        assert.equal(nameIn(disposition), fileName);
      });
    }
    assert.equal(
      await dispositionOf(service, '€ rates.txt'),
      'attachment; filename="_ rates.txt"; filename*=UTF-8\'\'%E2%82%AC%20rates.txt',
    );
  });

  await t.test('a name loses its path and its control characters', async (t) => {
    const kept: [fileName: string, kept: string][] = [
      ['../../../etc/passwd', 'passwd'],
      ['/absolute/file.txt', 'file.txt'],
      ['C:\\Users\\me\\file.txt', 'file.txt'],
      ['..\\..\\file.txt', 'file.txt'],
      ['a/../b\\../c.txt', 'c.txt'],
      ['nul\u0000byte.txt', 'nulbyte.txt'],
      ['bell\u0007delete\u007fnext\u0085.txt', 'belldeletenext.txt'],
      ['tab\there.txt', 'tabhere.txt'],
      ['right-to-left\u202efdp.exe', 'right-to-leftfdp.exe'],
      ['isolate\u2066\u2069.txt', 'isolate.txt'],
    ];
    for (const [fileName, name] of kept) {
      await t.test(JSON.stringify(fileName), async () => {
        assert.equal(nameIn(await dispositionOf(service, fileName)), name);
      });
    }
    for (const fileName of ['', '.', '..', '/', '\\', 'directory/', '..\\', '\u0000', '\u202e']) {
      await t.test(`${JSON.stringify(fileName)} is replaced by a valid name`, async () => {
        assert.ok(!['', '.', '..'].includes(nameIn(await dispositionOf(service, fileName))));
      });
    }
  });

  await t.test('a name is cut to 255 bytes between characters and keeps its extension', async (t) => {
    for (const [name, fileName] of Object.entries({
      '255 bytes stay': `${'a'.repeat(251)}.pdf`,
      '300 bytes of ASCII': `${'a'.repeat(296)}.pdf`,
      '304 bytes of two each': `${'é'.repeat(150)}.pdf`,
      '404 bytes of four each': `${'😀'.repeat(100)}.pdf`,
      '10,000 bytes': `${'x'.repeat(9_996)}.pdf`,
    })) {
      await t.test(name, async () => {
        const kept = nameIn(await dispositionOf(service, fileName));
        assert.ok(Buffer.byteLength(kept) <= 255, `${Buffer.byteLength(kept)} bytes`);
        assert.ok(Buffer.byteLength(kept) > 250, 'no more is cut than necessary');
        assert.ok(kept.isWellFormed() && !kept.includes('\ufffd'), 'no partial character is kept');
        assert.ok(kept.endsWith('.pdf'));
        assert.ok(fileName.startsWith(kept.slice(0, -4)));
      });
    }
  });

  await t.test('malformed names never break the header', async (t) => {
    const form = (disposition: string) =>
      Buffer.from(
        encodeForm([file('content', 'NAME')])
          .toString('latin1')
          .replace('filename="NAME"', disposition),
        'latin1',
      );
    const dispositions = [
      'filename="invalid \xff\xfe utf-8.txt"',
      'filename="half a character \xe2\x82.txt"',
      'filename="back\\"slash.txt"',
      'filename="open',
      'filename=bare.txt',
      'filename=bare;x.txt',
      'filename="first.txt"; filename="second.txt"',
      "filename*=UTF-8''..%2F..%2Fextended.txt",
      "filename*=UTF-8''%0d%0aSet-Cookie:%20x=1",
      "filename*=UTF-8''%00%E2%80%AE.txt",
      "filename*=UTF-8''%ZZ",
      'filename="folded\r\n name.txt"',
      'filename="injected\r\nSet-Cookie: x=1"',
      'filename="\r"',
    ];
    for (const disposition of dispositions) {
      await t.test(JSON.stringify(disposition), async () => {
        const response = await send(service, '/api/links/upload', {
          method: 'POST',
          headers: MULTIPART_HEADERS,
          body: form(disposition),
        });
        if (response.status === 400) return;
        const name = nameIn(checkedDisposition(await openLink(service, shortCodeOf(response))));
        assert.doesNotMatch(name, /[/\\\p{Cc}\u202e]/u);
        assert.notEqual(name, '');
      });
    }
    assert.deepEqual(
      service.logged().filter(({ level }) => level === 'error'),
      [],
    );
  });

  await t.test('any name without path and control characters is returned unchanged', async () => {
    // A form's %22, %0D or %0A is indistinguishable from the text "%22".
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((name) => !/[/\\%]/.test(name));
    await fc.assert(
      fc.asyncProperty(names, async (fileName) => {
        const kept = fileName.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '');
        fc.pre(!['', '.', '..'].includes(kept));
        assert.equal(nameIn(await dispositionOf(service, fileName)), kept);
      }),
      { numRuns: 50 },
    );
  });

  await t.test('no name reaches the file system', async () => {
    const directory = dirname(service.storagePath);
    const before = readdirSync(directory).sort();
    const stored = service.storedFiles().length;
    for (const fileName of [
      '../outside.txt',
      '..%2foutside.txt',
      '/tmp/outside.txt',
      'files',
      'incoming',
      '../postern.db',
    ]) {
      await uploadFile(service, 'content', { fileName });
    }
    assert.deepEqual(readdirSync(directory).sort(), before);
    for (const path of service.storedFiles()) assert.match(basename(path), /^[0-9a-f-]{36}$/);
    assert.equal(service.storedFiles().length, stored + 6);
  });

  await t.test("a raw line break in a part's header does not break the request", async () => {
    const body = encodeForm([file('content', 'a')])
      .toString('latin1')
      .replace('filename="a"', 'filename="a\r\n\r\nb"');
    const response = await exchange(
      service,
      `POST /api/links/upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `Content-Type: ${MULTIPART_HEADERS['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    assert.ok([201, 400].includes(response.status), response.text);
  });
});
