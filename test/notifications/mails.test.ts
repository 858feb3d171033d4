import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createMailDelivery } from '../../src/adapters/delivery/mails.ts';
import type { DueNotification } from '../../src/core/ports/notifications.ts';
import type { MailServer } from '../../src/core/use-cases/notify/settings.ts';
import { makeCertificate, WITHOUT_OPENSSL } from '../support/certificates.ts';
import { refusal, startSmtpServer } from '../support/smtp-server.ts';

const NOW = Date.parse('2026-06-15T12:01:00Z');
const FROM = { name: 'Postern: links', address: 'links@example.com' };
const FINGERPRINT = 'ab'.repeat(32);

const NOTIFICATION: DueNotification = {
  id: 'mail_29691361_abc12345',
  kind: 'MAIL',
  address: 'maker@example.org',
  language: 'de',
  queue: 'mail',
  shortCode: 'abc12345',
  createdAt: NOW,
  tries: 0,
  payload: `${JSON.stringify({
    type: 'link.opened',
    data: {
      shortCode: 'abc12345',
      historyUrl: 'https://links.example/links/abc12345',
      entryCount: 2,
      fingerprint: FINGERPRINT,
      eventCount: 1,
      events: [{ type: 'link.opened', at: '2026-06-15T12:00:00.000Z', ipAddress: '192.0.2.7' }],
    },
  })}\n`,
};

const BASE_URL = 'https://links.example/go';

const plain = (port: number): MailServer => ({
  host: '127.0.0.1',
  port,
  security: 'NONE',
  credentials: null,
});

type Options = Partial<Parameters<typeof createMailDelivery>[0]>;

function deliver(server: MailServer, options: Options = {}, signal = new AbortController().signal) {
  return createMailDelivery({
    server,
    from: FROM,
    brandName: null,
    baseUrl: BASE_URL,
    clock: () => NOW,
    ...options,
  })(NOTIFICATION, signal);
}

test('a mail arrives with the headers of an automatic message', async (t) => {
  const { port, mails } = await startSmtpServer(t);
  assert.deepEqual(await deliver(plain(port)), { kind: 'DELIVERED' });
  const [{ from, to, message = '' } = assert.fail('no mail')] = mails;
  assert.deepEqual([from, to], ['links@example.com', ['maker@example.org']]);
  const [head = '', body = ''] = message.split('\r\n\r\n');
  assert.match(head, /^From: "Postern: links" <links@example\.com>$/m);
  assert.match(head, /^To: maker@example\.org$/m);
  assert.match(head, /^Subject: =\?UTF-8\?Q\?Ihr_Link_abc12345_wurde_ge=C3=B6ffnet\?=$/m);
  assert.match(head, /^Message-ID: <mail_29691361_abc12345@example\.com>$/m);
  assert.match(head, /^Date: Mon, 15 Jun 2026 12:01:00 \+0000$/m);
  assert.match(head, /^Auto-Submitted: auto-generated$/m);
  assert.match(head, /^Content-Type: multipart\/alternative;/m);
  assert.ok(body.length > 0);
  assert.ok(message.replaceAll('=\r\n', '').includes(FINGERPRINT));
});

test('the name of a person who mails a link adds no header', async (t) => {
  const { port, mails } = await startSmtpServer(t);
  const sender = 'eve\r\nBcc: bob@example.org';
  const facts = { url: 'https://links.example/l/a', startsAt: null, expiresAt: null, viewsLeft: null };
  const payload = JSON.stringify({ ...facts, sender, replyTo: 'eve@example.org' });
  const send = createMailDelivery({
    ...{ server: plain(port), from: FROM, brandName: null, baseUrl: BASE_URL },
    clock: () => NOW,
  });
  await send({ ...NOTIFICATION, kind: 'LINK_MAIL', payload }, new AbortController().signal);
  const [{ message, to } = assert.fail('no mail')] = mails;
  assert.deepEqual(to, [NOTIFICATION.address]);
  const [headers = ''] = message.split('\r\n\r\n');
  assert.doesNotMatch(headers, /^Bcc:/im);
  assert.match(headers, /^Reply-To: eve@example\.org\r$/m);
});

test('a sender without a name has that of the brand, in the header and in the text', async (t) => {
  const { port, mails } = await startSmtpServer(t);
  await deliver(plain(port), { from: { ...FROM, name: '' }, brandName: 'Example Links' });
  const [{ message = '' } = assert.fail('no mail')] = mails;
  assert.match(message, /^From: Example Links <links@example\.com>$/m);
  assert.match(message.replaceAll('=\r\n', ''), /Administrator: Example Links <links@example\.com>/);
});

/** The refusals of a server, and their effects. */
const REFUSALS = [
  ['a refused recipient', 'onRcptTo', 550, 'REJECTED', 'RCPT TO'],
  ['a recipient that is busy', 'onRcptTo', 450, 'RETRY', 'RCPT TO'],
  ['a refused sender', 'onMailFrom', 553, 'RECEIVER_DOWN', 'MAIL FROM'],
] as const;
for (const [name, handler, code, kind, command] of REFUSALS) {
  test(`${name} is ${kind}, and the error has no address`, async (t) => {
    const { port } = await startSmtpServer(t, {
      [handler]: (_: unknown, __: unknown, callback: (error: Error) => void) => callback(refusal(code)),
    });
    const error = `The mail server responded with ${code} to ${command}`;
    assert.deepEqual(await deliver(plain(port)), { kind, error });
  });
}

test('a server that is away, or hangs, is down', async (t) => {
  const away = await startSmtpServer(t);
  await away.close();
  const refused = await deliver(plain(away.port));
  assert.equal(refused.kind, 'RECEIVER_DOWN');

  const port = await startSilentServer(t);
  const timeouts = { connectMs: 50, silenceMs: 50, totalMs: 5_000 };
  assert.equal((await deliver(plain(port), { timeouts })).kind, 'RECEIVER_DOWN');
  const total = await deliver(plain(port), {
    timeouts: { connectMs: 5_000, silenceMs: 5_000, totalMs: 50 },
  });
  assert.deepEqual(total, { kind: 'RECEIVER_DOWN', error: 'The mail server failed: not done within 0.05 s' });
});

/** Starts a server that accepts connections and never sends a byte. */
async function startSilentServer(t: TestContext): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}));
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

test('a stop of the service cuts off a delivery', async (t) => {
  const port = await startSilentServer(t);
  const stopping = new AbortController();
  const delivery = deliver(plain(port), {}, stopping.signal);
  stopping.abort();
  assert.equal((await delivery).kind, 'RECEIVER_DOWN');
});

test('TLS is verified, and a password is not sent before', { skip: WITHOUT_OPENSSL }, async (t) => {
  const { key, certificate: cert } = makeCertificate('localhost');
  const users: unknown[] = [];
  const options = {
    key,
    cert,
    authOptional: false,
    onAuth: (
      auth: { username?: string | undefined; password?: string | null | undefined },
      _: unknown,
      callback: AuthCallback,
    ) => {
      users.push([auth.username, auth.password]);
      callback(null, auth.password === 'right' ? { user: auth.username } : undefined);
    },
  };
  const tls = { ca: cert };
  for (const security of ['STARTTLS', 'TLS'] as const) {
    const { port, mails } = await startSmtpServer(t, { ...options, secure: security === 'TLS' });
    const server = {
      ...{ host: 'localhost', port, security },
      credentials: { user: 'postern', pass: 'right' },
    };
    assert.equal((await deliver(server)).kind, 'RECEIVER_DOWN', 'an unknown certificate');
    assert.deepEqual(users.splice(0), []);
    assert.deepEqual(await deliver(server, { tls }), { kind: 'DELIVERED' });
    assert.deepEqual(users.splice(0), [['postern', 'right']]);
    assert.equal(mails.length, 1);
    const wrong = { ...server, credentials: { user: 'postern', pass: 'wrong-secret' } };
    const refused = await deliver(wrong, { tls });
    assert.equal(refused.kind, 'RECEIVER_DOWN');
    assert.doesNotMatch(JSON.stringify(refused), /wrong-secret/);
    users.splice(0);
  }
  const { port } = await startSmtpServer(t);
  const stripped = { ...plain(port), security: 'STARTTLS' as const };
  assert.equal((await deliver(stripped)).kind, 'RECEIVER_DOWN', 'a server without STARTTLS');
});

type AuthCallback = (error: Error | null, response?: { user: unknown }) => void;

test('a mailbox gets at most ten mails in a minute, also of different links', async (t) => {
  const { port, mails } = await startSmtpServer(t);
  const clock = { now: NOW };
  const send = createMailDelivery({
    ...{ server: plain(port), from: FROM, brandName: null, baseUrl: BASE_URL },
    clock: () => clock.now,
  });
  const deliverTo = async (address: string) =>
    (await send({ ...NOTIFICATION, address }, new AbortController().signal)).kind;
  for (let count = 0; count < 10; count++) assert.equal(await deliverTo('maker@example.org'), 'DELIVERED');
  assert.equal(await deliverTo('Maker@example.org'), 'RETRY');
  assert.equal(await deliverTo('other@example.org'), 'DELIVERED');
  clock.now += 60_000;
  assert.equal(await deliverTo('maker@example.org'), 'DELIVERED');
  assert.equal(mails.length, 12);
});
