import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import {
  chooseFiles,
  chooseSource,
  createdShortCode,
  createInPage,
  describeLink,
  FILE,
  openCreatePage,
  TARGET,
} from '../support/create-page.ts';
import { member } from '../support/http-client.ts';
import { auditedResults, openLink } from '../support/links.ts';
import { assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const storeLinks = (page: Page, stored: string) =>
  page.addInitScript(`localStorage.setItem('postern.links', ${JSON.stringify(stored)})`);

test('the list of links', async (t) => {
  const service = await startService(t);
  const open = (t: TestContext, options?: PageOptions) => openCreatePage(openPage, t, service, options);
  await t.test('the list shows the links created in this browser, and no others', async (t) => {
    const page = await open(t, { device: 'phone' });
    await page.getByText('Links you create appear here.').waitFor();
    const shortCode = await createInPage(page, () => page.getByRole('radio', { name: 'Custom' }).click());
    const row = page.locator('.my-link');
    await row.getByText('0 of 3 views').waitFor();
    await row.getByText('Not opened yet.', { exact: true }).waitFor();
    assert.deepEqual(auditedResults(service, shortCode), [], 'showing the list is not an attempt');
    await openLink(service, shortCode, { accept: 'application/json' });
    await page.reload();
    await row.getByText('1 of 3 views').waitFor();
    await row.getByText(/^Created \d+ \w+ \d+, \d+:\d+$/).waitFor();
    await row.getByText(/^Opened once, \d+ days ago\.$/).waitFor();
    await page.getByText('Times in UTC.').waitFor();
    await page.getByRole('link', { name: 'Latest links' }).click();
    const { y = Infinity } = (await row.getByText(/^Opened once/).boundingBox()) ?? {};
    assert.ok(y < 600, `the answer is in view: ${y}`);
    await assertAccessible(page);
    await assertFits(page);

    const other = await open(t, { device: 'phone' });
    await other.getByText('Links you create appear here.').waitFor();
  });

  await t.test('a new link and the list show its label, recipient, tags and start', async (t) => {
    const page = await open(t, { device: 'phone' });
    await createInPage(page, async () => {
      await page.getByText('More options', { exact: true }).click();
      await page.getByLabel('Label', { exact: true }).fill('Contract');
      await page.getByLabel('Recipient').fill('Ann');
      await page.getByText('For your lists. Visitors do not see it.').waitFor();
      await page.getByText('Visitors do not see it.', { exact: true }).waitFor(); // the hint of the note
      await page.getByLabel('Tags').fill('a, b');
      await page.getByLabel('Available from').fill('2020-01-01T09:00');
      await page.getByText('This time is in the past: the link is available at once').waitFor();
      await page.getByLabel('Available from').fill('2099-01-01T09:00');
      await page.getByText('Leave empty to start at once').waitFor();
    });
    const terms = page.locator('.terms div');
    for (const [name, value] of [
      ['Label', 'Contract'],
      ['Recipient', 'Ann'],
      ['Tags', 'a, b'],
      ['Available from', '1 January 2099 at 9:00 (UTC)'],
    ] as const) {
      await terms.filter({ hasText: name }).getByText(value, { exact: true }).waitFor();
    }
    const row = page.locator('.my-link');
    await row.getByText('Scheduled', { exact: true }).waitFor();
    await row.getByRole('heading', { name: 'Contract', exact: true }).waitFor();
    for (const text of [TARGET, 'For Ann', 'a, b', /^Available in [\d,]+ days$/])
      await row.getByText(text).waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await row.getByRole('button', { name: /^Revoke link/ }).click();
    await page.getByRole('dialog').getByText(`For Ann · ${TARGET} · `).waitFor();
  });

  await t.test('a link is revoked after a confirmation, and hidden, with a pointer', async (t) => {
    const page = await open(t, { device: 'phone' });
    const shortCode = await createInPage(page);
    await page.getByRole('button', { name: `Revoke link: ${shortCode}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this link?' });
    await dialog.waitFor();
    const root = `(({ overflow, backgroundColor }) => [overflow, backgroundColor !== 'rgba(0, 0, 0, 0)'])
      (getComputedStyle(document.documentElement))`;
    assert.deepEqual(await page.evaluate(root), ['hidden', true], 'the space of the scroll bar is dark, too');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(member(await describeLink(service, shortCode), 'status'), 'ACTIVE');
    await page.getByRole('button', { name: `Revoke link: ${shortCode}` }).click();
    await dialog.getByRole('button', { name: 'Revoke link', exact: true }).click();
    await page.locator('.my-link').getByText('Revoked', { exact: true }).waitFor();
    assert.equal((await openLink(service, shortCode)).status, 410);
    await page.getByRole('button', { name: `Hide from list: ${shortCode}` }).click();
    await page.getByText('Links you create appear here.').waitFor();
  });

  await t.test('a link is revoked with the keyboard alone, and Escape cancels', async (t) => {
    const page = await open(t);
    const shortCode = await createInPage(page);
    await tabTo(page, 'button', `Revoke link: ${shortCode}`);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // The dialog restores the focus.
    await waitForFocus(page, page.getByRole('button', { name: `Revoke link: ${shortCode}` }));
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await tabTo(page, 'button', 'Revoke link');
    await page.keyboard.press('Enter');
    await page.locator('.my-link').getByText('Revoked', { exact: true }).waitFor();
    assert.equal((await openLink(service, shortCode)).status, 410);
    await tabTo(page, 'button', `Hide from list: ${shortCode}`);
    await page.keyboard.press('Enter');
    await page.locator('.my-link').waitFor({ state: 'detached' });
  });

  await t.test('an active link is hidden after a confirmation, and shown again with Undo', async (t) => {
    const page = await open(t, { device: 'phone' });
    const shortCode = await createInPage(page);
    const row = page.locator('.my-link');
    await page.getByRole('button', { name: `Hide from list: ${shortCode}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Hide this link from the list?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: `Hide from list: ${shortCode}` }).click();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Hide from list' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText(`“${TARGET}” was hidden from the list.`).waitFor();
    await waitForFocus(page, page.getByRole('heading', { name: 'Links created in this browser' }));
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('Active').waitFor();
    await page.reload();
    await row.getByText('Active').waitFor();
  });

  await t.test("a failed revocation shows the API's message", async (t) => {
    const page = await open(t);
    await createInPage(page);
    const body = JSON.stringify({ message: 'An unexpected error occurred. Reference ID: 1' });
    await page.route('**/l/*', (route) => route.fulfill({ status: 500, body }));
    await page.getByRole('button', { name: /^Revoke link:/ }).click();
    await page.getByRole('button', { name: 'Revoke link', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText('An unexpected error occurred. Reference ID: 1', { exact: true })
      .waitFor();
  });

  await t.test('the focus moves on when the focused element disappears', async (t) => {
    const page = await openPage(t);
    const press = async (name: string | RegExp) => {
      await page.getByRole('button', { name, exact: typeof name === 'string' }).focus();
      await page.keyboard.press('Enter');
    };
    const hasFocus = (part: Locator) => waitForFocus(page, part);
    const address = page.getByLabel('Paste a URL');
    const title = page.getByRole('heading', { name: 'Links created in this browser' });
    await page.goto(service.url);
    await chooseFiles(page, FILE);
    await hasFocus(page.getByRole('group', { name: 'report.pdf, 11 bytes' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('button', { name: 'Choose files' }));
    await chooseSource(page, 'URL');
    await hasFocus(address);
    await address.fill(TARGET);
    await page.keyboard.press('Enter');
    await createdShortCode(page);
    await press('Create another link');
    await hasFocus(address);
    await press(/^Revoke link:/);
    await press('Revoke link');
    await hasFocus(title);
    await address.focus();
    await press(/^Hide from list:/);
    await hasFocus(title);
    await press('Undo');
    await page.locator('.my-link').waitFor();
    await hasFocus(title);
  });

  await t.test('another tab shows a link created in this one', async (t) => {
    const page = await open(t);
    const other = await page.context().newPage();
    await other.goto(service.url);
    await other.getByText('Links you create appear here.').waitFor();
    await createInPage(page);
    await other.locator('.my-link .badge').waitFor();
  });

  await t.test('invalid entries in the browser storage are ignored', async (t) => {
    const page = await openPage(t);
    const link = { shortCode: 'gone1234', accessUrl: 'http://x.example/l/x', title: 'X', type: 'REDIRECT' };
    const junk = JSON.stringify([
      1,
      null,
      { shortCode: 'x', accessUrl: 'javascript:alert(1)', title: '' },
      { ...link, token: 1 },
      { ...link, token: 'no header\ncan carry this' },
    ]);
    for (const stored of ['{', 'null', '{"a":1}', junk]) {
      await storeLinks(page, stored);
      await page.goto(service.url);
      await page.getByText('Links you create appear here.').waitFor();
    }
  });

  for (const token of [undefined, `link_${'x'.repeat(43)}`]) {
    await t.test(`a link that the service does not know is marked, token ${token}`, async (t) => {
      const page = await openPage(t);
      const link = { shortCode: 'gone1234', accessUrl: 'http://x.example/l/gone1234', token };
      await storeLinks(page, JSON.stringify([{ ...link, title: 'Gone', type: 'REDIRECT' }]));
      await page.goto(service.url);
      await page.getByText('Link not found.').waitFor();
      await assertAccessible(page);
    });
  }

  await t.test('the browser stores the token of a link, and sends it in a header only', async (t) => {
    const page = await open(t);
    const sent: (string | undefined)[] = [];
    page.on('request', (request) => {
      assert.ok(!/link_/.test(request.url() + (request.postData() ?? '')));
      if (/\/(l|links)\/(?!upload)/.test(request.url())) sent.push(request.headers()['x-link-token']);
    });
    const shortCode = await createInPage(page);
    await page.getByRole('button', { name: 'Create another link' }).click();
    await chooseFiles(page, FILE);
    await page.getByRole('button', { name: 'Create link' }).click();
    await createdShortCode(page);
    await page.locator('.my-link .badge').nth(1).waitFor();
    const stored = await page.evaluate<string>(`localStorage.getItem('postern.links')`);
    const tokens = (JSON.parse(stored) as { token: string }[]).map(({ token }) => token);
    for (const token of tokens) assert.match(token, /^link_[\w-]{43}$/);
    assert.equal(new Set(tokens).size, 2);
    assert.ok(!(await page.content()).includes('link_'));
    await page.getByRole('button', { name: `Revoke link: ${shortCode}` }).click();
    await page.getByRole('button', { name: 'Revoke link', exact: true }).click();
    await page.locator('.my-link').getByText('Revoked', { exact: true }).waitFor();
    assert.deepEqual(new Set(sent), new Set(tokens));
  });
});
