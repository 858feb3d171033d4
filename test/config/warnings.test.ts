import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { warningsOf } from '../support/config.ts';

describe('warnings', () => {
  const quiet = { SERVER_HOST: '127.0.0.1', APP_STORAGE_PATH: '/srv/files' };
  const isPublic = { ...quiet, SERVER_HOST: '0.0.0.0', APP_BASE_URL: 'https://links.example' };

  test('a service on the loopback with permanent storage has no warnings', () => {
    assert.deepEqual(warningsOf({ env: quiet }), []);
  });

  test('a service that listens on more than loopback warns that it has no authentication', () => {
    const open =
      /^Listening on (all interfaces|\S+) without authentication: anyone who can reach port 8080 .*GET, HEAD, POST and PATCH under \/l\/.*server\.host to 127\.0\.0\.1/;
    for (const host of ':: 0.0.0.0 192.168.1.2 links.example 126.0.0.1 128.0.0.1 fe80::1%eth0'.split(' ')) {
      assert.match(warningsOf({ env: { ...quiet, SERVER_HOST: host } }).join(), open, host);
    }
    for (const host of ['127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'LocalHost']) {
      assert.deepEqual(warningsOf({ env: { ...quiet, SERVER_HOST: host } }), [], host);
    }
  });

  test('settings of notifications that nothing can get are warned of, with the setting that is missing', () => {
    const secret = `whsec_${'a'.repeat(44)}`;
    const [mail, from] = ['smtp://mail.example', 'links@example.com'];
    for (const [env, expected] of [
      [{ APP_MAIL_URL: mail, APP_MAIL_FROM: from }, /^$/],
      [{ APP_MAIL_FROM: from }, /Set app\.mail\.url \(APP_MAIL_URL\)/],
      [{ APP_WEBHOOKS_SECRET: secret, APP_WEBHOOKS_PER_LINK: 'off' }, /set app\.webhooks\.url/],
      [{ APP_WEBHOOKS_PER_LINK: 'everyone' }, /Set app\.webhooks\.secret/],
      [
        {
          APP_WEBHOOKS_SECRET: secret,
          APP_WEBHOOKS_URL: 'https://hooks.example',
          APP_WEBHOOKS_EVENTS: 'none',
        },
        /Set app\.webhooks\.events/,
      ],
      [{ APP_MAIL_URL: mail, APP_MAIL_FROM: from, APP_MAIL_RECIPIENTS: 'example.com' }, /^$/],
      [{ APP_WEBHOOKS_SECRET: secret, APP_WEBHOOKS_URL: 'https://hooks.example' }, /^$/],
      [{ APP_WEBHOOKS_SECRET: secret }, /^$/],
    ] as const)
      assert.match(warningsOf({ env: { ...quiet, ...env } }).join(), expected, JSON.stringify(env));
  });

  test('an unencrypted base address is warned of where keys are sent to it', () => {
    const warningsAt = (baseUrl: string, access: string) =>
      warningsOf({ env: { ...quiet, APP_BASE_URL: baseUrl, APP_ACCESS: access } });
    assert.match(
      warningsAt('http://links.example', 'keys').join(),
      /^app\.base-url http:\/\/links\.example is not encrypted: .* API keys.*https address\.$/,
    );
    for (const [baseUrl, access] of [
      ['http://links.example', 'open'],
      ['https://links.example', 'keys'],
      ['http://localhost:8080', 'keys'],
      ['http://[::1]:8080', 'keys'],
    ] as const) {
      assert.deepEqual(warningsAt(baseUrl, access), [], baseUrl);
    }
  });

  test('all interfaces are named as such, one interface by its address', () => {
    const firstWarning = (host: string) => warningsOf({ env: { ...isPublic, SERVER_HOST: host } })[0] ?? '';
    for (const host of ['::', '0.0.0.0']) assert.match(firstWarning(host), /^Listening on all interfaces /);
    assert.match(firstWarning('192.168.1.2'), /^Listening on 192\.168\.1\.2 /);
  });

  test('an unset base address is warned of as soon as others can reach the service', () => {
    const unset =
      /^app\.base-url is not set: new links start with http:\/\/localhost:9000, .*Set app\.base-url/;
    const { APP_BASE_URL, ...withoutBaseUrl } = { ...isPublic, SERVER_PORT: '9000' };
    assert.match(warningsOf({ env: withoutBaseUrl })[1] ?? '', unset);
    assert.equal(warningsOf({ env: { ...withoutBaseUrl, APP_BASE_URL } }).length, 1);
    assert.deepEqual(warningsOf({ env: { ...withoutBaseUrl, SERVER_HOST: '127.0.0.1' } }), []);
  });

  test('storage in a temporary directory of the system is warned of', () => {
    const inTemporary = (APP_STORAGE_PATH: string, TMPDIR = '/scratch') =>
      warningsOf({ env: { ...quiet, APP_STORAGE_PATH, TMPDIR } }).some((warning) =>
        /app\.storage\.path.*temporary directory/.test(warning),
      );
    for (const path of ['/tmp', '/tmp/uploads/', '/srv/../tmp/x', '//tmp/x', '/var/tmp/x', '/scratch/x']) {
      assert.ok(inTemporary(path), path);
    }
    for (const path of ['/tmpfiles', '/srv/tmp', '/tmp/../srv', 'tmp', '/scratchy']) {
      assert.ok(!inTemporary(path), path);
    }
  });
});
