import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/common/languages.ts';
import { startBrowser } from '../support/browser.ts';
import { addKey } from '../support/keys.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const CHARTS = /\/chart-renderer-/;
/** Scripts that load after the page is shown. */
const LATER = /\/(chart-renderer|charts|qr-code)-/;
/** Of all scripts that a page needs to be shown, compressed, with their headers. */
const MAX_SCRIPT_BYTES = 55_000;

/**
 * Limits of the first load, to notice growth: its size, and the number of its files without requests of the API. The
 * dashboard and the page of a link include their charts. Languages differ as in `/`.
 */
const PAGES = [
  {
    path: '/',
    maxFiles: 9,
    maxBytes: 59_000,
    languages: Object.keys(LANGUAGES),
    visible: 'h1',
    lastFile: null,
  },
  { path: '/sign-in', maxFiles: 5, maxBytes: 42_500, languages: ['de'], visible: 'h1', lastFile: null },
  {
    path: '/account',
    maxFiles: 10,
    maxBytes: 49_500,
    languages: ['de'],
    visible: '.account li',
    lastFile: null,
  },
  { path: '/verify', maxFiles: 7, maxBytes: 63_500, languages: ['de'], visible: 'h1', lastFile: null },
  { path: '/links', maxFiles: 9, maxBytes: 67_000, languages: ['de'], visible: 'tbody tr', lastFile: null },
  {
    path: '/people?show=keys',
    maxFiles: 8,
    maxBytes: 50_000,
    languages: ['de'],
    visible: 'tbody tr',
    lastFile: null,
  },
  {
    path: '/dashboard',
    maxFiles: 8,
    maxBytes: 105_000,
    languages: ['de'],
    visible: 'canvas',
    lastFile: CHARTS,
  },
  {
    path: '/links/…',
    maxFiles: 12,
    maxBytes: 122_000,
    languages: ['de'],
    visible: '.entry',
    lastFile: CHARTS,
  },
];

test('the first load of a page is small', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  await openLink(service, shortCode);
  const key = await addKey(service, 'reader', ['read', 'admin']);
  for (const { path, maxFiles, maxBytes, languages, visible, lastFile } of PAGES) {
    for (const language of languages) {
      await t.test(`${path} in ${language} stays below ${maxBytes} bytes in ${maxFiles} files`, async (t) => {
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
        const isComplete =
          lastFile && page.waitForEvent('requestfinished', (request) => lastFile.test(request.url()));
        if (/^\/(links|people|account)/.test(path))
          await page.addInitScript(`sessionStorage.setItem('postern.key', '${key}')`);
        await page.goto(service.url + path.replace('…', shortCode));
        await page.locator(visible).first().waitFor();
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        if (isComplete) await isComplete;
        const files = await Promise.all(loaded);
        const languagesLoaded = files.flatMap(({ path }) => /\/(en|pt|es|de|fr)-/.exec(path)?.[1] ?? []);
        assert.deepEqual(new Set(languagesLoaded), new Set([language]), 'only one language is loaded');
        const hasCharts = files.some(({ path }) => CHARTS.test(path));
        assert.equal(hasCharts, lastFile !== null, 'charts are loaded only where they are shown');
        const own = files.filter(({ path }) => !/^\/(api|actuator)\//.test(path));
        assert.ok(own.length <= maxFiles, `${own.length} files: ${JSON.stringify(own)}`);
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        const scripts = own.filter(({ path }) => path.endsWith('.js') && !LATER.test(path));
        const scriptBytes = scripts.reduce((sum, file) => sum + file.bytes, 0);
        t.diagnostic(`${scriptBytes} bytes of scripts`);
        assert.ok(scriptBytes < MAX_SCRIPT_BYTES, `${scriptBytes} bytes of scripts`);
        assert.ok(bytes > 10_000 && bytes < maxBytes, `${bytes} bytes: ${JSON.stringify(files)}`);
      });
    }
  }
});
