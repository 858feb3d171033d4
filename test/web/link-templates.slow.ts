import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { createdShortCode, createInPage, openCreatePage, TARGET } from '../support/create-page.ts';
import { json, member, send } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { asksBeforeLeaving, assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const radio = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const note = (page: Page) => page.locator('.recent-settings');

/** Opens the templates with the keyboard, and chooses one of the items by its first letter. */
async function chooseTemplate(page: Page, name: string): Promise<void> {
  await page.getByRole('menuitem').first().waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Templates' }).press('Enter');
  const item = page.getByRole('menuitem', { name, exact: true });
  await page.locator('[role=menuitem]:focus').waitFor();
  await page.keyboard.press(name.slice(0, 1));
  await waitForFocus(page, item);
  await page.keyboard.press('Enter');
}

test('the settings of a new link', async (t) => {
  const service = await startService(t);

  await t.test('the settings of the last link come back until they are reset, on a phone', async (t) => {
    const page = await openCreatePage(openPage, t, service, { device: 'phone' });
    assert.equal(await note(page).count(), 0);
    await createInPage(page, async () => {
      await radio(page, 'In 1 week').check();
      await radio(page, 'One view').check();
      await page.getByLabel('Password', { exact: true }).fill('a long password');
    });
    await page.reload();
    await note(page).getByText('Same as your last link: Expires: In 1 week').waitFor();
    assert.equal(await asksBeforeLeaving(page), false);
    await assertFits(page);
    await assertAccessible(page);
    assert.equal(await radio(page, 'In 1 week').isChecked(), true);
    assert.equal(
      await radio(page, 'One view').isChecked(),
      false,
      'it would be one submission of a file request',
    );
    assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), '');
    assert.equal(await page.getByLabel('Paste a URL').inputValue(), '');
    await page.getByRole('button', { name: 'Reset' }).click();
    await waitForFocus(page, page.getByLabel('Paste a URL'));
    assert.equal(await radio(page, 'Never').isChecked(), true);
    await page.reload();
    await page.locator('.link-form').waitFor();
    assert.equal(await note(page).count(), 0);
  });

  await t.test('a template is saved, chosen, renamed and deleted with the keyboard', async (t) => {
    const page = await openCreatePage(openPage, t, service);
    await page.getByLabel('Paste a URL').fill(`${TARGET.replace('#', '&utm_source=old#')}`);
    await radio(page, 'In 1 day').check();
    await page.getByText('More options').click();
    await page.getByText('UTM parameters').click();
    assert.equal(await page.getByLabel('Source', { exact: true }).inputValue(), 'old');
    await page.getByLabel('Source', { exact: true }).fill('news letter');
    const target = TARGET.replace('#', '&utm_source=news%20letter#');
    await page.locator('.utm-preview').getByText(target, { exact: true }).waitFor();
    await page.getByLabel('Tags').fill('board');
    await assertAccessible(page);
    await chooseTemplate(page, 'Save settings');
    await page.getByRole('dialog').getByLabel('Label').fill('Letter');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.link-form').waitFor();
    await chooseTemplate(page, 'Letter');
    assert.equal(await radio(page, 'In 1 day').isChecked(), true);
    await tabTo(page, 'textbox', 'Paste a URL');
    await page.keyboard.type(TARGET);
    await page.keyboard.press('Enter');
    const key = await addKey(service, 'operator', ['read', 'manage']);
    const path = `/api/links/${await createdShortCode(page)}`;
    const description = json(await send(service, path, { headers: bearer(key) }));
    assert.deepEqual([member(description, 'targetUrl'), member(description, 'tags')], [target, ['board']]);

    await page.getByRole('button', { name: 'Create another link' }).click();
    await chooseTemplate(page, 'Letter');
    await chooseTemplate(page, 'Rename “Letter”');
    await page.getByRole('dialog').getByLabel('Label').fill('Mail');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await chooseTemplate(page, 'Delete “Mail”');
    await page.getByRole('menuitem').first().waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Templates' }).press('Enter');
    await page.locator('[role=menuitem]:focus').waitFor();
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Save settings']);
  });
});
