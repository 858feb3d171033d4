import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { LANGUAGES } from '../../src/common/languages.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import {
  chooseFiles,
  chooseSource,
  createdShortCode,
  createInPage,
  describeLink,
  FILE,
  openCreatePage,
  TARGET,
} from '../support/create-page.ts';
import { send, until } from '../support/http-client.ts';
import { openLink } from '../support/links.ts';
import { asksBeforeLeaving, assertBecomes, assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService, testClock } from '../support/service.ts';

const { openPage } = await startBrowser();
/** Runs in the page: borders are wider in high contrast. */
const BORDER_WIDTH = `getComputedStyle(document.querySelector('.button')).borderTopWidth`;

test('creating a link', async (t) => {
  const service = await startService(t, { clock: testClock(Date.now()) });
  const open = (t: TestContext, options?: PageOptions) => openCreatePage(openPage, t, service, options);

  await t.test('the navigation stays in one line on a phone, in each language', async (t) => {
    const page = await open(t, { device: 'phone' });
    for (const language of Object.keys(LANGUAGES)) {
      await page.locator('.language select').selectOption(language);
      await page.locator(`html[lang=${language}]`).waitFor();
      await assertFits(page);
      for (const link of await page.locator('.site-nav, .site-nav a').all()) {
        const box = await link.boundingBox();
        assert.ok(box && box.height < 50, `${language}: ${await link.innerText()} ${JSON.stringify(box)}`);
      }
    }
  });

  const WINDOWS = [
    { viewport: { width: 1280, height: 720 } },
    { viewport: { width: 1280, height: 720 }, locale: 'de' },
    { device: 'phone' },
    { device: 'phone', viewport: { width: 320, height: 568 }, locale: 'fr' },
  ] as const satisfies PageOptions[];

  for (const options of WINDOWS) {
    await t.test(`the button is in view without scrolling: ${JSON.stringify(options)}`, async (t) => {
      const page = await open(t, options);
      const button = page.locator('.link-form [type=submit]');
      await chooseFiles(page, FILE);
      await page.locator('.source-file').waitFor();
      if (!('device' in options)) await assertRowsInView(page);
      const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
      assert.ok(y + height <= Number(await page.evaluate('innerHeight')), `the button ends at ${y + height}`);
      await assertFits(page);

      // With the keyboard, it covers no control that has the focus.
      await page.locator('[name=kind]:checked').focus();
      for (;;) {
        await page.keyboard.press('Tab');
        if (await button.evaluate((each) => each.matches(':focus'))) break;
        const control = await page.locator(':focus').boundingBox();
        const bar = await page.locator('.form-end').boundingBox();
        assert.ok(
          control && bar && control.y + control.height <= bar.y,
          await page.locator(':focus').evaluate((each) => each.outerHTML),
        );
      }
    });
  }

  for (const [kind, rows] of [
    ['TEXT', ['#text']],
    ['REQUEST', ['#message', '#maxFiles', '#maxBytes']],
  ] as const)
    await t.test(`the form of a ${kind} has all essential rows in view, and ends after a week`, async (t) => {
      for (const locale of ['en', 'de']) {
        const page = await open(t, { viewport: { width: 1280, height: 720 }, locale });
        await chooseSource(page, kind);
        await page.locator(rows[0]).waitFor();
        await assertRowsInView(page, rows);
        assert.equal(await page.locator('[name=expiry]:checked').inputValue(), 'WEEK');
        await assertAccessible(page);
      }
    });

  await t.test('at 1280 pixels, the latest links lie beside the form, each with its answer', async (t) => {
    const page = await open(t, { viewport: { width: 1280, height: 720 } });
    const shortCode = await createInPage(page);
    await openLink(service, shortCode);
    await page.reload();
    const answer = page.locator('.my-link').getByText(/^Opened once, /);
    await answer.waitFor();
    const { x = 0, y = Infinity } = (await answer.boundingBox()) ?? {};
    const form = await page.locator('.link-form').boundingBox();
    assert.ok(form && x > form.x + form.width && y < 720, JSON.stringify({ x, y, form }));
    await assertAccessible(page);
  });

  await t.test('a touch device shows no hint to drop files, and no button for folders', async (t) => {
    for (const [device, count] of [
      ['desktop', 1],
      ['phone', 0],
    ] as const) {
      const page = await open(t, { device });
      await chooseSource(page, 'FILES');
      await page.getByRole('button', { name: 'Choose files' }).waitFor();
      for (const text of ['Or drop files anywhere on this page.', 'Choose folder'])
        assert.equal(
          await page.getByText(text).filter({ visible: true }).count(),
          count,
          `${device}: ${text}`,
        );
    }
  });

  await t.test('a link to a URL is created with a pointer, on a phone', async (t) => {
    const page = await open(t, { device: 'phone' });
    assert.equal(await page.locator(':focus').count(), 0, 'the keyboard of the phone stays closed');
    await assertAccessible(page);
    await assertFits(page);
    await page.getByLabel('Paste a URL').fill(TARGET);
    assert.equal(await page.getByLabel('Notify me').count(), 0, 'this service sends no mail');
    await page.getByText('More options', { exact: true }).click();
    await page.getByText('If it is empty, they read that you gave no name.').waitFor();
    assert.equal(await page.getByText('your account').count(), 0, 'there are no accounts');
    await page.getByText('More options', { exact: true }).click();
    await page.getByRole('radio', { name: 'In 1 week' }).click();
    await page.getByRole('radio', { name: 'Custom' }).click();
    await page.getByLabel('views', { exact: true }).fill('2');
    await page.getByLabel('Password', { exact: true }).fill('open sesame');
    await assertAccessible(page);
    await assertFits(page);
    const responded = page.waitForResponse('**/api/links');
    await page.getByRole('button', { name: 'Create link' }).click();

    const shortCode = await createdShortCode(page);
    const { y = Infinity } = (await page.locator('#result-title').boundingBox()) ?? {};
    assert.ok(y >= 0 && y < 100, `the result is at the top of the window: ${y}`);
    await page.locator('.badge').waitFor();
    const result = page.locator('.result');
    await result.getByText('Opening a link yourself counts too.').waitFor();
    const { 'x-link-fingerprint': fingerprint = '' } = (await responded).headers();
    assert.equal(await page.getByText(fingerprint, { exact: true }).isVisible(), false);
    await page.getByText('Proof', { exact: true }).click();
    await page.getByText(fingerprint, { exact: true }).waitFor();
    await page.getByText('It proves only how and when this link was created.').waitFor();
    const record = page.getByRole('link', { name: 'Delivery record' });
    assert.equal(await record.getAttribute('href'), `${service.url}/links/${shortCode}?show=record`);
    const buttons = await result.getByRole('button').allInnerTexts();
    assert.equal(new Set(buttons).size, buttons.length, `no two buttons have one name: ${buttons}`);
    await assertAccessible(page);
    await assertFits(page);
    assert.match(
      (await page.locator('.terms').innerText()).replaceAll('\n', ' '),
      /^Expires .* at .* \(UTC\) Views At most 2 views$/,
    );
    await page.getByText('it will not be shown again').waitFor();
    const link = await describeLink(service, shortCode);
    assert.equal(link['maxViews'], 2);
    assert.equal(link['passwordProtected'], true);
    assert.equal(link['confirm'], false, 'the page for the password asks already');
    const lastsMs = Date.parse(String(link['expiresAt'])) - service.clock();
    assert.ok(Math.abs(lastsMs - 7 * 86_400_000) < 3_600_000, `it expires after ${lastsMs} ms`);
    const response = await openLink(service, shortCode, { 'x-link-password': 'open sesame' });
    assert.equal(response.headers.location, TARGET);
  });

  await t.test('a link to a URL is created with the keyboard alone', async (t) => {
    const page = await open(t);
    await page.getByRole('heading', { name: 'New link' }).waitFor();
    await page.locator('#targetUrl:focus').waitFor();
    await page.keyboard.type(TARGET.replace('https://', ''));
    await tabTo(page, 'radio', 'Never');
    await assertBecomes(() => page.getByLabel('Paste a URL').inputValue(), TARGET, 'the scheme is added');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'radio', 'No limit');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'button', 'Generate');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Hide', exact: true }).waitFor();
    await page.getByText('More options', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await tabTo(page, 'checkbox', /^Ask before opening/);
    await page.keyboard.press('Space');
    await tabTo(page, 'button', 'Create link');
    await page.keyboard.press('Enter');

    const shortCode = await createdShortCode(page);
    await waitForFocus(page, page.getByRole('heading', { name: 'Your link is ready' }));
    await assertFits(page);
    const link = await describeLink(service, shortCode);
    assert.equal(link['maxViews'], 1);
    assert.equal(link['confirm'], true, 'it was switched on');
    assert.equal(link['passwordProtected'], true);
    const password = await page.locator('.secret-to-copy code').first().innerText();
    assert.match(password, /^(\w{5}-){3}\w{5}$/);
    assert.equal((await openLink(service, shortCode, { 'x-link-password': password })).status, 302);

    await tabTo(page, 'button', 'Create another link');
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByLabel('Paste a URL'));
    assert.equal(await page.getByLabel('Paste a URL').inputValue(), '');
  });

  await t.test('a link to a file is created with the keyboard alone', async (t) => {
    const page = await open(t);
    await page.getByRole('heading', { name: 'New link' }).waitFor();
    await tabTo(page, 'radio', 'URL');
    await page.keyboard.press('ArrowRight');
    await waitForFocus(page, page.getByRole('radio', { name: 'Files' }));
    await page.getByText('Files up to 2 GB').waitFor();
    await tabTo(page, 'button', 'Choose files');
    const choosing = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await choosing).setFiles(FILE);
    await page.getByText('report.pdf').waitFor();
    await assertAccessible(page);
    await tabTo(page, 'button', 'Remove file');
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByRole('button', { name: 'Choose files' }));
    const choosingAgain = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await choosingAgain).setFiles(FILE);
    await tabTo(page, 'button', 'Create link');
    await page.keyboard.press('Enter');
    const shortCode = await createdShortCode(page);
    const { confirm, ...link } = await describeLink(service, shortCode);
    assert.equal(confirm, true);
    assert.equal(await page.getByText('Chats and mail scanners').count(), 0);
    const expiresAt = String(link['expiresAt']);
    const leftMs = Date.parse(expiresAt) - service.clock();
    assert.ok(Math.abs(leftMs - 7 * 86_400_000) < 3_600_000, `a file ends after a week, not ${leftMs} ms`);
    const response = await openLink(service, shortCode, { accept: 'application/json' });
    assert.equal(response.text, 'its content');
    assert.match(String(response.headers['content-disposition']), /filename="report\.pdf"/);
    await assertFits(page);
  });

  await t.test('the form takes files and URLs dropped or pasted anywhere on the page', async (t) => {
    const page = await open(t);
    const address = () => page.getByLabel('Paste a URL').inputValue();
    // The page listens some time after it is shown.
    await until(() => transfer(page, 'drop', 'text/uri-list', TARGET));
    await assertBecomes(address, TARGET);
    await transfer(page, 'paste', 'text/plain', 'https://example.com/pasted');
    await assertBecomes(address, 'https://example.com/pasted');
    const field = '#password';
    assert.equal(
      await transfer(page, 'drop', 'text/plain', 'a password', field),
      false,
      'text dropped on a field belongs to that field',
    );
    assert.equal(await address(), 'https://example.com/pasted');
    await page.getByLabel('Paste a URL').fill('example.com');
    await transfer(page, 'paste', 'file', 'picture.png');
    await page.getByText('picture.png').waitFor();
    await chooseSource(page, 'URL');
    assert.equal(await address(), 'example.com', 'what was typed is kept');
    await page.getByRole('radio', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'Remove file' }).click();
    await transfer(page, 'drop', 'file', 'notes.txt');
    await page.locator('.source-file').getByText('notes.txt').waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    const opened = await openLink(service, await createdShortCode(page), { accept: 'application/json' });
    assert.equal(opened.text, 'content');
    const isPrevented = await transfer(page, 'drop', 'file', 'late.txt');
    assert.ok(isPrevented, 'a file dropped outside the form does not replace the page');
  });

  await t.test(
    'parameters of the address fill the form in, leave the address, and send nothing',
    async (t) => {
      const page = await openPage(t);
      page.on('request', (request) => assert.equal(request.method(), 'GET', request.url()));
      const label = page.getByLabel('Label', { exact: true });
      const target = encodeURIComponent(TARGET);
      for (const [given, field, value, title, left] of [
        [`?url=${target}&label=A%20%20b&text=A`, 'Paste a URL', TARGET, 'A b', ''],
        [`?text=${target}&label=${'x'.repeat(300)}`, 'Paste a URL', TARGET, 'x'.repeat(200), ''],
        [`?other=1&text=%3Cb%3E%20${target}`, 'Your text', `<b> ${TARGET}`, '', '?other=1'],
        [`?other=1#url=${target}&label=C`, 'Paste a URL', TARGET, 'C', '?other=1'],
        ['#main', 'Paste a URL', '', '', '#main'],
      ] as const) {
        await page.goto('about:blank');
        await page.goto(`${service.url}/${given}`);
        await assertBecomes(() => page.getByLabel(field).inputValue(), value, given);
        await assertBecomes(() => label.inputValue(), title, given);
        assert.equal(await label.isVisible(), title !== '', given);
        await page.waitForURL(`${service.url}/${left}`);
      }
      await page.goto(`${service.url}/?text=secret`);
      assert.equal(await page.getByRole('radio', { name: 'One view' }).isChecked(), true);
      assert.equal(await asksBeforeLeaving(page), true);
    },
  );

  await t.test('a bookmark and the manifest of the page open it with what is shared', async (t) => {
    const page = await open(t, { locale: 'de' });
    await page.getByText('Links aus anderen Seiten und Apps erstellen').click();
    const bookmark = page.getByRole('link', { name: 'Link mit Postern' });
    const address = String(await bookmark.getAttribute('href'));
    await bookmark.click(); // does nothing
    await assertAccessible(page);
    await page.evaluate(`globalThis.open = (url) => { globalThis.opened = url; }; document.title = 'a&b';`);
    await page.evaluate(decodeURIComponent(address.replace('javascript:', '')));
    const opened = `${service.url}/#url=${encodeURIComponent(page.url())}&label=a%26b`;
    assert.equal(await page.evaluate('opened'), opened);
    const session = await page.context().newCDPSession(page);
    const { errors, data } = await session.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data ?? '') as { icons: [{ src: string }] };
    const params = { title: 'label', text: 'text', url: 'url' };
    assert.partialDeepStrictEqual(manifest, {
      name: 'Postern',
      share_target: { action: './', method: 'GET', params },
    });
    const { src } = manifest.icons[0];
    assert.equal((await send(service, `/${src}`)).headers['content-type'], 'image/svg+xml');
  });

  await t.test('an expiry date is sent in UTC', async (t) => {
    const page = await open(t, { timezoneId: 'Asia/Kolkata' });
    await page.getByLabel('Paste a URL').fill(TARGET);
    await page.getByRole('radio', { name: 'On a date' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Enter a date and time.').waitFor();
    const date = page.locator('fieldset input[type=datetime-local]:not(#startsAt)');
    await assertBecomes(() => date.getAttribute('aria-invalid'), 'true');
    await date.fill('2099-12-31T18:00');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await describeLink(service, await createdShortCode(page));
    assert.equal(link['expiresAt'], '2099-12-31T12:30:00.000Z');
    assert.match(await page.locator('.terms').innerText(), /31 December 2099 at 18:00 \(Asia\//);
  });

  await t.test('an error is shown at its field, in the language of the page', async (t) => {
    const page = await openPage(t);
    for (const [name, field, fill, text] of [
      ['an invalid URL', 'Paste a URL', 'no URL', 'Enter a complete URL'],
      ['an empty URL', 'Paste a URL', '', 'Paste a URL, or choose above: files, a text or a file request.'],
      ['zero views', 'views', '0', 'Enter a number greater than 0'],
      ['a text in place of a number', 'views', 'many', 'Enter a whole number'],
      ['a password that no header can carry', 'Password', ' blank', 'Remove the spaces'],
    ] as const) {
      await page.goto(service.url);
      if (field !== 'Paste a URL') await page.getByLabel('Paste a URL').fill(TARGET);
      if (field === 'views') await page.getByRole('radio', { name: 'Custom' }).click();
      const input = page.getByLabel(field, { exact: true });
      await input.fill(fill);
      await page.getByRole('button', { name: 'Create link' }).click();
      await page.locator('.field-error').filter({ hasText: text }).waitFor();
      assert.equal(await page.locator('.field-error').count(), 1, name);
      await assertBecomes(() => input.getAttribute('aria-invalid'), 'true', name);
      await waitForFocus(page, input);
      const description = await page
        .locator(`#${await input.getAttribute('aria-describedby')}`)
        .textContent();
      assert.ok(description?.includes(text), `a screen reader announces the error with the field: ${name}`);
      if (field === 'Paste a URL') {
        assert.equal(
          await page.locator('#targetUrl + .field-error').count(),
          1,
          'the error is next to its field',
        );
      }
      if (name === 'an invalid URL') await assertAccessible(page);
      await input.fill('corrected');
      await page.locator('.field-error').waitFor({ state: 'detached' });
    }
  });

  await t.test('an error of a chosen lifetime is shown at the choice', async (t) => {
    const page = await open(t);
    await page.clock.setFixedTime(service.clock() - 2 * 86_400_000);
    await page.getByLabel('Paste a URL').fill(TARGET);
    await page.getByRole('radio', { name: 'In 1 day' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const choice = page.getByRole('radiogroup', { name: 'Expires' });
    await assertBecomes(() => choice.getAttribute('aria-invalid'), 'true');
    const error = page.locator(`#${await choice.getAttribute('aria-describedby')}`);
    assert.equal(await error.innerText(), 'Choose a time in the future.');
    await waitForFocus(page, page.getByRole('radio', { name: 'In 1 day' }));
    await assertAccessible(page);
    await page.getByRole('radio', { name: 'Never' }).click();
    await page.locator('.field-error').waitFor({ state: 'detached' });
  });

  await t.test('an unreachable service is reported, and the form stays filled', async (t) => {
    const page = await open(t);
    await page.getByLabel('Paste a URL').fill(TARGET);
    const suggested = page.getByText(
      'Unless you choose: URLs never expire, all other links after 1 week. Texts can be opened only once.',
    );
    await suggested.waitFor();
    await page.getByRole('radio', { name: 'In 1 week' }).click();
    await suggested.waitFor({ state: 'detached' });
    const lost = async (route: Route) => {
      await route.fetch();
      await route.fulfill({ status: 502, body: '<html>Bad gateway' });
    };
    await page.route('**/api/links', lost, { times: 1 });
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('alert').waitFor();
    await assertAccessible(page);
    const repeated = page.waitForResponse('**/api/links');
    await page.getByRole('button', { name: 'Create link' }).click();
    await createdShortCode(page);
    assert.equal((await repeated).headers()['idempotency-replayed'], 'true', 'there is one link');
  });

  await t.test('the browser asks before a filled form is left', async (t) => {
    const page = await open(t);
    const { url } = service;
    await page.getByLabel('Paste a URL').click();
    await page.keyboard.type(TARGET);
    page.once('dialog', (question) => void question.dismiss());
    const asked = page.waitForEvent('dialog');
    await page.getByRole('link', { name: 'Dashboard' }).click({ noWaitAfter: true });
    assert.equal((await asked).type(), 'beforeunload');
    assert.equal(page.url(), `${url}/`);
    await page.getByRole('button', { name: 'Create link' }).click();
    await createdShortCode(page);
    assert.equal(await asksBeforeLeaving(page), false);
  });

  await t.test('the link and its message are copied, and its QR code is saved as SVG and PNG', async (t) => {
    const page = await open(t, { permissions: ['clipboard-read', 'clipboard-write'] });
    const shortCode = await createInPage(page, () => page.getByRole('radio', { name: 'One view' }).click());
    await page.getByText('Opening the link yourself uses it up.').waitFor();
    // The base URL is not configured, so the link has the origin of the page.
    const url = `${service.url}/l/${shortCode}`;
    for (const [name, text] of [
      ['Copy link', url],
      ['Copy message', `Here is the page: ${url}\nIt can be opened once.`],
    ] as const) {
      const button = page.locator('.result').getByRole('button', { name, exact: true });
      await button.click();
      await page.locator('.result').getByRole('button', { name: 'Copied' }).first().waitFor();
      await assertBecomes(() => page.evaluate('navigator.clipboard.readText()'), text);
    }
    assert.equal(
      await page.locator('.terms').innerText(),
      'Expires\nNever\nViews\nAt most 1 view\nAsk before opening\nYes',
    );
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.getByRole('dialog', { name: 'QR code' }).locator('.qr').waitFor();
    await assertAccessible(page);
    for (const [kind, begin] of [
      ['SVG', /^<svg|^<\?xml/],
      ['PNG', /^.PNG/],
    ] as const) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save QR code as ${kind}` }).click();
      const download = await downloading;
      assert.equal(download.suggestedFilename(), `postern-${shortCode}.${kind.toLowerCase()}`);
      assert.match(readFileSync(await download.path(), 'latin1'), begin);
    }
  });

  await t.test('a failed copy is reported visibly', async (t) => {
    const page = await openPage(t);
    await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
      document.execCommand = () => false;`);
    await page.goto(service.url);
    await page.getByLabel('Paste a URL').fill(TARGET);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('button', { name: 'Copy link', exact: true }).click();
    const message = await page.getByText('Copying failed').boundingBox();
    assert.ok((message?.width ?? 0) > 100 && (message?.height ?? 0) > 10, JSON.stringify(message));
  });

  await t.test('the link is shared through the dialog of the device, if it has one', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.addInitScript(`navigator.share = async (data) => { globalThis.shared = data; };`);
    await page.goto(service.url);
    await page.getByLabel('Paste a URL').fill(TARGET);
    await page.emulateMedia({ contrast: 'more' });
    await assertBecomes(() => page.evaluate(BORDER_WIDTH), '2px');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    const shortCode = await createdShortCode(page);
    await page.getByRole('button', { name: 'Share…' }).click();
    await assertBecomes(() => page.evaluate('globalThis.shared?.url'), `${service.url}/l/${shortCode}`);
  });

  await t.test('markup in names and URLs is shown as text', async (t) => {
    const page = await open(t);
    const markup = `<img src=x onerror="alert(1)">'"&.txt`;
    await chooseFiles(page, { ...FILE, name: markup });
    await page.getByText(markup).waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.locator('.my-link .badge').waitFor();
    assert.ok((await page.locator('.my-link h3').innerText()).includes('<img src=x'));
    await page.getByRole('button', { name: 'Create another link' }).click();
    await chooseSource(page, 'URL');
    await page.getByLabel('Paste a URL').fill('https://example.com/?<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Create link' }).click();
    await createdShortCode(page);
    assert.equal(await page.locator('main img, main script').count(), 0);
  });
});

/** Fails unless the rows that most links need, and `more`, are in view above the button. */
async function assertRowsInView(page: Page, more: readonly string[] = []): Promise<void> {
  const bar = await page.locator('.form-end').boundingBox();
  for (const row of [...more, '#recipient', '[name=expiry]', '[name=views]', '#password']) {
    const box = await page.locator(row).last().boundingBox();
    assert.ok(box && bar && box.y + box.height <= bar.y, `${row}: ${JSON.stringify({ box, bar })}`);
  }
}

/** Drops or pastes a text, or files whose names are separated by a bar. Returns true if the page prevented the browser's default. */
async function transfer(
  page: Page,
  how: 'drop' | 'paste',
  type: string,
  content: string,
  at = 'h1',
): Promise<boolean> {
  return await page.evaluate(`{
    const data = new DataTransfer();
    if (${JSON.stringify(type)} === 'file') {
      for (const name of ${JSON.stringify(content)}.split('|')) data.items.add(new File(['content'], name));
    }
    else data.setData(${JSON.stringify(type)}, ${JSON.stringify(content)});
    const options = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
    const events = ${JSON.stringify(how)} === 'drop'
      ? ['dragenter', 'dragover', 'drop'].map((type) => new DragEvent(type, options))
      : [new ClipboardEvent('paste', options)];
    for (const event of events) document.querySelector(${JSON.stringify(at)}).dispatchEvent(event);
    events.at(-1).defaultPrevented;
  }`);
}
