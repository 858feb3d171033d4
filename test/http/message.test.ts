import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, member, send, sendJson } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { auditedResults, createLink, shortCodeOf, TARGET, uploadFile } from '../support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { addPerson, sendFromPage, sessionHeaders } from '../support/people.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const MESSAGE = 'Dear Ann,\n<b>sign</b> page 3.';
const SHOWN = '<p class="message">Dear Ann,\n&#60;b&#62;sign&#60;/b&#62; page 3.</p>';

test('a browser shows the message of a link before it opens, and spends no view', async (t) => {
  const service = await sharedService();
  const links: [kind: string, code: string][] = [
    ['a URL', await createLink(service, { message: MESSAGE, maxViews: 1 })],
    ['a text', await createLink(service, { targetUrl: null, text: 'secret', message: MESSAGE })],
    ['a file', await uploadFile(service, 'content', { fields: { message: MESSAGE } })],
    [
      'an encrypted file',
      await uploadFile(service, 'age-encryption.org/v1\n…', {
        fields: { message: MESSAGE, encrypted: 'true' },
      }),
    ],
  ];
  for (const [kind, code] of links)
    await t.test(kind, async () => {
      const page = await send(service, `/l/${code}`, { headers: BROWSER });
      assert.equal(page.status, 200);
      assert.ok(page.text.includes(SHOWN), page.text);
      assert.deepEqual(auditedResults(service, code), ['PREVIEW']);
    });
  const [, redirect = ''] = links[0] ?? [];
  const opened = await send(service, `/l/${redirect}`, { method: 'POST', headers: BROWSER });
  assert.equal(opened.headers.location, TARGET);
});

test('the message of a protected link is for visitors with its password', async () => {
  const service = await sharedService();
  const code = await createLink(service, { message: MESSAGE, password: 'pw' });
  const asked = await send(service, `/l/${code}`, { headers: BROWSER });
  assert.ok(!asked.text.includes('Dear Ann'), asked.text);
  const form = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' };
  const [wrong, right] = [
    await send(service, `/l/${code}`, { method: 'POST', headers: form, body: 'password=x&ask=true' }),
    await send(service, `/l/${code}`, { method: 'POST', headers: form, body: 'password=pw&ask=true' }),
  ];
  assert.ok(!wrong.text.includes('Dear Ann'), wrong.text);
  assert.ok(right.text.includes(SHOWN), right.text);
});

test('a client that accepts JSON opens a link with a message at once', async () => {
  const service = await sharedService();
  const code = await createLink(service, { message: MESSAGE });
  const response = await send(service, `/l/${code}`, { headers: { accept: 'application/json' } });
  assert.equal(member(json(response), 'targetUrl'), TARGET);
});

test('a change of the message is in the history, and a file request has none', async () => {
  const service = await sharedService();
  const authorization = `Bearer ${await addKey(service, 'writer', ['create', 'read', 'manage'])}`;
  const code = await createLink(service, { message: 'first' });
  const patch = (shortCode: string) =>
    sendJson(
      service,
      `/api/links/${shortCode}`,
      { message: 'next' },
      { method: 'PATCH', headers: { authorization } },
    );
  assert.equal(member(json(await patch(code)), 'message'), 'next');
  const history = await send(service, `/api/links/${code}/history`, { headers: { authorization } });
  assert.ok(history.text.includes('"message":{"new":"next","old":"first"}'), history.text);
  const request = await createLink(service, { targetUrl: null, request: { message: 'The contract' } });
  assert.equal(member(json(await patch(request)), 'code'), 'TERM_CANNOT_BE_CHANGED');
});

const NAME = '<i>Jürgen</i> Müller';
const BDI = '&#60;i&#62;Jürgen&#60;/i&#62; Müller';
/** The heading, which comes first on a page. */
const SENDS = (what: string): string => `</div><h1 tabindex="-1"><bdi>${BDI}</bdi> sends you ${what}</h1>`;
const FROM = SENDS('a link');
const ASKED = `<bdi>Requested by ${BDI}</bdi>`;

test('a visitor reads who sends a link or asks for files and who vouches for it, before its password if the creator wants that', async (t) => {
  const service = await startService(t);
  const ada = await sessionHeaders(service, await addPerson(service, 'ada', { displayName: 'Ada Byron' }));
  const create = async (members: object, headers = {}): Promise<string> =>
    shortCodeOf(
      await sendFromPage(service, 'POST', '/api/links', { targetUrl: TARGET, ...members }, headers),
    );
  const open = async (code: string) => (await send(service, `/l/${code}`, { headers: BROWSER })).text;
  const UNVERIFIED = 'has not been verified';

  const byStranger = await open(await create({ senderName: NAME }));
  assert.ok(byStranger.includes(FROM) && byStranger.includes(UNVERIFIED), byStranger);
  const byAda = await open(await create({ senderName: NAME, message: MESSAGE }, ada));
  assert.ok(byAda.includes(FROM) && byAda.includes('the account “ada”') && byAda.includes(SHOWN), byAda);
  assert.ok(!byAda.includes(UNVERIFIED));
  const unnamed = await open(await create({ message: MESSAGE }, ada));
  assert.ok(
    unnamed.includes('<bdi>Ada Byron</bdi> sends you') && unnamed.includes('the account “ada”'),
    unnamed,
  );
  const bea = await sessionHeaders(service, await addPerson(service, 'bea', { displayName: 'Bea' }));
  const byBea = await open(await create({ message: MESSAGE }, bea));
  assert.ok(byBea.includes('the account “Bea”'), byBea); // as it was typed; another name would be one that people choose
  assert.ok((await open(await create({ message: MESSAGE }))).includes('gave no name'));

  const terms = { senderName: NAME, message: MESSAGE, password: 'pw' };
  const hidden = await open(await create(terms, ada));
  assert.ok(!/Müller|Dear Ann|ada|Ada/.test(hidden), hidden);
  const code = await create({ ...terms, shownBeforePassword: true }, ada);
  const form = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' };
  const wrong = await send(service, `/l/${code}`, { method: 'POST', headers: form, body: 'password=x' });
  for (const page of [await open(code), wrong.text])
    assert.ok(page.includes(FROM) && page.includes('the account “ada”') && page.includes(SHOWN), page);
  const program = await send(service, `/l/${code}`, { headers: { accept: 'application/json' } });
  assert.ok(!program.text.includes('Müller'), 'programs get the error alone');

  const request = await create({ targetUrl: null, request: { message: MESSAGE }, senderName: NAME });
  const asked = await open(request);
  assert.ok(asked.includes(ASKED) && asked.includes(SHOWN), asked);
  const body = encodeForm([file('one', 'a.pdf')]);
  const sent = await send(service, `/l/${request}`, {
    method: 'POST',
    headers: { ...MULTIPART_HEADERS, ...BROWSER },
    body,
  });
  assert.equal(sent.status, 201, sent.text);
  assert.equal(auditedResults(service, request).at(-1), 'SUCCESS');
  const shown = SHOWN.replace('>', '><small>Request</small>');
  assert.ok(sent.text.includes(ASKED) && sent.text.includes(shown), sent.text);
});

test('the page of a download names the person who sends it, also after a password', async (t) => {
  const service = await startService(t);
  const ada = await sessionHeaders(service, await addPerson(service, 'ada', { displayName: 'Ada Byron' }));
  const headers = { ...MULTIPART_HEADERS, ...ada, 'sec-fetch-site': 'same-origin' };
  for (const more of [{}, { encrypted: 'true' }]) {
    const body = encodeForm([...fields({ password: 'pw', ...more }), file('age-encryption.org/v1\n…')]);
    const code = shortCodeOf(await send(service, '/api/links/upload', { method: 'POST', headers, body }));
    const opened = await send(service, `/l/${code}`, {
      method: 'POST',
      headers: { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'password=pw&list=true',
    });
    assert.equal(opened.status, 303, opened.text);
    const page = await send(
      service,
      new URL(String(opened.headers.location), `${service.url}/l/${code}`).pathname,
      {
        headers: BROWSER,
      },
    );
    assert.ok(page.text.includes('<h1 tabindex="-1"><bdi>Ada Byron</bdi> sends you'), page.text);
  }
});

test('a visitor of received files reads to whom they were sent, unless the owner names who sends them', async (t) => {
  const service = await startService(t);
  const ada = await sessionHeaders(service, await addPerson(service, 'ada', { displayName: 'Ada Byron' }));
  const open = async (shortCode: string): Promise<string> => {
    const form = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' };
    const path = `/l/${shortCode}`;
    const { headers } = await send(service, path, { method: 'POST', headers: form, body: 'list=true' });
    const { pathname } = new URL(String(headers.location), service.url + path);
    return (await send(service, pathname, { headers: BROWSER })).text;
  };
  const receive = async (headers: Record<string, string>, names: string[]): Promise<string> => {
    const terms = { request: { message: MESSAGE } };
    const created = await sendFromPage(service, 'POST', '/api/links', terms, headers);
    const request = shortCodeOf(created);
    const parts = [...fields({ sender: 'Carla Client' }), ...names.map((name) => file(name, name))];
    const body = encodeForm(parts);
    const sent = await send(service, `/l/${request}`, { method: 'POST', headers: MULTIPART_HEADERS, body });
    assert.equal(sent.status, 201, sent.text);
    const token = { 'x-link-token': String(created.headers['x-link-token']) };
    const arrived = await send(service, `/api/links/${request}/submissions`, {
      headers: { ...headers, ...token },
    });
    const { items } = json(arrived) as { items: { shortCode: string }[] };
    return items[0]?.shortCode ?? assert.fail('nothing arrived');
  };
  const set = await receive(ada, ['a.pdf', 'b.pdf']);
  for (const [code, title] of [
    [set, 'Files sent to'],
    [await receive(ada, ['a.pdf']), 'File sent to'],
  ] as const) {
    const page = await open(code);
    assert.ok(page.includes(`<h1 tabindex="-1">${title} <bdi>Ada Byron</bdi></h1>`), page);
    assert.ok(page.includes(`<title>${title} Ada Byron`) && page.includes('the account “ada”'), page);
    assert.ok(!page.includes('sends you'), page);
  }
  const unnamed = await open(await receive({}, ['a.pdf']));
  assert.ok(unnamed.includes('A file is ready to download') && !unnamed.includes('gave no name'), unnamed);
  const senderName = { senderName: 'Carla Client' };
  assert.equal((await sendFromPage(service, 'PATCH', `/api/links/${set}`, senderName, ada)).status, 200);
  assert.match(await open(set), /<bdi>Carla Client<\/bdi> sends you files/);
});

test('a page says first who sends what, else that no name was given and whose page it is', async () => {
  const service = await sharedService('--app.base-url=https://links.example:8443/go');
  const open = async (code: string) => (await send(service, `/l/${code}`, { headers: BROWSER })).text;
  const terms = { senderName: NAME };
  const kinds: [what: string, code: string][] = [
    ['a link', await createLink(service, terms)],
    ['a text', await createLink(service, { targetUrl: null, text: 'secret', ...terms })],
    ['a file', await uploadFile(service, 'content', { fields: terms })],
    [
      'an encrypted file or text',
      await uploadFile(service, 'age-encryption.org/v1\n…', { fields: { ...terms, encrypted: 'true' } }),
    ],
  ];
  for (const [what, code] of kinds) {
    const page = await open(code);
    assert.ok(page.includes(SENDS(what)), `${what}: ${page}`);
    assert.ok(!page.includes('gave no name'), page);
  }
  const OF_SERVICE = 'This page belongs to links.example:8443.';
  const unnamed = await open(await createLink(service, { message: MESSAGE }));
  assert.ok(unnamed.includes(`The sender gave no name. ${OF_SERVICE}`), unnamed);
  const secret = await open(await createLink(service, { ...terms, password: 'pw' }));
  assert.ok(secret.includes(OF_SERVICE) && !/gave no name|Müller/.test(secret), secret);
});
