import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../web/i18n/translate.ts';
import { startBrowser } from '../support/browser.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

/**
 * The promise for `/` is 100 KB; it needs a third, and shall not grow unseen. The dashboard has its charts besides,
 * and is looked at in one language: the others are as in `/`.
 */
const PAGES = [
  { path: '/', most: 50_000, languages: Object.keys(LANGUAGES), isThere: 'h1', last: null },
  { path: '/dashboard', most: 85_000, languages: ['de'], isThere: 'canvas', last: /\/chart-renderer-/ },
];

test('the first load of a page', async (t) => {
  const service = await startService(t);
  await openLink(service, await createLink(service));
  for (const { path, most, languages, isThere, last } of PAGES) {
    for (const language of languages) {
      await t.test(`of ${path} in ${language} is small, with everything`, async (t) => {
        const page = await openPage(t, { locale: language });
        const loaded: Promise<{ path: string; bytes: number }>[] = [];
        page.on('requestfinished', (request) => {
          const { pathname } = new URL(request.url());
          loaded.push(
            request.sizes().then((sizes) => ({
              path: pathname,
              bytes: sizes.responseBodySize + sizes.responseHeadersSize,
            })),
          );
        });
        const lastFile = last && page.waitForEvent('requestfinished', (request) => last.test(request.url()));
        await page.goto(`${service.url}${path}`);
        await page.locator(isThere).first().waitFor();
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        if (lastFile) await lastFile;
        const files = await Promise.all(loaded);
        const dictionaries = files.filter(({ path }) => /\/(en|pt|es|de|fr)-/.test(path));
        assert.equal(dictionaries.length, 1, 'one language is loaded');
        const hasCharts = files.some(({ path }) => path.includes('/chart-renderer-'));
        assert.equal(hasCharts, last !== null, 'charts are loaded where there are any');
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        assert.ok(bytes > 10_000 && bytes < most, `${bytes} bytes: ${JSON.stringify(files)}`);
      });
    }
  }
});
