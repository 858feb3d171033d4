import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { SCOPES } from '../../src/core/model/people/caller.ts';
import { startBrowser } from '../support/browser.ts';
import { addKey } from '../support/keys.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

/** Opens every link of the page's frame, and returns the text and the status of each. */
async function linksOf(page: Page): Promise<[text: string, status: number][]> {
  const links = await page
    .locator('.site-header a, .site-footer a, .nothing-yet a')
    .evaluateAll((all) =>
      all.map((link): [string, string] => [link.textContent ?? '', String(Reflect.get(link, 'href'))]),
    );
  return Promise.all(
    links.map(async ([text, href]): Promise<[string, number]> => [text.trim(), (await fetch(href)).status]),
  );
}

test('with a management port, each page links only what its port serves', async (t) => {
  const service = await startService(t, { flags: ['--app.management.port=9090'] });
  await service.startJobs();

  await t.test('the create page', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await page.getByRole('form', { name: 'New link' }).waitFor();
    assert.deepEqual(await linksOf(page), [
      ['Postern', 200],
      ['New link', 200],
      ['Links', 200],
      ['Verify a history', 200],
    ]);
  });

  await t.test('the dashboard', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.managementUrl}/dashboard`);
    await page.locator('.nothing-yet').waitFor();
    assert.deepEqual(await linksOf(page), [
      ['Postern', 200],
      ['Dashboard', 200],
      ['Verify a history', 200],
      ['API reference', 200],
    ]);
  });
});

test('the sign-in leads to a page that its port serves', async (t) => {
  const service = await startService(t, { flags: ['--app.management.port=9090', '--app.access=keys'] });
  const key = await addKey(service, 'alice', SCOPES);
  for (const [url, query, path] of [
    [service.managementUrl, '', '/dashboard'],
    [service.managementUrl, '?to=dashboard', '/dashboard'],
    [service.url, '?to=dashboard', '/'],
  ] as const) {
    await t.test(`${path} after /sign-in${query}`, async (t) => {
      const page = await openPage(t);
      await page.goto(`${url}/sign-in${query}`);
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(({ origin, pathname }) => origin + pathname === url + path);
    });
  }
});
