import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { en } from '../../web/i18n/locales/en.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { chooseFiles, createdShortCode } from '../support/create-page.ts';
import { json, member, send, sendJson } from '../support/http-client.ts';
import { bearer } from '../support/keys.ts';
import { shortCodeOf, TARGET } from '../support/links.ts';
import { recordSecret } from '../support/log-secrets.ts';
import { assertBecomes, assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { addPerson, personHeaders, sendFromPage, sessionHeaders } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

const { openPage } = await startBrowser();
const NEW_PASSWORD = 'a longer passphrase';

type Headers = { cookie: string };

/** Opens a page as the person of a session. */
async function openAs(
  t: TestContext,
  { url }: TestService,
  { cookie }: Headers,
  path: string,
  options?: PageOptions,
): Promise<Page> {
  const page = await openPage(t, options);
  await page.context().addCookies([{ name: 'postern', value: cookie.split('=')[1] ?? '', url }]);
  await page.goto(url + path);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
const choose = async (page: Page, actions: string, item: string): Promise<void> => {
  await button(page, actions).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

/** Returns the text that is shown once. */
async function readSecret(page: Page): Promise<string> {
  await page.locator('.secret-to-copy code').waitFor();
  const secret = await page.locator('.secret-to-copy code').innerText();
  recordSecret(secret.split('#').at(-1) ?? '');
  return secret;
}

test('administrators manage people, teams and keys without a shell', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  recordSecret(NEW_PASSWORD);
  const ada = await personHeaders(service, 'ada');
  const asAda = (method: string, path: string, body?: unknown) =>
    sendFromPage(service, method, path, body, ada);
  const createAs = async (headers: Headers, body: Record<string, unknown> = {}): Promise<string> =>
    String(
      member(
        json(
          await sendFromPage(
            service,
            'POST',
            '/api/links',
            { targetUrl: 'https://example.com/', ...body },
            headers,
          ),
        ),
        'shortCode',
      ),
    );

  await t.test('a team is created, renamed and deleted, unless links are shared with it', async (t) => {
    const page = await openAs(t, service, ada, '/people');
    await row(page, 'ada').waitFor();
    await page.getByRole('link', { name: 'Teams' }).click();
    await page.getByText('There are no teams yet.').waitFor();
    await tabTo(page, 'button', 'Create team');
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByLabel('Name'));
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Enter a name.', { exact: true }).waitFor();
    await assertAccessible(page);
    await page.getByLabel('Name').fill('a  b');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Enter a name of up to 64 characters').waitFor();
    await page.getByLabel('Name').fill('sale');
    await tabTo(page, 'checkbox', 'ada');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await row(page, 'sale').getByText('ada').waitFor();
    await assertAccessible(page);
    await choose(page, 'Actions: sale', 'Change');
    await page.getByLabel('Name').fill('sales');
    await button(page, 'Save changes').click();
    await row(page, 'sales').waitFor();
    const shared = await createAs(ada, { team: 'sales' });
    await page.reload();
    await choose(page, 'Actions: sales', 'Delete team');
    await dialog(page, 'Delete the team sales?').getByText('1 link is shared with this team.').waitFor();
    assert.equal(await button(page, 'Delete team').count(), 0);
    await page.getByRole('link', { name: 'Show links' }).click();
    await page.getByRole('rowheader', { name: shared }).waitFor();
    assert.equal(await page.getByRole('radio', { name: 'sales' }).isChecked(), true);
    await asAda('POST', '/api/teams', { name: 'empty' });
    await page.goto(`${service.url}/people?show=teams`);
    await choose(page, 'Actions: empty', 'Delete team');
    await button(page, 'Delete team').click();
    await row(page, 'empty').waitFor({ state: 'detached' });
  });

  await t.test('a person is added on a phone in German, and sets a password with the link', async (t) => {
    const page = await openAs(t, service, ada, '/people', { device: 'phone', locale: 'de-DE' });
    await row(page, 'ada').waitFor();
    await assertFits(page);
    await assertAccessible(page);
    await button(page, 'Person hinzufügen').click();
    await page.getByLabel('Name', { exact: true }).fill('ada');
    await page.getByLabel('E-Mail').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Geben Sie eine E-Mail-Adresse ein').waitFor();
    await page.getByLabel('E-Mail').fill('bob@example.com');
    await page.keyboard.press('Enter');
    const taken = page.getByRole('alert').getByText('Dieser Name ist vergeben');
    await taken.waitFor();
    const [error, actions] = [await taken.boundingBox(), await page.locator('.dialog-actions').boundingBox()];
    assert.ok(error && actions && error.y + error.height <= actions.y, 'the buttons hide the error');
    await page.getByLabel('Name', { exact: true }).fill('Bob');
    await page.getByRole('checkbox', { name: /^Alle Links ansehen/ }).check();
    await page.getByRole('checkbox', { name: 'sales' }).check();
    await assertAccessible(page);
    await assertFits(page);
    await dialog(page, 'Person hinzufügen').getByRole('button', { name: 'Person hinzufügen' }).click();
    await dialog(page, 'Einladungslink für Bob').waitFor();
    const link = await readSecret(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Nachricht kopieren').click();
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      `Legen Sie hier Ihr Passwort für Postern fest: ${link}\nDer Link funktioniert einmal, bis 16. Juni 2026 um 12:00 UTC. Ihr Name zum Anmelden: Bob`,
    );
    const breaks = (await page.evaluate(`[...document.querySelector('.secret-to-copy code').childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map((part) => {
        const range = document.createRange();
        range.selectNode(part);
        return [part.data, range.getClientRects().length];
      })`)) as [string, number][];
    assert.deepEqual(
      breaks.find(([part]) => part.startsWith('sign-in')),
      ['sign-in#', 1],
      'it stays in one line',
    );
    await page
      .getByText('Mit diesem Link kann Bob bis 16.06.2026, 12:00 einmal ein Passwort festlegen')
      .waitFor();
    await assertAccessible(page);
    assert.equal(await page.getByRole('dialog').locator('.button-main').innerText(), 'Fertig');
    await button(page, 'Fertig').click();
    await row(page, 'Bob').getByText('Eingeladen').waitFor();
    const other = await openPage(t);
    await other.goto(link.replace('http://localhost:8080', service.url));
    const intro = `Choose the password with which you sign in to Postern at ${service.url}/.`;
    await other.getByText(intro).waitFor();
    const field = other.getByLabel('New password');
    await field.fill(NEW_PASSWORD);
    await tabTo(other, 'button', 'Show');
    await other.keyboard.press('Enter');
    assert.equal(await field.getAttribute('type'), 'text');
    await assertAccessible(other);
    await field.press('Enter');
    await other.getByText('Welcome, Bob.').waitFor();
    await other.getByRole('banner').getByText('Bob').waitFor();
    await other.getByRole('banner').getByRole('link', { name: 'Account', exact: true }).click();
    await other.getByText('See all links').waitFor();
    await other.getByText('Your teams: sales.').waitFor();
    assert.equal(await other.getByRole('link', { name: 'People' }).count(), 0);
    await other.goto(`${service.url}/people`);
    await other.getByText('Only administrators can manage people').waitFor();
    await page.reload();
    await row(page, 'Bob').getByText('Aktiv', { exact: true }).waitFor();
  });

  for (const locale of ['en-GB', 'de-DE'])
    await t.test(`all permissions are in view at 1280 by 720 pixels in ${locale}`, async (t) => {
      const viewport = { width: 1280, height: 720 };
      const page = await openAs(t, service, ada, '/people', { locale, viewport });
      await page.locator('.head .button-main').click();
      const last = await page.locator('.checks').first().locator('label').last().boundingBox();
      const actions = await page.locator('.dialog-actions').boundingBox();
      assert.ok(last && actions && last.y + last.height <= actions.y, 'the buttons hide a permission');
      assert.ok(actions.y + actions.height <= viewport.height);
    });

  await t.test('the rights of a person are changed with the keyboard, and a new link is made', async (t) => {
    const page = await openAs(t, service, ada, '/people');
    await tabTo(page, 'button', 'Actions: Bob');
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByRole('menuitem', { name: 'Change' }));
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByLabel('Name as shown'));
    await tabTo(page, 'checkbox', /^See all links/);
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByText('Bob was changed.').waitFor();
    await row(page, 'Bob').getByText('See all links').waitFor({ state: 'detached' });
    await row(page, 'Bob').getByText('bob@example.com').waitFor();
    await assertBecomes(() => page.locator(':focus').getAttribute('aria-label'), 'Actions: Bob');
    await choose(page, 'Actions: Bob', 'New password link');
    await button(page, 'New password link').click();
    assert.match(await readSecret(page), /\/sign-in#setup_/);
    assert.equal(await page.getByRole('dialog').locator('.button-main').innerText(), 'Copy password link');
    await button(page, 'Done').click();
    await page.getByText('You have not copied it').waitFor();
    await page.keyboard.press('Escape');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy password link' }).click();
    await button(page, 'Done').click();
    await dialog(page, /Bob/).waitFor({ state: 'detached' });
  });

  await t.test('the links of a person who is deactivated pass to another one', async (t) => {
    const bob = await service.stores.store.people.findPerson('bob');
    assert.ok(bob);
    const code = await createAs(await sessionHeaders(service, bob));
    const page = await openAs(t, service, ada, '/people', { device: 'phone' });
    await choose(page, 'Actions: ada', 'Deactivate');
    await page.getByText('This is the last person who can manage people.').waitFor();
    assert.equal(await button(page, 'Deactivate').count(), 0);
    await button(page, 'Close').click();
    await choose(page, 'Actions: Bob', 'Deactivate');
    await assertAccessible(page);
    await button(page, 'Deactivate').click();
    await page.getByRole('alert').getByText('Choose who gets the links.').waitFor();
    await page.getByLabel('Hand Bob’s link to').selectOption('ada');
    await button(page, 'Deactivate').click();
    await page.getByText('Bob was deactivated.').waitFor();
    await row(page, 'Bob').getByText('Deactivated').waitFor();
    const { owner } = json(await send(service, `/api/links/${code}`, { headers: ada })) as {
      owner: unknown;
    };
    assert.deepEqual(owner, { kind: 'USER', name: 'ada', displayName: 'ada' });
    await choose(page, 'Actions: Bob', 'Reactivate');
    await page.getByText('Bob can sign in again.').waitFor();
  });

  await t.test('an administrator creates the key of a service, and revokes it', async (t) => {
    const page = await openAs(t, service, ada, '/people?show=keys');
    await button(page, 'Create key').click();
    await dialog(page, 'Create key').getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Enter a name.', { exact: true }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('ci');
    await page.getByRole('checkbox', { name: /^See all links/ }).check();
    await assertAccessible(page);
    await dialog(page, 'Create key').getByRole('button', { name: 'Create key' }).click();
    const key = await readSecret(page);
    await page.keyboard.press('Escape');
    await button(page, 'Continue without copying').click();
    const list = () => send(service, '/api/links', { headers: bearer(key) });
    assert.equal((await list()).status, 200);
    await row(page, 'ci').getByText('No person').waitFor();
    await row(page, 'ci')
      .getByText(/Expires: \d/)
      .waitFor();
    await assertAccessible(page);
    await choose(page, 'Actions: ci', 'Revoke key');
    await dialog(page, 'Revoke the key ci?').waitFor();
    await button(page, 'Revoke key').click();
    await row(page, 'ci').getByText('Revoked').waitFor();
    service.clock.now += 10_000;
    assert.equal((await list()).status, 401);
  });

  await t.test('a person creates an own key, which may do at most what the person may do', async (t) => {
    const eve = await personHeaders(service, 'eve', ['create']);
    const page = await openAs(t, service, eve, '/account', { device: 'phone', locale: 'de-DE' });
    await button(page, 'Schlüssel erstellen').click();
    await page.getByLabel('Name', { exact: true }).fill('laptop');
    assert.equal(await page.getByRole('checkbox').count(), 1);
    await page.getByRole('radio', { name: 'Nie' }).check();
    await dialog(page, 'Schlüssel erstellen').getByRole('button', { name: 'Schlüssel erstellen' }).click();
    const key = await readSecret(page);
    await page.keyboard.press('Escape');
    await button(page, 'Fortfahren, ohne zu kopieren').click();
    await row(page, 'laptop').getByText('Läuft nie ab').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    assert.equal(
      (await sendJson(service, '/api/links', { targetUrl: 'https://example.com/' }, { headers: bearer(key) }))
        .status,
      201,
    );
    await addPerson(service, 'zoe');
  });
});

test('an administrator mails an invitation and makes another one; the person changes the name', async (t) => {
  const smtp = await startSmtpServer(t);
  const mailed = [
    `--app.mail.url=smtp://127.0.0.1:${smtp.port}?tls=none`,
    '--app.mail.from=links@example.com',
  ];
  const service = await startService(t, { flags: ['--app.access=keys', ...mailed] });
  const page = await openAs(t, service, await personHeaders(service, 'ada'), '/people');
  await button(page, 'Add person').click();
  await page.getByLabel('Name', { exact: true }).fill('Anna Berg');
  await page.getByLabel('Email').fill('anna@example.com');
  await page.getByText('The link to set a password can be mailed to this address.').waitFor();
  await dialog(page, 'Add person').getByRole('button', { name: 'Add person' }).click();
  await readSecret(page);
  await button(page, 'Mail invitation link').click();
  await page.getByText('Mailed to anna@example.com.').waitFor();
  await assertAccessible(page);
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [['anna@example.com']],
  );
  await button(page, 'Done').click();
  await choose(page, 'Actions: Anna Berg', 'New invitation link');
  await button(page, 'New invitation link').click();
  await dialog(page, 'Invitation link for Anna Berg').waitFor();
  await readSecret(page);
  await smtp.close();
  await button(page, 'Mail invitation link').click();
  await page.getByRole('alert').getByText('The email could not be sent.').waitFor();
  const anna = await service.stores.store.people.findPerson('anna berg');
  assert.ok(anna);
  const account = await openAs(t, service, await sessionHeaders(service, anna), '/account');
  await account.getByRole('banner').getByText('Anna Berg').waitFor();
  await account.getByLabel('Name as shown').fill('ada');
  await button(account, 'Save name').click();
  await account.getByRole('alert').getByText('This name is taken').waitFor();
  await account.getByLabel('Name as shown').fill('A. Berg');
  await button(account, 'Save name').click();
  await account.getByText('Your name was saved.').waitFor();
  await account.getByRole('banner').getByText('A. Berg').waitFor();
  await assertAccessible(account);
  await assertFits(account);
  await page.reload();
  await row(page, 'A. Berg').getByText('Signs in as anna berg').waitFor();
});

test('no page of a person who may only create links sends a request that is refused', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const bob = await personHeaders(service, 'bob', ['create']);
  await sendFromPage(service, 'POST', '/api/links', { targetUrl: 'https://example.com/' }, bob);
  const page = await openAs(t, service, bob, '/account');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401 || response.status() === 403)
      refused.push(`${response.status()} ${response.url()}`);
  });
  for (const path of ['/', '/links', '/dashboard', '/account', '/people']) {
    await page.goto(service.url + path, { waitUntil: 'networkidle' });
    await page.locator('main h1').first().waitFor();
  }
  assert.deepEqual(refused, []);
});

test('a delivery record names its sender as the page does, and as the saved history does', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const person = await addPerson(service, 'ada', { displayName: 'Ada Miller', scopes: ['create', 'read'] });
  const ada = await sessionHeaders(service, person, true);
  const created = await sendFromPage(service, 'POST', '/api/links', { targetUrl: TARGET }, ada);
  const page = await openAs(t, service, ada, `/links/${shortCodeOf(created)}?show=record`);
  const facts = page.locator('.record dl');
  await facts.getByText('Ada Miller; in the saved history: ada', { exact: true }).waitFor();
  await assertAccessible(page);
});

test('people see the space of their files, and administrators that of all', async (t) => {
  const flags = ['--app.access=keys', '--app.storage.quota-per-owner=1KB', '--app.storage.quota=1MB'];
  const service = await startService(t, { flags });
  const scopes = ['create', 'read', 'admin'] as const;
  const person = await addPerson(service, 'ada', { displayName: 'Ada Miller', scopes: [...scopes] });
  const ada = await sessionHeaders(service, person, true);
  await sendFromPage(service, 'POST', '/api/teams', { name: 'press', members: ['ada'] }, ada);
  const text = 'x'.repeat(500);
  await sendFromPage(service, 'POST', '/api/links', { text, team: 'press' }, ada);
  const account = await openAs(t, service, ada, '/account');
  await account.getByText('500 bytes of 1 kB used').waitFor();
  await assertAccessible(account);
  const page = await openAs(t, service, ada, '/people?show=space', { device: 'phone', theme: 'dark' });
  await row(page, 'Ada Miller').getByText('500 bytes of 1 kB used').waitFor();
  await row(page, 'press').getByText('500 bytes used').waitFor();
  await assertAccessible(page);
  await assertFits(page);
  const create = await openAs(t, service, ada, '/');
  await chooseFiles(create, { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(600) });
  await create.getByRole('button', { name: en['create.submit'] }).click();
  await create.getByText(en['error.quotaExceeded']).waitFor();
  await assertAccessible(create);
});

test('a colleague who is invited sends a first file, in four pages of both', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  recordSecret(NEW_PASSWORD);
  let pages = 0;
  const count = (page: Page) => page.on('domcontentloaded', () => pages++);
  const admin = await openAs(t, service, await personHeaders(service, 'ada'), '/');
  await admin.getByRole('link', { name: 'People', exact: true }).waitFor();
  pages = 1;
  count(admin);
  await admin.getByRole('link', { name: 'People', exact: true }).click();
  await button(admin, 'Add person').click();
  await dialog(admin, 'Add person').getByText('You get a link with which').waitFor();
  await assertAccessible(admin);
  await admin.getByLabel('Name').fill('bob');
  await dialog(admin, 'Add person').getByRole('button', { name: 'Add person' }).click();
  const link = await readSecret(admin);
  const colleague = await openPage(t, { device: 'phone' });
  count(colleague);
  await colleague.goto(link.replace('http://localhost:8080', service.url));
  await colleague.locator('form').getByText('bob', { exact: true }).waitFor();
  await assertAccessible(colleague);
  await assertFits(colleague);
  await colleague.locator('#new-password').fill(NEW_PASSWORD);
  await colleague.keyboard.press('Enter');
  await colleague.getByText('Welcome, bob. Create a link here').waitFor();
  await chooseFiles(colleague, { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('content') });
  await button(colleague, 'Create link').click();
  await createdShortCode(colleague);
  assert.equal(pages, 4);
});
