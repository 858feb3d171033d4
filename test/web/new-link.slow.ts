import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
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
  openOptions,
  TARGET,
} from '../support/create-page.ts';
import { sendJson } from '../support/http-client.ts';
import { createLink, linkState, openLink, shortCodeOf } from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { assertBecomes, assertFits } from '../support/pages.ts';
import { addPerson, sessionHeaders } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { mailFlags, startSmtpServer } from '../support/smtp-server.ts';

const { openPage } = await startBrowser();
const TWO_FILES = [FILE, { ...FILE, name: 'passport.pdf' }];

/** Opens a page for a person who has signed in. */
async function openAs(t: TestContext, service: TestService, cookie: string, options?: PageOptions) {
  const page = await openPage(t, options);
  const [, value = ''] = cookie.split('=');
  await page.context().addCookies([{ name: 'postern', value, url: service.url }]);
  return page;
}

const create = (page: Page): Promise<void> => page.locator('.link-form .button-main').click();

test('a link to files asks before it opens', async (t) => {
  const service = await startService(t);

  await t.test('a scanner gets a page and no view, and a visitor the file with one click', async (t) => {
    const page = await openCreatePage(openPage, t, service);
    await chooseFiles(page, FILE);
    await create(page);
    const code = await createdShortCode(page);
    assert.match(await page.locator('.result .terms').innerText(), /Ask before opening\nYes/);
    const scanned = await openLink(service, code, { accept: '*/*', 'user-agent': 'Slackbot 1.0' });
    assert.equal(scanned.status, 200);
    assert.equal(scanned.headers['content-disposition'], undefined);
    assert.equal(linkState(service, code).viewCount, 0);
    const visitor = await openPage(t);
    await visitor.goto(`${service.url}/l/${code}`);
    const download = visitor.waitForEvent('download');
    await visitor.locator('.button-main').click();
    assert.equal((await download).suggestedFilename(), 'report.pdf');
    assert.equal(linkState(service, code).viewCount, 1);
  });

  await t.test('with a password, the visitor enters that, and is asked nothing more', async (t) => {
    const page = await openCreatePage(openPage, t, service);
    await chooseFiles(page, FILE);
    await page.locator('#password').fill('correct horse');
    await create(page);
    const code = await createdShortCode(page);
    const visitor = await openPage(t);
    await visitor.goto(`${service.url}/l/${code}`);
    await visitor.locator('#password').fill('correct horse');
    const download = visitor.waitForEvent('download');
    await visitor.locator('.button-main').click();
    assert.equal((await download).suggestedFilename(), 'report.pdf');
  });

  await t.test('the result switches it on for a link without it', async (t) => {
    const page = await openCreatePage(openPage, t, service, { device: 'phone' });
    await chooseFiles(page, FILE);
    await openOptions(page);
    await page.getByRole('checkbox', { name: /^Ask before opening/ }).click();
    await create(page);
    const code = await createdShortCode(page);
    assert.equal((await describeLink(service, code))['confirm'], false);
    const note = page.getByText('Chats and mail scanners that open this link get the file');
    await note.waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await page.getByRole('button', { name: 'Ask before opening' }).click();
    await note.waitFor({ state: 'detached' });
    await page.locator('.result .terms').getByText('Ask before opening').waitFor();
    assert.equal((await describeLink(service, code))['confirm'], true);
    await page.locator('#result-title:focus').waitFor();
  });
});

test('the password needs no scrolling, also with an address as the recipient', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: [...mailFlags(smtp), '--app.access=keys'] });
  const person = await addPerson(service, 'bert', { email: 'bert@example.com', isEmailVerified: true });
  const { cookie } = await sessionHeaders(service, person, true);
  for (const [name, path, options] of [
    ['1280x720', '/?welcome', { viewport: { width: 1280, height: 720 } }],
    ['a phone', '/', { device: 'phone' }],
  ] as const) {
    for (const language of Object.keys(LANGUAGES)) {
      await t.test(`on ${name} in ${language}`, async (t) => {
        const page = await openAs(t, service, cookie, { ...options, locale: language });
        await page.goto(service.url + path);
        await page.locator('.link-form').waitFor();
        await chooseFiles(page, FILE);
        await page.locator('#recipient').fill('ann@example.com');
        await page.locator('.recipient-note').waitFor({ state: 'attached' });
        await page.evaluate('scrollTo(0, 0)');
        const boxOf = async (selector: string) => {
          const { y = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
          return { top: y, bottom: y + height };
        };
        const button = await boxOf('.link-form .password-input + .button');
        const bar = await boxOf('.form-end');
        assert.ok(
          button.bottom <= bar.top,
          `the button ends at ${button.bottom}, the bar begins at ${bar.top}`,
        );
        await assertFits(page);
      });
    }
  }
});

test('the next link is of the same kind', async (t) => {
  const service = await startService(t);
  const page = await openCreatePage(openPage, t, service);
  const another = page.getByRole('button', { name: 'Create another link' });
  await chooseSource(page, 'TEXT');
  await page.locator('#text').fill('a note');
  await create(page);
  await createdShortCode(page);
  await another.click();
  await page.locator('#text').waitFor();
  assert.equal(await page.locator('[name=views]:checked').inputValue(), 'ONCE');
  await chooseFiles(page, FILE);
  assert.equal(await page.locator('[name=views]:checked').inputValue(), 'UNLIMITED');
  await create(page);
  await createdShortCode(page);
  await another.click();
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
});

test('several files are named by the first, on the page, in the list and in the history', async (t) => {
  const service = await startService(t);
  for (const [language, name] of [
    ['en', 'passport.pdf and 1 more file'],
    ['de', 'passport.pdf und 1 weitere Datei'],
  ] as const) {
    await t.test(`in ${language}`, async (t) => {
      const page = await openCreatePage(openPage, t, service, { locale: language });
      await chooseFiles(page, TWO_FILES);
      await create(page);
      const code = await createdShortCode(page);
      assert.equal(await page.locator('.result-source').innerText(), name);
      await page.locator('.my-link h3').getByText(name).click();
      await page.waitForURL(`${service.url}/links/${code}`);
      await assertBecomes(async () => (await page.title()).includes(name), true);
      const { file } = await describeLink(service, code);
      assert.equal((file as { name: string }).name, 'passport.pdf + 1.zip');
    });
  }
});

test('the latest links of a person', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: [...mailFlags(smtp), '--app.access=keys'] });
  const sessionOf = async (name: string, scopes: readonly ('create' | 'read' | 'manage' | 'admin')[]) =>
    sessionHeaders(service, await addPerson(service, name, { scopes: [...scopes] }), true);
  const { cookie, ...own } = await sessionOf('clara', ['create']);
  const headers = { cookie, ...own };

  await t.test('have no heading before there is one', async (t) => {
    const page = await openAs(t, service, cookie, { device: 'phone' });
    await page.goto(service.url);
    await page.getByText('Links appear here as soon as they are created.').waitFor();
    assert.equal(await page.getByText('Latest links').count(), 0);
    await createInPage(page);
    await page.getByRole('heading', { name: 'Latest links' }).waitFor();
    await page.getByRole('link', { name: 'Latest links' }).waitFor();
    await assertAccessible(page);
    await assertFits(page);
  });

  await t.test('show received files with their request, as soon as they arrive', async (t) => {
    const wanted = { request: { message: 'Your passport' } };
    const shortCode = shortCodeOf(await sendJson(service, '/api/links', wanted, { headers }));
    const page = await openAs(t, service, cookie);
    await page.goto(service.url);
    const row = page.locator('.my-link', { hasText: 'Your passport' });
    await row.getByText('Nothing has arrived yet.').waitFor();
    await sendForm(service, [file('x', 'passport.pdf')], { path: `/l/${shortCode}` });
    await row.getByText(/^Files received, /).waitFor();
    assert.equal(await page.locator('.my-link').count(), 2);
    await page.goto(`${service.url}/links`);
    await page
      .getByRole('row')
      .getByText(/passport\.pdf/)
      .waitFor();
  });

  await t.test('a person without an email address reads how to be notified', async (t) => {
    const page = await openAs(t, service, cookie);
    await page.goto(service.url);
    await page.getByText('Your account has no email address. An administrator can add it.').waitFor();
    const admin = await sessionOf('dora', ['create', 'admin']);
    const other = await openAs(t, service, admin.cookie, { device: 'phone' });
    await other.goto(service.url);
    await other.getByRole('link', { name: 'Add it under People' }).click();
    await other.waitForURL(`${service.url}/people`);
  });
});

test('the links of this browser are found by a search, and all links by an administrator', async (t) => {
  const service = await startService(t);
  const page = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  const saved = [];
  for (let index = 10; index < 22; index++) {
    const shortCode = await createLink(service, { targetUrl: `${TARGET}${index}` });
    const accessUrl = `${service.url}/l/${shortCode}`;
    saved.push({ shortCode, accessUrl, title: `${TARGET}${index}`, type: 'REDIRECT' });
  }
  await page.addInitScript(`localStorage.setItem('postern.links', ${JSON.stringify(JSON.stringify(saved))})`);
  await page.goto(`${service.url}/links`);
  await page.locator('.my-link .badge').first().waitFor();
  await assertAccessible(page);
  const link = page.locator('.my-link h3 a');
  await page.getByRole('searchbox', { name: 'Search' }).fill('END17');
  await assertBecomes(() => link.allInnerTexts(), ['example.com']);
  await page.locator('.my-link').getByText(`${TARGET}17`).waitFor();
  await page.getByText('All links of this service').click();
  await page.locator('.links-of-service').getByRole('button', { name: 'Copy' }).click();
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await assertBecomes(copied, 'postern keys create me --scopes=create,read,manage,admin');
  await page.getByText('In a checkout, the command begins with bin/postern.').waitFor();
  await assertFits(page);
  await link.click();
  await page.waitForURL(`${service.url}/links/${saved[7]?.shortCode}`);
});
