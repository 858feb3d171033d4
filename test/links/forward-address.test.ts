import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { beginningsOf, forwardAddress } from '../../src/core/model/forward-address.ts';
import { toLocation } from '../../src/core/model/location.ts';
import { NO_TERMS, type VisitTerms } from '../../src/core/model/terms.ts';
import { isHttpUrl } from '../../src/core/rules/target-url.ts';
import { webUrl } from './rules/url-arbitraries.ts';

function linkTo(url: string, terms: Partial<VisitTerms> = { forwardPath: true, forwardQuery: true }) {
  const target = { type: 'REDIRECT', url } as const;
  return {
    shortCode: 'abcdefgh',
    definitionVersion: 0,
    target,
    passwordHash: null,
    terms: { ...NO_TERMS, ...terms },
  };
}

/** Returns the URL that an address after the short code leads to; undefined for none. */
function forward(url: string, rest: string, terms?: Partial<VisitTerms>): string | undefined {
  const [path = '', query = ''] = rest.split(/\?(.*)/s);
  const found = forwardAddress(linkTo(url, terms), { path, query });
  return found?.target.type === 'REDIRECT' ? found.target.url : undefined;
}

test('an address with a path can begin with at most five codes, the longest first', () => {
  const codesOf = (address: string) => beginningsOf(address).map(({ shortCode }) => shortCode);
  assert.deepEqual(beginningsOf('gro%CC%88%C3%9Fe/b%2Fc/'), [
    { shortCode: 'größe/b/c', path: '/' },
    { shortCode: 'größe', path: '/b%2Fc/' },
  ]);
  assert.deepEqual(codesOf('a/b/c/d/e/f/g'), ['a/b/c/d/e', 'a/b/c/d', 'a/b/c', 'a/b', 'a']);
  for (const address of ['abc', '', '/abc']) assert.deepEqual(codesOf(address), []);
});

describe('the address that a link passes on', () => {
  for (const [target, rest, joined] of [
    ['https://example.com', '/rest', 'https://example.com/rest'],
    ['https://example.com/', '/rest/', 'https://example.com/rest/'],
    ['https://example.com/a', '/b/c.html', 'https://example.com/a/b/c.html'],
    ['https://example.com/a/', '/b', 'https://example.com/a/b'],
    ['https://example.com/a?x=1#top', '/b?y=2', 'https://example.com/a/b?x=1&y=2#top'],
    ['https://example.com?x=1', '/b', 'https://example.com/b?x=1'],
    [
      'https://example.com/a',
      '?utm_source=x&utm_source=y',
      'https://example.com/a?utm_source=x&utm_source=y',
    ],
    [
      'https://example.com/a?utm_source=mine',
      '?utm_source=x&b=1',
      'https://example.com/a?utm_source=mine&b=1',
    ],
    ['https://example.com/a?utm_source=mine', '?utm_source=x', 'https://example.com/a?utm_source=mine'],
    ['https://example.com/a', '?a=%0d%0ab&c=%23d', 'https://example.com/a?a=%0d%0ab&c=%23d'],
    ['https://example.com/a', '/100%25/%C3%A9', 'https://example.com/a/100%25/%C3%A9'],
    ['https://example.com/a', '/...', 'https://example.com/a/...'],
    [
      'https://example.com/a',
      '/b[1]/caf%E9/%83j/%E2%80%93%25E9',
      'https://example.com/a/b[1]/caf%E9/%83j/%E2%80%93%25E9',
    ],
    ['https://example.com/a', '?abc', 'https://example.com/a?abc'],
    ['https://example.com/a', '?a=b%20c+d&&caf%E9=%zz&?e', 'https://example.com/a?a=b%20c+d&&caf%E9=%zz&?e'],
    ['https://example.com/a?b%20c=1', '?b+c=2&&b%20c=3&d#e', 'https://example.com/a?b%20c=1&&d%23e'],
    ['https://example.com/a?b=1', '?b=2&', 'https://example.com/a?b=1'],
  ] as const)
    test(`${target} and ${rest} give ${joined}`, () => assert.equal(forward(target, rest), joined));

  for (const rest of [
    ...['/..', '/../b', '/b/..', '/.', '/%2e%2e', '/%2E./b', '/.%2e;x=1/b', '/..;/b', '/%252e%252e', '/ ..'],
    ...'//evil.example /b//c /%2f/evil.example /%2Fevil.example /%5cevil.example /\\evil.example'.split(' '),
    ...'/%252fevil.example|/b%0d%0aLocation:x|/b%00|/b#c|/b%|/%c0%ae%c0%ae|/caf\u00e9|/a b'.split('|'),
    ...['/%25zz%252f..', `/%${'25'.repeat(6)}2e%2e`, `/${'a'.repeat(8_180)}`],
    ...['/%25c0%25ae%25c0%25ae', '/%25c0%ae', '/%e0%80%af', '/%F0%80%80%AE.', '/caf%E9%2f', '/%85%2525%250a'],
  ])
    test(`${rest.slice(0, 40)} leads to no link`, () =>
      assert.equal(forward('https://example.com/a', rest), undefined));

  test('a link without the term passes nothing on', () => {
    const url = 'https://example.com/a';
    assert.equal(forward(url, '/b', { forwardQuery: true }), undefined);
    assert.equal(forward(url, '?b', { forwardPath: true }), url);
    assert.equal(forward(url, '/b?c=1', { forwardPath: true }), `${url}/b`);
  });

  test('a query that makes the Location too long is left out', () => {
    for (const target of ['https://example.com/a', `https://example.com/${'ü'.repeat(1_000)}`]) {
      const room = 8_192 - toLocation(target).length - '?b='.length;
      const query = `?b=${'x'.repeat(room)}`;
      assert.equal(forward(target, query), target + query);
      assert.equal(forward(target, `${query}x`), target);
    }
  });

  test('a path that makes the Location too long leads to no link', () => {
    const target = `https://example.com/${'ü'.repeat(1_000)}`;
    const path = `/${'x'.repeat(8_191 - toLocation(target).length)}`;
    assert.equal(forward(target, path), target + path);
    assert.equal(forward(target, `${path}x`), undefined);
  });

  /** What a client can send in the query of a request line. */
  const queryText = fc
    .array(
      fc.oneof(
        fc.constantFrom('&', '=', '+', ';', '%20', '%E9', '%C3%A9', '%zz', '%', '?', '/', '[]', '%26', '%23'),
        fc.nat({ max: 0x7e - 0x21 }).map((code) => String.fromCharCode(0x21 + code)),
      ),
      { maxLength: 30 },
    )
    .map((pieces) => pieces.join('').replaceAll('#', ''));

  test('each parameter is passed on as it was sent, unless the target has its name', () => {
    fc.assert(
      fc.property(queryText, fc.array(queryText, { maxLength: 2 }), (sent, own) => {
        const target = `https://example.com/a?${['mine=1', ...own].join('&')}`;
        const names = new Set(new URL(target).searchParams.keys());
        const isOwn = (piece: string) =>
          [...new URLSearchParams(`?${piece}`).keys()].some((name) => names.has(name));
        const kept = sent.split('&').filter((piece) => !isOwn(piece));
        const wanted = kept.join('') === '' ? target : `${target}&${kept.join('&')}`;
        assert.equal(forward(target, `?${sent}`), wanted);
        assert.equal(
          forward('https://example.com/a', `?${sent}`),
          `https://example.com/a${/^&*$/.test(sent) ? '' : `?${sent}`}`,
        );
      }),
    );
  });

  test('a path is passed on as it was sent, with any bytes beyond ASCII but those of control characters', () => {
    const byte = fc.integer({ min: 0x80, max: 0xff }).map((code) => `%${code.toString(16)}`);
    const character = fc.constantFrom(..."aZ9-_~!$&'()*+,=:@[]", '%20', '%25', '%C3%A9', '%e2%80%93');
    const piece = fc.oneof(character, byte);
    const text = fc
      .tuple(character, fc.array(piece, { maxLength: 20 }))
      .map(([first, rest]) => [first, ...rest].join(''));
    let passedOn = 0;
    fc.assert(
      fc.property(
        text.filter((sent) => !/%(?:c[01]|e0|f0|c2%[89]|25)/i.test(sent)),
        (sent) => {
          assert.equal(forward('https://example.com/a', `/${sent}`), `https://example.com/a/${sent}`);
          passedOn += 1;
        },
      ),
    );
    assert.ok(passedOn > 50);
  });

  test('a link to a file has no path below it', () => {
    const file = { fileId: 'f', fileName: 'f', sizeBytes: 1, sha256: '' };
    const link = { ...linkTo(''), target: { type: 'DOWNLOAD', file } } as const;
    assert.equal(forwardAddress(link, { path: '/b', query: '' }), undefined);
    assert.equal(forwardAddress(link, { path: '', query: 'b' }), link);
  });

  test('no address leaves the origin and the path of the target, however often a reader decodes it', () => {
    const piece = fc.constantFrom(
      ...'/ // \\ . .. ; %2e %2f %5c %25 %252e %252F %2525 %00 %0d%0a'.split(' '),
      ...'%09| |@|:|#|?|&|=|a|evil.example|https:|\r\n|\u00e9|\uff0e'.split('|'),
    );
    const anyRest = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`);
    let joinedCount = 0;
    fc.assert(
      fc.property(webUrl.filter(isHttpUrl), anyRest, (target, rest) => {
        const joined = forward(target, rest);
        if (joined === undefined) return;
        joinedCount += 1;
        const [before, after] = [new URL(target), new URL(joined)];
        assert.equal(after.origin, before.origin);
        assert.equal(after.username + after.password, before.username + before.password);
        assert.equal(after.hash, before.hash);
        for (const [name, value] of before.searchParams)
          assert.ok(after.searchParams.getAll(name).includes(value), name);
        assert.doesNotMatch(joined, /[\s\p{Cc}]/u);
        const above = before.pathname.replace(/\/$/, '');
        assert.ok(`${after.pathname}/`.startsWith(`${above}/`), joined);
        // A reader that decodes what was appended, up to three times, still finds no way up.
        let below = after.pathname.slice(above.length);
        for (let decodings = 0; decodings < 3; decodings++) {
          assert.doesNotMatch(below, /\\|\/\/|\/\.{1,2}(?:[/;]|$)/, joined);
          try {
            below = decodeURIComponent(below);
          } catch {
            break;
          }
        }
      }),
      { numRuns: 3_000 },
    );
    assert.ok(joinedCount > 100, `${joinedCount} addresses were joined`);
  });
});
