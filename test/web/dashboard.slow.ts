import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { toCsv } from '../../web/charts/chart-model.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { json, send, until } from '../support/http-client.ts';
import { createLink, openLink, revokeLink } from '../support/links.ts';
import { assertBecomes, assertFits, tabTo } from '../support/pages.ts';
import { startService, type TestService, testClock } from '../support/service.ts';

const { openPage } = await startBrowser();
const NOW = Date.parse('2026-06-15T12:34:00Z');
const REFRESH_MS = 15_000;
const ASK_MS = 5_000;

type History = { popular: string; guarded: string };

/** Makes fourteen attempts in three days, with every result that visitors cause, and one preview. */
async function makeHistory(service: TestService): Promise<History> {
  const at = (time: string) => {
    service.clock.now = Date.parse(time);
  };
  at('2026-06-12T08:00:00Z');
  const popular = await createLink(service);
  const guarded = await createLink(service, { password: 'open sesame' });
  const once = await createLink(service, { maxViews: 1 });
  const short = await createLink(service, { expiresAt: '2026-06-13T00:00:00Z' });
  const mistake = await createLink(service);
  at('2026-06-12T09:10:00Z');
  for (const code of [popular, popular, once, once, mistake]) await openLink(service, code);
  await revokeLink(service, mistake);
  at('2026-06-14T22:59:59Z');
  for (const code of [popular, short, short, mistake, 'unknown1']) await openLink(service, code);
  await send(service, `/l/${popular}`, { method: 'HEAD' });
  at('2026-06-15T11:00:00Z');
  await openLink(service, guarded);
  await openLink(service, guarded, { 'x-link-password': 'guess' });
  await openLink(service, guarded, { 'x-link-password': 'open sesame' });
  await openLink(service, popular);
  service.clock.now = NOW;
  return { popular, guarded };
}

async function startWithHistory(t: TestContext) {
  const service = await startService(t, { clock: testClock() });
  return { service, history: await makeHistory(service) };
}

/** Opens the dashboard at the end of the history. */
async function openDashboard(
  t: TestContext,
  service: TestService,
  { query = '', ...options }: PageOptions & { query?: string } = {},
): Promise<Page> {
  const page = await openPage(t, options);
  await page.clock.setFixedTime(NOW);
  await page.goto(`${service.url}/dashboard${query}`);
  await firstFigure(page).waitFor();
  return page;
}

const firstFigure = (page: Page) => page.locator('.figure-value').first();
const refusedFigure = (page: Page) => page.locator('.figure-value').last();
/** Returns how often links were opened, as the table of results says. */
const openedCount = async (page: Page) => {
  const rows = await rowsOf(card(page, 'Results').locator('table'));
  return Number(rows.find(([name]) => name === 'Successful')?.[1]);
};

const statistics = async (service: TestService, path: string) =>
  json(await send(service, `/api/stats/${path}`)) as Record<string, unknown>[];

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true }).first();

/** Waits for a table, and returns the texts of each row of its body. */
async function rowsOf(table: Locator): Promise<string[][]> {
  await table.waitFor();
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Runs in the page: true when every chart shows more than its background. */
const ALL_RENDERED = `[...document.querySelectorAll('canvas')].every((canvas) =>
  canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0))`;

test('the dashboard of a service with attempts', async (t) => {
  const { service, history } = await startWithHistory(t);
  await service.startJobs();

  await t.test('the page shows the same figures as the API', async (t) => {
    const page = await openDashboard(t, service);
    assert.deepEqual(
      await page.locator('.figure-value').allInnerTexts(),
      ['5', '4', '1', '6'],
      'the password page is no refusal',
    );
    const sent = { total: 5, opened: 4, unopened: 0, endedUnopened: 1, received: 0, isTruncated: false };
    const requests = { total: 0, opened: 0, endedUnopened: 0 };
    assert.deepEqual(await statistics(service, 'links/sent'), { ...sent, requests });
    await page.getByText('1 of them expired or was revoked').waitFor();
    await page.getByText('Expired: 2 · View limit reached: 1 · Other reasons: 3', { exact: true }).waitFor();
    const summary = await statistics(service, 'access/summary');
    assert.partialDeepStrictEqual(summary, { total: 14, success: 7, expired: 2, uniqueOrigins: 1 });

    assert.deepEqual(await page.locator('.figure-change').allInnerTexts(), [
      'None in the previous period',
      'None in the previous period',
      'None in the previous period',
      'None in the previous period',
    ]);
    const results = await rowsOf(card(page, 'Results').locator('table'));
    assert.deepEqual(results, [
      ['Successful', '7', '50%'],
      ['Refused', '6', '42.9%'],
      ['Expired', '2', '14.3%'],
      ...['View limit reached', 'Revoked', 'Not found', 'Wrong password'].map((name) => [name, '1', '7.1%']),
      ['Password page shown', '1', '7.1%'],
    ]);
    await page.getByText('Unique IP addresses: 1 · Pages shown and previews (not counted): 1').waitFor();
    assert.deepEqual(await rowsOf(card(page, 'Most opened links').locator('table')), [
      [history.popular, '4'],
      ...(await statistics(service, 'links/top'))
        .slice(1)
        .map(({ shortCode, accessCount }) => [shortCode, String(accessCount)]),
    ]);
    const wrongPasswords = await rowsOf(card(page, 'Wrong passwords').locator('table'));
    assert.deepEqual(wrongPasswords, [[history.guarded, '1']]);
    const statuses = await rowsOf(card(page, 'Links by status').locator('table'));
    await card(page, 'Links by status').getByText('A used-up link counts as “Expired or used up”').waitFor();
    assert.deepEqual(
      statuses.map(([name]) => name),
      ['Active', 'Expired or used up', 'Revoked'],
    );
    assert.deepEqual(
      statuses.map(([, count]) => Number(count)),
      Object.values(await statistics(service, 'links')),
    );
    await assertBecomes(() => card(page, 'Health').locator('.badge').allInnerTexts(), Array(4).fill('Up'));

    await assertBecomes(() => page.locator('canvas').count(), 4);
    await page.waitForFunction(ALL_RENDERED);
    await assertAccessible(page);
    await assertFits(page);

    await page.getByRole('button', { name: 'Table: Attempts over time' }).click();
    const days = await rowsOf(card(page, 'Attempts over time').locator('table'));
    assert.deepEqual(days, [
      ['12 Jun', '5', '4', '1', '0'],
      ['14 Jun', '5', '1', '4', '0'],
      ['15 Jun', '4', '2', '1', '1'],
    ]);
    await page.getByRole('button', { name: 'Table: Attempts by hour of day' }).click();
    const hours = await rowsOf(card(page, 'Attempts by hour of day').locator('table'));
    assert.deepEqual(
      hours,
      (await statistics(service, 'access/hourly')).map(({ hour, count }) => [
        `${String(hour).padStart(2, '0')}:00`,
        String(count),
      ]),
    );
    await assertFits(page);
  });

  await t.test('the page is usable with the keyboard alone', async (t) => {
    const page = await openDashboard(t, service);
    await tabTo(page, 'link', 'Dashboard');
    await tabTo(page, 'button', 'Pause');
    await page.keyboard.press('Enter');
    await tabTo(page, 'radio', '7 days');
    await page.keyboard.press('ArrowLeft');
    await page.getByText('14 Jun, 13:00 – 15 Jun, 13:00').first().waitFor();
    await assertBecomes(() => refusedFigure(page).innerText(), '5');
    await tabTo(page, 'button', 'Table: Attempts over time');
    await page.keyboard.press('Enter');
    await tabTo(page, 'button', 'CSV: Attempts over time');
    const { bytes } = await download(page, () => page.keyboard.press('Enter'));
    const lines = bytes.toString().trim().split('\r\n');
    assert.equal(lines.length, 25);
    assert.ok(lines.includes('2026-06-14T22:00:00.000Z,5,1,4,0'), bytes.toString());
    assert.ok(lines.includes('2026-06-15T11:00:00.000Z,4,2,1,1'), bytes.toString());
    await tabTo(page, 'region', 'Table: Attempts over time');
    await page.waitForURL(/\?range=day&unit=day$/);
  });

  await t.test('the dates of a custom range are validated', async (t) => {
    const page = await openDashboard(t, service, { query: '?range=dates&from=2026-06-12&to=2026-06-13' });
    assert.equal(await firstFigure(page).innerText(), '5');
    await page.getByRole('radio', { name: 'Hour', exact: true }).click();
    await page.getByRole('button', { name: 'Table: Attempts over time' }).click();
    await page.getByRole('rowheader', { name: '12 Jun, 09:00' }).waitFor();
    const hours = await rowsOf(card(page, 'Attempts over time').locator('table'));
    assert.deepEqual(hours, [['12 Jun, 09:00', '5', '4', '1']], 'without hours of no attempts');
    await page.getByRole('button', { name: 'Table: Attempts over time' }).click();
    await page.getByLabel('End date').fill('2026-06-11');
    await page.getByText('The end date is before the start date.').waitFor();
    await assertBecomes(() => page.getByLabel('End date').getAttribute('aria-invalid'), 'true');
    assert.equal(await firstFigure(page).innerText(), '5', 'the last figures stay visible');
    await assertAccessible(page);
    await page.getByLabel('End date').fill('2026-06-12');
    await page.getByText('The end date is before the start date.').waitFor({ state: 'detached' });
  });

  await t.test('figures are compared with the same part of the period before', async (t) => {
    const page = await openDashboard(t, service, { query: '?range=dates&from=2026-06-14&to=2026-06-15' });
    assert.deepEqual(await page.locator('.figure-change').allInnerTexts(), [
      '-5 vs. previous period',
      '-4 vs. previous period',
      '-1 vs. previous period',
      '+4 vs. previous period',
    ]);
  });

  await t.test('panels beside each other are equally high', async (t) => {
    const page = await openDashboard(t, service);
    const heights = (selector: string) =>
      page.locator(selector).evaluateAll((cards) => cards.map((card) => card.clientHeight));
    for (const selector of [
      '.figure',
      '.board-row >> nth=0 >> .board-card',
      '.board-row >> nth=1 >> .board-card',
    ]) {
      const found = await heights(selector);
      assert.ok(found.length >= 3, selector);
      assert.equal(new Set(found).size, 1, `${selector}: ${found}`);
    }
  });

  await t.test('tables are saved as CSV, and charts as PNG', async (t) => {
    const page = await openDashboard(t, service);
    const press = (name: string) => () => page.getByRole('button', { name, exact: true }).click();
    const EXPECTED = {
      'CSV: Results': `result,count\r\n${[
        'SUCCESS,7',
        'EXPIRED,2',
        'VIEW_LIMIT_REACHED,1',
        'REVOKED,1',
        'NOT_FOUND,1',
        'INVALID_PASSWORD,1',
        'INVALID_RECIPIENT,0',
        'UNEXPECTED_STATE,0',
        'PAUSED,0',
        'NOT_STARTED,0',
        'RATE_LIMITED,0',
        'PASSWORD_REQUIRED,1',
        'RECIPIENT_REQUIRED,0',
      ].join('\r\n')}\r\n`,
      'CSV: Wrong passwords': `shortCode,count\r\n${history.guarded},1\r\n`,
      'CSV: Links by status': 'status,count\r\nACTIVE,2\r\nEXPIRED,2\r\nREVOKED,1\r\n',
    };
    for (const [name, content] of Object.entries(EXPECTED)) {
      const file = await download(page, press(name));
      assert.match(file.name, /^postern-[a-z-]+\.csv$/);
      assert.equal(file.bytes.toString(), content);
    }
    for (const name of ['PNG: Attempts over time', 'PNG: Results']) {
      const { bytes, name: fileName } = await download(page, press(name));
      assert.match(fileName, /^postern-[a-z-]+\.png$/);
      assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 640]);
      assert.ok(bytes.length > 10_000, `${bytes.length} bytes are too few for a chart`);
    }
  });

  await t.test('the page fits a small phone in German', async (t) => {
    const page = await openDashboard(t, service, { locale: 'de-AT', viewport: { width: 320, height: 640 } });
    assert.deepEqual(await page.locator('.figure dt').allInnerTexts(), [
      ...['Gesendete Links', 'Geöffnete Links', 'Nicht geöffnete Links', 'Abgewiesene Versuche'],
    ]);
    await page.emulateMedia({ contrast: 'more' });
    await assertAccessible(page);
    await assertFits(page);
  });
});

test('the dashboard refreshes itself', async (t) => {
  const { service, history } = await startWithHistory(t);
  await service.startJobs();
  /** Counts the requests for statistics that the page sends. */
  const countRequests = (page: Page) => {
    const requests = { count: 0 };
    page.on('request', (request) => {
      if (isRefresh(request)) requests.count += 1;
    });
    return requests;
  };
  /** Each refresh sends one of these. The page asks with another query whether something has changed. */
  const isRefresh = (request: Request) => request.url().includes('/access/hourly?');
  async function openWithClock(t: TestContext): Promise<Page> {
    const page = await openPage(t);
    await page.clock.install({ time: NOW });
    await page.goto(`${service.url}/dashboard`);
    await firstFigure(page).waitFor();
    return page;
  }

  await t.test('a new attempt is shown after seconds, and nothing but the figures changes', async (t) => {
    const page = await openWithClock(t);
    await page.locator('canvas').first().waitFor();
    const mark = `document.querySelectorAll('canvas, .figure, tr').forEach((part) => { part.isMarked = true; })`;
    await page.evaluate(mark);
    const before = await openedCount(page);
    await openLink(service, history.popular);
    await until(async () => {
      await page.clock.runFor(ASK_MS);
      return (await openedCount(page)) === before + 1;
    });
    const isUnchanged = `[...document.querySelectorAll('canvas, .figure, tr')].every((part) => part.isMarked)`;
    assert.equal(await page.evaluate(isUnchanged), true, 'no element was replaced');
  });

  await t.test(
    'a page that asks whether something has changed gets an empty response if nothing has',
    async (t) => {
      const page = await openWithClock(t);
      const statuses: number[] = [];
      page.on('response', (response) => {
        if (response.url().endsWith('/access/summary')) statuses.push(response.status());
      });
      await until(async () => {
        await page.clock.runFor(ASK_MS);
        return statuses.length >= 3;
      });
      assert.deepEqual(statuses.slice(0, 3), [200, 304, 304]);
    },
  );

  await t.test('a refresh waits for a response that takes longer than the interval', async (t) => {
    const page = await openPage(t);
    await page.clock.install({ time: NOW });
    const requests = countRequests(page);
    const released = Promise.withResolvers<void>();
    await page.route('**/access/hourly*', async (route) => {
      await released.promise;
      await route.continue();
    });
    const first = page.waitForRequest(isRefresh);
    await page.goto(`${service.url}/dashboard`);
    await first;
    await page.clock.runFor(3 * REFRESH_MS);
    assert.equal(requests.count, 1);
    released.resolve();
    await firstFigure(page).waitFor();
  });

  await t.test(
    'a paused or hidden page does not refresh, and one that becomes visible refreshes at once',
    async (t) => {
      const page = await openWithClock(t);
      const requests = countRequests(page);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.clock.runFor(5 * REFRESH_MS);
      assert.equal(requests.count, 0);
      const setVisibility = (state: string) =>
        page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
      await setVisibility('hidden');
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.clock.runFor(5 * REFRESH_MS);
      assert.equal(requests.count, 0);
      const next = page.waitForRequest(isRefresh);
      await setVisibility('visible');
      await next;
    },
  );

  await t.test('the last figures stay while the service is unreachable, and the page recovers', async (t) => {
    const page = await openWithClock(t);
    const before = await firstFigure(page).innerText();
    await page.context().setOffline(true);
    await page.clock.runFor(5 * REFRESH_MS);
    const note = page.getByRole('alert');
    await note.waitFor();
    assert.match(
      await note.innerText(),
      /^The service has been unreachable since 12:3\d:\d\d\. Showing data from 12:34:\d\d\./,
    );
    assert.equal(await firstFigure(page).innerText(), before);
    await assertBecomes(() => card(page, 'Health').locator('.badge').allInnerTexts(), ['Unreachable']);
    await assertAccessible(page);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await note.waitFor({ state: 'detached' });
  });

  await t.test('the error of a proxy in front of the service is shown', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.route('**/api/stats/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await page.goto(`${service.url}/dashboard`);
    assert.match(
      await page.getByRole('alert').innerText(),
      /^No new data since .*: The proxy .+ \(HTTP 502\)\. .*There is no data to show yet\./,
    );
    await assertAccessible(page);
    await assertFits(page);
    await page.unroute('**/api/stats/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await firstFigure(page).waitFor();
  });

  await t.test('the component that is down is shown', async (t) => {
    rmSync(service.storagePath, { recursive: true });
    const page = await openWithClock(t);
    const components = async () => {
      const texts = await card(page, 'Health').locator('.health > div').allInnerTexts();
      return texts.map((text) => text.replaceAll(/\s+/g, ' '));
    };
    await assertBecomes(components, ['Service Down', 'Database Up', 'File storage Down', 'Expiry check Up']);
  });
});

test('the dashboard of an unused service suggests a first link', async (t) => {
  const service = await startService(t);
  await t.test('the suggestion fits a phone', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(`${service.url}/dashboard`);
    await page.getByRole('heading', { name: 'No links yet' }).waitFor();
    await assertAccessible(page);
    await assertFits(page);
  });
  await t.test('a range without attempts says so', async (t) => {
    await createLink(service);
    const page = await openPage(t);
    await page.goto(`${service.url}/dashboard?range=day`);
    await page.getByText('No attempts in this period.').waitFor();
    await assertBecomes(() => page.locator('.figure-value').allInnerTexts(), ['0', '0', '0', '0']);
    await assertAccessible(page);
  });
});

test('a CSV quotes fields with separators', () => {
  const rows = [
    ['x,y', 'say "hi"'],
    ['1\n2', 3],
  ];
  assert.equal(toCsv(['a', 'b'], rows), 'a,b\r\n"x,y","say ""hi"""\r\n"1\n2",3\r\n');
});
