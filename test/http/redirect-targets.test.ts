import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { exchange, json, member, sendJson } from '../support/http-client.ts';
import { createLink, openLink, shortCodeOf } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

/** Reads a link's target, by its redirect and by its JSON. */
async function readTarget(service: TestService, shortCode: string) {
  const redirect = await openLink(service, shortCode);
  assert.equal(redirect.status, 302);
  const location = String(redirect.headers.location);
  const resolution = json(await openLink(service, shortCode, { accept: 'application/json' }));
  return { location, targetUrl: member(resolution, 'targetUrl') };
}

test('Location and JSON return the target verbatim, and its non-ASCII text is encoded in Location', async (t) => {
  const service = await startService(t);
  const longest = `https://example.com/${'a'.repeat(8172)}`;
  const targets: [targetUrl: string, location?: string][] = [
    ['HTTP://EXAMPLE.com/a/../b/./c//d?next=%0d%0a#\\'],
    [longest],
    ['https://example.com/?q=日本#ü', 'https://example.com/?q=%E6%97%A5%E6%9C%AC#%C3%BC'],
    ['https://bücher.example/', 'https://b%C3%BCcher.example/'],
  ];
  for (const [targetUrl, location = targetUrl] of targets) {
    await t.test(targetUrl.slice(0, 80), async () => {
      const target = await readTarget(service, await createLink(service, { targetUrl }));
      assert.deepEqual(target, { location, targetUrl });
    });
  }

  await t.test('a target may be the link itself', async () => {
    const own = member(json(await sendJson(service, '/api/links', { targetUrl: longest })), 'accessUrl');
    const { location } = await readTarget(service, await createLink(service, { targetUrl: own }));
    assert.equal(location, own);
  });
  await t.test('a Location may be longer than most clients read', async () => {
    const targetUrl = `https://example.com/${'字'.repeat(8172)}`;
    const shortCode = await createLink(service, { targetUrl });
    const request = `GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const response = await exchange(service, request);
    assert.equal(response.status, 302);
    assert.equal(decodeURI(String(response.headers.location)), targetUrl);
  });
  await t.test('any text is refused or returned as the same URL in a legal header', async () => {
    const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
    const tail = fc.string({ unit: 'binary', maxLength: 12 });
    const targets = fc.oneof(
      url,
      fc.tuple(url, tail).map(([start, end]) => start + end),
      tail,
    );
    await fc.assert(
      fc.asyncProperty(targets, async (targetUrl) => {
        const response = await sendJson(service, '/api/links', { targetUrl });
        if (response.status === 400) return;
        const target = await readTarget(service, shortCodeOf(response));
        assert.equal(target.targetUrl, targetUrl);
        assert.match(target.location, /^https?:\/\/[\x21-\x7e]+$/i);
        assert.equal(new URL(target.location).href, new URL(targetUrl).href);
      }),
      { numRuns: 80 },
    );
  });
});
