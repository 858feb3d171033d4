import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { json, member, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { assertBecomes, assertFits, waitForFocus } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const field = (page: Page) => page.getByRole('combobox', { name: 'Search and commands' });
const options = (page: Page) => page.locator('.palette [role=option]').allInnerTexts();

test('the search box with commands', async (t) => {
  const service = await startService(t);
  const key = await addKey(service, 'operator', ['create', 'read']);
  const created = await sendJson(
    service,
    '/api/links',
    { targetUrl: 'https://example.com/a', label: 'Quarter <b>' },
    { headers: bearer(key) },
  );
  const shortCode = String(member(json(created), 'shortCode'));
  const open = async (t: Parameters<typeof openPage>[0], path: string, options?: PageOptions) => {
    const page = await openPage(t, options);
    await page.addInitScript(`sessionStorage.setItem('postern.key', '${key}')`);
    await page.goto(service.url + path);
    await page.locator('main h1').first().waitFor();
    return page;
  };

  await t.test('a link is found by its label and opened with the keyboard', async (t) => {
    const page = await open(t, '/links');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+k');
    await waitForFocus(page, field(page));
    const all = await options(page);
    for (const name of [
      'New link',
      'Dashboard',
      'My links',
      'All links',
      'Keyboard shortcuts',
      'Language: Deutsch',
    ])
      assert.ok(all.includes(name), `${name}: ${all}`);
    await assertAccessible(page);
    await page.keyboard.type('quarter');
    await assertBecomes(() => options(page), [`Quarter <b> ${shortCode}`]);
    await page.getByText('1 result', { exact: true }).waitFor();
    const active = await field(page).getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/links/${shortCode}`);
  });

  await t.test('the arrows choose a command, and Escape returns the focus', async (t) => {
    const page = await open(t, '/dashboard');
    const link = page.getByRole('link', { name: 'New link' });
    await link.focus();
    await page.keyboard.press('p');
    await waitForFocus(page, field(page));
    await page.keyboard.press('Escape');
    await waitForFocus(page, link);
    await page.keyboard.press('Meta+k');
    await waitForFocus(page, field(page));
    await page.keyboard.type('LANGUAGE');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    const [first = ''] = await options(page);
    assert.equal(await page.locator('.palette [aria-selected=true]').innerText(), first);
    await page.keyboard.type(': de');
    await page.keyboard.press('Enter');
    await page.locator('html[lang=de]').waitFor();
    await field(page).waitFor({ state: 'detached' });
  });

  await t.test('a key that is typed is text, and the box fits a phone', async (t) => {
    const page = await open(t, '/', { device: 'phone' });
    await page.getByLabel('Paste a URL').focus();
    await page.keyboard.type('p');
    assert.equal(await page.getByLabel('Paste a URL').inputValue(), 'p');
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await assertFits(page);
    await assertAccessible(page);
    await page.locator('.palette').getByRole('option', { name: 'My links' }).click();
    await page.waitForURL(`${service.url}/links?show=mine`);
  });

  await t.test('the single key can be switched off, and the other one is listed', async (t) => {
    const page = await open(t, '/links');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Ctrl K, p').waitFor();
    await page.getByLabel('Use these keys').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('p');
    await page.keyboard.press('Control+k');
    await waitForFocus(page, field(page));
    assert.equal(await field(page).inputValue(), '');
  });
});
