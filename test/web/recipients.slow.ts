import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { createInPage, openCreatePage } from '../support/create-page.ts';
import { send } from '../support/http-client.ts';
import { assertFits } from '../support/pages.ts';
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
  assert.equal((await post({ recipientAddress, recipientCode }, cookie)).status, 303);
}

test('a sender names recipients, and sees who asked for a code and opened the link', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  await t.test('on a phone, with words for each recipient', async (t) => {
    const page = await openCreatePage(openPage, t, service, { device: 'phone' });
    const code = await createInPage(page, async () => {
      await page.getByText('More options', { exact: true }).click();
      await page
        .getByLabel('Recipients confirmed by email', { exact: true })
        .fill('ann@example.com, bob@example.org');
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
    assert.doesNotMatch(await recipients.innerText(), /Nothing yet/);
    await assertFits(page);
  });
});
