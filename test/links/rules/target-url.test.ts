import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { toLocation } from '../../../src/core/model/location.ts';
import { accept, refuse } from '../../../src/core/model/parsed.ts';
import { parseTargetUrl } from '../../../src/core/rules/target-url.ts';
import { urlLike, utf16 } from './arbitraries.ts';
import { anyUrlLike, webUrl } from './url-arbitraries.ts';

const BLANK = 'must not be blank';
const INVALID = 'must be a valid URL';
const TOO_LONG = 'must be a valid URL of at most 8192 bytes in percent-encoding';

describe('targetUrl', () => {
  for (const url of [
    'http://example.com',
    'https://example.com/a/b?c=d&e=%20#f',
    'HTTPS://EXAMPLE.COM/Kept/As/It/Is',
    'https://user:secret@example.com:8443/',
    'http://127.0.0.1:8080',
    'http://[2001:db8::1]/',
    'http://localhost',
    'http://example.com?no=path',
    'http://example.com#no-path',
    'https://example.com?#',
    'https://xn--e1afmkfd.xn--p1ai/',
    'https://example.com/{template}|^`"<>\'()*!',
    'https://пример.рф/путь',
    'http://example.com/back\\slash/in/the/path',
    'https://münchen.example/straße?q=日本語',
    'https://example.com/😀',
    `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}./`,
    `https://user:${'secret'.repeat(100)}@example.com:8443/`,
    `https://${'中'.repeat(50)}.${'é'.repeat(50)}。example/`,
    `https://${'e\u0301'.repeat(50)}.example/`,
    `https://${encodeURIComponent('中'.repeat(50))}.example/`,
  ]) {
    it(`${url} is unchanged`, () => assert.deepEqual(parseTargetUrl(url), accept(url)));
  }

  for (const value of [undefined, null, '', ' ', '\t\r\n', '\u00a0\u3000']) {
    it(`${JSON.stringify(value)} must not be blank`, () => {
      assert.deepEqual(parseTargetUrl(value), refuse('targetUrl', 'TARGET_URL_MISSING', BLANK));
    });
  }

  for (const [why, value] of [
    ['a number', 42],
    ['a boolean', true],
    ['a list', ['https://example.com']],
    ['an object', { href: 'https://example.com' }],
    ['no scheme', 'example.com'],
    ['no scheme but slashes', '//example.com'],
    ['a path', '/l/abcdefgh'],
    ['another scheme', 'ftp://example.com'],
    ['a script', 'javascript:alert(1)'],
    ['a script that looks like http', 'javascript://example.com/%0aalert(1)'],
    ['data', 'data:text/html,x'],
    ['a file', 'file:///etc/passwd'],
    ['a mail address', 'mailto:a@example.com'],
    ['a query', '?query'],
    ['a fragment', '#hash'],
    ['a script split by a line break', 'java\nscript:alert(1)'],
    ['a longer scheme', 'httpsx://example.com'],
    ['a scheme further inside', 'xhttp://example.com'],
    ['no slashes', 'http:example.com'],
    ['one slash', 'http:/example.com'],
    ['no host', 'http://'],
    ['no host but a path', 'http:///example.com'],
    ['no host but a query', 'http://?q'],
    ['no host but a fragment', 'http://#f'],
    ['no host but a port', 'http://:80/'],
    ['no host but a user', 'http://user@/'],
    ['an invalid port', 'http://example.com:99999/'],
    ['an invalid address', 'http://256.256.256.256/'],
    ['an invalid host', 'http://exam<ple.com'],
    ['an invalid percent-encoding in the host', 'http://%/'],
    ['an unclosed bracket', 'http://[::1/'],
    ['backslashes for slashes', 'http:\\\\example.com'],
    ['a backslash for a host', 'http://\\example.com'],
    ['a backslash that ends the host for some parsers', 'http://good.example\\@evil.example/'],
    ['a space inside', 'http://example.com/a b'],
    ['a space before', ' http://example.com'],
    ['a space after', 'http://example.com '],
    ['a line break after', 'http://example.com\n'],
    ['a header smuggled in', 'http://example.com/\r\nSet-Cookie: a=b'],
    ['a tab, which parsers drop', 'http://exa\tmple.com'],
    ['a no-break space', 'http://example.com/\u00a0'],
    ['a byte order mark', 'http://example.com/\ufeff'],
    ['a line separator', 'http://example.com/\u2028'],
    ['NUL', 'http://example.com/\u0000'],
    ['DEL', 'http://example.com/\u007f'],
    ['a control character of Latin-1', 'http://example.com/\u0085'],
    ['a lone surrogate', 'http://example.com/\ud83d'],
    ['a label of 64 letters', `http://${'a'.repeat(64)}.example/`],
    ['a label of 64 Chinese letters', `http://user@${'中'.repeat(64)}.example:80/`],
    ['a label of 64 letters after a dot of its language', `http://example。${'é'.repeat(64)}`],
    ['a label of 64 letters, encoded', `http://${encodeURIComponent('中'.repeat(64))}/`],
    ['a label of 64 letters in Punycode', `http://${'一伴倂儬冔劘匼吤唌啴嘜坄'.repeat(2)}.example/`],
    ['a label of 378 letters that 63 characters stand for', `http://${'㌖'.repeat(63)}/`],
    ['a host of 254 characters', `http://${'a'.repeat(62)}.${`${'b'.repeat(62)}.`.repeat(3)}cd/`],
    ['an accent many times', `http://a${'\u0301'.repeat(8000)}/`],
  ] as const) {
    it(`${why} is not a valid URL`, () => {
      assert.deepEqual(parseTargetUrl(value), refuse('targetUrl', 'INVALID_TARGET_URL', INVALID));
    });
  }

  for (const [name, text, bytes] of [
    ['ASCII', 'x', 1],
    ['Latin', 'é', 6],
    ['Japanese', '日', 9],
    ['emoji', '😀', 12],
  ] as const) {
    it(`at most 8192 bytes of the Location are accepted: ${name}`, () => {
      const base = 'http://example.com/';
      const longest = base + text.repeat(Math.floor((8192 - base.length) / bytes));
      assert.deepEqual(parseTargetUrl(longest), accept(longest));
      const error = refuse('targetUrl', 'TARGET_URL_TOO_LONG', TOO_LONG, { max: 8192 });
      assert.deepEqual(parseTargetUrl(longest + text), error);
    });
  }

  it('an accepted URL is http or https, has a host, and has no space or control character', () => {
    fc.assert(
      fc.property(anyUrlLike, (text) => {
        const target = parseTargetUrl(text);
        fc.pre(target.ok);
        const url = new URL(target.value);
        assert.match(url.protocol, /^https?:$/);
        assert.notEqual(url.hostname, '');
        assert.doesNotMatch(text, /[\s\p{Cc}\p{Cs}]/u);
        assert.equal(target.value, text);
      }),
    );
  });

  it('ordinary web addresses are accepted', () => {
    fc.assert(
      fc.property(webUrl, (url) => {
        assert.deepEqual(parseTargetUrl(url), accept(url));
      }),
    );
  });
});

describe('Location', () => {
  for (const [target, location] of [
    ['https://example.com/a?b=%20&c=[d]#e', 'https://example.com/a?b=%20&c=[d]#e'],
    ['HTTPS://example.com?{a}|^`"<>\'()*!\\\\#', 'HTTPS://example.com?{a}|^`"<>\'()*!\\\\#'],
    ['https://example.com/%C3%9F/ß', 'https://example.com/%C3%9F/%C3%9F'],
    ['https://example.com/straße', 'https://example.com/stra%C3%9Fe'],
    ['https://example.com/?q=日本', 'https://example.com/?q=%E6%97%A5%E6%9C%AC'],
    ['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    [
      'HTTPS://Jürgen:ä@b@MÜNCHEN。example:8080?ü',
      'HTTPS://J%C3%BCrgen:%C3%A4@b@xn--mnchen-3ya.example:8080?%C3%BC',
    ],
    ['https://m%C3%BCnchen.example/', 'https://m%C3%BCnchen.example/'],
    ['https://[2001:db8::1]:80/ü', 'https://[2001:db8::1]:80/%C3%BC'],
  ] as const) {
    test(`${target} becomes ${location}`, () => assert.equal(toLocation(target), location));
  }

  test('every text becomes a legal header of printable ASCII', () => {
    fc.assert(
      fc.property(fc.oneof(utf16, urlLike), (text) => {
        const location = toLocation(text);
        validateHeaderValue('Location', location);
        assert.equal(new Headers({ location }).get('location'), location);
        assert.match(location, /^[\x21-\x7e]*$/);
      }),
    );
  });

  test('the encoded target is the same URL', () => {
    fc.assert(
      fc.property(anyUrlLike, (text) => {
        fc.pre(parseTargetUrl(text).ok);
        assert.equal(new URL(toLocation(text)).href, new URL(text).href);
      }),
    );
  });
});
