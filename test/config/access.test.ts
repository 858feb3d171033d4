import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  assertEachRefused,
  assertRefused,
  configOf,
  errorsOf,
  warningsOf,
  withFlag,
} from '../support/config.ts';

const KEY = 'k'.repeat(32);

describe('the properties of access', () => {
  test('access is open or keys', () => {
    assert.equal(configOf(withFlag('app.access', 'keys')).access.mode, 'keys');
    assertEachRefused('app.access', 'KEYS|key|none|open,keys', /open, keys/);
  });

  test('an initial key and the secret have at least 32 visible ASCII characters, and no error shows it', () => {
    const keyFrom = (text: string) => configOf(withFlag('app.access.initial-key', text)).access.initialKey;
    assert.equal(keyFrom(KEY), KEY);
    const env = { APP_ACCESS_INITIAL_KEY_FILE: '/run/key' };
    assert.equal(configOf({ env, files: { '/run/key': `${KEY}\n` } }).access.initialKey, KEY);
    for (const name of ['app.access.initial-key', 'app.secret'])
      for (const text of ['hunter2', 'k'.repeat(31), `${KEY} k`, `${KEY}é`, `${KEY}\t`, 'k'.repeat(513)]) {
        assertRefused(name, text, /32 to 512 visible ASCII characters/);
        assert.ok(!errorsOf(withFlag(name, text)).join().includes(text), text);
      }
  });

  test('a user header is a header of its own, and has no case', () => {
    const proxies = '--app.trusted-proxies=203.0.113.7';
    const { userHeader } = configOf({ argv: ['--app.access.user-header=Remote-User', proxies] }).access;
    assert.equal(userHeader, 'remote-user');
    assertEachRefused(
      'app.access.user-header',
      'Authorization|Host|X-Forwarded-For|X-Link-Token|a b|Remote_User|é',
      /only the reverse proxy sets/,
    );
  });

  test('a user header without the addresses of the proxy stops the start', () => {
    const refused = /^app\.access\.user-header: needs app\.trusted-proxies, .*set it to the address/;
    const header = '--app.access.user-header=Remote-User';
    assert.match(errorsOf({ argv: [header] }).join(), refused);
    assert.match(errorsOf({ argv: [header, '--app.trusted-proxies=none'] }).join(), refused);
    assert.match(errorsOf({ argv: [header], env: { APP_TRUSTED_PROXIES: '' } }).join(), refused);
  });

  test('a user header with every origin allowed stops the start', () => {
    const argv = ['--app.access.user-header=Remote-User', '--app.trusted-proxies=203.0.113.7'];
    const refused = /^app\.access\.user-header: cannot be used with app\.cors\.allowed-origins \*/;
    assert.match(errorsOf({ argv: [...argv, '--app.cors.allowed-origins=*'] }).join(), refused);
    configOf({ argv: [...argv, '--app.cors.allowed-origins=https://app.example'] });
  });

  test('scopes are words separated by commas, or none', () => {
    const scopesFrom = (text: string) => configOf(withFlag('app.access.user-scopes', text)).access.userScopes;
    assert.deepEqual(scopesFrom('read, metrics'), ['read', 'metrics']);
    assert.deepEqual(scopesFrom('none'), []);
    for (const entry of ['write', 'READ', '*', '']) {
      assertRefused(
        'app.access.user-scopes',
        `read,${entry}`,
        /create, read, manage, metrics, admin; see entry 2$/,
      );
    }
  });

  test('an issuer is an https address with a client, and its slash at the end counts', () => {
    const client = '--app.oidc.client-id=postern';
    const issuerFrom = (text: string) =>
      configOf({ argv: [client, `--app.oidc.issuer=${text}`] }).signIn.provider?.issuer;
    for (const issuer of ['https://login.example', 'https://login.example/app/', 'http://127.0.0.1:9000'])
      assert.equal(issuerFrom(issuer), issuer);
    assertEachRefused(
      'app.oidc.issuer',
      'http://login.example|login.example|https://a@b|https://x/?y',
      /calls its issuer/,
    );
    const alone = errorsOf(withFlag('app.oidc.issuer', 'https://login.example')).join();
    assert.equal(alone, 'app.oidc.issuer: needs app.oidc.client-id');
    assert.equal(errorsOf(withFlag('app.oidc.only', 'true')).join(), 'app.oidc.only: needs app.oidc.issuer');
  });

  test('groups have scopes, and a group may have an equals sign', () => {
    const argv = ['--app.oidc.issuer=https://login.example', '--app.oidc.client-id=postern'];
    const text = 'cn=staff,dc=example=create, read ; *=metrics;nobody=none';
    const { provider } = configOf({ argv: [...argv, `--app.oidc.group-scopes=${text}`] }).signIn;
    assert.deepEqual(
      [...(provider?.groupScopes ?? [])],
      [
        ['cn=staff,dc=example', ['create', 'read']],
        ['*', ['metrics']],
        ['nobody', []],
      ],
    );
    assertEachRefused(
      'app.oidc.group-scopes',
      'staff|=create|staff=write|staff=create;|;',
      /must be groups with scopes/,
    );
  });

  test('an allowed host is a name, or a star for all names below one', () => {
    const { allowedHosts } = configOf(withFlag('app.allowed-hosts', 'Links.Example, *.corp.example'));
    assert.deepEqual(allowedHosts, ['links.example', '*.corp.example']);
    assert.deepEqual(configOf(withFlag('app.allowed-hosts', 'none')).allowedHosts, []);
    assertEachRefused(
      'app.allowed-hosts',
      'x.example,*|x.example,*.|x.example,a.*.b|x.example,http://x|x.example,x:80|x.example,x/y|x.example,**.x|x.example,',
      /see entry 2$/,
    );
  });

  test('the management port differs from the public one', () => {
    assert.equal(configOf(withFlag('app.management.port', '9090')).server.managementPort, 9090);
    assertEachRefused('app.management.port', '0|65536|x');
    assert.deepEqual(errorsOf({ argv: ['--server.port=9000', '--app.management.port=9000'] }), [
      'app.management.port: must differ from server.port 9000',
    ]);
  });
});

test('a service that listens for others without authentication warns only where access is open', () => {
  const env = {
    SERVER_HOST: '0.0.0.0',
    APP_BASE_URL: 'https://links.example',
    APP_STORAGE_PATH: '/srv/files',
  };
  assert.match(warningsOf({ env }).join(), /app\.access=keys .* first administrator sets a password/);
  assert.deepEqual(warningsOf({ env: { ...env, APP_ACCESS: 'keys' } }), []);
});
