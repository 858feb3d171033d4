import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const NOTICE = 'Jeder, der diesen Dienst erreicht, kann Links erstellen und widerrufen.';

test('a service that is open to everyone says so', async (t) => {
  const service = await startService(t);
  await t.test('the notice explains the way to accounts, and is dismissed for all pages', async (t) => {
    const page = await openPage(t, { device: 'phone', locale: 'de-DE' });
    for (const path of ['/dashboard', '/links', '/']) {
      await page.goto(service.url + path);
      await page.getByText(NOTICE).waitFor();
      await assertFits(page);
    }
    await tabTo(page, 'button', 'Konten einrichten …');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Konten einrichten' });
    await dialog.getByText('app.access=keys').waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await waitForFocus(page, page.getByRole('button', { name: 'Konten einrichten …' }));
    await page.getByRole('button', { name: 'Ausblenden' }).click();
    await page.getByText(NOTICE).waitFor({ state: 'detached' });
    await page.goto(`${service.url}/links`);
    await page.getByLabel('API-Schlüssel').waitFor();
    await page.getByText('postern keys create me --scopes=create,read,manage').waitFor();
    assert.equal(await page.getByText('Fragen Sie den Administrator').count(), 0, 'who may be the reader');
    assert.equal(await page.getByText(NOTICE).count(), 0);
  });
});

test('a service that asks for credentials has no such notice', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  await t.test('the sign-in is shown alone', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await page.getByLabel('API key').waitFor();
    await page.getByText('Ask the administrator of this service').waitFor();
    assert.equal(await page.getByText('Anyone who can reach this service').count(), 0);
  });
});
