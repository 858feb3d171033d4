import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { json, member, send } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import {
  asksBeforeLeaving,
  assertBecomes,
  assertFits,
  chooseInMenu,
  tabTo,
  waitForFocus,
} from '../support/pages.ts';
import { startService, type TestService } from '../support/service.ts';

const { openPage } = await startBrowser();

async function openList(
  t: TestContext,
  { service, key }: { service: TestService; key: string },
  query = '',
  options?: PageOptions,
): Promise<Page> {
  const page = await openPage(t, options);
  await page.addInitScript(`sessionStorage.setItem('postern.key', '${key}')`);
  await page.goto(`${service.url}/links${query}`);
  return page;
}

/** Runs in the page. */
const OPACITY = `getComputedStyle(document.querySelector('table')).opacity`;

const rows = (page: Page) => page.locator('tbody tr');
const codes = (page: Page) => page.locator('tbody th code').allInnerTexts();
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const openMenu = (page: Page, code: string) => page.getByRole('button', { name: `Actions: ${code}` }).click();

/** Chooses an item of the menu that has the focus, by its first letter. */
async function chooseByKey(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Enter');
  await waitForFocus(page, menuItem(page, 'Copy link'));
  await page.keyboard.press(name.slice(0, 1));
  await waitForFocus(page, menuItem(page, name));
  await page.keyboard.press('Enter');
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

test('the list of links', async (t) => {
  const service = await startService(t);
  const key = await addKey(service, 'operator', ['create', 'read', 'manage']);
  const headers = bearer(key);
  const create = async (members: Record<string, unknown>): Promise<string> => {
    service.clock.now += 60_000;
    const body = JSON.stringify({ targetUrl: 'https://example.com/plans', ...members });
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    return String(member(json(await send(service, '/api/links', sent)), 'shortCode'));
  };
  const describe = async (shortCode: string) =>
    json(await send(service, `/api/links/${shortCode}`, { headers })) as Record<string, unknown>;
  const file = await uploadFile(service, 'content', { fileName: 'plan.pdf' });
  const report = await create({
    label: 'Report',
    tags: ['board'],
    maxViews: 3,
    customCode: 'report-2026',
    expiresAt: '2026-12-24T12:00:00Z',
  });
  await openLink(service, report);
  const later = await create({ startsAt: '2027-01-01T00:00:00Z', recipient: 'Ann', password: 'sesame' });
  const access = { service, key };

  await t.test('the list shows each link with its state, on a phone', async (t) => {
    const page = await openList(t, access, '', { device: 'phone' });
    await page.getByText('3 links shown · 3 in total · Times in UTC').waitFor();
    assert.deepEqual(await codes(page), [later, report, file]);
    const names = await page.locator('tbody th a').allInnerTexts();
    assert.deepEqual(names, ['example.com', 'Report', 'plan.pdf']);
    const texts = await rows(page).allInnerTexts();
    const expected = [
      ['example.com/plans', 'Ann', 'Not opened yet.', 'Scheduled', 'operator'],
      ['Report', 'board', 'Active', 'Expires 24 Dec 2026', '1 of 3 views', 'Opened once, '],
      ['7 bytes', 'Not opened yet.', 'Active', 'No owner'],
    ];
    for (const [index, parts] of expected.entries())
      for (const part of parts) assert.ok(texts[index]?.includes(part), `${texts[index]}: ${part}`);
    await assertFits(page);
    await assertAccessible(page);
  });

  await t.test('the list is searched and filtered with the keyboard, and its address says how', async (t) => {
    const page = await openList(t, access);
    await rows(page).nth(2).waitFor();
    await assertFits(page);
    await tabTo(page, 'searchbox', 'Search');
    await page.keyboard.type('repo');
    await page.getByText('1 link shown').waitFor();
    await assertBecomes(async () => new URL(page.url()).search, '?search=repo');
    await tabTo(page, 'checkbox', 'Expired');
    await page.keyboard.press('Space');
    await page.getByText('No link matches the filters.').waitFor();
    await page.reload();
    await page.getByText('No link matches the filters.').waitFor();
    assert.equal(await page.getByRole('checkbox', { name: 'Expired' }).isChecked(), true);
    await tabTo(page, 'button', 'Clear filters');
    await page.keyboard.press('Enter');
    await rows(page).nth(2).waitFor();
    assert.equal(new URL(page.url()).search, '');
    await page.getByRole('button', { name: 'board', exact: true }).click();
    await page.getByText('1 link shown').waitFor();
    await page.getByLabel('Sort by').selectOption('Fewest views first');
    await page.getByText('Among the newest 1,000 links that match. Older ones may be missing.').waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('');
    await rows(page).nth(2).waitFor();
    await page.getByLabel('Owner', { exact: true }).focus();
    await page.keyboard.type('operator ');
    await page.getByText('2 links shown').waitFor();
    await page.keyboard.type('x');
    await page.getByText('No link matches the filters.').waitFor();
    assert.equal(await page.getByLabel('Owner', { exact: true }).inputValue(), 'operator x');
    await assertBecomes(async () => new URL(page.url()).search, '?owner=operator+x&sort=views&order=asc');
    await page.getByRole('checkbox', { name: 'No owner' }).press('Space');
    await page.getByText('1 link shown').waitFor();
    assert.deepEqual(await codes(page), [file]);
    const query = '?ownerKind=ANONYMOUS&sort=views&order=asc';
    await assertBecomes(async () => new URL(page.url()).search, query);
    await page.getByLabel('Owner', { exact: true }).fill('x');
    await page.getByText('No link matches the filters.').waitFor();
    await page.getByLabel('Created from').fill('2026-06-16');
    await page.getByLabel('Created until').fill('2026-06-15');
    await page.getByText('The end date is before the start date.').waitFor();
    await assertAccessible(page);
  });

  await t.test(
    'the list changes a link with the keyboard, and shows the change of another user first',
    async (t) => {
      const page = await openList(t, access);
      await rows(page).nth(2).waitFor();
      await tabTo(page, 'button', `Actions: ${report}`);
      await chooseByKey(page, 'Edit');
      const edit = dialog(page, 'Edit link');
      await edit.getByLabel('Label').waitFor();
      await tabTo(page, 'textbox', 'View limit');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('none');
      await page.keyboard.press('Enter');
      await edit.getByText('Enter a whole number.').waitFor();
      await assertBecomes(() => edit.getByLabel('View limit').getAttribute('aria-invalid'), 'true');
      await waitForFocus(page, edit.getByLabel('View limit'));
      await page.keyboard.press('Control+A');
      await page.keyboard.type('5');
      const patch = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' } };
      await send(service, `/api/links/${report}`, { ...patch, body: '{"label":"Final report"}' });
      await page.keyboard.press('Enter');
      await edit.getByText('Label: was Report, is now Final report').waitFor();
      await assertAccessible(page);
      await edit.getByRole('button', { name: 'Save again' }).press('Enter');
      await page.getByText(`${report} was changed.`).waitFor();
      await page.getByText('1 of 5').waitFor();
      await assertBecomes(() => page.locator(':focus').getAttribute('aria-label'), `Actions: ${report}`);
      const { maxViews, label } = await describe(report);
      assert.deepEqual({ maxViews, label }, { maxViews: 5, label: 'Final report' });
    },
  );

  await t.test('the password of a link is removed, and its start', async (t) => {
    const page = await openList(t, access);
    await openMenu(page, later);
    await menuItem(page, 'Edit').click();
    const edit = dialog(page, 'Edit link');
    await edit.getByRole('radio', { name: 'Remove' }).click();
    await edit.getByLabel('Available from').fill('');
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(`${later} was changed.`).waitFor();
    const { passwordProtected, startsAt, state } = await describe(later);
    assert.deepEqual(
      { passwordProtected, startsAt, state },
      { passwordProtected: false, startsAt: null, state: 'ACTIVE' },
    );
  });

  await t.test('the list asks before it drops changes, however often Escape is pressed', async (t) => {
    const page = await openList(t, access);
    await tabTo(page, 'button', `Actions: ${later}`);
    await chooseByKey(page, 'Edit');
    const edit = dialog(page, 'Edit link');
    const question = dialog(page, 'Discard changes?');
    await edit.getByLabel('Label').waitFor();
    await page.keyboard.press('Escape');
    await edit.waitFor({ state: 'detached' });
    await assertBecomes(() => page.locator(':focus').getAttribute('aria-label'), `Actions: ${later}`);
    await chooseByKey(page, 'Edit');
    await edit.getByLabel('Label').waitFor();
    await assertBecomes(() => asksBeforeLeaving(page), false);
    await edit.getByLabel('Label').fill('Unsaved');
    await assertBecomes(() => asksBeforeLeaving(page), true);
    for (let time = 0; time < 3; time++) {
      await page.keyboard.press('Escape');
      await question.waitFor();
      await assertBecomes(() => page.locator(':focus').innerText(), 'Keep editing');
      if (time === 0) await assertAccessible(page);
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      assert.equal(await edit.getByLabel('Label').inputValue(), 'Unsaved');
    }
    await edit.getByRole('button', { name: 'Cancel' }).click();
    await tabTo(page, 'button', 'Discard changes');
    await page.keyboard.press('Enter');
    await edit.waitFor({ state: 'detached' });
    await assertBecomes(() => page.locator(':focus').getAttribute('aria-label'), `Actions: ${later}`);
    assert.equal((await describe(later))['label'], null);
    await assertBecomes(() => asksBeforeLeaving(page), false);
  });

  await t.test('the page of a link pauses and resumes it', async (t) => {
    const page = await openList(t, access);
    await page.getByRole('link', { name: 'Final report' }).click();
    await page.getByRole('heading', { name: 'Final report', level: 1 }).waitFor();
    await chooseInMenu(page, 'Pause');
    await page.getByText('It cannot be opened until you resume it.').waitFor();
    assert.equal((await openLink(service, report)).status, 403);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Anyone with this link can open it.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog(page, 'Edit link').getByRole('textbox', { name: 'Target URL' }).waitFor();
    await page.keyboard.press('Escape');
    await tabTo(page, 'button', 'More');
    await page.keyboard.press('Enter');
    await waitForFocus(page, menuItem(page, 'Copy message'));
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await waitForFocus(page, page.getByRole('button', { name: 'More', exact: true }));
    await chooseInMenu(page, 'QR code');
    await dialog(page, 'QR code').getByRole('button', { name: 'Save QR code as PNG' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Pause instead' }).click();
    await page.getByText('It cannot be opened until you resume it.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Anyone with this link can open it.').waitFor();
  });

  await t.test('the page of a paused link with a password says when visitors see that', async (t) => {
    const setPassword = (password: string | null) => {
      const sent = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' } };
      return send(service, `/api/links/${later}`, { ...sent, body: JSON.stringify({ password }) });
    };
    assert.equal((await setPassword('sesame')).status, 200);
    const page = await openList(t, access);
    await page.goto(`${service.url}/links/${later}`);
    await chooseInMenu(page, 'Pause');
    const text = 'It cannot be opened until you resume it. Visitors see that only after the right password';
    await page.getByText(text).waitFor();
    assert.equal((await openLink(service, later)).status, 401);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Anyone with this link and its password can open it.').waitFor();
    assert.equal((await setPassword(null)).status, 200);
  });

  await t.test('the menu of a link copies, shows its QR code, pauses and duplicates it', async (t) => {
    const page = await openList(t, access, '', { permissions: ['clipboard-read', 'clipboard-write'] });
    await openMenu(page, report);
    await assertAccessible(page);
    await page.keyboard.press('End');
    await waitForFocus(page, menuItem(page, 'Revoke'));
    await page.keyboard.press('ArrowDown');
    await waitForFocus(page, menuItem(page, 'Copy link'));
    await page.keyboard.press('Escape');
    await waitForFocus(page, page.getByRole('button', { name: `Actions: ${report}` }));
    await page.keyboard.press('Enter');
    await waitForFocus(page, menuItem(page, 'Copy link'));
    await page.keyboard.press('Enter');
    await page.getByText(`Copied: ${service.url}/l/${report}`).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${service.url}/l/${report}`);
    await openMenu(page, report);
    await menuItem(page, 'QR code').click();
    const save = dialog(page, 'QR code').getByRole('button', { name: 'Save QR code as SVG' });
    const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
    assert.equal(saved.suggestedFilename(), `postern-${report}.svg`);
    await page.keyboard.press('Escape');
    await openMenu(page, report);
    await menuItem(page, 'Pause').click();
    await page.getByText('Links changed: 1').waitFor();
    assert.equal((await describe(report))['state'], 'PAUSED');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Links restored: 1').waitFor();
    assert.equal((await describe(report))['state'], 'ACTIVE');
    await openMenu(page, report);
    await menuItem(page, 'Duplicate').click();
    await assertBecomes(() => page.getByLabel('Paste a URL').inputValue(), 'https://example.com/plans');
    await page.getByText('More options').click();
    assert.equal(await page.getByLabel('Label').inputValue(), 'Final report');
    assert.equal(await page.getByLabel('Tags').inputValue(), 'board');
    assert.equal(await page.getByRole('radio', { name: 'Custom' }).isChecked(), true);
  });

  await t.test(
    'several links are extended and tagged, and a change is undone unless overtaken',
    async (t) => {
      const [first, second] = [
        await create({ expiresAt: '2099-03-01T00:00:00Z' }),
        await create({ label: '=2+3' }),
      ];
      const page = await openList(t, access);
      await page.getByRole('checkbox', { name: `Select link ${first}` }).check();
      await page.getByRole('checkbox', { name: `Select link ${second}` }).check();
      const choose = async (button: string, title: string, action: string, fill?: () => Promise<void>) => {
        await page.getByRole('button', { name: button, exact: true }).click();
        await dialog(page, `${title} (2 selected)`).waitFor();
        await assertAccessible(page);
        await fill?.();
        await page.getByRole('dialog').getByRole('button', { name: action }).click();
      };
      await choose('Extend', 'Extend', 'Extend');
      await page.getByText('Links changed: 1').waitFor();
      const expiries = await Promise.all([describe(first), describe(second)]);
      assert.deepEqual(
        expiries.map(({ expiresAt }) => expiresAt),
        ['2099-03-08T00:00:00.000Z', null],
      );
      await choose('Tags', 'Tags', 'Add tag', () =>
        page.getByLabel('Tag', { exact: true }).last().fill('urgent'),
      );
      await page.getByText('Links changed: 2').waitFor();
      assert.deepEqual((await describe(second))['tags'], ['urgent']);
      const patch = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' } };
      await send(service, `/api/links/${second}`, { ...patch, body: '{"tags":["urgent","theirs"]}' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Links restored: 1').waitFor();
      await page.getByText(`${second}: This link has changed in the meantime.`).waitFor();
      const tags = await Promise.all([describe(first), describe(second)]);
      assert.deepEqual(
        tags.map((link) => link['tags']),
        [[], ['urgent', 'theirs']],
      );
      const save = page.getByRole('button', { name: 'CSV: Selected links' });
      const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
      const [heads, ...lines] = readFileSync(await saved.path(), 'utf8')
        .trimEnd()
        .split('\r\n');
      assert.match(heads ?? '', /^shortCode,accessUrl,label,recipient,target,/);
      assert.equal(lines.length, 2);
      assert.ok(
        lines.some((line) => line.startsWith(`${second},`) && line.includes(`,"'=2+3",,`)),
        lines.join(),
      );
      await send(service, `/l/${first}`, { method: 'DELETE', headers });
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByText('Links changed: 1').waitFor();
      assert.equal((await describe(second))['state'], 'PAUSED');
      await send(service, `/l/${second}`, { method: 'DELETE', headers });
    },
  );

  await t.test('a filter is saved by name, and tags and owners are suggested', async (t) => {
    const page = await openList(t, access, '?tag=board');
    await page.getByText('1 link shown').waitFor();
    const values = page
      .getByLabel('Owner', { exact: true })
      .locator('xpath=following-sibling::datalist/option');
    await assertBecomes(
      () => values.evaluateAll((each) => each.map((one) => one.getAttribute('value'))),
      ['operator'],
    );
    const saved = page.getByRole('button', { name: 'Saved filters' });
    await saved.click();
    await menuItem(page, 'Save settings').click();
    await page.getByRole('dialog').getByLabel('Label').fill('For the board');
    await assertAccessible(page);
    await dialog(page, 'Save settings').getByRole('button', { name: 'Save settings' }).click();
    await page.goto(`${service.url}/links`);
    await rows(page).nth(2).waitFor();
    await saved.click();
    await menuItem(page, 'For the board').click();
    await page.getByText('1 link shown').waitFor();
    await assertBecomes(async () => new URL(page.url()).search, '?tag=board');
    await saved.click();
    await menuItem(page, 'Delete “For the board”').click();
    await saved.click();
    await menuItem(page, 'Save settings').waitFor();
    assert.equal(await page.getByRole('menuitem').count(), 1);
  });

  await t.test('single keys work in the list, never while typing, and can be switched off', async (t) => {
    const page = await openList(t, access, '?state=ACTIVE');
    await rows(page).nth(2).waitFor();
    const nameOf = (index: number) => rows(page).nth(index).locator('th a');
    await page.keyboard.press('j');
    await waitForFocus(page, nameOf(0));
    await page.keyboard.press('j');
    await waitForFocus(page, nameOf(1));
    await page.keyboard.press('k');
    await waitForFocus(page, nameOf(0));
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('e');
    await dialog(page, 'Edit link').getByLabel('Label').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' }); // the browser closes it before its owner does
    await page.keyboard.press('/');
    await waitForFocus(page, page.getByRole('searchbox'));
    await page.keyboard.type('j?/c');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'j?/c');
    await page.getByRole('searchbox').fill('');
    await page.getByText(/[0-9] links shown/).waitFor();
    await page.getByRole('heading', { name: 'Links' }).click();
    await page.keyboard.press('?');
    const keys = dialog(page, 'Keyboard shortcuts');
    await keys.getByText('Next and previous link').waitFor();
    await assertAccessible(page);
    await keys.getByRole('checkbox', { name: 'Use these keys' }).uncheck();
    await keys.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('/');
    await page.keyboard.press('?');
    assert.equal(await keys.count(), 0);
    assert.equal(await page.getByRole('searchbox').and(page.locator(':focus')).count(), 0);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await keys.getByRole('checkbox', { name: 'Use these keys' }).check();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'New link' }).waitFor();
  });

  await t.test('the list revokes the selected links after a question, and reports each', async (t) => {
    const [first, second] = [await create({ label: 'Draft', recipient: 'Ada' }), await create({})];
    const page = await openList(t, access, '?state=ACTIVE', { device: 'phone' });
    await page.getByRole('checkbox', { name: `Select link ${first}` }).check();
    await page.getByRole('checkbox', { name: `Select link ${second}` }).check();
    await page.getByText('2 selected').waitFor();
    await assertAccessible(page);
    await send(service, `/l/${second}`, { method: 'DELETE', headers });
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dialog(page, 'Revoke 2 links?').getByRole('button', { name: 'Revoke 2 links' }).click();
    const report = dialog(page, 'Links revoked');
    await report.getByText(`${first} · Draft · For Ada: Revoked`).waitFor();
    await report.getByText(`${second}: Was already revoked`).waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    await report.waitFor({ state: 'detached' });
    assert.equal(await page.locator('tbody tr').filter({ hasText: 'Revoked' }).count(), 2);
    assert.equal(await page.getByText('2 selected').count(), 0);
    assert.equal((await describe(first))['status'], 'REVOKED');
  });

  await t.test('the list creates the links of a CSV file after a preview', async (t) => {
    const page = await openList(t, access, '', { device: 'phone' });
    await page.getByRole('link', { name: 'Create links from CSV' }).click();
    const code = 'invite-phone';
    const lines = [
      'Target URL;Recipient;Max views;Custom code',
      `https://example.com/a;"Ann; Müller";1;${code}`,
      'nowhere;Bob;;',
      'https://example.com/c;Carl;;report-2026',
    ];
    const choose = (text: string, name = 'guests.csv') => {
      const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
      return page.locator('input[type=file]').setInputFiles(file);
    };
    await choose('Target URL;Max view;Room\r\nhttps://example.com/a;1;3\r\n');
    await page.getByText('A link does not have these columns: Max view, Room.').waitFor();
    await choose(lines.join('\r\n'));
    await page
      .getByText('2 rows are ready. 1 row has an error and is left out. It is shown first.')
      .waitFor();
    await page.getByText('Enter a complete URL').waitFor();
    const hiddenWidth = await page
      .locator('.bulk-scroller')
      .evaluate(
        (each) => Number(Reflect.get(each, 'scrollWidth')) - Number(Reflect.get(each, 'clientWidth')),
      );
    assert.equal(hiddenWidth, 0, 'every column is in sight');
    await assertAccessible(page);
    await assertFits(page);
    await page.getByRole('button', { name: 'Create 2 links' }).click();
    await page.getByRole('heading', { name: '1 link created' }).waitFor();
    await page.getByText('Another link has this short code.').waitFor();
    await assertAccessible(page);
    await assertBecomes(() => asksBeforeLeaving(page), true);
    page.once('dialog', (question) => void question.dismiss());
    const asked = page.waitForEvent('dialog');
    await page.evaluate('history.back()');
    assert.equal((await asked).type(), 'beforeunload', 'the browser asks before it goes back');
    await choose('', 'empty.csv');
    const question = dialog(page, 'Discard the result?');
    await assertAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    const press = page.getByRole('button', { name: 'Download result' }).click();
    const [saved] = await Promise.all([page.waitForEvent('download'), press]);
    assert.equal(saved.suggestedFilename(), 'guests-links.csv');
    await assertBecomes(() => asksBeforeLeaving(page), false);
    await choose('', 'empty.csv');
    await page.getByRole('alert').waitFor();
    assert.equal(await question.count(), 0, 'no question once the result is downloaded');
    const [, row = '', refused = ''] = readFileSync(await saved.path(), 'utf8').split('\r\n');
    assert.ok(row.startsWith(`2;${service.url}/l/${code};${code};link_`), row);
    assert.match(row, /;https:\/\/example\.com\/a;;"Ann; Müller";;1;[0-9a-f]{64};$/);
    assert.match(refused, /^4;;;;.*customCode: Another link has this short code/);
    const { recipient, maxViews, confirm } = await describe(code);
    assert.deepEqual([recipient, maxViews, confirm], ['Ann; Müller', 1, true]);
  });

  await t.test('more links are loaded by a button, which leads to the first of them', async (t) => {
    service.clock.now += 60_000; // links of the same time have any order
    for (let count = 0; count < 5; count++)
      await Promise.all(Array.from({ length: 10 }, () => createLink(service)));
    const page = await openList(t, access);
    await page.getByText('50 links shown').waitFor();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/links?*', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('button', { name: 'Loading links…' }).waitFor();
    await assertBecomes(() => page.evaluate<string>(OPACITY), '0.6');
    release();
    await page.getByText('58 links shown').waitFor();
    const focused = page.locator(':focus');
    const focusedCode = async () => (await focused.getAttribute('href'))?.split('/').at(-1);
    await assertBecomes(focusedCode, (await codes(page))[50]);
    assert.equal(await page.getByRole('button', { name: 'Load more' }).count(), 0);
    assert.equal(await page.evaluate<string>(OPACITY), '1');
  });

  await t.test('a change that is made while more links are loaded stays visible', async (t) => {
    const page = await openList(t, access);
    await page.getByText('50 links shown').waitFor();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/links?*', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Load more' }).click();
    const [code = ''] = await codes(page);
    await openMenu(page, code);
    await menuItem(page, 'Edit').click();
    await dialog(page, 'Edit link').getByLabel('Label').fill('Changed meanwhile');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(`${code} was changed.`).waitFor();
    release();
    await page.getByText('58 links shown').waitFor();
    assert.equal(await rows(page).first().getByText('Changed meanwhile').count(), 1);
  });

  await t.test('ten links are in sight on a desktop, and the first one on a phone', async (t) => {
    const visible = async (locale: string, size: { width: number; height: number }) => {
      const page = await openList(t, access, '', { viewport: size, locale });
      await rows(page).nth(3).waitFor();
      const bottoms = await rows(page).evaluateAll((each) =>
        each.map(
          (row) =>
            (row as unknown as { getBoundingClientRect(): { bottom: number } }).getBoundingClientRect()
              .bottom,
        ),
      );
      return bottoms.filter((bottom) => bottom <= size.height).length;
    };
    for (let count = 0; count < 10; count++) {
      const labels = { label: `Invitation ${count}`, tags: ['party', 'summer'], recipient: 'Ann' };
      await openLink(service, await create({ ...labels, maxViews: 3, expiresAt: '2099-01-01T00:00:00Z' }));
    }
    for (const locale of ['en-GB', 'de-DE', 'fr-FR'])
      assert.ok((await visible(locale, { width: 1280, height: 900 })) >= 10, locale);
    assert.ok((await visible('en-GB', { width: 390, height: 844 })) >= 1);
  });

  await t.test('the heads of columns sort the list, and say how', async (t) => {
    service.clock.now += 60_000;
    await openLink(service, report);
    const page = await openList(t, access);
    await rows(page).first().waitFor();
    const head = (name: string) => page.getByRole('columnheader', { name });
    await assertBecomes(() => head('Created').getAttribute('aria-sort'), 'descending');
    await tabTo(page, 'button', 'Opened or received');
    await page.keyboard.press('Enter');
    await assertBecomes(() => head('Opened or received').getAttribute('aria-sort'), 'descending');
    await assertBecomes(() => rows(page).first().locator('th a').innerText(), 'Final report');
    await page.keyboard.press('Enter');
    await assertBecomes(() => head('Opened or received').getAttribute('aria-sort'), 'ascending');
    await assertBecomes(async () => new URL(page.url()).search, '?sort=opened&order=asc');
    await page.getByLabel('Sort by').selectOption('Most views first');
    await assertBecomes(() => rows(page).first().locator('th a').innerText(), 'Final report');
    assert.equal(await page.locator('[aria-sort]').count(), 0, 'no column has the views alone');
  });
});
