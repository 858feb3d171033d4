import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertEachRefused, configOf, errorsOf } from '../support/config.ts';

const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
const SECRET = secretOf(32);
const webhooksOf = (env: Record<string, string>) => configOf({ env }).webhooks;

describe('the settings of webhooks', () => {
  test('a secret has 24 to 64 bytes, and may be followed by the one before', () => {
    for (const text of [SECRET, `${SECRET},${secretOf(24)}`, `${SECRET}, ${secretOf(64)}`])
      assert.deepEqual(webhooksOf({ APP_WEBHOOKS_SECRET: text }).secrets, text.split(/, ?/));
    const refused = ['hush-hush', secretOf(23), secretOf(65), `${SECRET},`, `${SECRET},${SECRET},${SECRET}`];
    for (const text of refused) {
      const errors = errorsOf({ env: { APP_WEBHOOKS_SECRET: text } });
      assert.match(errors.join(), /^app\.webhooks\.secret: .* must be whsec_/);
      assert.ok(!errors.join().includes(text), 'no error shows it');
    }
  });

  test('receivers need a secret', () => {
    const errors = errorsOf({ env: { APP_WEBHOOKS_URL: 'https://hooks.example' } });
    assert.deepEqual(errors, ['app.webhooks.url: needs app.webhooks.secret, which signs the messages']);
    const env = { APP_WEBHOOKS_URL: 'https://hooks.example', APP_WEBHOOKS_SECRET: 'hush-hush' };
    assert.equal(errorsOf({ env }).length, 1, 'a secret that is refused is not reported as missing too');
  });

  test('receivers are checked as those of links are, without their URL in the error', () => {
    const errorsWith = (APP_WEBHOOKS_URL: string, env: Record<string, string> = {}) =>
      errorsOf({ env: { APP_WEBHOOKS_SECRET: SECRET, APP_WEBHOOKS_URL, ...env } }).join();
    assert.match(errorsWith('https://a.example,http://b.example/token'), /entry 2 must begin with https/);
    assert.match(
      errorsWith('https://a.example:22/token'),
      /entry 1 must use one of the ports of app\.webhooks\.ports: 443$/,
    );
    assert.match(
      errorsWith('https://192.168.1.1/token'),
      /entry 1 leads to .* not public; app\.webhooks\.allowed-networks can allow it$/,
    );
    assert.match(errorsWith('https://user@a.example/token'), /https URLs without a user name/);
    for (const url of ['http://b.example/token', 'https://user@a.example/token'])
      assert.doesNotMatch(errorsWith(url), /token/);
    const allowed = { APP_WEBHOOKS_ALLOWED_NETWORKS: '192.168.1.0/24' };
    const local = { APP_WEBHOOKS_SECRET: SECRET, APP_WEBHOOKS_URL: 'http://192.168.1.1:9000/', ...allowed };
    assert.deepEqual(webhooksOf(local).urls, ['http://192.168.1.1:9000/']);
  });

  test('events, networks, ports and creators are of their lists', () => {
    assert.deepEqual(webhooksOf({ APP_WEBHOOKS_EVENTS: 'none' }).events, []);
    assert.deepEqual(webhooksOf({ APP_WEBHOOKS_EVENTS: 'link.expired, link.opened' }).events, [
      'link.expired',
      'link.opened',
    ]);
    assertEachRefused('app.webhooks.events', 'link.open|opened|link.opened,');
    assertEachRefused('app.webhooks.allowed-networks', '10.0.0.0/33|hooks.internal|0.0.0.0/0|10.1.2.3/');
    assertEachRefused('app.webhooks.ports', '0|65536|https|');
    assertEachRefused('app.webhooks.per-link', 'true|nobody');
  });
});
