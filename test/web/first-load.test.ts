import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../web/i18n/translate.ts';
import { startBrowser } from '../support/browser.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

/** The promise for `/` is 100 KB; it needs a third, and shall not grow unseen. */
const MOST_BYTES = { '/': 50_000 };

test('the first load of a page', async (t) => {
  const service = await startService(t);
  for (const [path, most] of Object.entries(MOST_BYTES)) {
    for (const language of Object.keys(LANGUAGES)) {
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
        await page.goto(`${service.url}${path}`);
        await page.locator('h1').waitFor();
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        const files = await Promise.all(loaded);
        const dictionaries = files.filter(({ path }) => /\/(en|pt|es|de|fr)-/.test(path));
        assert.equal(dictionaries.length, 1, 'one language is loaded');
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        assert.ok(bytes > 10_000 && bytes < most, `${bytes} bytes: ${JSON.stringify(files)}`);
      });
    }
  }
});
