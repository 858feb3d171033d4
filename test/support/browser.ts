import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, type TestContext } from 'node:test';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium-binary.ts';
import { recordSecrets } from './log-secrets.ts';

/** The devices on which pages are tested. */
export const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
export type Device = keyof typeof DEVICES;

/** The colour settings of a user. */
export const THEMES = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
} satisfies Record<string, BrowserContextOptions>;
export type Theme = keyof typeof THEMES;

export type PageOptions = BrowserContextOptions & { device?: Device; theme?: Theme };

/** Bounds each wait for a page. Beside other programs on a busy machine, a renderer alone takes seconds to start. */
export const PAGE_TIMEOUT_MS = 60_000;

/** A browser for one test file. */
export type TestBrowser = {
  /**
   * Opens a page in a fresh context, and closes it after the test. The test fails if the page logged an error
   * or a warning, violated its policy, lacked a file, or sent a request to another host. Open it in a subtest
   * of the test that starts the service: the page must be closed first.
   */
  openPage(t: TestContext, options?: PageOptions): Promise<Page>;
  /** The browser itself, for its processes and for further pages. */
  browser: Browser;
};

/** Starts a browser (0.1 s) and stops it after the last test of the file. */
export async function startBrowser(): Promise<TestBrowser> {
  const { path, env } = findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    // Root, and containers without user namespaces, have no sandbox. Tests open only our own pages.
    chromiumSandbox: false,
    timeout: PAGE_TIMEOUT_MS,
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
    // Measurements must not meet a transition.
    reducedMotion: 'reduce',
    ...others,
  });
  context.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const page = await context.newPage();
  // Without a listener from the start, the first file chooser may open without an event.
  page.on('filechooser', () => undefined);
  page.on('request', (request) => {
    for (const [name, value] of Object.entries(request.headers())) recordSecrets(`${name}: ${value}`);
    recordSecrets(request.postDataBuffer() ?? '');
  });
  const problems = collectProblems(page);
  t.after(async () => {
    if (!t.passed && !page.isClosed()) t.diagnostic(await describePage(page));
    await context.close();
    assert.deepEqual(problems, [], 'the page had problems');
  });
  return page;
}

/** Returns what a page shows. A wait that timed out names only what the page did not show. */
async function describePage(page: Page): Promise<string> {
  const shown = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: unknown) => String(error));
  return `${page.url()} shows\n${shown}`;
}

/** Collects everything that no page may do. */
export function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    // The page handles error responses, and a network that a test breaks. Missing files are found below.
    const isExpected =
      /^Failed to load resource: (the server responded with a status|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_|EMPTY_RESPONSE))/.test(
        message.text(),
      );
    if (['error', 'warning'].includes(message.type()) && !isExpected) {
      problems.push(`${message.type()}: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => problems.push(`thrown: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    // The last two: of the browser's viewer of PDFs, which a page cannot request.
    const isPartOfPage = /^(?:data|blob|about|chrome|chrome-extension):$/.test(protocol);
    // A test or a link navigates to other hosts. A page may request only its own host.
    if (request.isNavigationRequest() || isPartOfPage) return;
    if (host !== new URL(request.frame().url()).host)
      problems.push(`requests another host: ${request.url()}`);
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

/** A script for the page: its colours are in between until their transitions end. Other animations may never end. */
const TRANSITIONS_ENDED = `Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished))`;

/** The rules that depend on colours. The others need only one theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Fails if axe finds a violation on the page in its current state, in any theme.
 *
 * @param options.within the CSS selector of a part, the whole page by default
 * @param options.except rules that are not checked
 */
export function assertAccessible(
  page: Page,
  { within = 'html', except = [] }: { within?: string; except?: readonly string[] } = {},
): Promise<void> {
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  return assertNoViolations(
    page,
    (theme) => (theme === 'light' ? { rules } : { runOnly: COLOUR_RULES }),
    within,
  );
}

/** Fails if axe finds a violation of colours on the page in its current state, in any theme. */
export function assertContrast(page: Page): Promise<void> {
  return assertNoViolations(page, () => ({ runOnly: COLOUR_RULES }));
}

async function assertNoViolations(
  page: Page,
  optionsOf: (theme: string) => RunOptions,
  within = 'html',
): Promise<void> {
  // Half a megabyte, loaded once per page.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  for (const [theme, media] of Object.entries(THEMES)) {
    await page.emulateMedia(media);
    await page.evaluate('new Promise(requestAnimationFrame)'); // before it, the page learns of the change
    await page.evaluate(TRANSITIONS_ENDED);
    // Without `preload`, axe reads no style sheets again: only rules on media and orientation need it. It halves the time.
    const options: RunOptions = { resultTypes: ['violations'], preload: false, ...optionsOf(theme) };
    assert.deepEqual(await page.evaluate(runAxe, { within, options }), [], `axe, ${theme}`);
  }
  await page.emulateMedia(THEMES.light);
}

/** Runs in the page. */
async function runAxe({ within, options }: { within: string; options: RunOptions }): Promise<string[]> {
  const { axe } = globalThis as unknown as {
    axe: { run(context: string, options: RunOptions): Promise<AxeResults> };
  };
  const { violations } = await axe.run(within, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
