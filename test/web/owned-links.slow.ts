import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { createInPage } from '../support/create-page.ts';
import { json, member, send } from '../support/http-client.ts';
import { assertBecomes, assertFits, chooseInMenu, tabTo, waitForFocus } from '../support/pages.ts';
import { personHeaders, sendFromPage } from '../support/people.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: RegExp) => page.getByRole('dialog', { name });
const codes = (page: Page) => page.locator('tbody th code').allInnerTexts();
const menuItems = async (page: Page, actions: string): Promise<string[]> => {
  await page.getByRole('button', { name: actions }).click();
  await page.getByRole('menuitem').first().waitFor();
  return page.getByRole('menuitem').allInnerTexts();
};
const radios = (page: Page) =>
  page
    .getByRole('group', { name: 'Links shown' })
    .getByRole('radio')
    .evaluateAll((all) =>
      all.map((each) => {
        const { parentElement, checked } = each as unknown as {
          parentElement: { textContent: string };
          checked: boolean;
        };
        return parentElement.textContent + (checked ? ' *' : '');
      }),
    );

test('people see and hand over links as far as they may', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const [ada, bob, carol] = [
    await personHeaders(service, 'ada'),
    await personHeaders(service, 'bob', ['create']),
    await personHeaders(service, 'carol', ['create', 'read']),
  ];
  await sendFromPage(service, 'POST', '/api/teams', { name: 'sales', members: ['bob', 'carol'] }, ada);
  const openAs = async (
    t: TestContext,
    { cookie }: { cookie: string },
    path: string,
    options?: PageOptions,
  ) => {
    const page = await openPage(t, options);
    const value = cookie.split('=')[1] ?? '';
    await page.context().addCookies([{ name: 'postern', value, url: service.url }]);
    await page.clock.setFixedTime(service.clock.now);
    await page.goto(service.url + path);
    return page;
  };
  const create = async (headers: Record<string, string>, terms = {}): Promise<string> => {
    service.clock.now += 60_000;
    const body = { targetUrl: 'https://example.com/', ...terms };
    return String(
      member(json(await sendFromPage(service, 'POST', '/api/links', body, headers)), 'shortCode'),
    );
  };
  const describe = async (code: string) =>
    json(await send(service, `/api/links/${code}`, { headers: ada })) as { owner: unknown; team: unknown };
  const ofAda = await create(ada);
  const ofBob = await create(bob);
  const shared = await create(carol, { team: 'sales', label: 'Offer' });

  await t.test('a person without links learns where those of others are', async (t) => {
    const dora = await personHeaders(service, 'dora', ['create', 'read']);
    for (const path of ['/links', '/dashboard']) {
      const page = await openAs(t, dora, path, { device: 'phone' });
      await page.getByRole('heading', { name: 'You have no links yet' }).waitFor();
      await page.getByText('There are 3 links of others.').waitFor();
      await page.getByRole('link', { name: 'Create link', exact: true }).waitFor();
      await assertAccessible(page);
      await button(page, 'All links').click();
      if (path === '/links') await assertBecomes(() => codes(page), [shared, ofBob, ofAda]);
      else await page.getByText('All links · 7 days').waitFor();
    }
  });

  await t.test('the dashboard starts with the links with which the list starts', async (t) => {
    const page = await openAs(t, carol, '/dashboard');
    await assertBecomes(async () => (await page.locator('.figure-value').allInnerTexts())[0], '1');
    assert.equal(await page.getByRole('radio', { name: 'My links' }).isChecked(), true);
    assert.equal(await page.getByText('Group by').count(), 0, 'there is no chart to divide');
    await page.getByRole('radio', { name: 'All links' }).check();
    await page.waitForURL(/links=all/);
    await assertBecomes(async () => (await page.locator('.figure-value').allInnerTexts())[0], '3');
    assert.equal(await page.getByText('Health').count(), 0);
    const administrator = await openAs(t, ada, '/dashboard');
    await administrator.getByRole('region', { name: 'Health' }).waitFor();
  });

  await t.test('the choices of the dashboard take one line of a phone until they are opened', async (t) => {
    const page = await openAs(t, carol, '/dashboard', { device: 'phone' });
    const line = page.getByText('My links · 7 days');
    await line.waitFor();
    assert.equal(await page.getByRole('radio').count(), 0);
    await line.click();
    await page.getByRole('radio', { name: '24 hours' }).click();
    await page.getByText('My links · 24 hours').waitFor();
    await assertAccessible(page);
    await assertFits(page);
  });

  await t.test('own links come first, and all links only for those who may see them', async (t) => {
    const page = await openAs(t, carol, '/links');
    await assertBecomes(() => codes(page), [shared]);
    assert.deepEqual(await radios(page), ['My links *', 'All links', 'sales']);
    await tabTo(page, 'radio', 'My links');
    await page.keyboard.press('ArrowRight');
    await assertBecomes(() => codes(page), [shared, ofBob, ofAda]);
    assert.equal(new URL(page.url()).search, '?show=all');
    await page.reload();
    await page.getByText('3 in total').waitFor();
    assert.deepEqual(await menuItems(page, `Actions: ${ofAda}`), [
      'Copy link',
      'QR code',
      'Duplicate',
      'History',
    ]);
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('checkbox', { name: /^Select link/ }).count(), 1);
    const toggle = page.getByRole('button', { name: 'More filters' });
    const place = await toggle.boundingBox();
    await toggle.click();
    await page.getByLabel('Owner', { exact: true }).waitFor();
    assert.deepEqual(await toggle.boundingBox(), place, 'a second click meets the same button');
    await page.getByLabel('Owner', { exact: true }).fill('bob');
    await assertBecomes(() => codes(page), [ofBob]);
    await assertAccessible(page);
  });

  await t.test('without the scope read, a person sees own links and those of the teams', async (t) => {
    const page = await openAs(t, bob, '/links', { device: 'phone' });
    await assertBecomes(() => codes(page), [ofBob]);
    assert.deepEqual(await radios(page), ['My links *', 'sales']);
    await page.getByRole('radio', { name: 'sales' }).click();
    await assertBecomes(() => codes(page), [shared]);
    await page.getByRole('cell', { name: /carol/ }).getByText('sales').waitFor();
    await assertFits(page);
    await assertAccessible(page);
    const items = await menuItems(page, `Actions: ${shared}`);
    assert.ok(items.includes('Edit') && items.includes('Share with team'), items.join());
    assert.ok(!items.includes('Change owner'), 'the team cannot give it away');
  });

  await t.test('several links are shared with a team at once, and the change is undone', async (t) => {
    const page = await openAs(t, bob, '/links');
    await page.getByRole('checkbox', { name: `Select link ${ofBob}` }).check();
    const bar = page.getByRole('region', { name: 'Selected links' });
    assert.equal(await bar.getByRole('button', { name: 'Resume' }).count(), 0, 'it is not paused');
    await bar.getByRole('button', { name: 'Share with team' }).click();
    await dialog(page, /^Share with team/)
      .getByLabel('Team')
      .selectOption('sales');
    await assertAccessible(page);
    await dialog(page, /^Share with team/)
      .getByRole('button', { name: 'Share with team' })
      .click();
    await page.getByText('Links changed: 1').waitFor();
    assert.equal((await describe(ofBob)).team, 'sales');
    await button(page, 'Undo').click();
    await page.getByText('Links restored: 1').waitFor();
    assert.equal((await describe(ofBob)).team, null);
  });

  await t.test('a link is handed over with the keyboard, in German', async (t) => {
    const given = await create(bob);
    const page = await openAs(t, bob, '/links', { locale: 'de-DE' });
    await tabTo(page, 'button', `Aktionen: ${given}`);
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByRole('menuitem', { name: 'Link kopieren' }));
    await page.keyboard.press('b');
    await page.keyboard.press('b');
    await waitForFocus(page, page.getByRole('menuitem', { name: 'Besitzer ändern' }));
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByLabel('Neuer Besitzer'));
    await page.getByText('Sie können diese Links danach nicht mehr ändern').waitFor();
    await page
      .getByLabel('Neuer Besitzer')
      .locator('option', { hasText: 'ada' })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('a');
    await assertAccessible(page);
    await dialog(page, /^Besitzer/)
      .getByRole('button', { name: 'Besitzer ändern' })
      .press('Enter');
    await page.getByText('Geänderte Links: 1').waitFor();
    assert.equal(await button(page, 'Rückgängig').count(), 0);
    assert.deepEqual((await describe(given)).owner, { kind: 'USER', name: 'ada', displayName: 'ada' });
    assert.ok(!(await menuItems(page, `Aktionen: ${given}`)).includes('Bearbeiten'));
  });

  await t.test('the page of a link shows the owner and the team, and changes both', async (t) => {
    const page = await openAs(t, ada, `/links/${shared}`, { device: 'phone' });
    await page.locator('.terms').getByText('carol').waitFor();
    await page.locator('.terms').getByText('sales').waitFor();
    await chooseInMenu(page, 'Share with team');
    await dialog(page, /^Share/)
      .getByLabel('Team')
      .selectOption('No team');
    await button(page, 'Stop sharing').click();
    await page.getByText('Team: “sales” → –').waitFor();
    await chooseInMenu(page, 'Change owner');
    await dialog(page, /^Change owner/)
      .getByLabel('New owner')
      .selectOption('bob');
    await assertAccessible(page);
    await dialog(page, /^Change owner/)
      .getByRole('button', { name: 'Change owner' })
      .click();
    await page.getByText('Owner: “carol” → “bob”').waitFor();
    await assertFits(page);
  });

  await t.test(
    'the browser of a former owner, whose token has ended, shows what the person may see',
    async (t) => {
      const page = await openAs(t, ada, '/');
      const code = await createInPage(page);
      await sendFromPage(service, 'PATCH', `/api/links/${code}`, { owner: 'bob' }, ada);
      await page.goto(`${service.url}/links/${code}`);
      await page.locator('.terms').getByText('bob').waitFor();
      await page.getByText('Owner: “ada” → “bob”').waitFor();
    },
  );

  await t.test('a new link is shared with a team, and the next one too', async (t) => {
    const page = await openAs(t, bob, '/');
    const code = await createInPage(page, async () => {
      await page.getByText('More options', { exact: true }).click();
      await page.getByLabel('Team').selectOption('sales');
    });
    await page.getByRole('definition').getByText('sales').waitFor();
    assert.equal((await describe(code)).team, 'sales');
    await assertAccessible(page);
    await page.reload();
    await page.getByText('Paste a URL').waitFor();
    await assertBecomes(() => page.getByLabel('Team').inputValue(), 'sales');
    await page.getByText('Same as your last link: Team: sales').waitFor();
  });

  await t.test('a long name of an owner stays beside the menu of its link, on a phone', async (t) => {
    const code = await create(
      await personHeaders(service, 'maximiliana.featherstonehaugh.of.the.board', ['create']),
    );
    const page = await openAs(t, ada, `/links?show=all&search=${code}`, { device: 'phone' });
    const row = page.locator('tbody tr', { hasText: code });
    await row.getByText('maximiliana').waitFor();
    await assertFits(page);
    const owner = (await row.locator('.owner-cell').boundingBox()) ?? assert.fail();
    const menu = (await row.getByRole('button', { name: /^Actions/ }).boundingBox()) ?? assert.fail();
    const isBeside = owner.x + owner.width <= menu.x || owner.y + owner.height <= menu.y;
    assert.ok(isBeside, JSON.stringify({ owner, menu }));
  });
});
