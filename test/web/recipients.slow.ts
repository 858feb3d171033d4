import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import {
  chooseFiles,
  chooseSource,
  createdShortCode,
  createInPage,
  FILE,
  openCreatePage,
  TARGET,
} from '../support/create-page.ts';
import { send, sendJson } from '../support/http-client.ts';
import { shortCodeOf } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { assertFits, waitForFocus } from '../support/pages.ts';
import { personHeaders } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { mailFlags, readMailedCode, startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';

const { openPage } = await startBrowser();

/** Opens a link as a recipient does in a browser. */
async function openAs(recipientAddress: string, service: TestService, code: string, smtp: TestSmtpServer) {
  const post = (form: Record<string, string>, cookie = '') =>
    send(service, `/l/${code}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      body: new URLSearchParams(form).toString(),
    });
  const before = smtp.mails.length;
  const asked = await post({ recipientAddress });
  const recipientCode = await readMailedCode(smtp, before + 1);
  const [cookie] = String(asked.headers['set-cookie']).split(';');
  const opened = await post({ recipientAddress, recipientCode }, cookie);
  assert.ok(opened.status === 303 || opened.headers['content-disposition'] !== undefined, opened.text);
}

test('a sender names recipients, and sees who asked for a code and opened the link', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  await t.test('on a phone, with words for each recipient', async (t) => {
    const page = await openCreatePage(openPage, t, service, { device: 'phone' });
    const code = await createInPage(page, async () => {
      await page.getByLabel('Who may open it', { exact: true }).fill('ann@example.com;bob@example.org');
      await assertAccessible(page);
    });
    service.clock.now += 1_000;
    await openAs('Ann@example.com', service, code, smtp);
    await page.goto(`${service.url}/links/${code}`);
    const recipients = page.getByRole('region', { name: 'Recipients', exact: true });
    const items = recipients.getByRole('listitem');
    assert.match(
      (await items.nth(0).innerText()).replaceAll('\n', ' '),
      /^ann@example\.com Code requested .* · Opened /,
    );
    assert.match((await items.nth(1).innerText()).replaceAll('\n', ' '), /^bob@example\.org Nothing yet$/);
    await page.getByText(/^Opened once, by a person who controlled ann@example\.com, on /).waitFor();
    assert.equal(await page.getByText('Openings are listed without names').count(), 0);
    const [newest] = await page.locator('.entry-label').allInnerTexts();
    assert.equal(newest, 'Opened by a person who controlled ann@example.com');
    await assertAccessible(page);
    await assertFits(page);
    assert.doesNotMatch(await recipients.innerText(), /loaded below/);
    assert.match(
      await recipients.innerText(),
      /Anyone can request a code for an address\. Only “Opened” says/,
    );

    // More than the page loads at first.
    for (let sent = 0; sent < 2_100; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => send(service, `/l/${code}`)));
    await page.reload();
    await items.nth(1).waitFor();
    for (const item of await items.allInnerTexts())
      assert.match(item, /Nothing in the entries loaded below$/);
    await page
      .getByText(
        '“Email page shown” can also mean that someone entered an address that the link does not name;',
      )
      .waitFor();
    assert.doesNotMatch(await recipients.innerText(), /Nothing yet/);
    await assertFits(page);
  });
});

test('the form of a new link says which mail addresses limit who can open it', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  const open = (t: TestContext, options?: PageOptions) => openCreatePage(openPage, t, service, options);

  for (const device of ['desktop', 'phone'] as const)
    await t.test(
      `addresses in the note of a recipient become those who may open it, on a ${device}`,
      async (t) => {
        const page = await open(t, { device });
        const note = page.getByLabel('Recipient', { exact: true });
        const restrict = page.getByRole('button', { name: 'Only these people may open it' });
        await note.fill('Ann Miller');
        assert.equal(await restrict.count(), 0);
        await note.fill('Ann Miller <ann@example.com>; bob@example.org');
        await page.getByText('Only a note: it does not limit who can open the link.').waitFor();
        await assertAccessible(page);
        await assertFits(page);
        await restrict.click();
        const named = page.getByLabel('Who may open it', { exact: true });
        await waitForFocus(page, named);
        assert.equal(await named.inputValue(), 'ann@example.com, bob@example.org');
        assert.equal(await note.inputValue(), 'Ann Miller');
        await assertAccessible(page);
        await assertFits(page);
      },
    );

  await t.test('a file request has no such people', async (t) => {
    const page = await open(t);
    await chooseSource(page, 'REQUEST');
    await page.getByLabel('Requested from', { exact: true }).fill('ann@example.com');
    assert.equal(await page.getByText('Only a note').count(), 0);
    assert.equal(await page.getByLabel('Who may open it').count(), 0);
  });

  await t.test('fewer views than people are noticed', async (t) => {
    const page = await open(t);
    const hint = page.getByText('There are more recipients than views');
    await page.getByRole('radio', { name: 'One view' }).check();
    await page.getByLabel('Who may open it', { exact: true }).fill('ann@example.com');
    assert.equal(await hint.count(), 0);
    await page.getByLabel('Who may open it', { exact: true }).fill('ann@example.com bob@example.org');
    await hint.waitFor();
    await assertAccessible(page);
    await page.getByRole('radio', { name: 'Custom' }).check();
    await page.getByLabel('views', { exact: true }).fill('2');
    await hint.waitFor({ state: 'detached' });
  });

  await t.test('an error names the part that is no address', async (t) => {
    const page = await open(t);
    await page.getByLabel('Paste a URL').fill(TARGET);
    await page.getByLabel('Who may open it', { exact: true }).fill('ann@example.com\nbob@; carl@example.com');
    await page.getByRole('button', { name: 'Create link' }).click();
    const error = page.getByText('“bob@” is not an email address.');
    await error.waitFor();
    const shown = "getComputedStyle(document.querySelector('.field-error'), '::first-letter').textTransform";
    assert.equal(await page.evaluate(shown), 'none', 'as it was typed');
    await assertAccessible(page);
  });

  await t.test('a service that mails no codes says that an address is only a note', async (t) => {
    const page = await openCreatePage(openPage, t, await startService(t));
    await page.getByLabel('Recipient', { exact: true }).fill('ann@example.com');
    await page.getByText('Only a note').waitFor();
    assert.equal(await page.getByText('Only these people').count(), 0);
    assert.equal(await page.getByLabel('Who may open it').count(), 0);
  });
});

test('a link that only some can open says so where it was created, listed and sent', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  const ada = await personHeaders(service, 'ada');
  for (const device of ['desktop', 'phone'] as const)
    await t.test(`on a ${device}`, async (t) => {
      const page = await openPage(t, { device });
      const value = ada.cookie.split('=')[1] ?? '';
      await page.context().addCookies([{ name: 'postern', value, url: service.url }]);
      await page.goto(service.url);
      await chooseFiles(page, FILE);
      await page.getByLabel('Who may open it', { exact: true }).fill('ann@example.com bob@example.org');
      await page.getByRole('button', { name: 'Create link' }).click();
      const code = await createdShortCode(page);
      await page
        .getByText('Only ann@example.com and bob@example.org can open it, with a code that is mailed to them')
        .waitFor();
      assert.equal(await page.getByText('Chats and mail scanners').count(), 0);
      assert.equal(await page.getByText('Opening a link yourself').count(), 0, 'a code is needed');
      await page.getByText('Now send them the link.').waitFor();
      const message = page.getByRole('button', { name: 'Copy message' });
      await message.waitFor();
      await page
        .locator('.my-link', { hasText: code })
        .getByText('Only for ann@example.com and bob@example.org')
        .waitFor();
      await assertAccessible(page);
      await assertFits(page);

      const before = smtp.mails.length;
      service.clock.now += 3_600_000; // a mailbox gets not more than one mail a minute
      await page.getByRole('button', { name: 'Mail link' }).click();
      const dialog = page.getByRole('dialog', { name: 'Mail link' });
      await dialog.getByText('The link opens only with a code').waitFor();
      const addresses = dialog.getByLabel('Email');
      assert.equal(await addresses.inputValue(), 'ann@example.com, bob@example.org');
      await addresses.fill('Ann@example.com, bob@example.org, carl@example.com');
      await dialog.getByText('not for carl@example.com').waitFor();
      await assertAccessible(page);
      await assertFits(page);
      await addresses.fill('Ann@example.com, bob');
      await dialog.getByRole('button', { name: 'Mail link' }).click();
      await dialog.getByRole('alert').waitFor();
      assert.equal(await addresses.inputValue(), 'bob', 'the others are mailed already');
      await addresses.fill('bob@example.org');
      await dialog.getByRole('button', { name: 'Mail link' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Link mailed to Ann@example.com and bob@example.org.').waitFor();
      assert.equal(await page.getByText('Now send them the link.').count(), 0);
      await service.dispatcher?.tick();
      await service.dispatcher?.settled();
      assert.equal(smtp.mails.length, before + 2);

      await page.goto(`${service.url}/links`);
      await page
        .locator('tr', { hasText: code })
        .getByTitle('Only for ann@example.com and bob@example.org', { exact: true })
        .waitFor();
      await assertAccessible(page);
      await assertFits(page);

      await page.getByRole('button', { name: `Actions: ${code}` }).click();
      await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
      const tooFew = page.getByText('There are more recipients than views');
      await page.getByLabel('View limit').fill('1');
      await tooFew.waitFor();
      await assertAccessible(page);
      await page.getByLabel('View limit').fill('2');
      await tooFew.waitFor({ state: 'detached' });
    });
});

/** Asks for a code in place of a recipient. */
const askFor = (recipientAddress: string, service: TestService, code: string) =>
  send(service, `/l/${code}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ recipientAddress }).toString(),
  });

test('the delivery record of a link for many recipients keeps the opening, and fits one sheet of paper', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  const names = Array.from({ length: 48 }, (_, index) => `recipient.number${index}@example.com`);
  const created = await sendForm(service, [
    ...fields({ verifiedRecipients: ['ann@example.com', 'bob@example.org', ...names].join(', ') }),
    file('content', 'Contract.pdf'),
  ]);
  const code = shortCodeOf(created);
  const token = String(created.headers['x-link-token']);
  service.clock.now += 1_000;
  await openAs('ann@example.com', service, code, smtp);
  for (let asked = 0; asked < 8; asked++) {
    service.clock.now += 60_000;
    await askFor('bob@example.org', service, code);
    await send(service, `/l/${code}`);
  }
  const change = { verifiedRecipients: ['bob@example.org', ...names] };
  await sendJson(service, `/api/links/${code}`, change, {
    method: 'PATCH',
    headers: { 'x-link-token': token },
  });
  for (const [locale, words] of [
    ['en-GB', { removed: 'Removed', opened: 'Opened', none: 'Nothing yet' }],
    ['de-DE', { removed: 'Entfernt', opened: 'Geöffnet', none: 'Noch nichts' }],
  ] as const) {
    for (const device of ['phone', 'desktop'] as const) {
      const page = await openPage(t, { locale, ...(device === 'phone' && { device }) });
      await page.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
      await page.goto(`${service.url}/links/${code}?show=record`);
      const record = page.getByRole('article', { name: 'Contract.pdf' });
      const list = record.locator('.recipient-list');
      await list.waitFor();
      const [ann = '', bob = ''] = await list.getByRole('listitem').allInnerTexts();
      assert.match(ann, new RegExp(`^ann@example\\.com ${words.opened} .* · ${words.removed}$`));
      assert.match(bob, /^bob@example\.org /);
      await list.getByText(words.none).waitFor();
      const events = await record.locator('.time-line-event').allInnerTexts();
      assert.ok(events.some((text) => text.includes('ann@example.com') && !text.includes('→')));
      assert.ok(
        events.some((text) => /bob@example\.org.*× 8/.test(text)),
        events.join(),
      );
      await assertAccessible(page);
      await assertFits(page);
      if (device === 'phone') continue;
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1, locale);
    }
  }
});
