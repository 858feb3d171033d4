import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { unpackTar } from 'modern-tar';
import type { Page } from 'playwright-core';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { chooseSource, createdShortCode, openCreatePage } from '../support/create-page.ts';
import { json, send, sendJson } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { linkState, shortCodeOf } from '../support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { assertBecomes, assertFits, waitForFocus } from '../support/pages.ts';
import { startService, type TestClock, testClock } from '../support/service.ts';
import { occupyRequest } from '../support/uploads.ts';

const { openPage } = await startBrowser();
const FILES = ['one.txt', 'two.txt'].map((name) => ({
  ...{ name, mimeType: 'text/plain', buffer: Buffer.from(`the content of ${name}`) },
}));

test('a person asks for files, and a visitor sends them and gets a receipt', async (t) => {
  const service = await startService(t);
  const page = await openCreatePage(openPage, t, service);
  await chooseSource(page, 'REQUEST');
  const sent: (string | null)[] = [];
  page.on('request', (request) => sent.push(request.postData()));
  const create = page.getByRole('button', { name: 'Create link' });
  const key = page.getByLabel('Encrypt to your public key');
  await create.click();
  await page.getByText('Say what you need.').waitFor();
  assert.equal(await key.isVisible(), false);
  await page.getByText('For developers').click();
  await key.fill('AGE-SECRET-KEY-1QQ');
  await page.getByText('For developers').click();
  await page.getByLabel('What do you need?').fill('The signed contract\nas PDF');
  await create.click();
  await page.getByText('This is your secret key.').waitFor();
  assert.doesNotMatch(sent.join(), /KEY-1QQ/);
  await key.fill('');
  await page.getByLabel('Maximum number of files per submission').fill('2');
  await assertAccessible(page);
  await create.click();
  const code = await createdShortCode(page);

  const visitor = await openPage(t, { device: 'phone' });
  await visitor.goto(`${service.url}/l/${code}`);
  await visitor.getByText('The signed contract').waitFor();
  await assertFits(visitor);
  await assertAccessible(visitor);
  await visitor.getByLabel('Files', { exact: true }).setInputFiles(FILES);
  await visitor.getByText('Chosen: 2 files, 44 bytes.').waitFor();
  await visitor.getByLabel('Your name (optional)').fill('Jane');
  await visitor.getByLabel('Your name (optional)').press('Tab');
  await visitor.keyboard.type('as agreed');
  const [note, bar] = await Promise.all(
    [visitor.getByLabel('Note (optional)'), visitor.locator('.form-end')].map((each) => each.boundingBox()),
  );
  assert.ok(
    note && bar && note.y + note.height <= bar.y,
    `the bar of the button hides no field in use: ${JSON.stringify([note, bar])}`,
  );
  await visitor.getByRole('button', { name: 'Send files' }).click();
  await visitor.getByRole('heading', { name: 'Your files were received' }).waitFor();
  const ends = [
    visitor.getByRole('button', { name: 'Save receipt' }),
    visitor.getByText('You can close this page.'),
  ];
  const [save, close] = await Promise.all(ends.map((each) => each.boundingBox()));
  assert.ok(save && close && save.y < close.y, 'what is no longer possible afterwards comes first');
  const digest = visitor
    .locator('details')
    .getByText(/SHA-256 \w{64}/)
    .first();
  assert.equal(await digest.isVisible(), false);
  await visitor.getByText('Proof', { exact: true }).click();
  await digest.waitFor();
  await assertAccessible(visitor);
  await visitor.getByText('Proof', { exact: true }).click();
  const download = visitor.waitForEvent('download');
  await visitor.getByRole('button', { name: 'Save receipt' }).click();
  const saved = await download;
  assert.equal(saved.suggestedFilename(), 'receipt 2026-06-15.txt');
  const receipt = readFileSync(await saved.path(), 'utf8');
  const headers = { authorization: `Bearer ${await addKey(service, 'owner', ['read', 'manage'])}` };
  const submissions = await send(service, `/api/links/${code}/submissions`, { headers });
  const [{ fingerprint } = { fingerprint: '' }] = (json(submissions) as { items: { fingerprint: string }[] })
    .items;
  assert.match(
    receipt,
    /^Receipt for sent files\n\nFile request: http:\S+\/l\/\w+\n\nRequest:\nThe signed contract\nas PDF\n/,
  );
  assert.match(
    receipt,
    /\nSent by Jane\. This name .*\nYour note: as agreed\nReceived on .* at \d+:\d\d:\d\d.* \(2026-06-15T12:00:00.*Z\)\n/,
  );
  assert.match(receipt, /2 files:\n\n1\. one\.txt\n {3}22 bytes\n {3}SHA-256 \w{64}\n\n2\. two\.txt\n/);
  assert.ok(receipt.includes(`Entry 1 in the history of these files has the fingerprint ${fingerprint}`));
  assert.match(receipt, /What this proves: .*sha256sum.*\/verify\.\n$/s);
  assert.doesNotMatch(receipt, /close this page|Save receipt/);
  assert.equal(await digest.isVisible(), false, 'saving opens nothing');

  await page.goto(service.url);
  await page
    .locator('.my-link')
    .getByText(/^Files received, /)
    .waitFor();
  await page.getByRole('link', { name: `Received files: ${code}` }).click();
  await page.getByRole('heading', { name: 'Received files' }).waitFor();
  await page.getByText(/^2 files received, on /).waitFor();
  await page.locator('.entry').getByText('Files received', { exact: true }).waitFor();
  assert.deepEqual(
    await page.locator('.entry-label').allInnerTexts(),
    ['Files received', 'Link created'],
    'the page on which the visitor sent them is a detail',
  );
  await page.getByText('4 entries in 2 rows: related entries share a row.').waitFor();
  await page.locator('.entry').first().getByText('Details').click();
  await page.locator('.entry').first().getByText('Page shown or upload started').first().waitFor();
  await page.locator('.arrived').getByText('as agreed').waitFor();
  await page.locator('.arrived').getByText('not downloaded yet').waitFor();
  await page.getByText('The history does not show who downloaded: without a password').waitFor();
  await assertAccessible(page);
  assert.equal(await saveBy(page, 'Download: 2 files – Jane'), 'Received files 2026-06-15 Jane.zip');
  await page.locator('.arrived').getByText('not downloaded yet').waitFor({ state: 'hidden' });
  await page.locator('.arrived').getByText('one.txt, two.txt').waitFor();
  await page
    .locator('.arrived')
    .getByText(/ · Downloaded \S/)
    .waitFor();
  await page.getByRole('link', { name: '2 files – Jane', exact: true }).click();
  await page.getByRole('heading', { name: '2 files – Jane' }).waitFor();
  await page
    .getByText(
      /^2 files received from Jane, on .* Downloaded once, on .* The service sent all files completely\./,
    )
    .waitFor();
  await page.getByText('The sender typed this name. It was not verified.').waitFor();
  await page.getByRole('blockquote').getByText('as agreed').waitFor();
  await page.locator('.file-names').getByText('one.txt').waitFor();
  await page.getByText('Anyone who gets it can open the files.').waitFor();
  const request = page.getByRole('link', { name: 'The signed contract as PDF', exact: true });
  assert.equal(await request.getAttribute('href'), `${service.url}/links/${code}`);
  assert.equal(await page.getByText('Copy fingerprint').isVisible(), false);
  assert.equal(await saveBy(page, 'Download'), 'Received files 2026-06-15 Jane.zip');
  await page.getByText('Downloaded 2 times').waitFor();
  await page.getByRole('link', { name: code, exact: true }).first().waitFor();
  await page.getByText('Arrived with the file request').first().waitFor();
  await assertAccessible(page);
  assert.equal(linkState(service, code).viewCount, 1);

  await visitor.reload();
  await visitor
    .getByText(/^You have already sent 2 files in this tab, on .*\d\. They were received\.$/)
    .waitFor();
  await visitor.getByLabel('Files', { exact: true }).setInputFiles(FILES.slice(0, 1));
  await assertAccessible(visitor);
});

test('the page of received files leads to their expiry, and says who sent no name', async (t) => {
  const service = await startService(t);
  const message = 'Photos\nof the event';
  const created = await sendJson(service, '/api/links', { request: { message }, password: 'secret' });
  const code = shortCodeOf(created);
  const body = encodeForm([...fields({ password: 'secret' }), file('one', 'a.pdf')]);
  await send(service, `/l/${code}`, { method: 'POST', headers: MULTIPART_HEADERS, body });
  const page = await openPage(t, { device: 'phone', theme: 'dark' });
  const token = String(created.headers['x-link-token']);
  await page.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
  await page.goto(`${service.url}/links/${code}`);
  await page.getByRole('heading', { name: 'Photos of the event', exact: true }).waitFor();
  await page.getByRole('link', { name: 'a.pdf – sender not named', exact: true }).click();
  await page.getByRole('heading', { name: 'a.pdf – sender not named' }).waitFor();
  const access = page.getByRole('region', { name: 'Who can open these files' });
  await access.getByText('and people to whom a record or a saved history of it was given').waitFor();
  await access
    .getByText('the sender does not have it. Anyone who gets it can open the files. No expiry is set.')
    .waitFor();
  await access.getByRole('button', { name: 'Revoke link' }).waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await access.getByRole('button', { name: 'Set expiry' }).click();
  const expiry = page.getByLabel('Expires', { exact: true });
  await waitForFocus(page, expiry);
  await expiry.fill('2099-01-02T03:04');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await access.getByText('It expires on 2 Jan 2099, 03:04.').waitFor();
  await access.getByRole('button', { name: 'Change expiry' }).waitFor();
});

/** Presses a link that downloads, and returns the name of the saved file. */
async function saveBy(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name, exact: true }).click();
  return (await download).suggestedFilename();
}

test('the record of received files says who sent which files and when, with their checksums', async (t) => {
  const clock: TestClock = Object.assign(() => ++clock.now, testClock()); // a submission arrives before its link is created
  const service = await startService(t, { clock });
  const created = await sendJson(service, '/api/links', { request: { message: 'Photos' } });
  const code = shortCodeOf(created);
  const submit = async (...form: Parameters<typeof encodeForm>[0]) => {
    service.clock.now += 60_000;
    const body = encodeForm(form);
    await send(service, `/l/${code}`, { method: 'POST', headers: MULTIPART_HEADERS, body });
  };
  await submit(...fields({ sender: 'Jane' }), file('one', 'a.pdf'), file('two!', 'b.pdf'));
  await submit(file('three', 'c.pdf'));
  const page = await openPage(t, { device: 'phone' });
  const token = String(created.headers['x-link-token']);
  await page.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
  await page.goto(`${service.url}/links/${code}?show=record`);
  const record = page.getByRole('article', { name: 'Record of received files: Photos' });
  await record.getByText('First submission').waitFor();
  const items = record.locator('.recorded > li');
  const textOf = async (index: number) => (await items.nth(index).innerText()).replaceAll(/\s+/g, ' ');
  const first = await textOf(0);
  assert.match(first, /^Jane · 15 Jun 2026, 12:01:\d\d UTC · \w+ /);
  assert.ok(first.includes(`a.pdf 3 bytes SHA-256 ${hash('sha256', 'one')}`), first);
  assert.ok(first.includes(`b.pdf 4 bytes SHA-256 ${hash('sha256', 'two!')}`), first);
  assert.match(first, / Fingerprint: [0-9a-f]{64} Save history of this submission Edit$/);
  const saved = page.waitForEvent('download');
  await items
    .first()
    .getByRole('button', { name: /^Save history of this submission: \w+$/ })
    .click();
  assert.match((await saved).suggestedFilename(), /^postern-\w+-check-at-.*\.ndjson$/);
  await record
    .getByText('ask the person who gave you this record to save it with “Save history of the request”')
    .waitFor();
  await record
    .getByText('for each submission above: “Save history of this submission” saves its history')
    .waitFor();
  const ofRequest = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save history of the request' }).click();
  assert.ok((await ofRequest).suggestedFilename().startsWith(`postern-${code}-check-at-`));
  const second = await textOf(1);
  assert.match(second, /^sender not named · 15 Jun 2026, 12:02:\d\d UTC · /);
  assert.ok(second.includes(`c.pdf 5 bytes SHA-256 ${hash('sha256', 'three')}`), second);
  await record
    .getByText(/^Senders typed their names\. The names were not verified\. The fingerprint/)
    .waitFor();
  await page.getByText('and can download the files of 2 submissions. To prevent that, choose').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await items
    .nth(1)
    .getByRole('link', { name: /^Edit: \w+$/ })
    .click();
  const edit = page.getByRole('dialog', { name: 'Edit link' });
  await edit.getByRole('radio', { name: 'Set' }).check();
  await edit.getByLabel('New password').fill('correct horse');
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await edit.waitFor({ state: 'detached' });
  await page.goto(`${service.url}/links/${code}?show=record`);
  await page.getByText('and can download the files of 1 submission. To prevent that, choose').waitFor();
  assert.equal(await items.getByRole('link', { name: /^Edit/ }).count(), 1);
  await page.emulateMedia({ media: 'print' });
  await page.getByText('To prevent that').waitFor({ state: 'hidden' });
  await page.emulateMedia({ media: 'screen' });

  await items.first().getByRole('link').first().click();
  await page
    .getByText('can download the files as long as the address has not expired or been revoked.')
    .waitFor();
  await page.getByRole('link', { name: 'Set a password or an expiry' }).waitFor();
  const ofSubmission = page.getByRole('article', { name: 'Record of received files: 2 files – Jane' });
  await ofSubmission.getByText(`SHA-256 ${hash('sha256', 'one')}`).waitFor();
  const facts = await ofSubmission.locator('dl').innerText();
  const typed = /Sent by \(typed by the sender, not verified\)\nJane\nReceived\n15 Jun 2026, 12:01:\d\d\sUTC/;
  assert.match(facts, typed);
  assert.doesNotMatch(facts, /First opened/);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save history of this submission' }).click();
  const exported = await (await download).path();
  await page.goto(`${service.url}/verify`);
  await page.locator('#exported').setInputFiles(exported);
  await page.getByRole('button', { name: 'Verify' }).click();
  const answer = /^2 files received, on 15 Jun 2026, 12:01\sUTC\. Not downloaded yet\.$/;
  await page.getByRole('heading', { name: answer }).waitFor();
  assert.match(await page.locator('dl').innerText(), typed);
  await assertFits(page);
  await assertAccessible(page);
});

test('what arrived with a protected request is downloaded from the page that asks for its password', async (t) => {
  const service = await startService(t, { flags: ['--app.links.password-required=true'] });
  const created = await sendJson(service, '/api/links', {
    request: { message: 'Photos' },
    password: 'secret',
  });
  const code = shortCodeOf(created);
  const body = encodeForm([...fields({ password: 'secret' }), file('one', 'a.pdf')]);
  await send(service, `/l/${code}`, { method: 'POST', headers: MULTIPART_HEADERS, body });
  const page = await openPage(t);
  const token = String(created.headers['x-link-token']);
  await page.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
  await page.goto(`${service.url}/links/${code}`);
  await page.getByRole('link', { name: 'Download: a.pdf' }).click();
  await page.getByLabel('Password', { exact: true }).fill('secret');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Open link' }).click();
  assert.equal((await download).suggestedFilename(), 'a.pdf');
});

for (const device of ['desktop', 'phone'] as const)
  test(`a visitor on a ${device} chooses files in steps, drops some, and removes one`, async (t) => {
    const service = await startService(t);
    const code = shortCodeOf(await sendJson(service, '/api/links', { request: { message: 'Photos' } }));
    const page = await openPage(t, { device, locale: 'de-DE' });
    await page.goto(`${service.url}/l/${code}`);
    const rows = async () => {
      const texts = await page.locator('.files li').allInnerTexts();
      return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
    };
    const files = page.getByLabel('Dateien', { exact: true });
    assert.equal(await page.getByText('Oder ziehen Sie Dateien').isVisible(), device === 'desktop');
    for (const each of FILES) await files.setInputFiles(each);
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['dropped'], '<b>.txt'));
      const event = (name) => new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event('dragenter'));
      document.querySelector('h1').dispatchEvent(event('drop'));
    }`);
    await assertBecomes(rows, ['<b>.txt 7 Byte', 'one.txt 22 Byte', 'two.txt 22 Byte']);
    await page.getByText('Gewählt: 3 Dateien, 51 Byte.').waitFor();
    await page.mouse.wheel(0, -5_000);
    const sendBox = await page.getByRole('button', { name: 'Dateien senden' }).boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    assert.ok(sendBox && sendBox.y + sendBox.height <= height, 'the button is in view without scrolling');
    await assertFits(page);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Datei entfernen: one.txt' }).click();
    await waitForFocus(page, files);
    await assertBecomes(rows, ['<b>.txt 7 Byte', 'two.txt 22 Byte']);
    await page.getByRole('button', { name: 'Dateien senden' }).click();
    await page.getByRole('heading', { name: 'Ihre Dateien sind angekommen' }).waitFor();
    const received = page.locator('.files').first().locator('bdi');
    assert.deepEqual(await received.allInnerTexts(), ['<b>.txt', 'two.txt']);
  });

test('the pages of the owner speak of submissions of a request, and of no view', async (t) => {
  const service = await startService(t);
  const created = await sendJson(service, '/api/links', { request: { message: 'Photos' }, maxViews: 3 });
  const code = shortCodeOf(created);
  const body = encodeForm([file('one', 'a.pdf')]);
  await send(service, `/l/${code}`, { method: 'POST', headers: MULTIPART_HEADERS, body });
  const page = await openCreatePage(openPage, t, service);
  const assertWords = async (selector: string, expected: string | RegExp): Promise<void> => {
    const part = page.locator(selector).filter({ hasText: expected }).first();
    await part.waitFor();
    assert.doesNotMatch(await part.innerText(), /\bviews?\b|\bopen/i, selector);
  };
  await chooseSource(page, 'REQUEST');
  await page.getByLabel('What do you need?').fill('Photos');
  await page.getByRole('radio', { name: 'One submission' }).click();
  await page.getByRole('group', { name: 'Limits per submission' }).waitFor();
  await page.getByLabel('Requested from').fill('Ann');
  await page.getByRole('button', { name: 'Create link' }).click();
  await assertWords('.result', /Submissions\s*At most 1 submission/);
  await assertWords('.result', /Requested from\s*Ann/);
  await page.locator('.result').getByRole('link', { name: 'Received files' }).waitFor();
  await assertWords('.my-link', '0 of 1 submission');

  const token = String(created.headers['x-link-token']);
  await page.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
  await page.goto(`${service.url}/links/${code}`);
  await assertWords('.link-card', 'Anyone with this link can send files.');
  await assertWords('.link-card', /Submissions\s*1 of 3/);
  await assertWords('.link-answer', '1 file received');
  await assertWords('.history', 'Files received');
  await page.getByText('Charts and filters').click();
  await assertWords('.board', 'Files received');
  await page.getByRole('button', { name: 'Edit' }).click();
  await assertWords('.edit-form', '1 submission so far');
  await page.addInitScript(
    `sessionStorage.setItem('postern.key', '${await addKey(service, 'ann', ['read'])}')`,
  );
  await page.goto(`${service.url}/links`);
  await assertWords('tbody tr', '1 of 3 submissions');
  await page.goto(`${service.url}/dashboard`);
  await page
    .getByText(
      /^Attempts and charts include older links, file requests, received files, and your own openings and downloads\./,
    )
    .waitFor();
});

test('the owner changes what a request asks for, and its history says so', async (t) => {
  const service = await startService(t);
  const request = { message: 'Photos', maxFiles: 3, maxBytes: 5 * 1024 ** 2 };
  const created = await sendJson(service, '/api/links', { request, password: 'secret' });
  const code = shortCodeOf(created);
  const page = await openPage(t, { device: 'phone' });
  const token = String(created.headers['x-link-token']);
  await page.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
  await page.goto(`${service.url}/links/${code}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.locator('.edit-form');
  assert.equal(await form.getByLabel('Maximum total size per submission (MB)').inputValue(), '5');
  await form.getByLabel('What do you need?').fill('Photos of the event');
  await form.getByLabel('Maximum number of files per submission').fill('0');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await form.getByText('Enter a whole number of 1 or more.').waitFor();
  await form.getByLabel('Maximum number of files per submission').fill('');
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { name: 'Photos of the event' }).waitFor();
  const changed =
    'Link changed. Requested: “Photos” → “Photos of the event”; Maximum number of files per submission: 3 → –';
  await page.locator('.entry').getByText(changed).waitFor();
  const { target } = (await service.stores.store.read(code)) ?? assert.fail();
  const expected = { ...request, message: 'Photos of the event', maxFiles: null, recipientKey: null };
  assert.deepEqual(target, { type: 'REQUEST', request: expected });
});

test('a protected request takes files after its password, with and without JavaScript', async (t) => {
  const service = await startService(t);
  for (const javaScriptEnabled of [true, false]) {
    const request = { request: { message: 'Photos' }, password: 'secret', senderName: 'Jane' };
    const code = shortCodeOf(await sendJson(service, '/api/links', request));
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(`${service.url}/l/${code}`);
    await page.getByLabel('Password', { exact: true }).fill('secret');
    await page.getByRole('button', { name: 'Open link' }).click();
    await page.getByText('Photos').waitFor();
    await page.getByLabel('Files', { exact: true }).setInputFiles(FILES);
    if (!javaScriptEnabled) await page.getByLabel('Password', { exact: true }).fill('secret');
    await page.getByRole('button', { name: 'Send files' }).click();
    await page.getByRole('heading', { name: 'Your files were received' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save receipt' }).isVisible(), javaScriptEnabled);
    assert.equal(await page.locator('noscript p').isVisible(), !javaScriptEnabled);
    assert.equal(
      await page
        .getByText(/SHA-256 \w{64}/)
        .first()
        .isVisible(),
      !javaScriptEnabled,
    );
    await page.getByText('Requested by Jane').waitFor();
    assert.equal(linkState(service, code).viewCount, 1);
  }
});

test('an upload of a visitor survives a broken line', async (t) => {
  const service = await startService(t);
  const code = shortCodeOf(await sendJson(service, '/api/links', { request: { message: 'Photos' } }));
  const page = await openPage(t);
  await page.goto(`${service.url}/l/${code}`);
  let failures = 0;
  await page.route('**/uploads/*', (route) =>
    route.request().method() === 'PATCH' && failures++ === 0
      ? route.fulfill({ status: 503 })
      : route.continue(),
  );
  await page.getByLabel('Files', { exact: true }).setInputFiles(FILES);
  await page.getByRole('button', { name: 'Send files' }).click();
  const isKept = (): Promise<boolean> =>
    page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
  await page.getByText('Connection lost. Trying again…').waitFor();
  assert.equal(await isKept(), true, 'the browser asks before the page is left');
  await page.locator('.progress').getByText('%').waitFor();
  await page.getByRole('heading', { name: 'Your files were received' }).waitFor();
  assert.equal(await isKept(), false);
  assert.equal(failures, 2);
});

test('an upload of a visitor waits while others have the room of the request, and says so', async (t) => {
  const service = await startService(t);
  const request = { message: 'Photos', maxBytes: 100 };
  const code = shortCodeOf(await sendJson(service, '/api/links', { request, maxViews: 1 }));
  await occupyRequest(service, code, 100);
  const page = await openPage(t);
  await page.goto(`${service.url}/l/${code}`);
  await page.getByLabel('Files', { exact: true }).setInputFiles(FILES);
  await page.getByRole('button', { name: 'Send files' }).click();
  await page.getByText('Other people are sending files at the moment. Waiting for your turn…').waitFor();
  service.clock.now += 60_001;
  await page.getByRole('heading', { name: 'Your files were received' }).waitFor();
});

test('a request with a key gets files that the browser has encrypted to it, and no byte in plain', async (t) => {
  const service = await startService(t, { flags: ['--app.upload.chunk-size=5MB'] });
  const identity = await generateX25519Identity();
  const large = { ...FILES[0], name: 'large.bin', mimeType: '', buffer: randomBytes(11_000_000) };
  const chosen = [large, ...FILES.slice(0, 1)];
  const request = {
    message: 'Photos',
    maxFiles: 2,
    maxBytes: 12 * 2 ** 20,
    recipientKey: await identityToRecipient(identity),
  };
  const created = await sendJson(service, '/api/links', { request, password: 'secret' });
  const code = shortCodeOf(created);
  const page = await openPage(t, { device: 'phone' });
  const sent: Buffer[] = [];
  page.on('request', (sending) => {
    sent.push(Buffer.from(`${sending.url()} ${JSON.stringify(sending.headers())}`));
    sent.push(sending.postDataBuffer() ?? Buffer.alloc(0));
  });
  let failures = 0;
  await page.route('**/uploads/*', (route) =>
    route.request().method() === 'PATCH' && failures++ === 0
      ? route.fulfill({ status: 503 })
      : route.continue(),
  );
  await page.goto(`${service.url}/l/${code}`);
  await page.getByLabel('Password', { exact: true }).fill('secret');
  await page.getByRole('button', { name: 'Open link' }).click();
  await page.getByText(request.recipientKey).waitFor();
  await assertFits(page);
  await assertAccessible(page);
  const files = page.getByLabel('Files', { exact: true });
  const button = page.getByRole('button', { name: 'Send files' });
  const remove = (name: string) => page.getByRole('button', { name: `Remove file: ${name}` }).click();
  await files.setInputFiles([...FILES, large]);
  await page.getByText('At most 2 files per submission. Chosen: 3.').waitFor();
  await remove('one.txt');
  await remove('two.txt');
  assert.equal(await page.getByRole('status').innerText(), '', 'other files are chosen');
  await files.setInputFiles({ ...large, name: 'larger.bin' });
  await page.getByText('At most 12 MB in total per submission. Chosen: 21 MB.').waitFor();
  await remove('larger.bin');
  await files.setInputFiles(FILES.slice(0, 1));
  await button.click();
  await page.getByText('Proof', { exact: true }).click();
  await page.getByText('You do not have that archive').waitFor();
  assert.deepEqual(await page.locator('[data-encrypted] bdi').allInnerTexts(), ['large.bin', 'one.txt']);
  const stored = service.storedFiles().map((path) => readFileSync(path));
  const [archive] = stored;
  assert.ok(archive && stored.length === 1);
  await page.getByText(hash('sha256', archive)).waitFor();
  assert.equal(archive.subarray(0, 22).toString(), 'age-encryption.org/v1\n');
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const entries = await unpackTar(await decrypter.decrypt(archive));
  const found = entries.filter(({ header }) => header.type === 'file');
  assert.deepEqual(
    found.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]),
    chosen.map(({ name, buffer }) => [name, buffer]),
  );
  assert.ok(Buffer.concat(sent).includes(archive.subarray(0, 100)), 'what was sent is looked through');
  const received = Buffer.concat([...sent, ...stored]);
  for (const secret of ['one.txt', 'large.bin', 'the content', large.buffer.subarray(0, 100)])
    assert.ok(!received.includes(secret), String(secret));
  assert.ok(failures > 3, `${failures} parts`);

  const owner = await openPage(t);
  const token = String(created.headers['x-link-token']);
  await owner.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
  await owner.goto(`${service.url}/links/${code}`);
  assert.doesNotMatch(
    await owner.locator('.arrived li').innerText(),
    /file/,
    'their number is encrypted, too',
  );
  const name = 'Encrypted content – sender not named';
  await owner.getByRole('link', { name, exact: true }).click();
  await owner.getByRole('heading', { name }).waitFor();
  await owner.getByText('Opens only with your secret key.').waitFor();
  await owner.getByText(/^Encrypted to your public key.*postern open http\S+ --identity key.txt$/).waitFor();
});

test('a browser that cannot encrypt sends nothing to a request with a key', async (t) => {
  const service = await startService(t);
  const request = {
    message: 'Photos',
    recipientKey: await identityToRecipient(await generateX25519Identity()),
  };
  const code = shortCodeOf(await sendJson(service, '/api/links', { request }));
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${service.url}/l/${code}`);
  assert.match(await page.locator('noscript p').innerText(), /turn on JavaScript, or use postern submit/);
  assert.equal(await page.getByRole('button', { name: 'Send files' }).count(), 0);
  assert.equal(await page.locator('form').isVisible(), false);
  await page.locator('[type=file]').setInputFiles(FILES);
  assert.deepEqual(service.storedFiles(), []);
});
