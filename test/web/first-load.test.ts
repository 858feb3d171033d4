import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Request } from 'playwright-core';
import { LANGUAGES } from '../../src/common/languages.ts';
import { startBrowser } from '../support/browser.ts';
import { addKey } from '../support/keys.ts';
import { createLink, openLink, revokeLink } from '../support/links.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const CHARTS = /\/chart-renderer-/;
/** Scripts that load after the page is shown. */
const LATER = /\/(chart-renderer|charts|qr-code)-/;
/** The same of `/verify`: what checks, and what shows the result. */
const LATER_TO_VERIFY = /\/(check-worker|prepare-workers|result|run-check|time-line)-/;
/** Of all scripts that a page needs to be shown, compressed, with their headers. */
const MAX_SCRIPT_BYTES = 58_400;

type Limit = [
  path: string,
  maxBytes: number,
  visible: string,
  more?: { charts?: true; languages?: string[]; later?: RegExp },
];

/**
 * Limits of the first load, to notice growth. The dashboard includes its charts. Languages differ as
 * in `/`.
 */
const LIMITS: Limit[] = [
  ['/', 62_350, 'h1', { languages: Object.keys(LANGUAGES) }],
  ['/sign-in', 45_830, 'h1'],
  ['/account', 56_910, '.account li'],
  ['/verify', 81_200, 'h1', { later: LATER_TO_VERIFY }], // with what checks, which may have arrived
  ['/links', 67_000, 'tbody tr'],
  ['/people?show=keys', 58_170, 'tbody tr'],
  ['/dashboard', 111_900, 'canvas', { charts: true }],
  ['/links/…', 75_000, '.entry'],
];

async function sizeOf(request: Request): Promise<{ path: string; bytes: number }> {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  return { path: new URL(request.url()).pathname, bytes: responseBodySize + responseHeadersSize };
}

test('the first load of a page is small', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  await openLink(service, shortCode);
  const key = await addKey(service, 'reader', ['read', 'admin']);
  for (const [
    path,
    maxBytes,
    visible,
    { charts = false, languages = ['de'], later = LATER } = {},
  ] of LIMITS) {
    for (const language of languages) {
      await t.test(`${path} in ${language} stays below ${maxBytes} bytes`, async (t) => {
        const page = await openPage(t, { locale: language });
        const loaded: Request[] = [];
        page.on('requestfinished', (request) => loaded.push(request));
        const isComplete =
          charts && page.waitForEvent('requestfinished', (request) => CHARTS.test(request.url()));
        // A chart of one slice would compare nothing, and is not shown.
        if (charts) await revokeLink(service, await createLink(service));
        if (/^\/(links|people|account)/.test(path))
          await page.addInitScript(`sessionStorage.setItem('postern.key', '${key}')`);
        await page.goto(service.url + path.replace('…', shortCode));
        await page.locator(visible).first().waitFor();
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        if (isComplete) await isComplete;
        const files = await Promise.all(loaded.map(sizeOf));
        const languagesLoaded = files.flatMap(({ path }) => /\/(en|pt|es|de|fr)-/.exec(path)?.[1] ?? []);
        assert.deepEqual(new Set(languagesLoaded), new Set([language]), 'only one language is loaded');
        const hasCharts = files.some(({ path }) => CHARTS.test(path));
        assert.equal(hasCharts, charts, 'charts are loaded only where they are shown');
        const own = files.filter(({ path }) => !/^\/(api|actuator)\//.test(path));
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        const scripts = own.filter(({ path }) => path.endsWith('.js') && !later.test(path));
        const scriptBytes = scripts.reduce((sum, file) => sum + file.bytes, 0);
        t.diagnostic(`${scriptBytes} bytes of scripts`);
        assert.ok(scriptBytes < MAX_SCRIPT_BYTES, `${scriptBytes} bytes of scripts`);
        assert.ok(bytes > 10_000 && bytes < maxBytes, `${bytes} bytes: ${JSON.stringify(files)}`);
      });
    }
  }
});
