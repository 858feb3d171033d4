import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEachRefused, configOf, errorOf, withFlag } from '../support/config.ts';

const FROM = '--app.mail.from=links@example.com';

test('the URL of a mail server names its host, its TLS and its credentials', () => {
  const serverFrom = (url: string) => configOf({ argv: [`--app.mail.url=${url}`, FROM] }).mail.server;
  const credentials = null;
  for (const [url, expected] of [
    ['smtp://mail.example', { host: 'mail.example', port: 587, security: 'STARTTLS', credentials }],
    ['smtps://mail.example/', { host: 'mail.example', port: 465, security: 'TLS', credentials }],
    ['smtp://[::1]:2525?tls=none', { host: '::1', port: 2525, security: 'NONE', credentials }],
    [
      'smtps://a%40b.example:p%2Fw@mail.example:2465',
      {
        host: 'mail.example',
        port: 2465,
        security: 'TLS',
        credentials: { user: 'a@b.example', pass: 'p/w' },
      },
    ],
    [
      'smtp://u:p@127.0.0.1?tls=none',
      { host: '127.0.0.1', port: 25, security: 'NONE', credentials: { user: 'u', pass: 'p' } },
    ],
  ] as const) {
    assert.deepEqual(serverFrom(url), expected);
  }
  assertEachRefused(
    'app.mail.url',
    'mail.example|http://mail.example|smtp://|smtp://mail.example/path|smtp://mail.example#x|smtp://user@mail.example|smtp://mail.example?tls=off|smtps://mail.example?tls=none|smtp://u:%ZZ@mail.example|smtp://u:p@mail.example?tls=none',
  );
});

test('the sender of mails is an address, with or without a name', () => {
  const senderFrom = (text: string) => configOf(withFlag('app.mail.from', text)).mail.from;
  assert.deepEqual(senderFrom('links@example.com'), { name: '', address: 'links@example.com' });
  assert.deepEqual(senderFrom('Links of Ünal <links@example.com>'), {
    name: 'Links of Ünal',
    address: 'links@example.com',
  });
  assertEachRefused(
    'app.mail.from',
    'links|a@b|<links@example.com|A\r\nBcc: x <links@example.com>|A, B <a@example.com>',
  );
});

test('recipients are addresses and domains', () => {
  const flags = ['--app.mail.url=smtp://mail.example', FROM];
  const recipientsFrom = (text: string) =>
    configOf({ argv: [...flags, `--app.mail.recipients=${text}`] }).mail.recipients;
  assert.deepEqual(recipientsFrom('Example.COM, alice@Example.org'), ['example.com', 'alice@example.org']);
  assert.deepEqual(recipientsFrom('none'), []);
  assertEachRefused('app.mail.recipients', '*|@example.com|example|a b@example.com|example.com,');
});

test('mails need both a server and a sender', () => {
  for (const [flags, error] of [
    [['--app.mail.url=smtp://mail.example'], 'app.mail.url: needs app.mail.from, the sender of the mails'],
    [
      ['--app.mail.recipients=example.com'],
      'app.mail.recipients: needs app.mail.url, the server that takes mails',
    ],
  ] as const) {
    assert.equal(errorOf({ argv: [...flags] }), error);
  }
});
