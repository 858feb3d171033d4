import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPasswordLink } from '../../src/core/model/people/person.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { chooseFiles, createInPage, TARGET } from '../support/create-page.ts';
import { addKey } from '../support/keys.ts';
import { recordSecret } from '../support/log-secrets.ts';
import { assertBecomes, assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { addPerson, OWN_PAGE, PASSWORD, sendFromPage } from '../support/people.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();
const NEW_PASSWORD = 'a longer passphrase';

/** Returns all that a page finds in the storage of the browser. */
const stored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(`({ ...localStorage, ...sessionStorage })`);

/** Returns the headers of a page with the cookies of its browser. */
async function credentialsOf(page: Page): Promise<Record<string, string>> {
  const cookies = await page.context().cookies();
  return { ...OWN_PAGE, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  const form = page.getByRole('form', { name: 'Sign in' });
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByLabel('Password', { exact: true }).press('Enter');
}

const NO_LINKS = 'Links appear here as soon as they are created.';

test('people sign in on the pages', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  recordSecret(NEW_PASSWORD);
  await addPerson(service, 'ada');

  await t.test('a person signs in once for all tabs, with the keyboard, and signs out of all', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(service.url);
    await waitForFocus(page, page.getByLabel('Name', { exact: true }));
    await assertAccessible(page);
    await assertFits(page);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Enter your name and your password.').waitFor();
    await waitForFocus(page, page.getByLabel('Name', { exact: true }));
    for (const wrong of ['wrong', 'wrong too']) {
      await signIn(page, 'ada', wrong);
      await page.getByRole('alert').getByText('The name or the password is wrong.').waitFor();
      await waitForFocus(page, page.getByLabel('Password', { exact: true }));
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'ada');
    }
    await signIn(page, 'ada@example.com');
    await page.getByRole('alert').getByText('Your name may differ from your email address.').waitFor();
    await waitForFocus(page, page.getByLabel('Name', { exact: true }));
    await assertAccessible(page);
    await signIn(page, 'Ada');
    await createInPage(page);
    assert.equal(await page.evaluate<string>('document.cookie + sessionStorage.length'), '0');
    const other = await page.context().newPage();
    await other.goto(`${service.url}/links`);
    await other.locator('tbody tr').first().waitFor();
    await button(other, 'Account and language').click();
    await assertAccessible(other);
    await button(other, 'Sign out').click();
    await other.getByLabel('Name', { exact: true }).waitFor();
    await page.reload();
    await page.getByLabel('Name', { exact: true }).waitFor();
  });

  await t.test('the list of links is the same on every machine, and stores no token', async (t) => {
    const first = await openPage(t);
    await first.goto(service.url);
    await signIn(first, 'ada');
    const shortCode = await createInPage(first);
    const other = await openPage(t, { device: 'phone' });
    await other.goto(service.url);
    await signIn(other, 'ada');
    const row = other.locator('.my-link', { hasText: shortCode });
    await row.getByText(TARGET).waitFor();
    await row.getByText('Not opened yet.').waitFor();
    await assertAccessible(other);
    await assertFits(other);
    await button(other, `Revoke link: ${shortCode}`).click();
    await button(other, 'Revoke link').click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    for (const page of [first, other]) assert.doesNotMatch(JSON.stringify(await stored(page)), /link_/);
  });

  await t.test('after a sign-out, another person finds nothing of the first in the browser', async (t) => {
    await addPerson(service, 'mallory', { scopes: ['create'] });
    const page = await openPage(t);
    await page.addInitScript(`localStorage.setItem('postern.language', 'en')`);
    await page.goto(service.url);
    await signIn(page, 'ada');
    await page.getByRole('radio', { name: 'One view' }).click();
    await page.getByText('More options', { exact: true }).click();
    await page.getByLabel('Label', { exact: true }).fill('Merger');
    await button(page, 'Templates').click();
    await page.getByRole('menuitem', { name: /^Save/ }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('Secret plan');
    await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click();
    const shortCode = await createInPage(page);
    await page.goto(`${service.url}/links?label=Merger`);
    await page.locator('tbody tr').first().waitFor();
    await button(page, 'Saved filters').click();
    await page.getByRole('menuitem', { name: /^Save/ }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('Mergers');
    await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click();
    await page.goto(service.url);
    // An upload whose connection is cut is not finished, and its browser remembers it.
    await page.route(/\/api\/uploads\/\w/, (route) => route.abort('connectionreset'));
    const upload = { name: 'merger.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(1000) };
    await chooseFiles(page, upload);
    await button(page, 'Create link').click();
    await assertBecomes(async () => JSON.stringify(await stored(page)).includes('merger.pdf'), true);
    const before = JSON.stringify(await stored(page));
    for (const text of ['Secret plan', 'Mergers', 'ONCE']) assert.ok(before.includes(text), text);
    await page.evaluate(`sessionStorage.setItem('postern.token.x', 'link_x')`);

    const aside = await page.context().newPage();
    await aside.goto(service.url);
    await aside.locator('.my-link').first().waitFor();
    await aside.getByLabel('Paste a URL').fill('https://example.com/draft');
    await button(page, 'Sign out').click();
    for (const each of [page, aside]) await each.getByLabel('Name', { exact: true }).waitFor();
    const { 'postern.sign-out': mark, ...rest } = await stored(page);
    assert.ok(mark);
    assert.deepEqual(rest, { 'postern.language': 'en' });
    await page.goBack();
    await page.getByLabel('Name', { exact: true }).waitFor();
    await page.goto(service.url);

    for (const each of [page, aside]) {
      await each.bringToFront();
      if (each === page) await signIn(each, 'mallory');
      else await each.reload();
      await each.getByText(NO_LINKS).waitFor();
      assert.equal(await each.getByLabel('Paste a URL').inputValue(), '');
      assert.equal(await each.locator('.my-link, .unfinished, .recent-settings').count(), 0);
      await button(each, 'Templates').click();
      assert.deepEqual(await each.getByRole('menuitem').allInnerTexts(), ['Save settings']);
      await each.goto(`${service.url}/links/${shortCode}`);
      await each.getByRole('heading', { name: 'This link is not one of yours' }).waitFor();
      await each.getByText('Ask its owner to share it with one of your teams').waitFor();
      assert.equal(await each.getByLabel('Link token or API key').count(), 0);
      await assertAccessible(each);
    }
    const left = await sendFromPage(service, 'DELETE', `/l/${shortCode}`, undefined, {
      ...(await credentialsOf(page)),
    });
    assert.equal(left.status, 403);
  });

  await t.test('another person who signs in after an end of the session finds an empty page', async (t) => {
    const kept = 'https://example.com/of-the-first';
    await addPerson(service, 'frank', { scopes: ['create'] });
    const grace = await addPerson(service, 'grace', { scopes: ['create'] });
    const page = await openPage(t);
    await page.goto(service.url);
    await signIn(page, 'grace');
    await page.getByRole('radio', { name: 'One view' }).click();
    await createInPage(page);
    await button(page, 'Create another link').click();
    await page.getByLabel('Paste a URL').fill(kept);
    const { people } = service.stores.store;
    for (const { hash } of await people.listSessions(grace.id)) await people.endSession(grace.id, hash);
    await button(page, 'Create link').click();
    await page.getByText('You are no longer signed in.').waitFor();
    await signIn(page, 'frank');
    await page.getByText(NO_LINKS).waitFor();
    assert.equal(await page.getByLabel('Paste a URL').inputValue(), '');
    assert.equal(await page.locator('.my-link, .recent-settings').count(), 0);
  });

  await t.test('a signed-out person signs in on the page of a link, and stays on it', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(service.url);
    await signIn(page, 'ada');
    const address = `${service.url}/links/${await createInPage(page)}`;
    await button(page, 'Account and language').click();
    await button(page, 'Sign out').click();
    await page.getByLabel('Name', { exact: true }).waitFor();
    await page.goto(address);
    await waitForFocus(page, page.getByLabel('Name', { exact: true }));
    await page.getByText('contains the IP addresses').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await button(page, 'Use the token of the link or an API key instead').click();
    await page.getByLabel('Link token or API key').waitFor();
    await assertAccessible(page);
    await button(page, 'Use name and password instead').click();
    await signIn(page, 'ada');
    await page.locator('.entry').first().waitFor();
    assert.equal(page.url(), address);
  });

  await t.test('a page to return to is one of the service, and is left once', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/account`);
    await signIn(page, 'ada');
    await page.getByText('This browser').waitFor();
    const name = 'postern.provider-check-page';
    const { host } = new URL(service.url);
    for (const to of [
      'https://evil.example/',
      `${service.url}.evil.example/`,
      `${service.url}@evil.example/`,
      `//${host}/links`,
      'javascript:document.title=1',
    ]) {
      await page.evaluate(`sessionStorage.setItem('${name}', ${JSON.stringify(to)})`);
      await page.reload();
      await page.getByText('This browser').waitFor();
      assert.equal(page.url(), `${service.url}/account`, to);
      assert.equal(await page.evaluate(`sessionStorage.getItem('${name}')`), null);
    }
    await page.evaluate(`sessionStorage.setItem('${name}', '${service.url}/links?search=report')`);
    await page.reload();
    await page.waitForURL(`${service.url}/links?search=report`);
  });

  await t.test('a browser that keeps no cookie gets the reason', async (t) => {
    const page = await openPage(t);
    await page.route('**/api/sessions', (route) => route.fulfill({ status: 204 }));
    await page.goto(service.url);
    await signIn(page, 'ada');
    await page.getByRole('alert').getByText('You can sign in only over https.').waitFor();
  });

  await t.test('a person can use an API key instead', async (t) => {
    const key = await addKey(service, 'ci', ['create']);
    const page = await openPage(t);
    await page.goto(service.url);
    await tabTo(page, 'button', 'Sign in');
    await page.keyboard.press('Tab');
    await waitForFocus(page, button(page, 'Use an API key instead'));
    await page.keyboard.press('Enter');
    await assertAccessible(page);
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('banner').getByText('ci').waitFor();
  });

  await t.test('a link sets a password, and the account shows what the person may do', async (t) => {
    const { url, ...link } = newPasswordLink(service.url, service.clock.now);
    await addPerson(service, 'bob', { passwordHash: null, link, scopes: [] });
    const page = await openPage(t);
    await page.goto(url);
    await page.getByRole('heading', { name: 'Set your password' }).waitFor();
    await page.locator('form').getByText('bob', { exact: true }).waitFor();
    await page.getByLabel('New password').fill('too short');
    await button(page, 'Save password').click();
    await page.getByRole('alert').getByText('Use at least 12 characters.').waitFor();
    await assertAccessible(page);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.getByText('You have no permissions yet.').waitFor();
    assert.equal(new URL(page.url()).hash, '');
    for (const [path, text] of [
      ['/', 'Ask the administrator for the permission “Create links”.'],
      ['/links', 'Ask the administrator for the permission to create them or to see all.'],
      ['/people', 'Only administrators can manage people, teams and API keys.'],
    ] as const) {
      await page.goto(service.url + path);
      await page.getByText(text).waitFor();
      assert.equal(await page.locator('form, table').count(), 0, path);
      await assertAccessible(page);
    }
    await page.goto(`${service.url}/sign-in`);
    await page.waitForURL(/\/account$/);
    assert.equal(await page.getByRole('navigation').count(), 0, 'no page can be used');
    const again = await openPage(t);
    await again.goto(url);
    const ended = 'This link, which sets a password, no longer works or is incomplete.';
    await again.getByText(ended).waitFor();
    assert.equal(await again.locator('form').count(), 0);
    await again.goto(newPasswordLink(service.url, service.clock.now).url.slice(0, -8));
    await again.getByText(ended).waitFor(); // a mail program cut it
    await assertAccessible(again);
    await again.getByRole('link', { name: 'Sign in' }).click();
    await again.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(url);
    await page.getByText(ended).waitFor();
    await page.getByRole('main').getByText('Signed in as bob').waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  await t.test('after a first password, a person is welcomed to the form for a first link', async (t) => {
    const { url, ...link } = newPasswordLink(service.url, service.clock.now);
    await addPerson(service, 'dana', { passwordHash: null, link, scopes: ['create'] });
    const page = await openPage(t, { device: 'phone', locale: 'de' });
    await page.goto(url);
    await assertBecomes(() => page.title(), 'Postern: Passwort festlegen');
    await page.locator('#new-password').fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    const welcome = page.getByText('Willkommen, dana. Erstellen Sie hier einen Link');
    await welcome.waitFor();
    await page.waitForURL(`${service.url}/`);
    await page.getByText('Links erscheinen hier, sobald').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await page.locator('#targetUrl').fill(TARGET);
    await button(page, 'Link erstellen').click();
    await page.locator('.my-link').first().waitFor();
    assert.equal(await welcome.count(), 0);
    for (const [path, title] of [
      ['links', 'Links'],
      ['account', 'Ihr Konto'],
      ['verify', 'Verlauf überprüfen'],
    ]) {
      await page.goto(`${service.url}/${path}`);
      await assertBecomes(() => page.title(), `Postern: ${title}`);
    }
  });

  await t.test('a person ends other sessions, and changes the password', async (t) => {
    const page = await openPage(t);
    const other = await openPage(t);
    for (const each of [page, other]) {
      await each.goto(`${service.url}/account`);
      await signIn(each, 'ada');
      await each.getByText('This browser').waitFor();
    }
    await page.reload();
    await page.getByText('Create links', { exact: true }).waitFor();
    await assertBecomes(
      () => page.locator('h1, h2').allInnerTexts(),
      [
        ...['Your account', 'ada', 'Where you are signed in', 'Change your password', 'Storage space'],
        ...['Your permissions', 'API keys'],
      ],
    );
    await page.getByText(/^Your files use [\d,]+ bytes\.$/).waitFor();
    await page
      .getByText(/^Chrome on \w+$/)
      .first()
      .waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), /Mozilla|administrator gave/);
    await assertAccessible(page);
    await assertFits(page);
    await button(page, 'Sign out everywhere else').click();
    await button(page, 'Sign out everywhere else').waitFor({ state: 'detached' });
    await other.reload();
    await signIn(other, 'ada');
    await page.getByRole('heading', { name: 'Change your password' }).waitFor();
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await button(page, 'Save password').click();
    await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
    await waitForFocus(page, page.getByLabel('Current password'));
    await page.getByLabel('Current password').fill(PASSWORD);
    await button(page, 'Save password').click();
    await page.getByText('Your password was changed').waitFor();
    await other.reload();
    await signIn(other, 'ada', NEW_PASSWORD);
    await other.getByText('This browser').waitFor();
  });

  await t.test('a session that ended meanwhile asks again, and what was entered stays', async (t) => {
    const eve = await addPerson(service, 'eve');
    const page = await openPage(t);
    await page.goto(service.url);
    const listed = page.waitForResponse(/mine=true/);
    await signIn(page, 'eve');
    await listed;
    await page.getByLabel('Paste a URL').fill('https://example.com/kept');
    const { people } = service.stores.store;
    for (const { hash } of await people.listSessions(eve.id)) await people.endSession(eve.id, hash);
    await button(page, 'Create link').click();
    await page.getByText('You are no longer signed in.').waitFor();
    await signIn(page, 'eve');
    await page.getByText('You were signed out before this was finished.').waitFor();
    assert.equal(await page.getByLabel('Paste a URL').inputValue(), 'https://example.com/kept');
  });
});
