import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accept, refuse } from '../../../src/core/model/parsed.ts';
import { checkTarget, parseTargetUrl } from '../../../src/core/rules/target-url.ts';
import { anyUrlLike } from './url-arbitraries.ts';

const LOOP = refuse('targetUrl', 'TARGET_IS_THIS_SERVICE', 'must not lead to this service');
const check = (targetUrl: string, baseUrl: string, blocked: string[] = []) =>
  checkTarget(targetUrl, {
    baseUrl,
    hosts: new Map([['go.example', null]]),
    blockedHosts: () => new Set(blocked),
  });

describe('a target into the service itself', () => {
  for (const [baseUrl, targetUrl] of [
    ['https://links.example', 'https://links.example'],
    ['https://links.example', 'https://links.example/l/abcdefgh'],
    ['https://links.example', 'https://links.example/dashboard?a#b'],
    ['https://links.example', 'https://LINKS.example./l/a'],
    ['https://links.example', 'https://links.example:443/l/a'],
    ['https://links.example', 'http://links.example/l/a'],
    ['https://links.example', 'https://user:password@links.example/l/a'],
    ['https://links.example', 'https://%6cinks.example/l/a'],
    ['https://xn--bcher-kva.example', 'https://bücher.example/l/a'],
    ['http://localhost:8080', 'http://localhost:8080/l/a'],
    ['http://127.0.0.1:8080', 'http://0x7f.1:8080/l/a'],
    ['http://127.0.0.1:8080', 'http://[::ffff:127.0.0.1]:8080/l/a'],
    ['http://[::1]:8080', 'http://[0:0::1]:8080/l/a'],
    ['https://links.example/go', 'https://links.example/go'],
    ['https://links.example/go', 'https://links.example/go?a'],
    ['https://links.example/go', 'https://links.example/go/l/a'],
    ['https://links.example/go', 'https://links.example//go//l/a'],
    ['https://links.example/go', 'https://links.example/x/../go/l/a'],
    ['https://links.example/go', 'https://links.example/x/%2e%2e/go/l/a'],
    ['https://links.example/go', 'https://links.example/x/..%2fgo/l/a'],
    ['https://links.example/go', 'https://links.example/%67o/l/a'],
    ['https://links.example/go', 'https://links.example\\go\\l\\a'],
    ['https://links.example/gehe zu', 'https://links.example/gehe%20zu/l/a'],
  ] as const) {
    it(`${targetUrl} is refused at ${baseUrl}`, () => assert.deepEqual(check(targetUrl, baseUrl), LOOP));
  }

  for (const [baseUrl, targetUrl] of [
    ['https://links.example', 'https://links.example:8443/l/a'],
    ['https://links.example', 'https://www.links.example/l/a'],
    ['https://links.example', 'https://links.example.org/l/a'],
    ['https://links.example', 'https://links.example@other.example/l/a'],
    ['http://localhost:8080', 'http://localhost/l/a'],
    ['https://links.example/go', 'https://links.example/'],
    ['https://links.example/go', 'https://links.example/gone'],
    ['https://links.example/go', 'https://links.example/GO/l/a'],
    ['https://links.example/go', 'https://links.example/x/go/l/a'],
    ['https://links.example/go', 'https://links.example/go/../other'],
    ['https://links.example/go', 'https://links.example/?x=/go/l/a'],
    ['https://links.example/go', 'https://links.example/go%'],
  ] as const) {
    it(`${targetUrl} is accepted at ${baseUrl}`, () => {
      assert.deepEqual(check(targetUrl, baseUrl), accept(targetUrl));
    });
  }
});

it('a target on a blocked host is refused with the entry that blocks it', () => {
  assert.deepEqual(
    check('https://login.evil.example/', 'https://links.example', ['evil.example']),
    refuse('targetUrl', 'TARGET_BLOCKED', 'must not lead to evil.example, which this service blocks', {
      host: 'evil.example',
    }),
  );
});

it('every valid target is accepted unchanged or refused', () => {
  fc.assert(
    fc.property(
      anyUrlLike,
      fc.constantFrom('https://example.com', 'https://example.com/a'),
      (text, baseUrl) => {
        fc.pre(parseTargetUrl(text).ok);
        const checked = check(text, baseUrl);
        assert.deepEqual(checked, checked.ok ? accept(text) : LOOP);
      },
    ),
  );
});
