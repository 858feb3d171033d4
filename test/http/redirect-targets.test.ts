import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { assertErrorRecord, exchange, json, member, sendJson } from '../support/http-client.ts';
import { countRows, createLink, openLink, shortCodeOf } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

/** Reads a link's target, by its redirect and by its JSON. */
async function readTarget(service: TestService, shortCode: string) {
  const redirect = await openLink(service, shortCode);
  assert.equal(redirect.status, 302);
  const location = String(redirect.headers.location);
  const resolution = json(await openLink(service, shortCode, { accept: 'application/json' }));
  return { location, targetUrl: member(resolution, 'targetUrl') };
}

test('targets of links', async (t) => {
  const service = await startService(t);

  await t.test('Location and JSON return the target verbatim', async (t) => {
    const targets = [
      'http://example.com',
      'https://example.com/',
      'HTTP://EXAMPLE.com/UPPER',
      'https://example.com:8443/path?query=1&x=%20+#fragment',
      'https://user:pa%40ss@example.com/',
      'http://127.0.0.1/',
      'http://[::1]:8080/',
      'https://localhost',
      'https://example.com/a/../b/./c//d',
      `https://example.com/"><script>alert('1')</script>`,
      'https://example.com/?next=javascript:alert(1)',
      'https://example.com/%0d%0aSet-Cookie:%20x=1',
      'https://xn--e1afmkfd.xn--p1ai/',
      "https://example.com/{template}|^`'()*!",
      'https://example.com?#',
      'https://example.com/path\\with\\backslashes',
      `https://example.com/${'a'.repeat(8172)}`,
    ];
    for (const targetUrl of targets) {
      await t.test(targetUrl.slice(0, 80), async () => {
        const target = await readTarget(service, await createLink(service, { targetUrl }));
        assert.deepEqual(target, { location: targetUrl, targetUrl });
      });
    }

    await t.test('a target may be the link itself', async () => {
      const own = member(json(await sendJson(service, '/api/links', { targetUrl: targets[0] })), 'accessUrl');
      const { location } = await readTarget(service, await createLink(service, { targetUrl: own }));
      assert.equal(location, own);
    });
  });

  await t.test('a non-ASCII target is percent-encoded in Location only', async (t) => {
    const targets: [targetUrl: string, location: string][] = [
      ['https://example.com/straße', 'https://example.com/stra%C3%9Fe'],
      ['https://example.com/?q=日本#ü', 'https://example.com/?q=%E6%97%A5%E6%9C%AC#%C3%BC'],
      ['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
      ['https://example.com/%C3%9F/ß', 'https://example.com/%C3%9F/%C3%9F'],
    ];
    for (const [targetUrl, location] of targets) {
      await t.test(targetUrl, async () => {
        const target = await readTarget(service, await createLink(service, { targetUrl }));
        assert.deepEqual(target, { location, targetUrl });
      });
    }

    await t.test('a non-ASCII host stays the same host', async () => {
      for (const targetUrl of [
        'https://пример.рф/путь',
        'https://bücher.example/',
        'https://аррlе.example/',
      ]) {
        const { location, targetUrl: returned } = await readTarget(
          service,
          await createLink(service, { targetUrl }),
        );
        assert.match(location, /^[\x21-\x7e]+$/);
        assert.equal(returned, targetUrl);
        assert.equal(new URL(location).href, new URL(targetUrl).href);
      }
    });

    await t.test('a Location may be longer than most clients read', async () => {
      const targetUrl = `https://example.com/${'字'.repeat(8172)}`;
      const shortCode = await createLink(service, { targetUrl });
      const response = await exchange(
        service,
        `GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(response.status, 302);
      assert.equal(decodeURI(String(response.headers.location)), targetUrl);
    });
  });

  await t.test('a target that is not an http or https URL is refused', async (t) => {
    const links = countRows(service, 'link');
    const scripts = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'javascript://example.com/%0aalert(1)',
      'vbscript:x',
    ];
    const schemes = [
      'data:text/html,<script>alert(1)</script>',
      'file:///etc/passwd',
      'blob:https://example.com/x',
    ];
    const others = [
      'about:blank',
      'ws://example.com/',
      'mailto:a@example.com',
      'httpss://example.com',
      'h://example.com',
    ];
    const relative = [
      '//example.com',
      '///example.com',
      '/path',
      'example.com',
      'www.example.com/x',
      '?query',
      '#hash',
    ];
    const noHost = [
      'http:',
      'https://',
      'https:///',
      'https:///path',
      'https://?q',
      'https://#f',
      'https://:80',
      'https://user@',
    ];
    const loose = [
      'https:example.com',
      'https:/example.com',
      'https:\\\\example.com',
      'https:/\\example.com',
      '\\\\example.com',
    ];
    const ambiguous = ['https://example.com\\@evil.example/', 'https://evil.example\\.example.com/'];
    const malformed = [
      'https://[::1',
      'https://exam<ple.com',
      'https://example.com:99999/',
      'https://a b.example/',
      'https://%/',
    ];
    const spaces = [
      ' https://example.com',
      'https://example.com ',
      'https://example.com/a b',
      'https://example.com/\u00a0',
    ];
    const unseen = ['https://example.com/\u2028', 'https://example.com/\u3000', 'https://example.com/\ufeff'];
    const controls = [
      'https://example.com/\r\nSet-Cookie: x=1',
      'https://exa\tmple.com',
      'java\nscript:alert(1)',
      'https://example.com\u0000',
    ];
    const more = ['https://example.com/\u007f', 'https://example.com/\u0085', 'https://example.com/\ud800'];
    const refused = [
      scripts,
      schemes,
      others,
      relative,
      noHost,
      loose,
      ambiguous,
      malformed,
      spaces,
      unseen,
      controls,
      more,
    ];
    for (const targetUrl of refused.flat()) {
      await t.test(JSON.stringify(targetUrl), async () => {
        const response = await sendJson(service, '/api/links', { targetUrl });
        assertErrorRecord(response, {
          status: 400,
          message: 'targetUrl: must be a valid URL',
          path: '/api/links',
        });
      });
    }
    assert.equal(countRows(service, 'link'), links);
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
