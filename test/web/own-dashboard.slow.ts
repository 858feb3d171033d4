import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Scope } from '../../src/core/model/people/caller.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { json, send, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { openLink, TARGET } from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { assertBecomes, assertFits } from '../support/pages.ts';
import { startService, type TestService, testClock } from '../support/service.ts';

const { openPage } = await startBrowser();
const NOW = Date.parse('2026-06-15T12:34:00Z');
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

async function createAs(service: TestService, key: string, members = {}): Promise<string> {
  const response = await sendJson(
    service,
    '/api/links',
    { targetUrl: TARGET, ...members },
    { headers: bearer(key) },
  );
  return String((json(response) as Record<string, unknown>)['shortCode']);
}

/** Opens the dashboard in the browser of someone who has a key. */
async function openWith(
  t: TestContext,
  service: TestService,
  key: string,
  { query = '', ...options }: PageOptions & { query?: string } = {},
): Promise<Page> {
  const page = await openPage(t, options);
  await page.addInitScript(`sessionStorage.setItem('postern.key', '${key}')`);
  await page.clock.setFixedTime(NOW);
  await page.goto(`${service.url}/dashboard${query}`);
  await page.locator('.figure-value').first().waitFor();
  return page;
}

/** Returns the links sent, the opened ones, those not opened, and the attempts refused. */
const figures = (page: Page) => page.locator('.figure-value').allInnerTexts();
const rowsOf = (page: Page, title: string) =>
  page.getByRole('region', { name: title, exact: true }).first().locator('tbody tr').allInnerTexts();
/** Opens the groups of charts, which are closed on a phone. */
async function openGroups(page: Page): Promise<void> {
  assert.equal(
    await page.getByRole('region', { name: 'Results' }).count(),
    0,
    'figures and attempts come first',
  );
  for (const title of ['Charts', 'My links'])
    await page.locator('summary.group-title', { hasText: title }).click();
  await page.getByRole('region', { name: 'Results' }).waitFor();
  await page.getByRole('region', { name: 'Most opened links' }).waitFor();
}
const textsOf = async (page: Page, title: string) =>
  (await rowsOf(page, title)).map((row) => row.replaceAll(/\s+/g, ' ').trim());

test('the dashboard of own links, or of all', async (t) => {
  const service = await startService(t, { clock: testClock(), flags: ['--app.access=keys'] });
  const keyWith = (name: string, ...scopes: Scope[]) => addKey(service, name, scopes);
  const ada = await keyWith('ada', 'create');
  const lead = await keyWith('lead', 'create', 'read');
  service.clock.now = NOW - 13 * 3_600_000; // 23:34 of the day before in UTC, and 05:04 in Kolkata
  const handbook = await createAs(service, ada, { label: 'Handbook 2026' });
  const ofLead = await createAs(service, lead);
  await openLink(service, handbook, { 'user-agent': FIREFOX, referer: 'https://intranet.example/' });
  await openLink(service, handbook, { 'user-agent': 'curl/8.14.1' });
  await openLink(service, ofLead, { 'user-agent': FIREFOX });
  service.clock.now = NOW;

  for (const device of ['desktop', 'phone'] as const) {
    await t.test(`own links are shown with the scope create alone, on a ${device}`, async (t) => {
      const page = await openWith(t, service, ada, { device });
      assert.deepEqual(await figures(page), ['1', '1', '0', '0']);
      assert.equal(await page.getByRole('radio', { name: 'All links' }).count(), 0);
      assert.equal(await page.locator('[aria-current=page]').innerText(), 'Dashboard');
      assert.equal(await page.getByText('Health').count(), 0, 'the health is for administrators');
      assert.equal(
        await page.getByText('all links').count(),
        0,
        'nothing is said of links that are not seen',
      );
      if (device === 'phone') await openGroups(page);
      assert.deepEqual(await textsOf(page, 'Most opened links'), [`Handbook 2026 ${handbook} 2`]);
      assert.deepEqual(await textsOf(page, 'Referrers'), ['intranet.example 1', 'Direct or unknown 1']);
      assert.deepEqual(await textsOf(page, 'Browsers'), ['Firefox 1', 'curl 1']);
      assert.deepEqual(await textsOf(page, 'Operating systems'), ['Linux 1', 'Unknown 1']);
      assert.equal(await page.locator('canvas').count(), 0, 'a chart of one bar compares nothing');
      await page.getByText('All of them: 14 Jun').waitFor();
      await assertAccessible(page);
      await assertFits(page);
      await page.getByRole('link', { name: 'Handbook 2026' }).last().click();
      await page.waitForURL(`${service.url}/links/${handbook}`);
      await page.getByText('Charts and filters').click();
      await assertBecomes(() => textsOf(page, 'Referrers'), ['intranet.example 1', 'Direct or unknown 1']);
      await assertBecomes(() => textsOf(page, 'Browsers'), ['Firefox 1', 'curl 1']);
      await assertAccessible(page);
      await assertFits(page);
    });
  }

  await t.test('a reader changes between own links and all', async (t) => {
    const page = await openWith(t, service, lead, { locale: 'de-DE' });
    assert.deepEqual(await figures(page), ['2', '2', '0', '0']);
    await page.getByRole('radio', { name: 'Meine Links' }).check();
    await assertBecomes(() => figures(page), ['1', '1', '0', '0']);
    await page.waitForURL(/links=mine/);
    assert.deepEqual(await textsOf(page, 'Verweisende Seiten'), ['Direkt oder unbekannt 1']);
    await page.reload();
    await assertBecomes(() => figures(page), ['1', '1', '0', '0']);
    await page.getByRole('radio', { name: 'Alle Links' }).check();
    await assertBecomes(() => figures(page), ['2', '2', '0', '0']);
  });

  await t.test('charts show the days and hours of the time zone of the reader', async (t) => {
    const page = await openWith(t, service, lead, { timezoneId: 'Asia/Kolkata' });
    assert.equal(await page.getByText('Asia/Calcutta').count(), 1, 'the zone is said once');
    await page.getByText('Days and hours are those of Asia/Calcutta.').waitFor();
    for (const title of ['Attempts over time', 'Attempts by hour of day'])
      await page.getByRole('button', { name: `Table: ${title}` }).click();
    const days = await textsOf(page, 'Attempts over time');
    assert.deepEqual(days, ['15 Jun 3 3 0']);
    const hours = await textsOf(page, 'Attempts by hour of day');
    assert.deepEqual(hours, ['04:30 3']);
  });
});

test('in a time zone of half an hour, every panel of a day counts the same attempts', async (t) => {
  const service = await startService(t, { clock: testClock(), flags: ['--app.access=keys'] });
  const ada = await addKey(service, 'ada', ['create', 'read']);
  service.clock.now = Date.parse('2026-06-14T18:45:00Z'); // 00:15 in Kolkata, in an hour of UTC that began the day before
  const code = await createAs(service, ada);
  await openLink(service, code);
  service.clock.now = Date.parse('2026-06-14T23:34:00Z');
  await openLink(service, code);
  service.clock.now = NOW;
  const query = '?range=dates&unit=hour&from=2026-06-15&to=2026-06-15';
  for (const whose of ['mine', 'all'])
    await t.test(`the panels of ${whose} links agree`, async (t) => {
      const page = await openWith(t, service, ada, {
        timezoneId: 'Asia/Kolkata',
        query: `${query}&links=${whose}`,
      });
      await page.getByText('hours and days begin 30 minutes later').waitFor();
      for (const title of ['Attempts over time', 'Attempts by hour of day']) {
        await page.getByRole('button', { name: `Table: ${title}` }).click();
        const shown = await textsOf(page, title);
        assert.equal(shown.length, 1);
        assert.match(shown[0] ?? '', /04:30 1\b/);
      }
    });
  await t.test('in a time zone of whole hours, nothing begins later', async (t) => {
    const page = await openWith(t, service, ada, { query });
    assert.equal(await page.getByText('minutes later').count(), 0);
  });
});

test('the dashboard says what became of links, and names the latest attempts', async (t) => {
  const service = await startService(t, { clock: testClock(), flags: ['--app.access=keys'] });
  const ada = await addKey(service, 'ada', ['create']);
  const lead = await addKey(service, 'lead', ['create', 'read']);
  service.clock.now = NOW - 2 * 3_600_000;
  const password = 'open sesame';
  const contract = await createAs(service, ada, { label: 'Contract', recipient: 'Ann', password });
  await createAs(service, ada, { label: 'Waits' });
  await createAs(service, ada, { expiresAt: new Date(NOW - 3_600_000).toISOString() });
  await openLink(service, contract);
  await openLink(service, contract, { 'x-link-password': 'guess' });
  await openLink(service, contract, { 'x-link-password': password });
  await openLink(service, 'unknown1');
  service.clock.now = NOW;
  const latest = async (page: Page) =>
    (await page.locator('.latest li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const NAMED = [
    'Opened Contract For Ann 2 hours ago',
    'Refused: Wrong password Contract For Ann 2 hours ago',
  ];

  for (const device of ['desktop', 'phone'] as const) {
    await t.test(`own links, on a ${device}`, async (t) => {
      const page = await openWith(t, service, ada, { device });
      assert.deepEqual(await figures(page), ['3', '1', '2', '1']);
      await page.getByText('1 of them expired or was revoked').waitFor();
      await page.getByText('Wrong password: 1', { exact: true }).waitFor();
      await assertBecomes(() => latest(page), NAMED);
      await assertAccessible(page);
      await assertFits(page);
      await page.locator('.latest a').first().click();
      await page.waitForURL(`${service.url}/links/${contract}`);
    });
  }

  await t.test('all links, for a reader, with one colour of refused attempts', async (t) => {
    const page = await openWith(t, service, lead);
    assert.deepEqual(await figures(page), ['3', '1', '2', '2']);
    await page.getByText('1 more attempt, with the result “Not found”, is not listed.').waitFor();
    await assertBecomes(() => latest(page), NAMED);
    const panels = ['.latest li', '.legend li', '.parts-table tr'];
    const colours = await Promise.all(
      panels.map((panel) =>
        page.locator(panel).filter({ hasText: 'Refused' }).locator('.swatch').getAttribute('style'),
      ),
    );
    assert.equal(new Set(colours).size, 1, colours.join());
    await page
      .getByRole('link', { name: 'List of the links, file requests and received files of these days' })
      .click();
    await page.getByText('3 links shown').waitFor();
    const names = await page.locator('tbody th a').allInnerTexts();
    assert.equal(names.at(-1), 'Contract', 'links that nobody has opened come first');
  });
});

test('the list that the dashboard leads to has more links than its figures count', async (t) => {
  const service = await startService(t, { clock: testClock(), flags: ['--app.access=keys'] });
  const ada = await addKey(service, 'ada', ['create', 'read']);
  service.clock.now = NOW - 3_600_000;
  const wanted = await createAs(service, ada, { targetUrl: undefined, request: { message: 'Photos' } });
  await createAs(service, ada);
  const submitted = await sendForm(service, [file('content', 'photo.jpg')], { path: `/l/${wanted}` });
  assert.equal(submitted.status, 201);
  const listed = await send(service, '/api/links?type=DOWNLOAD', { headers: bearer(ada) });
  const [received] = (json(listed) as { items: { shortCode: string }[] }).items;
  await openLink(service, received?.shortCode ?? '', { 'user-agent': FIREFOX });
  service.clock.now = NOW;
  for (const links of ['mine', 'all'])
    await t.test(`the links of received files are named beside those sent, for ${links}`, async (t) => {
      const page = await openWith(t, service, ada, { query: `?links=${links}` });
      assert.deepEqual(await figures(page), ['1', '0', '1', '1', '0'], 'a file request sends nothing');
      await page.locator('.figure', { hasText: 'Submissions' }).getByText('1 file request').waitFor();
      await page.locator('.latest li').filter({ hasText: 'Downloaded' }).getByText('photo.jpg').waitFor();
      assert.equal(await page.locator('.figure').getByRole('link').count(), 0, 'no list has so many links');
      await page.getByRole('link', { name: 'file requests and received files of these days' }).click();
      await page.getByText('3 links shown').waitFor();
      await page.getByText(`Arrived with the file request ${wanted}`).waitFor();
    });
});

test('a text without a label is ranked by what it is, with its short code', async (t) => {
  const service = await startService(t, { clock: testClock(), flags: ['--app.access=keys'] });
  const ada = await addKey(service, 'ada', ['create']);
  const code = await createAs(service, ada, { targetUrl: undefined, text: 'The code of the door is 4711.' });
  service.clock.now = NOW;
  const read = await send(service, `/l/${code}`, { method: 'POST', headers: FORM, body: '' });
  assert.equal(read.status, 200, read.text);
  const page = await openWith(t, service, ada);
  await assertBecomes(() => textsOf(page, 'Most opened links'), [`Text of 15 Jun 2026, 12:00 ${code} 1`]);
});
