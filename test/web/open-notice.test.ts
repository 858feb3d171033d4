import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { addKey } from '../support/keys.ts';
import { assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { personHeaders } from '../support/people.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const NOTICE = 'Jeder, der diesen Dienst erreicht, kann Links erstellen und zurückziehen.';

test('a service that is open to everyone says so', async (t) => {
  const service = await startService(t);
  await t.test('the notice explains the way to accounts, and is dismissed for all pages', async (t) => {
    const page = await openPage(t, { device: 'phone', locale: 'de-DE' });
    for (const path of ['/dashboard', '/']) {
      await page.goto(service.url + path);
      await page.getByText(NOTICE).waitFor();
      await assertFits(page);
    }
    await tabTo(page, 'button', 'Konten einrichten …');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Konten einrichten' });
    await dialog.getByText('app.access=keys', { exact: true }).waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await waitForFocus(page, page.getByRole('button', { name: 'Konten einrichten …' }));
    await page.getByRole('button', { name: 'Ausblenden' }).click();
    await page.getByText(NOTICE).waitFor({ state: 'detached' });
    await page.goto(`${service.url}/links`);
    await page.getByText('Alle Links dieses Dienstes').click();
    await page.getByText('postern keys create me --scopes=create,read,manage,admin').waitFor();
    assert.equal(await page.getByText(NOTICE).count(), 0);
    await assertFits(page);
  });

  await t.test('the list of links shows those of the browser, and the way to all', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(`${service.url}/links`);
    await page.getByText('Links you create appear here.').waitFor();
    await page.getByRole('link', { name: 'New link' }).last().click();
    await page.getByLabel('Paste a URL').fill('https://example.com/plans');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Links' }).click();
    await page.getByRole('heading', { name: 'Links created in this browser' }).waitFor();
    await page.locator('.my-link').getByText('Not opened yet.').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    assert.deepEqual(await page.getByRole('navigation').getByRole('link').allInnerTexts(), [
      ...['New link', 'Links', 'Dashboard'],
    ]);
    assert.equal(await page.getByText('Set up accounts').count(), 0, 'the page names one way to all links');
    assert.equal(await page.getByText('postern keys create me').isVisible(), false);
    await page.getByText('All links of this service').click();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('postern keys create me').waitFor();
    assert.equal(await page.getByText('Ask the administrator').count(), 0, 'who may be the reader');
    await assertAccessible(page);
    await page.getByLabel('API key').fill(await addKey(service, 'me', ['create', 'read']));
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.locator('main'));
    assert.equal(await page.evaluate('scrollY'), 0);
    await page.getByRole('radio', { name: 'All links' }).check();
    await page.getByText('1 link shown · 1 in total').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    assert.equal(await page.getByText('Set up accounts').count(), 0, 'not for users who have signed in');
  });

  await t.test('who adds a person learns what closes the service', async (t) => {
    const { cookie } = await personHeaders(service, 'ada');
    const page = await openPage(t);
    await page
      .context()
      .addCookies([{ name: 'postern', value: cookie.split('=')[1] ?? '', url: service.url }]);
    await page.goto(`${service.url}/people`);
    await page.getByRole('button', { name: 'Add person' }).click();
    const note = page.getByRole('dialog').getByText('Set app.access=keys on the server and restart');
    await note.waitFor();
    assert.deepEqual(await note.locator('code').allInnerTexts(), [
      'app.access=keys',
      '/etc/postern/postern.conf',
      'APP_ACCESS=keys',
      'npm start -- --app.access=keys',
    ]);
    await assertAccessible(page);
  });
});

test('a service that asks for credentials has no such notice', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  await t.test('the sign-in is shown alone', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await page.getByLabel('API key').waitFor();
    await page.getByText('Ask the administrator of this service').waitFor();
    assert.equal(await page.getByRole('navigation').count(), 0, 'no page can be used yet');
    assert.equal(await page.getByRole('link', { name: 'API reference' }).count(), 0);
    assert.equal(await page.getByText('Anyone who can reach this service').count(), 0);
  });
});
