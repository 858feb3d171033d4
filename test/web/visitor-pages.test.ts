import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { TEXTS } from '../../src/http/pages/texts/texts.ts';
import { assertAccessible, DEVICES, type Device, startBrowser } from '../support/browser.ts';
import {
  auditedResults,
  createLink,
  linkState,
  openLink,
  revokeLink,
  storedFileOf,
  uploadFile,
} from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const { openPage } = await startBrowser();
const texts = TEXTS.en;
const devices = Object.keys(DEVICES) as Device[];
const PASSWORD = 'pässwörd 🗝️';
const MARKUP = `<img src=x onerror=alert(1)>"'&.txt`;

/** Another site: what links lead to, and a page that sends a form to a link by itself. It keeps each Referer. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}/`, referers };
}

type World = { service: TestService; target: Awaited<ReturnType<typeof startTarget>> };

const hasFocus = async (page: Page, element: Locator) =>
  (await element.and(page.locator(':focus')).count()) === 1;

/** Presses what does the form's work: by keyboard alone, or with a pointer. */
const WAYS = {
  keyboard: async (page: Page, button: string) => {
    const label = page.getByRole('button', { name: button, exact: true });
    for (let presses = 0; presses < 10; presses++) {
      if (await hasFocus(page, label)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
  },
  pointer: (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click(),
};
type Way = keyof typeof WAYS;
const ways = Object.keys(WAYS) as Way[];

async function come(page: Page, { service }: World, shortCode: string): Promise<void> {
  service.clock.now += 1; // so that the audit has the attempts in order
  await page.goto(`${service.url}/l/${shortCode}`);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

async function assertThere(page: Page, { target }: World): Promise<void> {
  await page.waitForURL(target.url);
  assert.equal(
    target.referers.at(-1),
    undefined,
    'the target learns nothing of where its visitor comes from',
  );
}

/** Presses, and gives what was downloaded by it. */
async function downloadBy(page: Page, press: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  assert.equal(await file.failure(), null);
  return file;
}

/** Through a link to a URL and one to a file that both ask first. */
async function walkConfirmations(page: Page, world: World, press: (button: string) => Promise<void>) {
  const { service, target } = world;
  const url = await createLink(service, { targetUrl: target.url, confirm: true, maxViews: 2 });
  await come(page, world, url);
  assert.equal(await heading(page), texts['redirect.title']);
  await press(texts['redirect.open']);
  await assertThere(page, world);
  assert.deepEqual(auditedResults(service, url).sort(), ['PREVIEW', 'SUCCESS']);

  const file = await uploadFile(service, 'content', {
    fileName: MARKUP,
    fields: { confirm: 'true', maxViews: '2' },
  });
  await come(page, world, file);
  assert.equal(await heading(page), texts['download.title']);
  assert.ok(await page.getByText(MARKUP, { exact: true }).isVisible(), 'markup in a name stays text');
  const { length } = await page.locator('img').all();
  assert.equal(length, 0);
  await downloadBy(page, () => press(texts['download.open']));
  assert.equal(linkState(service, file).viewCount, 1);
}

/** Through a protected link and a protected file, each after a wrong password. */
async function walkPasswords(page: Page, world: World, press: (button: string) => Promise<void>) {
  const { service, target } = world;
  const url = await createLink(service, { targetUrl: target.url, password: PASSWORD });
  const file = await uploadFile(service, 'content', { fileName: 'a.txt', fields: { password: PASSWORD } });
  for (const shortCode of [url, file]) {
    await come(page, world, shortCode);
    assert.equal(await heading(page), texts['password.title']);
    const field = page.getByLabel(texts['password.field'], { exact: true });
    await field.fill('wrong');
    service.clock.now += 1;
    await press(texts['password.open']);
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByRole('alert').textContent(), texts['password.wrong']);
    assert.equal(await page.title(), texts['password.wrong']);
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.equal(
      await field.getAttribute('aria-describedby'),
      await page.getByRole('alert').getAttribute('id'),
    );
    assert.ok(await hasFocus(page, field), 'the field has the focus');
    assert.deepEqual(auditedResults(service, shortCode), ['PASSWORD_REQUIRED', 'INVALID_PASSWORD']);
    await field.fill(PASSWORD);
    if (shortCode === url) {
      await press(texts['password.open']);
      await assertThere(page, world);
    } else {
      const got = await downloadBy(page, () => press(texts['password.open']));
      assert.equal(got.suggestedFilename(), 'a.txt');
    }
    assert.equal(linkState(service, shortCode).viewCount, 1);
  }
}

test('the pages of whoever opens a link', async (t) => {
  const world: World = { service: await startService(t), target: await startTarget(t) };
  const { service, target } = world;

  for (const device of devices) {
    for (const way of ways) {
      // Whoever has no pointer sits at a desk.
      if (way === 'keyboard' && device === 'phone') continue;
      await t.test(`by ${way}, ${device}: a link that asks first, and a password`, async (t) => {
        const page = await openPage(t, { device });
        const press = (button: string) => WAYS[way](page, button);
        await walkConfirmations(page, world, press);
        await walkPasswords(page, world, press);
      });
    }
  }

  await t.test('without JavaScript: the same', async (t) => {
    const page = await openPage(t, { device: 'phone', javaScriptEnabled: false });
    const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click();
    await walkConfirmations(page, world, press);
    await walkPasswords(page, world, press);
  });

  await t.test('with JavaScript, a wrong password is told in place, and can be looked at', async (t) => {
    const shortCode = await createLink(service, { targetUrl: target.url, password: PASSWORD });
    const page = await openPage(t);
    await come(page, world, shortCode);
    await page.evaluate(() => Object.assign(globalThis, { isStillHere: true }));
    await page.getByLabel(texts['password.field'], { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.evaluate(() => 'isStillHere' in globalThis), true, 'the page was not left');
    await page.getByLabel(texts['password.show']).check();
    const field = page.getByLabel(texts['password.field'], { exact: true });
    assert.deepEqual([await field.getAttribute('type'), await field.inputValue()], ['text', 'wrong']);
    await assertAccessible(page);
  });

  await t.test('a link that ends meanwhile says so in place', async (t) => {
    const shortCode = await createLink(service, { targetUrl: target.url, password: PASSWORD });
    const page = await openPage(t);
    await come(page, world, shortCode);
    await revokeLink(service, shortCode);
    await page.getByLabel(texts['password.field'], { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: texts['notice.REVOKED.title'] }).waitFor();
  });

  await t.test('a button that is pressed twice spends one view, and a file that comes is told', async (t) => {
    const file = await uploadFile(service, 'content', { fields: { confirm: 'true', maxViews: '5' } });
    const page = await openPage(t);
    await come(page, world, file);
    await downloadBy(page, () => page.getByRole('button').dblclick());
    assert.equal(await page.getByRole('status').textContent(), texts['download.started']);
    assert.equal(await page.getByText('views left').count(), 0, 'their number is another now');
    assert.equal(linkState(service, file).viewCount, 1);
    await assertAccessible(page);
  });

  await t.test(
    'a button that is pressed again while the password is looked at spends one view',
    async (t) => {
      const fields = { password: PASSWORD, maxViews: '5' };
      const file = await uploadFile(service, 'content', { fields });
      const page = await openPage(t);
      await page.clock.install();
      const goOn = Promise.withResolvers<void>();
      let asked = 0;
      await page.route('**/l/*', async (route) => {
        if (route.request().postData()?.includes('ask=true')) {
          asked += 1;
          await goOn.promise;
        }
        await route.continue();
      });
      await come(page, world, file);
      await page.getByLabel(texts['password.field'], { exact: true }).fill(PASSWORD);
      const button = page.getByRole('button');
      await button.click();
      await page.clock.runFor(60_000);
      await button.click();
      assert.equal(asked, 1);
      await downloadBy(page, async () => goOn.resolve());
      await page.getByText(texts['download.started']).waitFor();
      await button.click();
      assert.equal(asked, 1, 'sent, it rests');
      assert.equal(linkState(service, file).viewCount, 1);
    },
  );

  await t.test('a form tells its own origin, by which it is known where nothing else tells', async (t) => {
    const shortCode = await createLink(service, { targetUrl: target.url, confirm: true });
    const page = await openPage(t);
    await come(page, world, shortCode);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      page.getByRole('button').click(),
    ]);
    assert.equal((await sent.allHeaders())['origin'], service.url);
  });

  await t.test('a form that another site sends opens nothing; the visitor can', async (t) => {
    const shortCode = await createLink(service, { targetUrl: target.url, maxViews: 1 });
    const page = await openPage(t);
    await page.goto(`${target.url}?send=${service.url}/l/${shortCode}`);
    await page.getByRole('heading', { name: texts['notice.CROSS_SITE.title'] }).waitFor();
    assert.deepEqual(auditedResults(service, shortCode), ['PREVIEW']);
    await assertAccessible(page);
    await page.getByRole('link', { name: texts.open }).click();
    await assertThere(page, world);
  });

  await t.test('the visitor is spoken to in their language', async (t) => {
    const shortCode = await createLink(service, { confirm: true, expiresAt: '2099-06-20T13:05:00Z' });
    const page = await openPage(t, { locale: 'de-AT', timezoneId: 'Europe/Vienna' });
    await come(page, world, shortCode);
    assert.equal(await heading(page), TEXTS.de['redirect.title']);
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.equal(await page.locator('time').textContent(), '20. Juni 2099 um 15:05');
  });

  await t.test(
    'axe finds nothing on any page, in any theme, and none is wider than a small phone',
    async (t) => {
      const wanted = { targetUrl: target.url, maxViews: 1, expiresAt: '2099-06-20T13:05:00Z' };
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
        await come(page, world, shortCode);
        assert.equal(await heading(page), title);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(wide <= 0, `${title} is ${wide} px too wide`);
        await page.emulateMedia({ contrast: 'no-preference' });
        await assertAccessible(page);
        await page.emulateMedia({ contrast: 'more' });
        await assertAccessible(page);
      }
    },
  );
});
