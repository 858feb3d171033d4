import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { assertErrorRecord, type RequestOptions, send, type TestResponse } from '../support/http-client.ts';
import { auditedResults, linkState, openLink, uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const OGG = `OggS\x00\x02${'\x00'.repeat(20)}\x01\x1e`;
const WEBM = '\x1aE\xdf\xa3\x01\x00\x00\x00\x00\x00\x00\x1fB\x86\x81\x01';
/** The beginnings of files that browsers show, and the elements that show them. */
const SHOWN: [type: string, element: string, beginning: string][] = [
  ['image/png', 'img', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 'img', '\xff\xd8\xff\xe0'],
  ['image/gif', 'img', 'GIF89a'],
  ['image/webp', 'img', 'RIFF\x10\x00\x00\x00WEBPVP8 '],
  ['image/avif', 'img', '\x00\x00\x00\x20ftypavif'],
  ['application/pdf', 'object', '%PDF-1.7\n'],
  ['audio/wav', 'audio', 'RIFF\x10\x00\x00\x00WAVEfmt '],
  ['audio/flac', 'audio', 'fLaC\x00\x00\x00\x22'],
  ['audio/mpeg', 'audio', 'ID3\x04\x00'],
  ['audio/mpeg', 'audio', '\xff\xfb\x90\x64'],
  ['audio/mp4', 'audio', '\x00\x00\x00\x1cftypM4A \x00\x00\x02\x00'],
  ['audio/ogg', 'audio', `${OGG}\x01vorbis`],
  ['audio/ogg', 'audio', `${OGG}OpusHead`],
  ['video/mp4', 'video', '\x00\x00\x00\x20ftypisom\x00\x00\x02\x00'],
  ['video/webm', 'video', `${WEBM}B\x82\x84webm`],
  ['video/ogg', 'video', `${OGG}\x80theora`],
];
const toFile = (beginning: string): Buffer => Buffer.from(`${beginning}<script>`, 'latin1');
const PNG = toFile('\x89PNG\r\n\x1a\n');

const uploadShown = (service: TestService, content: Buffer, more: Record<string, string> = {}) =>
  uploadFile(service, content, { fileName: 'a "1".png', fields: { viewable: 'true', ...more } });

/** Opens a link in a browser, and follows it to the page of its picture. */
async function openPage(service: TestService, shortCode: string, options: RequestOptions = {}) {
  const opened = await send(service, `/l/${shortCode}`, { headers: BROWSER, ...options });
  assert.equal(opened.status, 303, opened.text);
  const address = new URL(String(opened.headers.location), `http://host/l/${shortCode}`).pathname;
  const page = await send(service, address, { headers: BROWSER });
  const get = (relative: string): Promise<TestResponse> =>
    send(service, new URL(relative, `http://host${address}`).pathname);
  return { address, page, get };
}

describe('a file that visitors may view', () => {
  test('a browser gets a page with the file, which nothing but the file can be loaded on', async () => {
    const service = await sharedService();
    for (const [type, element, beginning] of SHOWN) {
      const content = toFile(beginning);
      const shortCode = await uploadShown(service, content);
      const { address, page, get } = await openPage(service, shortCode);
      assert.match(address, new RegExp(`^/l/${shortCode}/lease_[\\w-]{32}/$`));
      assert.equal(page.status, 200, page.text);
      const policy = String(page.headers['content-security-policy']);
      // No browser starts its viewer of PDFs inside a sandboxed page. The file itself is sandboxed.
      assert.match(
        policy,
        type === 'application/pdf'
          ? /^default-src 'none'.*object-src 'self'; frame-src 'self'; form-action 'none'$/
          : /^default-src 'none'.*img-src 'self' data:; media-src 'self';.*sandbox allow-downloads$/,
      );
      assert.doesNotMatch(policy, /script-src|connect-src|allow-scripts|allow-same-origin/);
      const [, source = ''] = new RegExp(`<${element} [^>]*(?:src|data)="([^"]+)"`).exec(page.text) ?? [];
      const shown = await get(source);
      assert.deepEqual([shown.status, shown.headers['content-type']], [200, type]);
      assert.match(String(shown.headers['content-disposition']), /^inline; /);
      assert.equal(shown.headers['content-security-policy'], "sandbox; default-src 'none'");
      assert.equal(shown.headers['x-content-type-options'], 'nosniff');
      const [, download = ''] = /<a [^>]*href="([^"]+)"/.exec(page.text) ?? [];
      const saved = await get(download);
      assert.match(String(saved.headers['content-disposition']), /^attachment; /);
      assert.deepEqual(saved.body, content);
      assert.deepEqual(auditedResults(service, shortCode), ['SUCCESS']);
    }
  });

  test('showing and downloading a file are copies of its lease, and the page is none', async () => {
    const service = await sharedService();
    const shortCode = await uploadShown(service, PNG, { maxViews: '1' });
    const { address, get } = await openPage(service, shortCode);
    for (let reloads = 0; reloads < 5; reloads++)
      assert.equal((await send(service, address, { headers: BROWSER })).status, 200);
    for (const path of ['view/x', 'x', 'view/x', ...Array<string>(7).fill('view/x')])
      assert.equal((await get(path)).status, 200);
    assert.equal((await get('view/x')).status, 410);
    assert.deepEqual(linkState(service, shortCode).viewCount, 1);
  });

  test('a player that seeks gets ranges of the type of the file, under one view', async () => {
    const service = await sharedService();
    const content = Buffer.concat([toFile('RIFF\x10\x00\x00\x00WAVEfmt '), Buffer.alloc(9_976, 7)]);
    const shortCode = await uploadShown(service, content, { maxViews: '1' });
    const { address } = await openPage(service, shortCode);
    for (let seeks = 0; seeks < 40; seeks++) {
      const firstByte = seeks * 200;
      const range = `bytes=${firstByte}-${firstByte + 1_999}`;
      const part = await send(service, `${address}view/x`, { headers: { range } });
      assert.deepEqual([part.status, part.headers['content-type']], [206, 'audio/wav']);
      assert.equal(
        part.headers['content-range'],
        `bytes ${firstByte}-${firstByte + 1_999}/${content.length}`,
      );
      assert.match(String(part.headers['content-disposition']), /^inline; /);
      assert.equal(part.headers['content-security-policy'], "sandbox; default-src 'none'");
      assert.deepEqual(part.body, content.subarray(firstByte, firstByte + 2_000));
    }
    assert.deepEqual(linkState(service, shortCode).viewCount, 1);
    assert.deepEqual(auditedResults(service, shortCode), ['SUCCESS']);
  });

  test('a program downloads it like other files', async () => {
    const service = await sharedService();
    const opened = await openLink(service, await uploadShown(service, PNG));
    assert.deepEqual([opened.status, opened.body], [200, PNG]);
    assert.equal(opened.headers['content-type'], 'application/octet-stream');
  });

  test('a link with confirmation offers to show the file', async () => {
    const service = await sharedService();
    const shortCode = await uploadShown(service, PNG, { confirm: 'true' });
    const confirmation = await openLink(service, shortCode, BROWSER);
    assert.ok(confirmation.text.includes(TEXTS.en['shown.open']), confirmation.text);
    const { page } = await openPage(service, shortCode, { method: 'POST' });
    assert.equal(page.status, 200);
  });

  test('only a file of a known type can be viewable, by its content, and only its lease shows it', async () => {
    const service = await sharedService();
    const matroska = Buffer.from(`${WEBM}B\x82\x88matroska`, 'latin1');
    for (const content of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>%PDF-1.7', 'GIF', matroska]) {
      const response = await sendForm(service, [...fields({ viewable: 'true' }), file(content, 'a.pdf')]);
      assertErrorRecord(response, { status: 400, path: '/api/links/upload', message: /^viewable: is for/ });
    }
    const plain = await uploadFile(service, PNG);
    const opened = await openLink(service, plain);
    const address = new URL(String(opened.headers['content-location']), `http://host/l/${plain}`).pathname;
    assert.equal((await send(service, address.replace(/[^/]*$/, 'view/x'))).status, 404);
  });
});
