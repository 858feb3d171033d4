import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { assertAccessible, assertContrast, startBrowser } from '../support/browser.ts';
import { createInPage, openCreatePage } from '../support/create-page.ts';
import { until } from '../support/http-client.ts';
import {
  auditedResults,
  createLink,
  linkState,
  openLink,
  revokeLink,
  storedFileOf,
  uploadFile,
} from '../support/links.ts';
import { assertBecomes, assertFits, waitForFocus } from '../support/pages.ts';
import { startService, type TestService } from '../support/service.ts';
import { mailFlags, readMailedCode, startSmtpServer } from '../support/smtp-server.ts';

const { openPage } = await startBrowser();
const texts = TEXTS.en;
const PASSWORD = 'pässwörd 🗝️';
const CONTENT_SHA256 = hash('sha256', 'content');
const MARKUP = `<img src=x onerror=alert(1)>"'&.txt`;

/** Starts another site: the target of links, and a page that submits a form to a link. It records each Referer. */
async function startTarget(t: TestContext) {
  const referers: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const action = new URL(request.url ?? '/', 'http://any.example').searchParams.get('send');
    if (action === null) referers.push(request.headers.referer);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="en"><title>There</title><link rel="icon" href="data:,"><h1>There</h1>` +
        (action === null
          ? ''
          : `<form method="post" action="${action}"></form><script>document.forms[0].submit()</script>`),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}/`, referers };
}

type World = { service: TestService; target: Awaited<ReturnType<typeof startTarget>> };

const hasFocus = async (page: Page, element: Locator) =>
  (await element.and(page.locator(':focus')).count()) === 1;

const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function pressWithKeyboard(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  for (let presses = 0; presses < 10; presses++) {
    if (await hasFocus(page, button)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

async function visit(page: Page, { service }: World, shortCode: string): Promise<void> {
  service.clock.now += 1; // so that the audit has the attempts in order
  await page.goto(`${service.url}/l/${shortCode}`);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

async function assertAtTarget(page: Page, { target }: World): Promise<void> {
  await page.waitForURL(target.url);
  assert.equal(target.referers.at(-1), undefined, 'the target gets no Referer');
}

/** Returns the file that is downloaded after `press`. */
const button = (page: Page) => page.getByRole('button', { name: texts['download.open'] });

async function downloadBy(page: Page, press: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  assert.equal(await file.failure(), null);
  return file;
}

/** Opens a link to a URL and one to a file through their confirmation pages. */
async function walkConfirmations(page: Page, world: World, press: (button: string) => Promise<void>) {
  const { service, target } = world;
  const url = await createLink(service, { targetUrl: target.url, confirm: true, maxViews: 2 });
  await visit(page, world, url);
  assert.equal(await heading(page), texts['redirect.title']);
  await press(texts['redirect.open']);
  await assertAtTarget(page, world);
  assert.deepEqual(auditedResults(service, url).sort(), ['PREVIEW', 'SUCCESS']);

  const file = await uploadFile(service, 'content', {
    fileName: MARKUP,
    fields: { confirm: 'true', maxViews: '2' },
  });
  await visit(page, world, file);
  assert.equal(await heading(page), texts['download.title']);
  // Markup in a name stays text.
  await page.getByText(MARKUP, { exact: true }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  await page.getByText(texts.checksum, { exact: true }).click();
  await page.getByText(CONTENT_SHA256, { exact: true }).waitFor();
  await downloadBy(page, () => press(texts['download.open']));
  assert.equal(linkState(service, file).viewCount, 1);
}

/** Opens a protected link and a protected file, each after a wrong password. */
async function walkPasswords(page: Page, world: World, press: (button: string) => Promise<void>) {
  const { service, target } = world;
  const url = await createLink(service, { targetUrl: target.url, password: PASSWORD });
  const file = await uploadFile(service, 'content', { fileName: 'a.txt', fields: { password: PASSWORD } });
  for (const shortCode of [url, file]) {
    await visit(page, world, shortCode);
    assert.equal(await heading(page), texts['password.title']);
    const field = page.getByLabel(texts['password.field'], { exact: true });
    await field.fill('wrong');
    service.clock.now += 1;
    await press(texts['password.open']);
    await page.getByRole('alert').getByText(texts['password.wrong'], { exact: true }).waitFor();
    await assertBecomes(() => page.title(), texts['password.wrong']);
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.equal(
      await field.getAttribute('aria-describedby'),
      await page.getByRole('alert').getAttribute('id'),
    );
    await waitForFocus(page, field);
    assert.deepEqual(auditedResults(service, shortCode), ['PASSWORD_REQUIRED', 'INVALID_PASSWORD']);
    await field.fill(PASSWORD);
    if (shortCode === url) {
      await press(texts['password.open']);
      await assertAtTarget(page, world);
    } else {
      const downloaded = await downloadBy(page, () => press(texts['password.open']));
      assert.equal(downloaded.suggestedFilename(), 'a.txt');
    }
    assert.equal(linkState(service, shortCode).viewCount, 1);
  }
}

test('the visitor pages', async (t) => {
  const flags = ['--app.abuse-contact=abuse@links.example'];
  const world: World = { service: await startService(t, { flags }), target: await startTarget(t) };
  const { service, target } = world;

  for (const [how, pressButton, options] of [
    ['with the keyboard on a desktop', pressWithKeyboard, { device: 'desktop' }],
    ['with a pointer on a phone', clickButton, { device: 'phone' }],
    ['without JavaScript', clickButton, { device: 'phone', javaScriptEnabled: false }],
  ] as const) {
    await t.test(`confirmation and password work ${how}`, async (t) => {
      const page = await openPage(t, options);
      const press = (button: string) => pressButton(page, button);
      await walkConfirmations(page, world, press);
      await walkPasswords(page, world, press);
    });
  }

  await t.test('a wrong password is reported in place and can be shown', async (t) => {
    const shortCode = await createLink(service, { targetUrl: target.url, password: PASSWORD });
    const page = await openPage(t);
    await visit(page, world, shortCode);
    await page.evaluate(() => Object.assign(globalThis, { isStillHere: true }));
    await page.getByLabel(texts['password.field'], { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.evaluate(() => 'isStillHere' in globalThis), true, 'the page was not reloaded');
    await page.getByLabel(texts['password.show']).check();
    const field = page.getByLabel(texts['password.field'], { exact: true });
    await assertBecomes(() => field.getAttribute('type'), 'text');
    assert.equal(await field.inputValue(), 'wrong');
    await assertAccessible(page);
  });

  await t.test('a double click spends one view, under which the page can download again', async (t) => {
    const file = await uploadFile(service, 'content', { fields: { confirm: 'true', maxViews: '1' } });
    const page = await openPage(t);
    await visit(page, world, file);
    await downloadBy(page, () => button(page).dblclick());
    await page.getByRole('status').getByText(texts['download.started'], { exact: true }).waitFor();
    assert.equal(await page.getByText('Can still be opened once').count(), 0, 'the number is outdated');
    await assertAccessible(page);
    await downloadBy(page, () => page.getByRole('link', { name: texts['download.again'] }).click());
    await page.reload();
    const link = page.getByRole('link', { name: texts['download.open'] });
    await downloadBy(page, () => link.click());
    assert.equal(linkState(service, file).viewCount, 1);
    await link.click(); // the lease is used up
    await page.getByRole('heading', { name: texts['notice.DOWNLOAD_ENDED.title'] }).waitFor();
  });

  await t.test('a file that was revoked meanwhile, and a lost connection, are reported', async (t) => {
    const page = await openPage(t);
    const file = await uploadFile(service, 'content', { fields: { confirm: 'true' } });
    await visit(page, world, file);
    let isLost = false;
    // With `times: 1`, the request that loads the page again could wait forever for an interception that has ended.
    await page.route('**/l/*', async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.abort('connectionreset');
    });
    await button(page).click({ noWaitAfter: true }); // loads the page again, which may take long to fail
    await until(async () => (await button(page).getAttribute('aria-disabled')) === null);
    await revokeLink(service, file);
    await button(page).click();
    await page.getByRole('heading', { name: texts['notice.REVOKED.title'] }).waitFor();
  });

  await t.test('a second press during the check of the password spends one view', async (t) => {
    const fields = { password: PASSWORD, maxViews: '5' };
    const file = await uploadFile(service, 'content', { fields });
    const page = await openPage(t);
    await page.clock.install();
    const checkAllowed = Promise.withResolvers<void>();
    let checks = 0;
    await page.route('**/l/*', async (route) => {
      if (route.request().postData()?.includes('ask=true')) {
        checks += 1;
        await checkAllowed.promise;
      }
      await route.continue();
    });
    await visit(page, world, file);
    await page.getByLabel(texts['password.field'], { exact: true }).fill(PASSWORD);
    const press = page.getByRole('button').first();
    // Playwright does not press a button that is disabled, unless it is forced.
    await press.click();
    await until(() => checks === 1);
    await page.clock.runFor(60_000);
    await press.click({ force: true });
    assert.equal(checks, 1);
    const checksum = page.getByText(texts.checksum, { exact: true });
    assert.equal(await checksum.isVisible(), false);
    await downloadBy(page, async () => checkAllowed.resolve());
    await checksum.click();
    await page.getByText(CONTENT_SHA256, { exact: true }).waitFor();
    await page.getByText('report.pdf', { exact: true }).waitFor();
    await page.getByRole('status').getByText(texts['download.started']).waitFor();
    assert.equal(linkState(service, file).viewCount, 1);
  });

  await t.test('who sends a link is read before its password, if the creator wants that', async (t) => {
    const page = await openCreatePage(openPage, t, world.service, { device: 'phone' });
    const shortCode = await createInPage(page, async () => {
      await page.locator('#password').fill(PASSWORD);
      await page.getByText('More options', { exact: true }).click();
      await page.getByLabel('Your name', { exact: true }).fill('Jürgen <b>Müller');
      await page.getByLabel('Message to visitors').fill('Dear Ann,\nplease sign');
      await page.getByLabel('Show name and message before password or email code').check();
      await assertAccessible(page);
    });
    for (const device of ['desktop', 'phone'] as const) {
      const visitor = await openPage(t, { device });
      await visit(visitor, world, shortCode);
      const sends = visitor.getByRole('heading', {
        level: 1,
        name: 'Jürgen <b>Müller sends you a link',
        exact: true,
      });
      await sends.waitFor();
      await visitor.getByRole('heading', { level: 2, name: texts['password.title'] }).waitFor();
      await visitor.getByText('This name was typed in and has not been verified.').waitFor();
      await visitor.getByText('please sign').waitFor();
      await assertFits(visitor);
      await assertAccessible(visitor);
      await visitor.getByLabel(texts['password.field'], { exact: true }).fill(PASSWORD);
      await clickButton(visitor, texts['password.open']);
      await visitor.getByText(texts['redirect.text']).waitFor();
      await waitForFocus(visitor, sends);
      await visitor.getByText('please sign').waitFor();
      await assertAccessible(visitor);
    }
  });

  await t.test('a protected link says how many views are left before it is opened', async (t) => {
    const shortCode = await createLink(service, {
      ...{ targetUrl: target.url, password: PASSWORD, confirm: true, maxViews: 1 },
    });
    const page = await openPage(t, { device: 'phone', theme: 'dark' });
    await visit(page, world, shortCode);
    assert.equal(await page.getByText('Can still be opened once').count(), 0);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByRole('heading', { name: texts['redirect.title'] }));
    await page.getByText('Can still be opened once. Opening it now counts.').waitFor();
    await assertAccessible(page);
    assert.equal(linkState(service, shortCode).viewCount, 0);
    await pressWithKeyboard(page, texts['redirect.open']);
    await assertAtTarget(page, world);
    assert.equal(linkState(service, shortCode).viewCount, 1);
  });

  await t.test('a form sends its Origin, which replaces a missing Sec-Fetch-Site', async (t) => {
    const shortCode = await createLink(service, { targetUrl: target.url, confirm: true });
    const page = await openPage(t);
    await visit(page, world, shortCode);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      page.getByRole('button').click(),
    ]);
    assert.equal((await sent.allHeaders())['origin'], service.url);

    await visit(page, world, shortCode);
    await page.route('**/l/*', (route) => route.fulfill({ status: 204 }));
    await page.getByRole('button').click();
    assert.ok(await page.getByRole('button').isDisabled(), 'a second press would spend a view');
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    assert.ok(await page.getByRole('button').isEnabled(), 'the browser has shown the page again');
  });

  await t.test('a form of another site opens nothing, and the visitor can open the link', async (t) => {
    const shortCode = await createLink(service, { targetUrl: target.url, maxViews: 1 });
    const page = await openPage(t);
    await page.goto(`${target.url}?send=${service.url}/l/${shortCode}`);
    await page.getByRole('heading', { name: texts['notice.CROSS_SITE.title'] }).waitFor();
    assert.deepEqual(auditedResults(service, shortCode), ['PREVIEW']);
    await assertAccessible(page);
    await page.getByRole('link', { name: texts.open }).click();
    await assertAtTarget(page, world);
  });

  await t.test('an address with trailing characters offers the link without them', async (t) => {
    const shortCode = await createLink(service, { targetUrl: target.url, maxViews: 1 });
    const page = await openPage(t);
    for (const sent of [`${shortCode}.`, `${shortCode})\u200b`, `${shortCode}/`]) {
      await visit(page, world, sent);
      assert.equal(await heading(page), texts['trailing.title']);
      await page.getByText(`…/${shortCode}`, { exact: true }).waitFor();
      await assertAccessible(page);
      assert.equal(linkState(service, shortCode).viewCount, 0);
    }
    await page.getByRole('link', { name: texts['redirect.open'] }).click();
    await assertAtTarget(page, world);
  });

  await t.test('a page is in the language and the time zone of the visitor', async (t) => {
    const shortCode = await createLink(service, { confirm: true, expiresAt: '2099-06-20T13:05:00Z' });
    const page = await openPage(t, { locale: 'de-AT', timezoneId: 'Europe/Vienna' });
    await visit(page, world, shortCode);
    assert.equal(await heading(page), TEXTS.de['redirect.title']);
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    await page.locator('time').getByText('20. Juni 2099 um 15:05 MESZ', { exact: true }).waitFor();

    await visit(page, world, await createLink(service, { startsAt: '2099-11-25T23:33:00Z' }));
    assert.equal(await heading(page), TEXTS.de['notice.NOT_STARTED.title']);
    await page.locator('time').getByText('26. November 2099 um 00:33 MEZ', { exact: true }).waitFor();
  });

  await t.test('every page is accessible in every theme and fits a small phone', async (t) => {
    const targetUrl = `https://${'müller-and-a-long-name.'.repeat(5)}example:8443/`;
    const wanted = { targetUrl, maxViews: 1, expiresAt: '2099-06-20T13:05:00Z' };
    const [spent, revoked, missing, expired] = [
      await createLink(service, { maxViews: 1 }),
      await createLink(service),
      await uploadFile(service),
      await createLink(service, { expiresAt: new Date(service.clock.now + 1).toISOString() }),
    ];
    await openLink(service, spent);
    await revokeLink(service, revoked);
    rmSync(storedFileOf(service, missing));
    service.clock.now += 2;
    const fileName = `${'a-long-name-without-a-break'.repeat(8)}.tar.gz`;
    const pages: Record<string, string> = {
      [texts['redirect.title']]: await createLink(service, { ...wanted, confirm: true }),
      [texts['download.title']]: await uploadFile(service, 'a', {
        fileName,
        fields: { confirm: 'true', maxViews: '3' },
      }),
      [texts['password.title']]: await createLink(service, { password: PASSWORD }),
      [texts['notice.NOT_FOUND.title']]: 'unknown1',
      [texts['notice.FILE_NOT_FOUND.title']]: missing,
      [texts['notice.REVOKED.title']]: revoked,
      [texts['notice.EXPIRED.title']]: expired,
      [texts['notice.VIEW_LIMIT_REACHED.title']]: spent,
    };
    const page = await openPage(t, { viewport: { width: 320, height: 640 } });
    for (const [title, shortCode] of Object.entries(pages)) {
      await visit(page, world, shortCode);
      assert.equal(await heading(page), title);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(wide <= 0, `${title} is ${wide} px too wide`);
      await page.emulateMedia({ contrast: 'no-preference' });
      await assertAccessible(page);
      await page.emulateMedia({ contrast: 'more' });
      await assertContrast(page);
    }
  });
});

for (const javaScriptEnabled of [true, false])
  test(`a recipient opens links with a password and a code on a phone, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async (t) => {
    const smtp = await startSmtpServer(t);
    const service = await startService(t, { flags: mailFlags(smtp) });
    const world: World = { service, target: await startTarget(t) };
    const page = await openPage(t, { device: 'phone', javaScriptEnabled });
    const members = { password: PASSWORD, verifiedRecipients: ['ann@example.com'] };
    const url = await createLink(service, { targetUrl: world.target.url, ...members });
    await visit(page, world, url);
    await page.locator('#password').fill(PASSWORD);
    await clickButton(page, texts['password.open']);
    const address = page.locator('#recipientAddress');
    await address.fill('An@example.com');
    if (javaScriptEnabled) await assertAccessible(page);
    await clickButton(page, texts['recipient.send']);
    await page.getByText('An@example.com', { exact: true }).waitFor();
    await page.getByText(texts['recipient.change'], { exact: true }).click();
    await page.getByLabel(texts['recipient.field'], { exact: true }).fill('Ann@example.com');
    await clickButton(page, texts['recipient.send']);
    await page.getByText('Ann@example.com', { exact: true }).waitFor();
    const field = page.getByLabel(texts['recipient.code.field'], { exact: true });
    await field.fill('abcdef');
    if (javaScriptEnabled) await assertAccessible(page);
    await clickButton(page, texts['recipient.code.open']);
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: texts['recipient.resend'], exact: true }).waitFor();

    // Who comes back has the code already.
    await visit(page, world, url);
    await page.locator('#password').fill(PASSWORD);
    await clickButton(page, texts['password.open']);
    await page.getByText(texts['recipient.have'], { exact: true }).click();
    if (javaScriptEnabled) await assertAccessible(page);
    await page
      .locator('details')
      .getByLabel(texts['recipient.field'], { exact: true })
      .fill('Ann@example.com');
    await field.fill(await readMailedCode(smtp, 1));
    await clickButton(page, texts['recipient.code.open']);
    await assertAtTarget(page, world);
    assert.deepEqual(auditedResults(service, url).filter((result) => result === 'SUCCESS').length, 1);

    const file = await uploadFile(service, 'content', { fields: { verifiedRecipients: 'ann@example.com' } });
    await visit(page, world, file);
    await address.fill('ann@example.com');
    await clickButton(page, texts['recipient.send']);
    await visit(page, world, file);
    await page.getByText(texts['recipient.have'], { exact: true }).click();
    await page
      .locator('details')
      .getByLabel(texts['recipient.field'], { exact: true })
      .fill('ann@example.com');
    await field.fill(await readMailedCode(smtp, 2));
    const open = () => clickButton(page, texts['recipient.code.open']);
    if (!javaScriptEnabled) await open();
    const download = await downloadBy(page, async () => {
      if (javaScriptEnabled) await open();
      else await page.getByRole('link', { name: texts['download.open'], exact: true }).click();
    });
    assert.equal(download.suggestedFilename(), 'report.pdf');
    assert.equal(await page.locator('[name=recipientCode]').count(), 0, 'the code is not shown any more');
  });
