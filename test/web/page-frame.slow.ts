import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, type Language } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import { SCOPES } from '../../src/core/model/people/caller.ts';
import { de } from '../../web/shell/help/texts/de.ts';
import { en } from '../../web/shell/help/texts/en.ts';
import { es } from '../../web/shell/help/texts/es.ts';
import { fr } from '../../web/shell/help/texts/fr.ts';
import { pt } from '../../web/shell/help/texts/pt.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { addKey } from '../support/keys.ts';
import { assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const HELP = { en, pt, es, de, fr };
/** The name of the button that opens the help. */
const BUTTONS: Record<Language, string> = { en: 'Help', pt: 'Ajuda', es: 'Ayuda', de: 'Hilfe', fr: 'Aide' };

test('the header and the footer', async (t) => {
  const service = await startService(t);
  const key = await addKey(service, 'a-key-with-a-long-name', SCOPES);

  await t.test('a phone has account and language in one menu, and a header of two lines', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(`${service.url}/dashboard`);
    await page.evaluate(`sessionStorage.setItem('postern.key', '${key}')`);
    await page.reload();
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await tabTo(page, 'button', 'Account and language');
    const { height } = (await page.getByRole('banner').boundingBox()) ?? { height: Number.NaN };
    assert.ok(height <= 110, `${height} px`);
    assert.equal(await signOut.isVisible(), false);
    await page.keyboard.press('Enter');
    await page.getByText('a-key-with-a-long-name', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Account', exact: true }).waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('button', { name: 'Abmelden' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Abmelden' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Konto und Sprache' }).click();
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('combobox', { name: 'Sprache' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Konto und Sprache' }).count(), 0);
  });

  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await t.test(`the help answers questions in ${language}, and closes on Escape`, async (t) => {
      const page = await openPage(t, { device: 'phone', locale: language });
      await page.goto(service.url + (language === 'en' ? '/verify' : ''));
      const button = page.getByRole('button', { name: BUTTONS[language], exact: true });
      await button.click();
      const dialog = page.getByRole('dialog', { name: BUTTONS[language] });
      const text = prepareTranslate<typeof en>(language, HELP[language]);
      const close = await dialog.getByRole('button').last().boundingBox();
      assert.ok(close && close.y + close.height <= 844, `the button to close is in sight: ${close?.y}`);
      await dialog.getByText(text('further.question'), { exact: true }).click();
      await dialog.getByText(text('further.answer'), { exact: true }).waitFor();
      assert.equal(await dialog.locator('summary').count(), Object.keys(en).length / 2);
      assert.equal((await dialog.innerText()).includes('{'), false);
      await assertAccessible(page);
      await assertFits(page);
      await page.keyboard.press('Escape');
      await waitForFocus(page, button);
    });
  }
});
