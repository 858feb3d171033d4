import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { readOpenApi } from '../../docs/generate-api.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { send } from '../support/http-client.ts';
import { assertFits } from '../support/pages.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const { openPage } = await startBrowser();

/** The compressed page has 26 KB, its style sheets 4 KB. */
const MAX_COMPRESSED_BYTES = 30_500;

test('the API reference', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });

  await t.test('the reference is accessible, and fits a phone', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(`${service.url}/docs`);
    assert.equal(await page.title(), 'Postern: API reference');
    await page.locator('summary', { hasText: 'History' }).click();
    await assertFits(page);
    // All sections are of one kind, and axe needs a minute for all of them.
    await page.evaluate(
      `[...document.querySelectorAll('main > *')].slice(100, -20).forEach((each) => each.remove())`,
    );
    await assertAccessible(page);
  });

  await t.test('the reference has each operation and each record, and links that lead to one', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/docs`);
    const headings = await page.locator('main h3').allInnerTexts();
    const { paths } = await readOpenApi();
    const [ofRecords, ofEndpoints] = [false, true].map((isOf) =>
      headings.filter((each) => each.includes('/') === isOf),
    );
    const aliases = (await page.locator('main p', { hasText: /^Also at / }).allInnerTexts()).join();
    const missing = Object.keys(paths).filter(
      (path) => !ofEndpoints?.some((heading) => heading.endsWith(` ${path}`)) && !aliases.includes(path),
    );
    assert.deepEqual(missing, []);
    assert.ok((ofRecords?.length ?? 0) > 50);
    const broken = await page.evaluate(`[...document.querySelectorAll('a[href^="#"]')]
      .map((link) => link.getAttribute('href').slice(1))
      .filter((id) => document.querySelectorAll('[id="' + id + '"]').length !== 1)`);
    assert.deepEqual(broken, []);
    await page.locator('summary', { hasText: 'Records' }).click();
    await page.locator('nav a[href="#error"]').click();
    await page.locator('#error:target').waitFor();
  });

  await t.test('the reference works below a base path, and without JavaScript', async (t) => {
    const page = await openPage(t, { javaScriptEnabled: false });
    const base = `${service.url}/share`;
    await page.route(`${base}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(base, service.url) });
      await route.fulfill({ response });
    });
    await page.goto(`${base}/docs`);
    const hrefOf = (selector: string) =>
      page.locator(selector).evaluate((element) => Reflect.get(element, 'href'));
    assert.equal(await hrefOf('.brand'), `${base}/`);
    assert.equal(await hrefOf('a[href="openapi.json"]'), `${base}/openapi.json`);
    await page.locator('h1', { hasText: 'API reference' }).waitFor();
    const display = await page
      .locator('.page-reference')
      .evaluate((element) => Reflect.get(globalThis, 'getComputedStyle')(element).display);
    assert.equal(display, 'grid', 'the style sheet was loaded');
  });

  await t.test('the reference is small', async () => {
    const headers = { 'accept-encoding': 'br' };
    const page = await send(service, '/docs', { headers });
    const html = brotliDecompressSync(page.body).toString();
    const sheets = [...html.matchAll(/rel="stylesheet"[^>]*href="\.\/([^"]+)"/g)].map(([, path]) => path);
    const files = await Promise.all(sheets.map((path) => send(service, `/${path}`, { headers })));
    const sizes = [page, ...files].map(({ body }) => body.length);
    assert.ok(
      sizes.length >= 2 && sizes.reduce((sum, size) => sum + size) < MAX_COMPRESSED_BYTES,
      `${sizes}`,
    );
    assert.ok(!html.includes('<script'));
  });
});

test('the API reference shows the brand', async (t) => {
  const logo = join(temporaryDirectory(t), 'logo.svg');
  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>');
  const flags = ['--app.brand.name=A<b> & Co', `--app.brand.logo=${logo}`, '--app.brand.color=#ff0'];
  const service = await startService(t, { flags });
  async function assertBranded(page: Page): Promise<void> {
    assert.equal(await page.title(), 'A<b> & Co: API reference');
    assert.equal(await page.locator('header').innerText(), 'A<b> & Co');
    const image = page.locator('header img');
    assert.equal(await image.evaluate((element) => Reflect.get(element, 'naturalWidth')), 40);
  }

  await t.test('the header of the brand is accessible', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/docs`);
    await assertBranded(page);
    await assertAccessible(page, { within: 'header' });
  });
});
