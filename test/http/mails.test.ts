import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Person } from '../../src/core/model/people/person.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import { findDifferences } from '../../src/tools/commands/verify-store.ts';
import { newChange } from '../support/attempts.ts';
import { json, member, send, sendJson, type TestResponse, until } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { openLink, shortCodeOf, TARGET } from '../support/links.ts';
import { recordSecret } from '../support/log-secrets.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS, sendForm } from '../support/multipart.ts';
import { addPerson, sendFromPage, sessionHeaders } from '../support/people.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService, type TestService, testConfig } from '../support/service.ts';
import { readMailedCode, startSmtpServer } from '../support/smtp-server.ts';
import { SECRET, startReceiver } from '../support/webhook-receiver.ts';

const MINUTE = 60_000;

async function startWithMail(
  t: TestContext,
  flags: string[] = [],
  perLink = 'everyone',
  recipients = 'example.org',
) {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, {
    flags: [
      `--app.mail.url=smtp://127.0.0.1:${smtp.port}?tls=none`,
      '--app.mail.from=Postern <links@example.com>',
      `--app.mail.recipients=${recipients}`,
      `--app.mail.per-link=${perLink}`,
      '--app.base-url=https://links.example/go',
      ...flags,
    ],
  });
  return { service, smtp };
}

async function createNotified(service: TestService, language = 'fr-CA, en;q=0.5'): Promise<string> {
  return shortCodeOf(
    await sendJson(
      service,
      '/api/links',
      { targetUrl: TARGET, notifyEmail: 'maker@example.org' },
      { headers: { 'accept-language': language } },
    ),
  );
}

/** Collects and delivers, as the service does each second. */
async function dispatch({ dispatcher }: TestService): Promise<void> {
  await dispatcher?.tick();
  await dispatcher?.settled();
}

/** The stores, by the flags of a service. */
const STORES: Record<string, (t: TestContext) => Promise<string[]>> = {
  SQLite: async () => [],
  PostgreSQL: async (t) => [`--app.database.url=${(await temporarySchema(t)).url}`],
};

for (const [name, flagsOf] of Object.entries(STORES)) {
  test(`on ${name}, the views of a link in a minute are one mail in the language of its creator`, async (t) => {
    const { service, smtp } = await startWithMail(t, await flagsOf(t));
    const code = await createNotified(service);
    for (let second = 1; second <= 3; second++) {
      service.clock.now += 2_000;
      await openLink(service, code);
      await dispatch(service);
    }
    assert.equal(smtp.mails.length, 0, 'the minute is not over');
    service.clock.now += MINUTE;
    await dispatch(service);
    const [mail, ...others] = smtp.mails;
    assert.deepEqual(others, []);
    assert.deepEqual(mail?.to, ['maker@example.org']);
    const text = decode(mail?.message ?? '');
    assert.match(text, new RegExp(`Votre lien ${code} a été ouvert 3 fois`));
    assert.equal(text.match(/ouvert depuis 127\.0\.0\.1\r\n/g)?.length, 3);
    assert.ok(text.includes(`https://links.example/go/links/${code}`));
    const { history } = (await service.stores.store.read(code)) ?? assert.fail();
    assert.ok(text.includes(history.fingerprint), 'the mail has the fingerprint of the history');

    // Later views are in one mail, a day after the first of them.
    for (let hour = 1; hour <= 3; hour++) {
      await openLink(service, code);
      await dispatch(service);
      service.clock.now += HOUR_MS;
    }
    await dispatch(service);
    assert.equal(smtp.mails.length, 1, 'the day is not over');
    const { notifications } = service.stores.store;
    const { waiting } = await notifications.countNotifications(10, service.clock.now);
    assert.equal(waiting, 0, 'what collects events does not wait for delivery');
    service.clock.now += DAY_MS - 3 * HOUR_MS;
    await dispatch(service);
    assert.match(decode(smtp.mails[1]?.message ?? ''), new RegExp(`lien ${code} a été ouvert 3 fois`));
    service.clock.now += DAY_MS;
    await dispatch(service);
    assert.equal(smtp.mails.length, 2, 'a day without views has no mail');
  });
}

test('a mail says that a bot fetched a link, and the first opening has a mail at once', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const code = await createNotified(service, 'en');
  const openAs = (agent: string) => send(service, `/l/${code}`, { headers: { 'user-agent': agent } });
  await openAs('Slackbot 1.0 (+https://api.slack.com/robots)');
  await dispatch(service);
  service.clock.now += MINUTE;
  await dispatch(service);
  assert.match(decode(smtp.mails[0]?.message ?? ''), /Your link \S+ was fetched by a program\r\n/);
  await openAs('Slackbot 1.0 (+https://api.slack.com/robots)');
  await dispatch(service);
  const openAsPerson = () => openAs('Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0');
  service.clock.now += 2_000;
  await openAsPerson();
  await dispatch(service);
  service.clock.now += MINUTE;
  await dispatch(service);
  const text = decode(smtp.mails[1]?.message ?? '');
  assert.match(text, /Your link \S+ was opened\r\n/);
  assert.match(text, /: fetched by a program \(a chat or scanner\) from 127\.0\.0\.1\r\n/);
  assert.match(text, /: opened from 127\.0\.0\.1\r\n/);
  service.clock.now += 2_000;
  await openAsPerson();
  await dispatch(service);
  service.clock.now += MINUTE;
  await dispatch(service);
  assert.equal(smtp.mails.length, 2, 'a later opening waits for the mail of the day');
});

test('a mail about a file request says when how many files arrived, and from whom', async (t) => {
  for (const flagsOf of Object.values(STORES)) {
    const { service, smtp } = await startWithMail(t, await flagsOf(t));
    const wanted = {
      request: { message: 'Vertrag\nals PDF' },
      ...{ notifyEmail: 'maker@example.org', maxViews: 2 },
      ...{ label: 'Vertrag 2026', recipient: 'Jörg Müller' },
    };
    const created = await sendJson(service, '/api/links', wanted, { headers: { 'accept-language': 'de' } });
    const code = shortCodeOf(created);
    for (const sender of ['Jörg https://evil.example', '']) {
      const files = [file('one', 'a.pdf'), ...(sender ? [file('two', 'b.pdf')] : [])];
      const body = encodeForm([...fields({ sender }), ...files]);
      const sent = await send(service, `/l/${code}`, { method: 'POST', headers: MULTIPART_HEADERS, body });
      assert.equal(sent.status, 201, sent.text);
    }
    await dispatch(service);
    service.clock.now += MINUTE;
    await dispatch(service);
    const text = decode(smtp.mails[0]?.message ?? '');
    assert.match(text, /3 Dateien eingegangen: „Vertrag 2026“ \(Jörg Müller\)\r\n/);
    assert.match(
      text,
      /- 15\. Juni 2026, 12:\d\d UTC · 2 Dateien · Jörg https evil\.example · 127\.0\.0\.1\r\n/,
    );
    assert.match(text, /- 15\. Juni 2026, 12:\d\d UTC · 1 Datei · Absender nicht genannt · 127\.0\.0\.1\r\n/);
    assert.doesNotMatch(text, /geöffnet/);
    assert.equal(smtp.mails.length, 1);
  }
});

test('a mail names the recipient who opened a link, and its file; a webhook names the recipient', async (t) => {
  for (const flagsOf of Object.values(STORES)) {
    const receiver = await startReceiver(t);
    const hook = [`--app.webhooks.url=${receiver.url}`, `--app.webhooks.secret=${SECRET}`];
    const { service, smtp } = await startWithMail(t, [
      ...(await flagsOf(t)),
      ...[...hook, '--app.webhooks.allowed-networks=127.0.0.0/8', '--app.webhooks.events=link.opened'],
    ]);
    const parts = [
      ...fields({
        label: 'Vertrag',
        notifyEmail: 'maker@example.org',
        verifiedRecipients: 'ann@example.org',
      }),
      file('content', 'Contract.pdf'),
    ];
    const created = await sendForm(service, parts, { headers: { 'accept-language': 'de' } });
    const code = shortCodeOf(created);
    const post = (form: Record<string, string>, cookie = '') =>
      send(service, `/l/${code}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
        body: new URLSearchParams(form).toString(),
      });
    const recipientAddress = 'ann@example.org';
    const asked = await post({ recipientAddress });
    const recipientCode = await readMailedCode(smtp, 1);
    const [cookie] = String(asked.headers['set-cookie']).split(';');
    const opened = await post({ recipientAddress, recipientCode }, cookie);
    assert.match(String(opened.headers['content-disposition']), /Contract\.pdf/);
    await dispatch(service);
    service.clock.now += MINUTE;
    await dispatch(service);
    const mail = smtp.mails.find(({ to }) => to.includes('maker@example.org')) ?? assert.fail();
    const text = decode(mail.message);
    assert.match(text, /„Vertrag“ wurde geöffnet\r\n\r\nDatei: Contract\.pdf\r\n/);
    assert.match(text, /: geöffnet von einer Person mit Zugriff auf ann@example\.org, von 127\.0\.0\.1\r\n/);
    const { data } = JSON.parse(receiver.received[0]?.body ?? '{}') as { data: { events: object[] } };
    assert.deepEqual(
      data.events.map((event) => member(event, 'recipientAddress')),
      [recipientAddress],
    );
  }
});

/** Decodes the parts of a message that matter here: quoted-printable as UTF-8. */
function decode(message: string): string {
  const bytes = message.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

test('a mail waits while the server is away, and arrives once it is back', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const code = await createNotified(service);
  await openLink(service, code);
  await dispatch(service);
  await smtp.close();
  service.clock.now += 2 * MINUTE;
  await dispatch(service);
  const again = await startSmtpServer(t, { port: smtp.port });
  service.clock.now += MINUTE;
  await dispatch(service);
  await until(() => again.mails.length === 1);
  assert.equal((await service.stores.store.notifications.listFailed(10)).length, 0);
});

test('a mail that waits is not sent once its address is removed from the link', async (t) => {
  const { service, smtp } = await startWithMail(t);
  const created = await sendJson(service, '/api/links', {
    targetUrl: TARGET,
    notifyEmail: 'maker@example.org',
  });
  const code = shortCodeOf(created);
  await openLink(service, code);
  await dispatch(service);
  const removed = await sendJson(
    service,
    `/api/links/${code}`,
    { notifyEmail: null },
    { method: 'PATCH', headers: { 'x-link-token': String(created.headers['x-link-token']) } },
  );
  assert.equal(removed.status, 200, removed.text);
  service.clock.now += 2 * MINUTE;
  await dispatch(service);
  assert.deepEqual(await service.stores.store.notifications.listFailed(10), [], 'and needs no repair');
  assert.equal(smtp.mails.length, 0);
});

/** Returns the headers of a page of a new person. The base URL of the service is https. */
async function pageHeaders(service: TestService, name: string, change: Partial<Person>) {
  const { cookie, ...headers } = await sessionHeaders(service, await addPerson(service, name, change));
  return { ...headers, cookie: `__Host-${cookie}` };
}

test('a person who is signed in is notified at the own verified address, until a deactivation', async (t) => {
  for (const flagsOf of Object.values(STORES)) {
    const flags = [...(await flagsOf(t)), '--app.access=keys'];
    const { service, smtp } = await startWithMail(t, flags, 'signed-in', 'none');
    const headersOf = (name: string, isEmailVerified: boolean) =>
      pageHeaders(service, name, { email: `${name}@work.example`, isEmailVerified });
    const ada = await headersOf('ada', true);
    const bob = await headersOf('bob', false);
    const create = (headers: typeof ada, notifyEmail: string) =>
      sendFromPage(service, 'POST', '/api/links', { targetUrl: TARGET, notifyEmail }, headers);
    for (const [headers, own] of [
      [ada, { email: true, ownEmail: 'ada@work.example' }],
      [bob, { email: false }],
    ] as const) {
      const settings = json(await send(service, '/api/settings', { headers }));
      assert.deepEqual(member(settings, 'notify'), {
        ...own,
        url: false,
        recipient: true,
        verifiedRecipients: true,
        invitations: true,
      });
      assert.equal((await create(headers, 'bob@work.example')).status, 400);
    }
    assert.equal((await create(bob, 'ada@work.example')).status, 400);

    const openNotified = async () => {
      await openLink(service, shortCodeOf(await create(ada, 'Ada@work.example')));
      await dispatch(service);
    };
    const sendDue = async () => {
      service.clock.now += 2 * MINUTE;
      await dispatch(service);
    };
    await openNotified();
    await sendDue();
    assert.deepEqual(smtp.mails[0]?.to, ['Ada@work.example']);
    await openNotified();
    const change = { isActive: false, linksTo: 'bob' };
    const deactivated = await sendFromPage(service, 'PATCH', '/api/people/ada', change, bob);
    assert.equal(deactivated.status, 200, deactivated.text);
    await sendDue();
    assert.equal(smtp.mails.length, 1);
    const [failed] = await service.stores.store.notifications.listFailed(10);
    assert.match(String(failed?.error), /no active person has the verified address$/);
  }
});

test('a person mails a link to its recipient, and the history says to whom', async (t) => {
  for (const flagsOf of Object.values(STORES)) {
    const storeFlags = await flagsOf(t);
    const flags = [...storeFlags, '--app.access=keys', '--app.limits.mails=3/PT1H'];
    const { service, smtp } = await startWithMail(t, flags, 'signed-in', 'none');
    const ada = await pageHeaders(service, 'ada', {
      ...{ displayName: 'Ada Byron', email: 'ada@work.example', isEmailVerified: true },
    });
    const mail = (shortCode: string, body: unknown, headers: Record<string, string> = ada) =>
      sendFromPage(service, 'POST', `/api/links/${shortCode}/mail`, body, headers);
    const wanted = {
      ...{ targetUrl: 'https://secret.example', password: 'hunter2 hunter2', maxViews: 2, label: 'Internal' },
      verifiedRecipients: ['jane.doe@elsewhere.example'],
      expiresAt: '2030-01-02T03:04:00Z',
    };
    const code = shortCodeOf(await sendFromPage(service, 'POST', '/api/links', wanted, ada));
    const email = 'Jane.Doe@elsewhere.example';
    for (const [to, field] of [
      ['a@example.org\r\nBcc: b@example.com', 'email'],
      ['a@example.org, b@example.org', 'email'],
    ])
      assert.equal(member(json(await mail(code, { email: to })), 'field'), field);
    const sent = await mail(code, { email }, { ...ada, 'accept-language': 'de' });
    assert.equal(sent.status, 204, sent.text);
    assert.equal((await mail(code, { email })).status, 429, 'the limit counts the refused ones, too');
    await dispatch(service);
    const [received = assert.fail('no mail'), ...others] = smtp.mails;
    assert.deepEqual([others, received.to], [[], [email.toLowerCase()]]);
    const text = decode(received.message);
    assert.match(text, /^Reply-To: ada@work\.example\r$/m);
    assert.match(text, /^Subject: Ada Byron sendet Ihnen einen Link\r$/m);
    assert.ok(text.includes(`https://links.example/go/l/${code}`));
    for (const said of [
      /bis 2\. Jan\. 2030, 03:04 UTC/,
      /2-mal öffnen/,
      /Passwort, das Sie getrennt/,
      /Code, den Sie beim Öffnen/,
    ])
      assert.match(text, said);
    for (const hidden of ['hunter2', 'secret.example', 'Internal']) assert.ok(!text.includes(hidden), hidden);
    assert.deepEqual(smtp.mails.length, 1);

    const history = json(await send(service, `/api/links/${code}/history`, { headers: ada }));
    const [newest] = member(history, 'items') as {
      kind: string;
      details: unknown;
      author: { name: string };
    }[];
    assert.deepEqual(
      [newest?.kind, newest?.author.name, newest?.details],
      ['CHANGED', 'ada', { mailedTo: email.toLowerCase() }],
    );
    const config = testConfig(dirname(service.databasePath), ...storeFlags);
    assert.deepEqual((await findDifferences(config)).differences, []);

    const withKey = bearer(await addKey(service, 'ci', ['create', 'manage']));
    const byKey = await sendJson(service, `/api/links/${code}/mail`, { email }, { headers: withKey });
    assert.equal(member(json(byKey), 'code'), 'MAILS_NO_LINKS');
    const settings = json(await send(service, '/api/settings', { headers: ada }));
    assert.equal(member(member(settings, 'notify'), 'recipient'), true);
  }
});

test('a mail with a link names the file, or what is asked for, to others than its recipients only what it is, and nothing behind a password', async (t) => {
  const { service, smtp } = await startWithMail(t, ['--app.access=keys'], 'signed-in', 'none');
  const ada = await pageHeaders(service, 'ada', { displayName: 'Ada Byron' });
  const subjectOf = async (created: TestResponse) => {
    const email = 'jane@elsewhere.example';
    const path = `/api/links/${shortCodeOf(created)}/mail`;
    assert.equal((await sendFromPage(service, 'POST', path, { email }, ada)).status, 204);
    await dispatch(service);
    service.clock.now += MINUTE;
    const [subject] = /^Subject: .*(?:\r\n .*)*/m.exec(smtp.mails.at(-1)?.message ?? '') ?? [''];
    return decodeWords(subject);
  };
  const upload = (members: Record<string, string>) =>
    sendForm(service, [...fields(members), file('one', 'Contract.pdf')], { headers: ada });
  assert.equal(await subjectOf(await upload({})), 'Subject: Ada Byron sends you “Contract.pdf”');
  const set = [file('one', 'Figures Q3.pdf'), file('two', 'b.pdf')];
  assert.equal(
    await subjectOf(await sendForm(service, set, { headers: ada })),
    'Subject: Ada Byron sends you “Figures Q3.pdf and 1 more file”',
  );
  assert.equal(
    await subjectOf(await sendForm(service, [file('one', 'a + 1.zip')], { headers: ada })),
    'Subject: Ada Byron sends you “a + 1.zip”',
  );
  const named = { verifiedRecipients: 'Jane@elsewhere.example' };
  const mailed = 'Subject: Ada Byron sends you';
  for (const [members, subject] of [
    [named, `${mailed} “Contract.pdf”`],
    [{ verifiedRecipients: 'tom@elsewhere.example' }, `${mailed} a file`],
    [{ ...named, password: 'hunter2 hunter2' }, `${mailed} a link`],
  ] as const)
    assert.equal(await subjectOf(await upload(members)), subject);
  const hidden = await sendForm(service, [...fields({ password: 'hunter2' }), ...set], { headers: ada });
  assert.equal(await subjectOf(hidden), `${mailed} a link`);
  const setFor = fields({ verifiedRecipients: 'tom@elsewhere.example' });
  assert.equal(
    await subjectOf(await sendForm(service, [...setFor, ...set], { headers: ada })),
    `${mailed} files`,
  );
  for (const [body, subject] of [
    [{ text: 'a secret' }, `${mailed} a text`],
    [{ targetUrl: 'https://example.com' }, `${mailed} a link`],
  ] as const)
    assert.equal(await subjectOf(await sendFromPage(service, 'POST', '/api/links', body, ada)), subject);
  const request = { request: { message: 'Passport\nand payslip' } };
  const asked = await sendFromPage(service, 'POST', '/api/links', request, ada);
  assert.equal(await subjectOf(asked), 'Subject: Ada Byron asks you for files: Passport and payslip');
});

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(header: string): string {
  return header
    .replaceAll(/\?=\r\n =\?UTF-8\?Q\?/g, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, text: string) => decode(text.replaceAll('_', ' ')))
    .replaceAll('\r\n', '');
}

test('an administrator mails an invitation to the address of the person, and that is recorded', async (t) => {
  const flags = ['--app.access=keys', '--app.limits.mails=4/PT1H', '--app.brand.name=Berg Links'];
  const { service, smtp } = await startWithMail(t, flags, 'signed-in', 'none');
  const admin = await pageHeaders(service, 'admin', { displayName: 'Anna Berg' });
  const bob = await pageHeaders(service, 'bob', { scopes: ['create', 'read', 'manage'] });
  const call = (path: string, body: unknown, headers = admin) =>
    sendFromPage(service, 'POST', path, body, { ...headers, 'accept-language': 'de' });
  const added = await call('/api/people', {
    name: 'Carl Cole',
    email: 'carl@work.example',
    scopes: ['create'],
  });
  const { url } = member(json(added), 'passwordLink') as { url: string };
  const token = url.split('#')[1] ?? '';
  recordSecret(token);
  const path = '/api/people/carl%20cole/password-link/mail';
  assert.equal((await call(path, { token }, bob)).status, 403);
  const sent = await call(path, { token });
  assert.equal(sent.status, 204, sent.text);
  const [mail = assert.fail('no mail'), ...others] = smtp.mails;
  assert.deepEqual([others, mail.to], [[], ['carl@work.example']]);
  const text = decode(mail.message);
  assert.match(text, /^Subject: Ihre Einladung zu Berg Links\r$/m);
  for (const said of [
    url,
    'Ihr Name zum Anmelden: Carl Cole',
    'Der Link kommt von Anna Berg.',
    '16. Juni 2026, ',
  ])
    assert.ok(text.includes(said), said);
  const logged = service
    .logged()
    .filter(({ msg }) => msg === 'access_changed')
    .at(-1);
  assert.deepEqual(
    [logged?.['authorName'], logged?.['change'], logged?.['name']],
    ['admin', 'person_invitation_mailed', 'carl cole'],
  );
  const renewed = await call('/api/people/carl%20cole/password-link', undefined);
  recordSecret(String(member(json(renewed), 'url')).split('#')[1] ?? '');
  assert.equal(member(json(await call(path, { token })), 'code'), 'PASSWORD_LINK_ENDED', 'it was replaced');
  const ofBob = '/api/people/bob/password-link/mail';
  assert.equal(member(json(await call(ofBob, { token })), 'code'), 'MAILS_NO_INVITATIONS', 'no address');
  await smtp.close();
  const current = String(member(json(renewed), 'url')).split('#')[1] ?? '';
  assert.equal(member(json(await call(path, { token: current })), 'code'), 'MAIL_NOT_SENT');
  assert.equal((await call(path, { token: current })).status, 429);
  const settingsOf = async (headers: Record<string, string>) =>
    member(member(json(await send(service, '/api/settings', { headers })), 'notify'), 'invitations');
  assert.deepEqual([await settingsOf(admin), await settingsOf(bob)], [true, undefined]);
});

test('the sender sees that a mail with a link was not sent', async (t) => {
  for (const flagsOf of Object.values(STORES)) {
    const flags = [...(await flagsOf(t)), '--app.access=keys'];
    const { service, smtp } = await startWithMail(t, flags, 'signed-in', 'none');
    const ada = await pageHeaders(service, 'ada', { email: 'ada@work.example', isEmailVerified: true });
    const code = shortCodeOf(await sendFromPage(service, 'POST', '/api/links', { targetUrl: TARGET }, ada));
    const unsent = async (headers: Record<string, string>) =>
      JSON.parse((await send(service, `/api/links/${code}`, { headers })).text).unsentMails;
    await smtp.close();
    const requestedAt = new Date(service.clock.now).toISOString();
    await sendFromPage(service, 'POST', `/api/links/${code}/mail`, { email: 'jane@elsewhere.example' }, ada);
    assert.equal(await unsent(ada), undefined, 'it was not tried yet');
    await dispatch(service);
    const mail = { address: 'jane@elsewhere.example', requestedAt };
    assert.deepEqual(await unsent(ada), [{ ...mail, isGivenUp: false }]);
    service.clock.now += 4 * DAY_MS;
    await dispatch(service);
    const manager = bearer(await addKey(service, 'root', ['read', 'manage'])); // the session of ada has ended
    assert.deepEqual(await unsent(manager), [{ ...mail, isGivenUp: true }]);
    const reader = bearer(await addKey(service, 'reader', ['read']));
    assert.equal(await unsent(reader), undefined);
  }
});

test('a link that has ended, or whose service mails none, is not mailed', async (t) => {
  for (const [links, ends, expected] of [
    ['signed-in', { isRevoked: true }, 'LINK_IS_REVOKED'],
    ['signed-in', { expiresAt: 1 }, 'LINK_HAS_ENDED'],
    ['off', {}, 'MAILS_NO_LINKS'],
  ] as const) {
    const { service } = await startWithMail(t, [`--app.mail.links=${links}`, '--app.access=keys']);
    const ada = await pageHeaders(service, 'ada', {});
    const code = shortCodeOf(await sendFromPage(service, 'POST', '/api/links', { targetUrl: TARGET }, ada));
    await service.stores.store.change(code, { patch: ends, versions: null }, newChange());
    const refused = await sendFromPage(
      service,
      'POST',
      `/api/links/${code}/mail`,
      { email: 'a@example.org' },
      ada,
    );
    assert.equal(member(json(refused), 'code'), expected);
  }
});

const NOT_ALLOWED = 'must be your own verified address, or an address that app.mail.recipients allows';
test('only addresses that the administrator allows can be notified', async (t) => {
  const { service } = await startWithMail(t);
  const cases = [
    ['nobody', 'must be a mail address, such as user@example.com'],
    [7, 'must be a mail address, such as user@example.com'],
    ['a@example.org\r\nBcc: b@example.com', 'must be a mail address, such as user@example.com'],
    ['a@example.org,b@example.org', 'must be a mail address, such as user@example.com'],
    ['"a b"@example.org', 'must be a mail address, such as user@example.com'],
    [`${'a'.repeat(65)}@example.org`, 'must be a mail address, such as user@example.com'],
    ['a@other.example', NOT_ALLOWED],
    ['a@sub.example.org', NOT_ALLOWED],
  ] as const;
  for (const [notifyEmail, text] of cases) {
    const response = await sendJson(service, '/api/links', { targetUrl: TARGET, notifyEmail });
    assert.equal(response.status, 400);
    assert.equal(member(json(response), 'message'), `notifyEmail: ${text}`);
  }
  const form = encodeForm([...fields({ notifyEmail: 'A.B+c@Example.ORG' }), file('content')]);
  const options = { method: 'POST', headers: MULTIPART_HEADERS, body: form };
  assert.equal((await send(service, '/api/links/upload', options)).status, 201);
});

test('without a mail server, or without recipients, no link can have an address', async (t) => {
  for (const flags of [
    [],
    ['--app.mail.url=smtp://127.0.0.1:1?tls=none', '--app.mail.from=links@example.org'],
  ])
    await t.test(`with ${flags.length} settings`, (t) => assertUnavailable(t, flags));
});

async function assertUnavailable(t: TestContext, flags: string[]): Promise<void> {
  const service = await startService(t, { flags });
  const body = { targetUrl: TARGET, notifyEmail: 'maker@example.org' };
  const response = await sendJson(service, '/api/links', body);
  assert.equal(response.status, 400);
  assert.match(
    String(member(json(response), 'message')),
    /no address may get mail .* sets .* app\.mail\.recipients$/,
  );
}

test('an address needs a key that may create links, unless everyone may name one', async (t) => {
  const { service } = await startWithMail(t, [], 'signed-in');
  const create = (headers: Record<string, string> = {}) =>
    sendJson(service, '/api/links', { targetUrl: TARGET, notifyEmail: 'maker@example.org' }, { headers });
  const refused = await create();
  assert.equal(refused.status, 400);
  const message = 'notifyEmail: needs an API key with the scope create, or a signed-in user';
  assert.equal(member(json(refused), 'message'), message);
  const key = await addKey(service, 'maker', ['create']);
  const withKey = bearer(key);
  assert.equal((await create(withKey)).status, 201);
  for (const [headers, email] of [
    [{}, false],
    [withKey, true],
  ] as const) {
    const settings = json(await send(service, '/api/settings', { headers }));
    const ofMails = email ? { email, verifiedRecipients: true } : { email };
    assert.deepEqual(member(settings, 'notify'), { ...ofMails, url: false });
  }
});
