import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { toShownHost } from '../../src/core/model/shown-host.ts';
import { parseTargetUrl } from '../../src/core/rules/target-url.ts';
import { anyUrlLike } from './rules/url-arbitraries.ts';

describe('the host of a target', () => {
  for (const [target, ascii, unicode] of [
    ['https://example.com/path?query#fragment', 'example.com', null],
    ['https://EXAMPLE.com.', 'example.com', null],
    ['https://bank.example@evil.example/', 'evil.example', null],
    ['https://bank.example:443@evil.example:8443/', 'evil.example:8443', null],
    ['http://example.com:80/', 'example.com', null],
    ['http://example.com:443/', 'example.com:443', null],
    ['http://0x7f.1:8080/', '127.0.0.1:8080', null],
    ['http://[2001:db8::1]:8080/', '[2001:db8::1]:8080', null],
    ['https://bücher.example:8443/', 'xn--bcher-kva.example:8443', 'bücher.example'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example', 'bücher.example'],
    ['https://пример.рф/', 'xn--e1afmkfd.xn--p1ai', 'пример.рф'],
    ['https://аррӏе.com/', 'xn--80ak6aa92e.com', 'аррӏе.com'],
    ['https://例え.テスト/', 'xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['https://한국.example/', 'xn--3e0b707e.example', '한국.example'],
    ['https://日本go.example/', 'xn--go-5t7du0c.example', '日本go.example'],
    // A Cyrillic а in a Latin name.
    ['https://pаypal.example/', 'xn--pypal-4ve.example', null],
    // A Greek ο in a Latin name.
    ['https://gοogle.example/', 'xn--gogle-rce.example', null],
    // No language mixes Hangul and Hiragana.
    ['https://한の.example/', 'xn--u9jv080c.example', null],
    ['http://./', '.', null],
    // A symbol, and a script in little use.
    ['https://❤.example/', 'xn--qei.example', null],
    ['https://ᚠᚢ.example/', 'xn--3vee.example', null],
  ] as const) {
    it(`${target} is shown as ${unicode ?? ascii}`, () => {
      assert.deepEqual(toShownHost(target), { ascii, unicode });
    });
  }

  it('every target has a host that leads to the same place, without anything else of the target', () => {
    fc.assert(
      fc.property(anyUrlLike, (target) => {
        fc.pre(parseTargetUrl(target).ok);
        const { ascii, unicode } = toShownHost(target);
        const { protocol, port } = new URL(target);
        const again = new URL(`${protocol}//${ascii}/`);
        assert.equal(again.port, port);
        assert.match(ascii, /^[!-~]*$/);
        assert.doesNotMatch(ascii, /[/?#@\\]/);
        if (unicode !== null) assert.equal(domainToASCII(unicode), again.hostname);
      }),
    );
  });
});
