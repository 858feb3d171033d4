import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, type TestContext } from 'node:test';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium-binary.ts';

/** What the pages are looked at on. */
export const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
export type Device = keyof typeof DEVICES;

/** How the pages may be coloured by whoever looks at them. */
export const THEMES = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
} satisfies Record<string, BrowserContextOptions>;
export type Theme = keyof typeof THEMES;

export type PageOptions = BrowserContextOptions & { device?: Device; theme?: Theme };

/** A real browser for one test file. */
export type TestBrowser = {
  /**
   * A page in a fresh context, closed when the test is over. The test then fails if the page wrote an error or a
   * warning to the console, broke its policy, lacked a file, or asked another host for anything. Open it in a test
   * below the one that started the service, or before: the page must be closed first.
   */
  openPage(t: TestContext, options?: PageOptions): Promise<Page>;
  /** The browser itself, for what goes past a page. */
  browser: Browser;
};

/** Starts the browser of this test file (0.1 s), and stops it after its last test. */
export async function startBrowser(): Promise<TestBrowser> {
  const { path, env } = findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    // Neither root nor a container without namespaces of users has a sandbox; what is opened here is ours alone.
    chromiumSandbox: false,
    args: ['--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
  });
  after(() => browser.close());
  return { browser, openPage: (t, options) => openPage(browser, t, options) };
}

async function openPage(browser: Browser, t: TestContext, options: PageOptions = {}): Promise<Page> {
  const { device = 'desktop', theme = 'light', ...others } = options;
  const context = await browser.newContext({
    ...DEVICES[device],
    ...THEMES[theme],
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Nothing is half faded in when it is measured.
    reducedMotion: 'reduce',
    ...others,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  // Without a listener from the beginning, the first chooser of a file may open unseen.
  page.on('filechooser', () => undefined);
  const problems = watch(page);
  t.after(async () => {
    await context.close();
    assert.deepEqual(problems, [], 'the page did what no page may');
  });
  return page;
}

/** Collects what no page may do. */
export function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    // An answer with an error's status is for the page to handle; what is missing of the page itself is told below.
    // So is a network that a test has switched off.
    const isForPage =
      /^Failed to load resource: (the server responded with a status|net::ERR_INTERNET_DISCONNECTED)/.test(
        message.text(),
      );
    if (['error', 'warning'].includes(message.type()) && !isForPage) {
      problems.push(`${message.type()}: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => problems.push(`thrown: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    const isPartOfPage = ['data:', 'blob:', 'about:'].includes(protocol);
    // What is navigated to is what a test opens or a link leads to; its page may ask only its own host.
    if (request.isNavigationRequest() || isPartOfPage) return;
    if (host !== new URL(request.frame().url()).host) problems.push(`asks another host: ${request.url()}`);
  });
  page.on('response', (response) => {
    const type = response.request().resourceType();
    if (response.status() >= 400 && !['document', 'fetch', 'xhr'].includes(type)) {
      problems.push(`${response.status()} for the ${type} ${response.url()}`);
    }
  });
  return problems;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What depends on colours. All else of a page is the same in every theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Fails if axe finds anything on the page as it stands, in any of the themes. */
export async function assertAccessible(page: Page): Promise<void> {
  // Half a megabyte, which a page that is looked at again has already.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  for (const [theme, media] of Object.entries(THEMES)) {
    await page.emulateMedia(media);
    const options: RunOptions = {
      resultTypes: ['violations'],
      ...(theme !== 'light' && { runOnly: COLOUR_RULES }),
    };
    assert.deepEqual(await page.evaluate(runAxe, options), [], `axe, ${theme}`);
  }
  await page.emulateMedia(THEMES.light);
}

/** Runs in the page. */
async function runAxe(options: RunOptions): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
  const { violations } = await axe.run(options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
