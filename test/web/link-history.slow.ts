import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newLinkToken } from '../../src/core/model/people/link-token.ts';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import { codeOf, newChange, redirectLink } from '../support/attempts.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { createInPage, TARGET } from '../support/create-page.ts';
import { json, member, send, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { openLink, shortCodeOf, uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { assertBecomes, assertFits, tabTo } from '../support/pages.ts';
import { startService, type TestService, testClock } from '../support/service.ts';

const { openPage } = await startBrowser();

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 ' +
  'Mobile/15E148 Safari/604.1';
const MARKUP = `<img src=x onerror="document.title=1">${'x'.repeat(80)}`;

type Link = { shortCode: string; token: string };

async function createWithToken(service: TestService, members = {}): Promise<Link> {
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET, ...members });
  return {
    shortCode: String(member(json(created), 'shortCode')),
    token: String(created.headers['x-link-token']),
  };
}

/** A link with three views of another service, of which it has no history. */
async function createImported({ stores: { store } }: TestService): Promise<Link> {
  const { token, hash: tokenHash } = newLinkToken(randomBytes);
  const imported = { from: 'kutt', viewCount: 3, isPaused: false, status: 'ACTIVE' } as const;
  await store.create(redirectLink(codeOf(1), { imported, tokenHash }), newChange());
  return { shortCode: codeOf(1), token };
}

/** A link that was opened twice, previewed, and refused once, an hour apart. */
async function createHistory(service: TestService): Promise<Link> {
  const link = await createWithToken(service, { maxViews: 2 });
  for (const userAgent of [CHROME, SAFARI, MARKUP]) {
    service.clock.now += 3_600_000;
    await openLink(service, link.shortCode, { 'user-agent': userAgent });
  }
  service.clock.now += 3_600_000;
  await send(service, `/l/${link.shortCode}`, { method: 'HEAD' });
  return link;
}

const field = (page: Page) => page.getByLabel('Link token or API key');
const filter = (page: Page, label: string) =>
  page.getByRole('form', { name: 'Filter history' }).getByLabel(label);
const openAnalysis = (page: Page) => page.getByText('Charts and filters').click();
const entries = (page: Page) => page.locator('.entry');
const labels = (page: Page) => page.locator('.entry-label').allInnerTexts();

async function enter(page: Page, credential: string): Promise<void> {
  await field(page).fill(credential);
  await page.getByRole('button', { name: 'Show history' }).click();
}

/** Opens the page of a link in a browser that has its token. */
async function openHistory(
  t: TestContext,
  service: TestService,
  { shortCode, token }: Link,
  options?: PageOptions,
): Promise<Page> {
  const page = await openPage(t, options);
  await page.addInitScript(`sessionStorage.setItem('postern.token.${shortCode}', '${token}')`);
  await page.goto(`${service.url}/links/${shortCode}`);
  await entries(page).first().waitFor();
  return page;
}

const headOf = async (service: TestService, { shortCode, token }: Link) =>
  json(
    await send(service, `/api/links/${shortCode}/history`, { headers: { 'x-link-token': token } }),
  ) as Record<string, unknown>;

/** Waits until a page shows the newest entry. */
async function waitForFingerprint(page: Page, service: TestService, link: Link): Promise<void> {
  const { fingerprint } = await headOf(service, link);
  await page.getByText(String(fingerprint), { exact: true }).waitFor();
}

/** Returns the name of a saved history, which says where to check it. */
function savedNameOf({ url }: TestService, { shortCode }: Link): string {
  return `postern-${shortCode}-check-at-${new URL(url).host.replace(':', '-')}-verify.ndjson`;
}

async function save(page: Page, name: string): Promise<{ name: string; text: string }> {
  const press = page.getByRole('button', { name, exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), press]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test('the page of a link', async (t) => {
  const service = await startService(t, { clock: testClock() });
  const link = await createHistory(service);

  await t.test('the page shows the link, its state and who opened it, on a phone', async (t) => {
    const page = await openHistory(t, service, link, { device: 'phone', timezoneId: 'America/New_York' });
    await page.getByRole('heading', { name: 'example.com', level: 1 }).waitFor();
    await page.getByText('Raise its view limit to let visitors open it again.').waitFor();
    const copy = page.getByRole('button', { name: 'Copy link' });
    assert.equal(await copy.getAttribute('class'), 'button button-quiet', 'it is of no use now');
    await page.getByRole('button', { name: 'Revoke link' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const { x = 0, width = 0 } = (await page.getByRole('menu').boundingBox()) ?? {};
    assert.ok(x >= 8 && x + width <= 390 - 8, `the menu keeps off the edges: ${x}, ${x + width}`);
    await page.keyboard.press('Escape');
    await page.getByText('Opened 2 times, last on 15 Jun 2026, 10:00, from Safari on iOS.').waitFor();
    await page.getByText('2 of 2', { exact: true }).waitFor();
    await page
      .getByText('Preview: a program, such as a chat app or a mail scanner, only looked at the link')
      .waitFor();
    await assertBecomes(
      () => labels(page),
      ['Preview, not opened', 'Refused: View limit reached', 'Opened', 'Opened', 'Link created'],
    );
    const client = (index: number) => entries(page).nth(index).locator('.entry-client');
    await client(2).getByText('Safari 26 · iOS').waitFor();
    await client(3).getByText('Chrome 142 · Windows').waitFor();
    await client(1)
      .getByText(`${MARKUP.slice(0, 60)}…`, { exact: true })
      .waitFor();
    assert.notEqual(await page.title(), '1', 'markup is text');
    await page.getByText('15 Jun 2026, 09:00:00', { exact: true }).waitFor();
    await page.getByText('Times in America/New_York', { exact: true }).waitFor();
    const { fingerprint } = await headOf(service, link);
    await page.getByText(String(fingerprint), { exact: true }).waitFor();
    await page.getByText('the history up to now was not altered').waitFor();
    await page.getByText('You save it for them under “Delivery record” above.').waitFor();
    await assertBecomes(() => page.title(), `example.com · ${link.shortCode}`);
    await openAnalysis(page);
    await page.locator('.chart-ring canvas').waitFor();
    await entries(page).nth(1).getByText('Details').click();
    await page.getByText(MARKUP, { exact: true }).waitFor();
    await page.getByText('Program as it names itself').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    const fieldNames = page.getByText(/userAgent|isSentCompletely/).filter({ visible: true });
    assert.equal(await fieldNames.count(), 0, 'fields have words');
    await entries(page).nth(1).getByText('Raw record').click();
    await page.getByText('"userAgent"').waitFor();
    await assertFits(page);
  });

  await t.test(
    'the history is filtered with the keyboard, and the number of entries is announced',
    async (t) => {
      const page = await openHistory(t, service, link);
      const status = page.getByRole('status').filter({ hasText: 'shown' });
      await status.getByText('5 entries shown').waitFor();
      await openAnalysis(page);
      await tabTo(page, 'combobox', 'Result');
      await page.keyboard.type('Refused');
      await status.getByText('1 entry shown').waitFor();
      await assertBecomes(() => labels(page), ['Refused: View limit reached']);
      await tabTo(page, 'button', 'Clear filter');
      await page.keyboard.press('Enter');
      await status.getByText('5 entries shown').waitFor();
      await filter(page, 'Start date').fill('2026-06-16');
      await page.getByText('No entry matches the filter.').waitFor();
      await filter(page, 'End date').fill('2026-06-15');
      await page.getByText('The end date is before the start date.').waitFor();
      await filter(page, 'Start date').fill('2026-06-15');
      await status.getByText('5 entries shown').waitFor();
      await filter(page, 'IP address').fill('nowhere');
      await page.keyboard.press('Enter');
      await page.getByText(/[Mm]ust be an IP address/).waitFor();
      await assertBecomes(() => filter(page, 'IP address').getAttribute('aria-invalid'), 'true');
      await assertAccessible(page);
      await filter(page, 'IP address').fill('192.0.2.1');
      await page.keyboard.press('Enter');
      await page.getByText('No entry matches the filter.').waitFor();
      await page.getByRole('button', { name: '127.0.0.1' }).first().waitFor({ state: 'detached' });
      await assertFits(page);
    },
  );

  await t.test(
    'the page shows what each of two downloads side by side sent, and how often it resumed',
    async (t) => {
      const sent = [...fields({ maxViews: '2' }), file('0123456789')];
      const created = await sendForm(service, sent);
      const shared = { shortCode: shortCodeOf(created), token: String(created.headers['x-link-token']) };
      const form = { method: 'POST', headers: { accept: 'text/html' } };
      const begin = async () =>
        String((await send(service, `/l/${shared.shortCode}`, form)).headers.location);
      const leases = [await begin(), await begin()].map(
        (lease) => new URL(lease, `${service.url}/l/`).pathname,
      );
      for (const [lease = 0, range = ''] of [
        [0, '0-3'],
        [1, '0-1'],
        [0, '4-'],
        [1, '2-5'],
        [0, '4-9'],
      ] as const)
        await send(service, leases[lease] ?? '', { headers: { range: `bytes=${range}` } });
      const page = await openHistory(t, service, shared);
      await page.getByText('2 of 2', { exact: true }).waitFor();
      await assertBecomes(
        () => labels(page),
        [
          'Opened. Download interrupted after the service sent 6 bytes. Resumed once',
          'Opened. Sent completely by the service: 16 bytes. Resumed 2 times',
          'Link created',
        ],
      );
    },
  );

  await t.test('an address in the list filters the history', async (t) => {
    const page = await openHistory(t, service, link);
    await entries(page).first().getByRole('button', { name: '127.0.0.1' }).click();
    await assertBecomes(() => filter(page, 'IP address').inputValue(), '127.0.0.1');
  });

  await t.test('the history is saved as CSV with its filter, and exported whole', async (t) => {
    const page = await openHistory(t, service, link);
    await openAnalysis(page);
    await filter(page, 'Result').selectOption('SUCCESS');
    await page.getByText('2 entries shown').waitFor();
    await page.getByText('The record and the saved history ignore the filter.').waitFor();
    await page.getByText('The CSV file has only the entries that match the filter.').waitFor();
    const csv = await save(page, 'CSV: History');
    assert.equal(csv.name, `postern-${link.shortCode}.csv`);
    assert.equal(csv.text.trim().split('\r\n').length, 3);
    assert.equal(await page.getByRole('button', { name: 'Save history for checking' }).count(), 0);
    await page.getByRole('link', { name: 'Delivery record' }).click();
    const { name, text } = await save(page, 'Save history for checking');
    assert.equal(name, savedNameOf(service, link));
    const [head, ...items] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(items.length, 5);
    assert.partialDeepStrictEqual(head, { kind: 'HEAD', filtered: false, entryCount: 5 });
  });

  await t.test('the delivery record answers who got what and when, oldest first', async (t) => {
    const page = await openHistory(t, service, link, { theme: 'dark', timezoneId: 'America/New_York' });
    await tabTo(page, 'link', 'Delivery record');
    await page.keyboard.press('Enter');
    const name = 'Delivery record of example.com';
    const record = page.getByRole('article', { name });
    await record.waitFor();
    assert.equal(page.url(), `${service.url}/links/${link.shortCode}?show=record`);
    await assertBecomes(() => page.title(), `${name} · ${link.shortCode}`);
    assert.deepEqual(await record.locator('.time-line-event').allInnerTexts(), [
      ...['Link created', 'Opened', 'Opened', 'Refused: View limit reached', 'Preview, not opened'],
    ]);
    const facts = (await record.locator('dl').innerText()).replaceAll('\u00a0', ' ');
    assert.match(facts, /Made available\n15 Jun 2026, 08:00:00 UTC-4/);
    assert.doesNotMatch(facts, /Sent by/, 'the link was made without signing in');
    await record
      .getByText(/^Opened 2 times, last on 15 Jun 2026, 10:00\sUTC-4, from Safari on iOS\.$/)
      .waitFor();
    assert.match(facts, /Recipient\nNot named/);
    assert.equal(await page.getByText('People who get this record').count(), 0, 'its views are used up');
    assert.match(facts, /Password\nNone/);
    const placesOf = (...terms: string[]) =>
      Promise.all(
        terms.map(async (each) => (await record.locator('dt', { hasText: each }).boundingBox())?.y ?? NaN),
      );
    const [recipient, views] = await placesOf('Recipient', 'Views');
    assert.equal(recipient, views, 'short terms fill a row');
    const times = await placesOf('Made available', 'First opened', 'Last opened');
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
      'times stand in their order',
    );
    assert.equal(new Set(times).size, times.length);
    assert.match(facts, /First opened\n15 Jun 2026, 09:00:00 UTC-4 · 127\.0\.0\.1 · Chrome 142 · Windows/);
    assert.match(facts, /Last opened\n15 Jun 2026, 10:00:00 UTC-4 · 127\.0\.0\.1 · Safari 26 · iOS/);
    const { fingerprint } = await headOf(service, link);
    await record.getByText(String(fingerprint), { exact: true }).waitFor();
    await record.getByText('postern verify --export=H --fingerprint=F').waitFor();
    await record.getByText('docs/history-format.md').waitFor();
    await record
      .getByText('Preview: a program, such as a chat app or a mail scanner, only looked at the link')
      .waitFor();
    assert.equal(await record.getByText('Page shown:').count(), 0, 'what does not occur is not explained');
    assert.equal(await record.getByText('A program that fetches').count(), 0);
    await record.getByText(/^Status at .*\sUTC-\d: .* · Times in America\/New_York$/).waitFor();
    await record.getByText('15 Jun 2026, 09:00:00 UTC-4', { exact: true }).waitFor();
    await record.getByText(hash('sha256', TARGET), { exact: true }).waitFor();
    await assertAccessible(page);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('button', { name: 'Print' }).waitFor({ state: 'hidden' });
    await page.getByRole('banner').waitFor({ state: 'hidden' });
    const colour = () => page.evaluate(`getComputedStyle(document.querySelector('.record')).color`);
    await assertBecomes(colour, 'rgb(0, 0, 0)', 'dark themes print dark text');
    const accent = () =>
      page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--accent')`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await assertBecomes(accent, '#8a3b12', 'links and the logo too');
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await page.getByRole('link', { name: 'Back to the link' }).click();
    await page.getByRole('heading', { name: 'example.com' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    const controls = page.locator('button:not(.address), form, summary').filter({ visible: true });
    await assertBecomes(() => controls.count(), 0);
  });

  await t.test('the delivery record is of one moment, also when the link changes meanwhile', async (t) => {
    const link = await createWithToken(service);
    await openLink(service, link.shortCode);
    const { fingerprint } = await headOf(service, link);
    const page = await openHistory(t, service, link);
    await page.route('**/history?limit=500', async (route) => {
      await send(service, `/l/${link.shortCode}`, { method: 'DELETE' });
      await route.continue();
    });
    await page.locator('.link-card').getByRole('link', { name: 'Delivery record' }).click();
    const record = page.getByRole('article', { name: 'Delivery record of example.com' });
    await record.getByText(/^Status at .*: Active/).waitFor();
    await record.getByText(String(fingerprint), { exact: true }).waitFor();
    assert.equal(await record.locator('.time-line li').count(), 2);
  });

  await t.test('the record of a link that its readers can open says so, but not in print', async (t) => {
    const link = await createWithToken(service);
    const page = await openHistory(t, service, link, { device: 'phone', theme: 'dark' });
    const show = () => page.goto(`${service.url}/links/${link.shortCode}?show=record`);
    await show();
    const warning = page.getByText(
      'People who get this record or the saved history can open the link as long as it has not expired or been revoked,',
    );
    await warning.waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await page.emulateMedia({ media: 'print' });
    await warning.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Revoke link' }).click();
    const revoke = page.getByRole('dialog', { name: 'Revoke this link?' });
    await revoke.getByRole('button', { name: 'Cancel' }).click();
    await show();
    await page.getByRole('link', { name: 'Set a password or an expiry' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit link' });
    await edit.getByRole('radio', { name: 'Set' }).check();
    await edit.getByLabel('New password').fill('correct horse');
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await edit.waitFor({ state: 'detached' });
    await show();
    await page.getByRole('article').waitFor();
    assert.equal(await warning.count(), 0);
  });

  await t.test('a third person checks a delivery record in three steps, without an account', async (t) => {
    const link = await createWithToken(service);
    for (let opened = 0; opened < 30; opened++) await openLink(service, link.shortCode);
    const owner = await openHistory(t, service, link);
    await owner.getByRole('link', { name: 'Delivery record' }).click();
    const steps = owner.getByRole('listitem').filter({ has: owner.getByRole('link', { name: /\/verify$/ }) });
    const address = await steps.getByRole('link').getAttribute('href');
    assert.ok((await owner.pdf()).includes(`/URI (${address})`), 'the PDF has the address of the page');
    const { name, text } = await save(owner, 'Save history for checking');
    await owner.getByText(`Under “Saved history”, choose the file ${name}.`).waitFor();
    await owner.getByText('Then choose “Verify”.').waitFor();
    const other = await openPage(t);
    await other.goto(String(address)); // 1
    await other.locator('#exported').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) }); // 2
    await other.getByRole('button', { name: 'Verify' }).click(); // 3
    await other.getByRole('heading', { name: /^Opened 30 times, last on .* UTC/, level: 2 }).waitFor();
    await other.getByRole('heading', { name: 'The history is complete and unchanged' }).waitFor();
    await other.getByRole('heading', { name: 'What this does not prove' }).waitFor();
    await other.getByText('Link created').waitFor({ state: 'hidden' });
    await other.getByText('All entries, oldest first').click();
    await other.getByText('Link created').waitFor();
    assert.equal(await other.locator('.time-line li').count(), 31);
    await assertAccessible(other);
  });

  await t.test('the delivery record of many attempts on a file fits one sheet of paper', async (t) => {
    const created = await sendForm(service, [
      ...fields({ recipient: 'Jürgen Müller' }),
      file('content', 'Contract.pdf'),
    ]);
    const link = { shortCode: shortCodeOf(created), token: String(created.headers['x-link-token']) };
    for (let opened = 0; opened < 30; opened++) {
      service.clock.now += 60_000;
      await openLink(service, link.shortCode, { 'user-agent': `${CHROME} ${'y'.repeat(opened)}` });
    }
    for (const locale of ['en-GB', 'de-DE']) {
      const page = await openHistory(t, service, link, { locale });
      await page
        .getByRole('link', { name: locale === 'en-GB' ? 'Delivery record' : 'Zustellnachweis' })
        .click();
      const record = page.getByRole('article', { name: 'Contract.pdf' });
      await record.getByText('Jürgen Müller', { exact: true }).waitFor();
      const term = locale === 'en-GB' ? 'named by the sender' : 'vom Absender angegeben';
      await record.locator('dt').getByText(term).waitFor();
      assert.equal(await record.locator('time').count(), 12);
      const numbers = await record.locator('.time-line li > :first-child').allInnerTexts();
      assert.deepEqual([numbers[0], numbers.at(-1)], ['1', '60, 61']);
      await assertAccessible(page);
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1, locale);
    }
  });
});

test('the page of a link begins with an answer', async (t) => {
  const service = await startService(t);
  const inSixDays = new Date(Date.now() + 6 * DAY_MS).toISOString();
  for (const [what, create, agents, answer] of [
    ['a link that was not opened', createWithToken, [], 'Not opened yet.'],
    [
      'a link that expires',
      () => createWithToken(service, { expiresAt: inSixDays }),
      [],
      'Not opened yet. Expires in 6 days.',
    ],
    ['a link that was opened once', createWithToken, [CHROME], /^Opened once, .*, from Chrome on Windows\.$/],
    [
      'a link that chats fetched',
      createWithToken,
      ['Slackbot-LinkExpanding 1.0', 'facebookexternalhit/1.1'],
      'Fetched 2 times by programs such as facebookexternalhit; each time counts as a view. No browser has opened it yet.',
    ],
    ['a link that was opened before it was imported', createImported, [], '3 views.'],
  ] as const) {
    await t.test(`the first sentence answers whether ${what} was opened`, async (t) => {
      const link = await create(service);
      for (const agent of agents) await openLink(service, link.shortCode, { 'user-agent': agent });
      const page = await openHistory(t, service, link, { device: 'phone' });
      const sentence = page.locator('.link-answer');
      await sentence.getByText(answer).waitFor();
      const { y = Number.POSITIVE_INFINITY } = (await sentence.boundingBox()) ?? {};
      assert.ok(y < 400, `it begins ${y} px below the top`);
      if (what === 'a link that chats fetched')
        assert.equal(
          await page.getByText('Last opened', { exact: true }).count(),
          0,
          'a fetch is no opening',
        );
    });
  }
});

test('the row of a fetch by a chat says that it counts, and the note names the remedy', async (t) => {
  const service = await startService(t);
  const link = await createWithToken(service);
  await openLink(service, link.shortCode, { 'user-agent': 'WhatsApp/2.23.20.0 A' });
  const page = await openHistory(t, service, link);
  await assertBecomes(() => labels(page), ['Fetched by a program (counts as a view)', 'Link created']);
  await page
    .getByText('uses a view, unless “Ask before opening” is on or the link has a password.')
    .waitFor();
});

test('the right to see the page of a link', async (t) => {
  const service = await startService(t);
  const link = await createHistory(service);
  const path = `/links/${link.shortCode}`;
  const open = async (t: TestContext, path: string, options?: PageOptions) => {
    const page = await openPage(t, options);
    await page.goto(service.url + path);
    return page;
  };

  await t.test('a visitor is asked for the token of the link', async (t) => {
    const page = await open(t, path, { device: 'phone' });
    await field(page).and(page.locator(':focus')).waitFor();
    await page.getByText(/contains the IP addresses and browsers of its visitors/).waitFor();
    assert.equal(await page.getByText('127.0.0.1').count(), 0);
    await assertAccessible(page);
    await assertFits(page);
    await enter(page, '');
    await page.getByText('Enter a link token or an API key.').waitFor();
    await enter(page, `link_${'x'.repeat(43)}`);
    await page.getByText('This token does not belong to this link.').waitFor();
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(link.token);
    await page.keyboard.press('Enter');
    await entries(page).first().waitFor();
    await page.reload();
    await entries(page).first().waitFor();
    assert.ok(!page.url().includes('link_') && !(await page.content()).includes(link.token));
  });

  await t.test('the address of a delivery record asks for the same rights', async (t) => {
    const page = await open(t, `${path}?show=record`);
    await field(page).waitFor();
    assert.equal(await page.getByText('127.0.0.1').count(), 0);
    await enter(page, link.token);
    await page.getByRole('article', { name: 'Delivery record of example.com' }).waitFor();
    await page.goto(`${service.url}/links/unknown1?show=record`);
    await page.getByRole('heading', { name: 'Link not found.' }).waitFor();
  });

  await t.test('a key with the scope read shows the history, until its user signs out', async (t) => {
    const page = await open(t, path);
    await enter(page, 'postern_wrong');
    await page.getByText('This key is unknown, expired or revoked.').waitFor();
    await enter(page, await addKey(service, 'creator', ['create']));
    await page.getByText('You are not allowed to see the history of this link.').waitFor();
    await enter(page, await addKey(service, 'reader', ['read']));
    await entries(page).first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await field(page).waitFor();
    await assertBecomes(() => page.getByText('127.0.0.1').count(), 0);
  });

  await t.test('a link that does not exist is not found', async (t) => {
    const page = await open(t, '/links/unknown1');
    await enter(page, await addKey(service, 'searcher', ['read']));
    await page.getByRole('heading', { name: 'Link not found.' }).waitFor();
    await assertAccessible(page);
  });

  await t.test('the browser that made a link follows it to its history and revokes it', async (t) => {
    const page = await open(t, '/', { device: 'phone' });
    const shortCode = await createInPage(page);
    await page.locator('.result').getByRole('link', { name: 'History' }).click();
    await page.waitForURL(`${service.url}/links/${shortCode}`);
    await page.getByRole('heading', { name: 'example.com' }).waitFor();
    service.clock.now += 1000;
    await page.getByRole('button', { name: 'Revoke link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this link?' });
    await dialog.getByText(`example.com${TARGET} · ${shortCode}`).waitFor();
    await dialog.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByText('It can no longer be opened.', { exact: true }).waitFor();
    for (const name of ['Copy link', 'More'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    await entries(page).nth(1).waitFor();
    await assertBecomes(() => labels(page), ['Link revoked', 'Link created']);
    assert.match(await entries(page).first().innerText(), /with the link’s token/);
    await page.getByRole('link', { name: 'New link' }).click();
    await page.getByRole('link', { name: `History: ${shortCode}` }).click();
    await page.getByRole('heading', { name: 'example.com' }).waitFor();
  });
});

test('the page of a link needs no sign-in where all pages need a key', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const key = await addKey(service, 'alice', ['create', 'read']);
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET }, { headers: bearer(key) });
  const shortCode = String(member(json(created), 'shortCode'));
  const token = String(created.headers['x-link-token']);

  await t.test('the token of a link shows its history without a sign-in, and follows it', async (t) => {
    const page = await openHistory(t, service, { shortCode, token });
    assert.match(await entries(page).first().innerText(), /API key alice/);
    service.clock.now += 1000;
    await openLink(service, shortCode);
    await page.getByText('1 new entry. 2 entries shown').waitFor();
  });
});

test('the page of a file', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service, 'content', { fileName: 'report.pdf' });
  await openLink(service, shortCode);
  const key = await addKey(service, 'alice', ['read']);

  await t.test('the page fits a small phone in German, and says that the whole file was sent', async (t) => {
    const page = await openPage(t, { locale: 'de-AT', viewport: { width: 320, height: 640 } });
    await page.goto(`${service.url}/links/${shortCode}`);
    await page.getByLabel('Link-Token oder API-Schlüssel').fill(key);
    await page.getByRole('button', { name: 'Verlauf anzeigen' }).click();
    await page.getByRole('heading', { name: 'report.pdf' }).waitFor();
    await page.getByText('Die Datei wurde vollständig gesendet.').waitFor();
    await page.getByText('Geöffnet. Vom Dienst vollständig gesendet').waitFor();
    const sha256 = page.getByText(hash('sha256', 'content'), { exact: true });
    await sha256.waitFor();
    assert.equal(await page.locator('.link-card').getByText('SHA-256').count(), 0, 'it is part of the proof');
    await assertAccessible(page);
    await assertFits(page);
    await page.getByRole('link', { name: 'Zustellnachweis' }).click();
    await page.locator('.record time').nth(1).waitFor();
    await sha256.waitFor();
    await page.getByText('Ob eine Datei die hochgeladene ist').waitFor();
    await assertAccessible(page);
    await assertFits(page);
  });
});

test('new entries appear without a reload', async (t) => {
  const service = await startService(t, { clock: testClock() });
  const link = await createWithToken(service);
  const open = async (count: number) => {
    for (let opened = 0; opened < count; opened++) {
      service.clock.now += 1000;
      // Repeats of one program would be shown as one entry.
      await openLink(service, link.shortCode, { 'user-agent': `program ${opened % 2}` });
    }
  };

  await t.test('an entry appears at the top of the list, with an announcement', async (t) => {
    const page = await openHistory(t, service, link);
    await open(2);
    await page.getByRole('status').getByText('2 new entries. 3 entries shown').waitFor();
    await assertBecomes(() => labels(page), ['Opened', 'Opened', 'Link created']);
    await waitForFingerprint(page, service, link);
    await page.getByRole('definition').getByText('2', { exact: true }).waitFor();
  });

  await t.test('a button shows the entries while the reader is further down', async (t) => {
    await open(130);
    const page = await openHistory(t, service, link);
    await page.getByText('100 entries shown').waitFor();
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await page.getByText('133 entries shown').waitFor();
    await entries(page).nth(132).scrollIntoViewIfNeeded();
    await open(1);
    await page.getByRole('button', { name: 'Show 1 new entry' }).waitFor();
    assert.equal(await entries(page).count(), 133);
    await page.getByRole('button', { name: 'Show 1 new entry' }).click();
    await page.getByText('1 new entry. 134 entries shown').waitFor();
  });

  await t.test('the list has no gap when older entries arrive after many new ones', async (t) => {
    const page = await openPage(t);
    await page.addInitScript(`sessionStorage.setItem('postern.token.${link.shortCode}', '${link.token}')`);
    const [newer, older] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let requests = 0;
    await page.route('**/history?*', async (route) => {
      requests += 1;
      if (requests > 1) await (route.request().url().includes('cursor') ? older : newer).promise;
      await route.continue();
    });
    await page.goto(`${service.url}/links/${link.shortCode}`);
    await entries(page).first().waitFor();
    await open(130);
    newer.resolve();
    await waitForFingerprint(page, service, link);
    const isLoaded = page.waitForResponse('**/history?*cursor*');
    older.resolve();
    await isLoaded;
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await page.getByText('200 entries in 199 rows: ').waitFor();
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await page.getByText('264 entries in 263 rows: ').waitFor();
  });
});

test('the edit dialog replaces the file of a link and changes its short code, and both histories lead to each other', async (t) => {
  const service = await startService(t, { flags: ['--spring.servlet.multipart.max-file-size=1KB'] });
  const final = 'too large for a form'.repeat(100);
  const uploaded = await sendForm(service, [file('draft', 'a.txt'), ...fields({ maxViews: '3' })]);
  const shortCode = shortCodeOf(uploaded);
  const link = { shortCode, token: String(uploaded.headers['x-link-token']) };
  await t.test('the dialog changes both on one page', async (t) => {
    const page = await openHistory(t, service, link);
    const edit = () => page.getByRole('button', { name: 'Edit', exact: true }).click();
    await edit();
    await page.getByRole('button', { name: 'Replace file' }).click();
    const ofFile = page.getByRole('dialog', { name: 'Replace file' });
    await ofFile.getByRole('button', { name: 'Replace file' }).click();
    await ofFile.getByText('Choose a file.').waitFor();
    await ofFile.getByLabel('New file').setInputFiles({
      name: 'b.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(final),
    });
    await ofFile.getByRole('button', { name: 'Replace file' }).click();
    await page.getByText('File: “a.txt” → “b.txt”').waitFor();
    assert.equal((await openLink(service, shortCode)).text, final);
    await edit();
    await page.getByRole('button', { name: 'Change short code' }).click();
    const ofCode = page.getByRole('dialog', { name: 'Change short code' });
    await ofCode.getByLabel('New short code').fill('no code');
    await ofCode.getByRole('button', { name: 'Change short code' }).click();
    await ofCode.locator('.field-error').waitFor();
    await assertAccessible(page);
    await ofCode.getByLabel('New short code').fill('new-code');
    await ofCode.getByRole('button', { name: 'Change short code' }).click();
    await page.getByText('Former short code:').getByRole('link', { name: shortCode }).click();
    await page.getByText('New short code:').getByRole('link', { name: 'new-code' }).waitFor();
    assert.equal((await openLink(service, 'new-code')).text, final);
  });
});
