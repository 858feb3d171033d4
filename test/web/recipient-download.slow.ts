import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { shortCodeOf } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { assertFits } from '../support/pages.ts';
import { startService } from '../support/service.ts';
import { mailFlags, readMailedCode, startSmtpServer } from '../support/smtp-server.ts';

const { openPage } = await startBrowser();
const texts = TEXTS.en;

test('a recipient who came from a page of mails reloads the page of a download, which no other browser opens', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  const sent = [
    ...fields({ verifiedRecipients: 'ann@example.com', maxViews: '1' }),
    ...[file('first', 'a.txt'), file('second', 'b.txt')],
  ];
  const link = `${service.url}/l/${shortCodeOf(await sendForm(service, sent))}`;
  await t.test('in two browsers', async (t) => {
    const page = await openPage(t);
    const mails = 'http://localhost:1/'; // another site than 127.0.0.1
    await page.route(mails, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><link rel="icon" href="data:,"><a href="${link}">Link</a>`,
      }),
    );
    await page.goto(mails);
    await page.getByRole('link').click();
    await page.locator('#recipientAddress').fill('ann@example.com');
    await page.getByRole('button', { name: texts['recipient.send'], exact: true }).click();
    await page
      .locator('#recipient-code, [name=recipientCode]')
      .first()
      .fill(await readMailedCode(smtp, 1));
    await page.getByRole('button', { name: texts['recipient.code.open'], exact: true }).click();
    const name = page.getByText('b.txt', { exact: true });
    await name.waitFor();
    for (let reloads = 0; reloads < 2; reloads++) {
      await page.waitForURL(/\/lease_bound_/);
      await page.reload();
      await name.waitFor();
    }
    const loading = page.waitForEvent('download');
    await name.click();
    assert.equal((await loading).suggestedFilename(), 'b.txt');
    for (const device of ['desktop', 'phone'] as const)
      for (const locale of ['en', 'de'] as const) {
        const other = await openPage(t, { device, locale });
        const headers = { accept: 'text/html', 'accept-language': locale };
        const response = await other.request.get(page.url(), { headers });
        assert.equal(response.status(), 404);
        await other.setContent(await response.text()); // a page of status 404 would be a problem
        await other.getByRole('heading', { name: TEXTS[locale]['notice.OTHER_BROWSER.title'] }).waitFor();
        await assertAccessible(other);
        await assertFits(other);
      }
  });
});
