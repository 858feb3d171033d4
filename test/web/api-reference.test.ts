import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { addKey } from '../support/keys.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const { openPage } = await startBrowser();

test('the API reference uses the key of the tab, and offers the sign-in without one', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const key = await addKey(service, 'ci', ['read']);

  await t.test('the reference offers the sign-in without a key', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/docs`);
    const link = page.locator('#sign-in');
    await link.waitFor();
    assert.equal(
      await link.evaluate((element) => Reflect.get(element, 'href')),
      `${service.url}/sign-in?to=docs`,
    );
    await page.waitForLoadState('networkidle');
    await page.locator('#swagger-ui').waitFor({ state: 'hidden' });
    await assertAccessible(page);
  });

  await t.test('the tried requests send the key', async (t) => {
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

/** The rules that the markup of Swagger UI violates. No setting and no style of ours changes that markup. */
const VIEWER_VIOLATIONS = [
  'nested-interactive', // a copy button and a link are inside the button that opens an operation
  'heading-order', // the names of the groups are h3 below the h1
  'region', // the description and the choice of a server are outside of its main landmark
  'select-name', // the choices of a server and of a media type have no label
  'label', // the field of a body has no label
];

test('the API reference of an open service shows the brand, and asks for no sign-in', async (t) => {
  const logo = join(temporaryDirectory(t), 'logo.svg');
  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>');
  const flags = ['--app.brand.name=A<b> & Co', `--app.brand.logo=${logo}`, '--app.brand.color=#ff0'];
  const service = await startService(t, { flags });
  async function assertBranded(page: Page): Promise<void> {
    assert.equal(await page.title(), 'A<b> & Co: API reference');
    assert.equal(await page.locator('header').innerText(), 'A<b> & Co');
    assert.match(await page.locator('.info h1').innerText(), /^A<b> & Co/);
    const [link, image] = [page.locator('header a'), page.locator('header img')];
    assert.equal(await link.evaluate((element) => Reflect.get(element, 'href')), `${service.url}/`);
    assert.equal(await image.evaluate((element) => Reflect.get(element, 'naturalWidth')), 40);
    assert.equal(await page.locator('#sign-in').count(), 0);
  }

  await t.test('the page is accessible, and the text of a button is in its middle', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/docs`);
    const operation = page.locator('#operations-Links-post_api_links');
    await operation.click();
    await operation.locator('button.execute').waitFor();
    await assertBranded(page);
    await assertAccessible(page, { within: 'header' });
    await assertAccessible(page, { except: VIEWER_VIOLATIONS });
    await page.locator('.btn.authorize').click();
    await page.locator('.auth-btn-wrapper').first().waitFor();
    const offsets = (await page.evaluate(`[...document.querySelectorAll('.btn.authorize')].map((button) => {
      const range = document.createRange();
      range.selectNodeContents(button.querySelector('span') ?? button);
      const [text, box] = [range, button].map((each) => each.getBoundingClientRect());
      return Math.abs(text.top + text.height / 2 - box.top - box.height / 2);
    })`)) as number[]; // as the expression says
    assert.ok(offsets.length > 1 && offsets.every((offset) => offset < 2), `${offsets}`);
  });
  await t.test(
    'the page with a slash at its end is dark where the system is, and fits a phone',
    async (t) => {
      const page = await openPage(t, { theme: 'dark', device: 'phone' });
      await page.goto(`${service.url}/docs/`);
      await page.locator('html.dark-mode #operations-Links-post_api_links').waitFor();
      await assertBranded(page);
      const { width, background } = (await page.evaluate(`({
      width: document.documentElement.scrollWidth,
      background: getComputedStyle(document.body).backgroundColor,
    })`)) as { width: number; background: string }; // as the expression says
      assert.ok(width <= 390, `${width}`);
      assert.equal(background, 'rgb(21, 23, 26)');
    },
  );

  for (const [path, visible] of [
    ['/', 'form'],
    ['/actuator/health', 'h1'],
  ] as const) {
    await t.test(`the page ${path} of the brand is accessible`, async (t) => {
      const page = await openPage(t);
      await page.goto(service.url + path);
      await page.locator(visible).waitFor();
      await assertAccessible(page);
    });
  }
});
