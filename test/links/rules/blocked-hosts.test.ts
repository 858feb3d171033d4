import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { hostNameOf } from '../../../src/core/model/host-name.ts';
import { findBlockingEntry, parseBlockedHosts } from '../../../src/core/rules/blocked-hosts.ts';

const LIST = `# Reported for phishing
evil.example
  MixedCase.Example.   # with the dot of the root

bücher.example
xn--e1afmkfd.xn--p1ai
192.0.2.1
2001:DB8::1
[2001:db8::2]
localhost\r
`;

function parse(text: string) {
  const parsed = parseBlockedHosts(text);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error);
  return parsed.value;
}

const isBlocked = (target: string, list = LIST) =>
  findBlockingEntry(parse(list), hostNameOf(new URL(target))) !== undefined;

describe('the list of blocked hosts', () => {
  for (const target of (
    'http://evil.example https://EVIL.example/path?query#fragment https://a.b.evil.example:8443/ ' +
    'https://evil.example. https://evil.example... https://evil%2Eexample/ https://%65vil.example/ ' +
    'https://ｅｖｉｌ。example/ https://e\u00advil.example/ https://bank.example@evil.example/ ' +
    'https://bank.example:443@evil.example:80/ https://mixedcase.example/ ' +
    'https://www.BÜCHER.example/ https://xn--bcher-kva.example/ https://пример.рф/ http://192.0.2.1/ ' +
    'http://192.0.2.1./ http://0xc0.0.2.1/ http://0xc0000201/ http://3221225985/ ' +
    'http://0300.0.0x2.1/ http://192.0.513/ http://[::ffff:192.0.2.1]/ ' +
    'http://[::ffff:c000:201]:8080/ http://[2001:db8:0::1]/ http://[2001:db8::2]/ ' +
    'http://localhost:8080/ http://api.localhost/'
  ).split(' ')) {
    it(`${target} is blocked`, () => assert.equal(isBlocked(target), true));
  }

  for (const target of (
    'https://example/ https://notevil.example/ https://evil.example.org/ https://evil-example/ ' +
    'https://good.example/evil.example https://evil.example@good.example/ ' +
    'https://good.example/?to=https://evil.example http://192.0.2.2/ http://1.192.0.2/ ' +
    'http://[::c000:201]/ http://[2001:db8::3]/'
  ).split(' ')) {
    it(`${target} is not blocked`, () => assert.equal(isBlocked(target), false));
  }

  for (const entry of [
    'https://evil.example',
    'evil.example/path',
    'evil.example:443',
    'user@evil.example',
    '*.evil.example',
    '.evil.example',
    'evil..example',
    '0.0.0.0 evil.example',
    'ev%69l.example',
    '256.1.1.1',
    '192.0.2.0/24',
    '[evil.example]',
    'evil.example?',
    '.',
    'a<b',
    'a'.repeat(64),
  ]) {
    it(`the entry ${entry} is refused with its line`, () => {
      const parsed = parseBlockedHosts(`# a comment\ngood.example\n${entry}\n`);
      assert.ok(!parsed.ok);
      assert.ok(
        parsed.error.startsWith(`line 3: ${JSON.stringify(entry)} must be a host name`),
        parsed.error,
      );
    });
  }

  it('an empty list blocks nothing', () =>
    assert.equal(isBlocked('https://evil.example/', '\n# none\n'), false));

  it('an entry blocks its host and its subdomains in every spelling, and no other host', () => {
    const label = fc.stringMatching(/^[a-zäöüéж日]{1,8}$/);
    const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
    const spell = fc.constantFrom(
      (name: string) => name,
      (name: string) => name.toUpperCase(),
      (name: string) => `${name}.`,
      (name: string) => domainToASCII(name),
      (name: string) => encodeURIComponent(name),
    );
    fc.assert(
      fc.property(domain, domain, spell, spell, fc.boolean(), (entry, other, write, spelt, isBelow) => {
        const written = decodeURIComponent(write(entry));
        const host = isBelow ? `${other}.${entry}` : other;
        const [ascii, suffix] = [domainToASCII(host), domainToASCII(entry)];
        const expected = ascii === suffix || ascii.endsWith(`.${suffix}`);
        assert.equal(isBlocked(`https://${spelt(host)}/`, written), expected);
      }),
    );
  });
});
