import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { assertErrorRecord, type RequestOptions, send, type TestResponse } from '../support/http-client.ts';
import { auditedResults, linkState, openLink, uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const PICTURES: [type: string, beginning: string][] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\x10\x00\x00\x00WEBPVP8 '],
  ['image/avif', '\x00\x00\x00\x20ftypavif'],
];
const toPicture = (beginning: string): Buffer => Buffer.from(`${beginning}<script>`, 'latin1');
const PNG = toPicture('\x89PNG\r\n\x1a\n');

const uploadPicture = (service: TestService, content: Buffer, more: Record<string, string> = {}) =>
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

describe('a picture that visitors may look at', () => {
  test('a browser gets a page with the picture, which nothing but the picture can be loaded on', async () => {
    const service = await sharedService();
    for (const [type, beginning] of PICTURES) {
      const content = toPicture(beginning);
      const shortCode = await uploadPicture(service, content);
      const { address, page, get } = await openPage(service, shortCode);
      assert.match(address, new RegExp(`^/l/${shortCode}/lease_[\\w-]{32}/$`));
      assert.equal(page.status, 200, page.text);
      const policy = String(page.headers['content-security-policy']);
      assert.match(policy, /default-src 'none'.*img-src 'self' data:.*sandbox allow-downloads$/);
      assert.doesNotMatch(policy, /script-src|connect-src|allow-scripts|allow-same-origin/);
      const [, source = ''] = /<img [^>]*src="([^"]+)"/.exec(page.text) ?? [];
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

  test('showing and downloading a picture are copies of its lease, and the page is none', async () => {
    const service = await sharedService();
    const shortCode = await uploadPicture(service, PNG, { maxViews: '1' });
    const { address, get } = await openPage(service, shortCode);
    for (let reloads = 0; reloads < 5; reloads++)
      assert.equal((await send(service, address, { headers: BROWSER })).status, 200);
    for (const path of ['picture/x', 'x', 'picture/x']) assert.equal((await get(path)).status, 200);
    assert.equal((await get('picture/x')).status, 410);
    assert.deepEqual(linkState(service, shortCode).viewCount, 1);
  });

  test('a program downloads the picture like other files', async () => {
    const service = await sharedService();
    const opened = await openLink(service, await uploadPicture(service, PNG));
    assert.deepEqual([opened.status, opened.body], [200, PNG]);
    assert.equal(opened.headers['content-type'], 'application/octet-stream');
  });

  test('a link with confirmation offers to show the picture', async () => {
    const service = await sharedService();
    const shortCode = await uploadPicture(service, PNG, { confirm: 'true' });
    const confirmation = await openLink(service, shortCode, BROWSER);
    assert.ok(confirmation.text.includes(TEXTS.en['picture.open']), confirmation.text);
    const { page } = await openPage(service, shortCode, { method: 'POST' });
    assert.equal(page.status, 200);
  });

  test('only a picture of a known type can be viewable, and only its lease shows it', async () => {
    const service = await sharedService();
    for (const content of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7', 'GIF', 'x']) {
      const response = await sendForm(service, [...fields({ viewable: 'true' }), file(content, 'a.png')]);
      assertErrorRecord(response, { status: 400, path: '/api/links/upload', message: /^viewable: is for/ });
    }
    const plain = await uploadFile(service, PNG);
    const opened = await openLink(service, plain);
    const address = new URL(String(opened.headers['content-location']), `http://host/l/${plain}`).pathname;
    assert.equal((await send(service, address.replace(/[^/]*$/, 'picture/x'))).status, 404);
  });
});
