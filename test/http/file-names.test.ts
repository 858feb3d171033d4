import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'content-disposition';
import { send, type TestResponse } from '../support/http-client.ts';
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

/** Returns the name that a client reads from the header (RFC 6266). */
function nameIn(disposition: string): string {
  return parse(disposition).parameters['filename'] ?? '';
}

test('a file name survives from upload to download', async (t) => {
  const service = await startService(t);

  await t.test('a name is cleaned, and a missing one becomes "file"', async () => {
    const cleaned = await dispositionOf(service, '../..\\nul\u0000 \u202efile.txt');
    assert.equal(cleaned, 'attachment; filename="nul file.txt"');
    assert.equal(await dispositionOf(service, ''), 'attachment; filename="file"');
  });

  await t.test('each name is decoded as its sender means it', async () => {
    const cases: Record<string, string> = {
      'filename="gr\xc3\xb6\xc3\x9fe.txt"': 'größe.txt',
      'filename="gr\xf6\xdfe.txt"': 'größe.txt', // Latin-1, which no U+FFFD replaces
      'filename="gr\xe4\xdfe.txt"': 'gräße.txt',
      'filename="5 \x80.txt"': '5 €.txt',
      'filename="plain.txt"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.txt': 'größe.txt',
      'filename*=utf-8\'en\'gr%c3%b6%C3%9Fe.txt; filename="plain.txt"': 'größe.txt',
      "filename*=ISO-8859-1''gr%F6%DFe.txt": 'größe.txt',
      "filename*=UTF-8''a%2522b.txt": 'a%22b.txt',
      'filename="plain.txt"; filename*=UTF-8\'\'%FF.txt': 'plain.txt',
      'filename="plain.txt"; filename*=unknown\'\'x.txt': 'plain.txt',
      'filename="=?UTF-8?B?Z3LDtsOfZS50eHQ=?="': 'größe.txt',
      'filename="=?utf-8?q?gr=C3=B6=C3=9Fe?= =?iso-8859-1?Q?_1=2Etxt?="': 'größe 1.txt',
      'filename="=?UTF-8?Q?=FF?=.txt"': '=?UTF-8?Q?=FF?=.txt',
      'filename="=?shift_jis?B?k/qWew==?=.txt"': '日本.txt',
      'filename="say %22hi%22.txt"': 'say "hi".txt',
      'filename="say \\"hi\\".txt"': 'say "hi".txt',
      'x="; filename=no"; filename = "yes.txt"': 'yes.txt',
    };
    for (const [sent, name] of Object.entries(cases)) {
      const form = encodeForm([file('content', 'NAME')])
        .toString('latin1')
        .replace('filename="NAME"', sent);
      const body = Buffer.from(
        form.replace('Content-Type: application/octet-stream', 'Content-Type: text/plain'),
        'latin1',
      );
      const response = await send(service, '/api/links/upload', {
        method: 'POST',
        headers: MULTIPART_HEADERS,
        body,
      });
      assert.equal(response.status, 201, `${sent}: ${response.text}`);
      assert.equal(nameIn(checkedDisposition(await openLink(service, shortCodeOf(response)))), name, sent);
    }
  });

  await t.test('malformed names never break the header', async () => {
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
      'filename="a\r\n\r\nb"',
    ];
    for (const disposition of dispositions) {
      const body = form(disposition);
      const options = { method: 'POST', headers: MULTIPART_HEADERS, body };
      const response = await send(service, '/api/links/upload', options);
      if (response.status === 400) continue;
      const name = nameIn(checkedDisposition(await openLink(service, shortCodeOf(response))));
      assert.match(name, /^[^/\\\p{Cc}\u202e]+$/u, JSON.stringify(disposition));
    }
    assert.deepEqual(
      service.logged().filter(({ level }) => level === 'error'),
      [],
    );
  });
});
