import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBrowser } from '../support/browser.ts';
import { addKey } from '../support/keys.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

test('the API reference uses the key of the tab, and offers the sign-in without one', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const key = await addKey(service, 'ci', ['read']);

  await t.test('without a key', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/docs`);
    const link = page.locator('#sign-in');
    await link.waitFor();
    assert.equal(
      await link.evaluate((element) => Reflect.get(element, 'href')),
      `${service.url}/sign-in?to=docs`,
    );
    await page.waitForLoadState('networkidle');
    assert.equal((await page.locator('body').innerText()).trim(), await link.innerText());
  });

  await t.test('with a key, which the tried requests send', async (t) => {
    const page = await openPage(t);
    await page.addInitScript((text) => {
      const { sessionStorage } = globalThis as unknown as {
        sessionStorage: { setItem(name: string, value: string): void };
      };
      sessionStorage.setItem('postern.key', text);
    }, key);
    // Tried requests go to app.base-url, whose port this service does not have.
    await page.route('**/docs/json', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), servers: [{ url: service.url }] } });
    });
    await page.goto(`${service.url}/docs`);
    const operation = page.locator('#operations-Statistics-get_api_stats_links');
    await operation.click();
    const answered = page.waitForResponse(`**/api/stats/links`);
    await operation.locator('button.execute').click();
    const response = await answered;
    assert.equal(response.status(), 200);
    assert.equal(response.request().headers()['authorization'], `Bearer ${key}`);
    assert.equal(await page.locator('#sign-in').count(), 0);
  });
});

test('the API reference of an open service asks for no sign-in', async (t) => {
  const service = await startService(t);
  await t.test('it lists the operations', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/docs/`);
    await page.locator('#operations-Links-post_api_links').waitFor();
    assert.equal(await page.locator('#sign-in').count(), 0);
  });
  await t.test('it is dark where the system is, and fits a phone', async (t) => {
    const page = await openPage(t, { theme: 'dark', device: 'phone' });
    await page.goto(`${service.url}/docs`);
    await page.locator('html.dark-mode #operations-Links-post_api_links').waitFor();
    const { width, background } = (await page.evaluate(`({
      width: document.documentElement.scrollWidth,
      background: getComputedStyle(document.body).backgroundColor,
    })`)) as { width: number; background: string }; // as the expression says
    assert.ok(width <= 390, `${width}`);
    assert.equal(background, 'rgb(21, 23, 26)');
  });
});
