import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { createdShortCode, FILE, TARGET } from '../support/create-page.ts';
import { recordSecret } from '../support/log-secrets.ts';
import { assertBecomes, assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService, type TestService } from '../support/service.ts';

const { openPage } = await startBrowser();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const personRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
const linkRows = (page: Page) => page.locator('tbody th code').allInnerTexts();
const passwordOf = (name: string) => `a passphrase of ${name}`;

async function choose(page: Page, actions: string, item: string): Promise<void> {
  await button(page, actions).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Adds a person on the page of the administrator. Returns the address that sets the password. */
async function addPerson(page: Page, name: string): Promise<string> {
  await button(page, 'Add person').click();
  const form = page.getByRole('dialog', { name: 'Add person' });
  await form.getByLabel('Name', { exact: true }).fill(name);
  if (name === 'carla') await form.getByRole('checkbox', { name: /^Create links/ }).uncheck();
  await form.getByRole('button', { name: 'Add person' }).click();
  const link = await page.locator('.secret-to-copy code').innerText();
  await button(page, 'Copy invitation link').click();
  await button(page, 'Done').click();
  await personRow(page, name).getByText('Invited').waitFor();
  return link;
}

/** Opens a link that sets a password, and sets it with the keyboard. */
async function setPassword(page: Page, { url }: TestService, link: string, name: string): Promise<void> {
  for (const secret of [passwordOf(name), new URL(link).hash.slice(1)]) recordSecret(secret);
  await page.goto(link.replace('http://localhost:8080', url));
  await waitForFocus(page, page.locator('#new-password'));
  await assertAccessible(page);
  await page.keyboard.type(passwordOf(name));
  await page.keyboard.press('Enter');
  await page.waitForURL(name === 'carla' ? `${url}/account` : `${url}/`);
  await page.getByRole('banner').getByText(name).waitFor({ state: 'attached' }); // a phone has it in a menu
}

test('a day of a team of five', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const setupLink = (await service.inviteAdministrator()) ?? assert.fail('there is an administrator');
  // The browsers stay open for the day, and close before the service.
  await t.test('the day', (day) => walkDay(day, service, setupLink));
});

async function walkDay(day: TestContext, service: TestService, setupLink: string): Promise<void> {
  /** Runs a part of the day. The next one needs it. */
  const step = async (title: string, run: (t: TestContext) => Promise<void>): Promise<void> => {
    let isDone = false;
    await day.test(title, async (t) => {
      await run(t);
      isDone = true;
    });
    assert.ok(isDone, title);
  };
  const links = { ada: '', bruno: '', carla: '', dora: '' };
  const codes = { url: '', file: '' };
  const { url } = service;
  const [admin, ada] = [await openPage(day), await openPage(day)];
  const bruno = await openPage(day, { device: 'phone', locale: 'pt-BR' });

  await step('the administrator sets a password, and adds four people and a team', async () => {
    await admin.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await setPassword(admin, service, setupLink, 'admin');
    await assertAccessible(admin);
    await admin.getByRole('link', { name: 'People', exact: true }).click();
    for (const name of ['ada', 'bruno', 'carla', 'dora'] as const) links[name] = await addPerson(admin, name);
    await assertAccessible(admin);
    await admin.getByRole('link', { name: 'Teams' }).click();
    await button(admin, 'Create team').click();
    const form = admin.getByRole('dialog', { name: 'Create team' });
    await form.getByLabel('Name', { exact: true }).fill('sales');
    for (const name of ['ada', 'bruno']) await form.getByRole('checkbox', { name }).check();
    await form.getByRole('button', { name: 'Create team' }).click();
    await personRow(admin, 'sales').getByText('ada, bruno').waitFor();
    await assertAccessible(admin);
  });

  await step('Ada, by keyboard alone, signs in, creates two links and copies a message', async () => {
    const press = async (role: string, name: string | RegExp, key = 'Enter') => {
      await tabTo(ada, role, name);
      await ada.keyboard.press(key);
    };
    await ada.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await setPassword(ada, service, links.ada, 'ada');
    await ada.getByText('Welcome, ada. Create a link here').waitFor();
    await assertAccessible(ada);
    await press('button', 'Sign out');
    await ada.getByRole('form', { name: 'Sign in' }).waitFor();
    await ada.goto(url);
    await waitForFocus(ada, ada.getByLabel('Name', { exact: true }));
    await ada.keyboard.type('ada');
    await ada.keyboard.press('Tab');
    await ada.keyboard.type(passwordOf('ada'));
    await ada.keyboard.press('Enter');
    await tabTo(ada, 'textbox', 'Paste a URL');
    await ada.keyboard.type(TARGET);
    await assertAccessible(ada);
    await ada.keyboard.press('Enter');
    codes.url = await createdShortCode(ada);
    await waitForFocus(ada, ada.locator('#result-title'));
    await assertAccessible(ada);
    await press('button', 'Create another link');
    const opened = ada.waitForEvent('filechooser');
    await tabTo(ada, 'radio', 'URL');
    await ada.keyboard.press('ArrowRight');
    await press('button', 'Choose files');
    await (await opened).setFiles(FILE);
    await waitForFocus(ada, ada.getByRole('group', { name: FILE.name }));
    await tabTo(ada, 'radio', 'No limit');
    await ada.keyboard.press('ArrowRight');
    await ada.getByText('More options', { exact: true }).press('Enter');
    await ada.getByRole('checkbox', { name: 'Ask before opening', checked: true }).waitFor();
    await press('combobox', 'Team', 'ArrowDown');
    await press('button', 'Create link');
    codes.file = await createdShortCode(ada);
    await press('link', 'History');
    await press('button', 'More');
    await waitForFocus(ada, ada.getByRole('menuitem', { name: 'Copy message' }));
    await ada.keyboard.press('Enter');
    await ada.getByRole('status').getByText('Copied').first().waitFor();
    const message = await ada.evaluate<string>('navigator.clipboard.readText()');
    const [lead, limits = ''] = message.split('\n');
    assert.equal(lead, `Here is the file: ${url}/l/${codes.file}`);
    assert.match(limits, /^It can be opened once, until .+ UTC\.$/);
    await ada.locator('.terms').getByText('sales').waitFor();
    await assertAccessible(ada);
  });

  await step('Bruno, on a phone in Portuguese, pauses and resumes the link of the team', async () => {
    await setPassword(bruno, service, links.bruno, 'bruno');
    await bruno.getByText('Boas-vindas, bruno. Crie um link aqui').waitFor();
    await bruno.getByRole('button', { name: 'Conta e idioma' }).click();
    await bruno.getByRole('banner').getByText('bruno').waitFor();
    await bruno.getByRole('banner').getByRole('link', { name: 'Conta', exact: true }).click();
    await bruno.getByText('Suas equipes: sales.').waitFor();
    await bruno.getByRole('link', { name: 'Links', exact: true }).click();
    await bruno.getByText('Os links aparecem aqui assim que são criados.').waitFor();
    assert.equal(await bruno.getByRole('radio', { name: 'Todos os links' }).count(), 0);
    await bruno.getByRole('radio', { name: 'sales' }).click();
    await assertBecomes(() => linkRows(bruno), [codes.file]);
    await assertAccessible(bruno);
    await assertFits(bruno);
    const state = bruno.locator('tbody .badge');
    await choose(bruno, `Ações: ${codes.file}`, 'Pausar');
    await assertBecomes(() => state.innerText(), 'Pausado');
    await choose(bruno, `Ações: ${codes.file}`, 'Retomar');
    await assertBecomes(() => state.innerText(), 'Ativo');
    await bruno.goto(`${url}/links/${codes.url}`);
    await bruno.getByText('Este link não é seu').waitFor();
    assert.equal(await bruno.getByText(TARGET).count(), 0);
    await assertAccessible(bruno);
  });

  await step('Carla, without permissions, sees what she may do, and whom to ask', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await setPassword(page, service, links.carla, 'carla');
    await page.getByText('You have no permissions yet. Ask the administrator of this service.').waitFor();
    await assertAccessible(page);
    for (const [path, text] of [
      ['/', 'Ask the administrator for the permission “Create links”.'],
      ['/links', 'Ask the administrator for the permission to create them or to see all.'],
      ['/people', 'Only administrators can manage people, teams and API keys.'],
    ] as const) {
      await page.goto(url + path);
      await page.getByText(text).waitFor();
      assert.equal(await page.locator('form, table').count(), 0, path);
      await assertAccessible(page);
    }
  });

  await step('a visitor opens the file once, and is refused the second time', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(`${url}/l/${codes.file}`);
    await page.getByText('Can still be opened once').waitFor();
    await assertAccessible(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download file' }).click(),
    ]);
    assert.deepEqual(readFileSync(await file.path()), FILE.buffer);
    assert.equal((await page.goto(`${url}/l/${codes.file}`))?.status(), 410);
    await assertAccessible(page);
  });

  await step('Ada reads the history, exports it, and checks it', async () => {
    await ada.reload();
    for (const text of ['Link created', 'Paused: no → yes', 'Paused: yes → no', 'bruno'])
      await ada.locator('main').getByText(text).first().waitFor();
    const fingerprint = await ada.locator('.fingerprint code').innerText();
    await ada.getByRole('link', { name: 'Delivery record' }).click();
    await tabTo(ada, 'button', 'Save history for checking');
    const [file] = await Promise.all([ada.waitForEvent('download'), ada.keyboard.press('Enter')]);
    await ada.goto(`${url}/verify`);
    await ada.locator('#exported').setInputFiles(await file.path());
    await ada.locator('summary').click();
    await tabTo(ada, 'textbox', 'Fingerprint');
    await ada.keyboard.type(fingerprint);
    await ada.keyboard.press('Enter');
    await ada.getByRole('heading', { name: 'The history is complete and unchanged' }).waitFor();
    await assertAccessible(ada);
  });

  await step('Ada is deactivated: her links pass to Bruno, and her session ends', async () => {
    await admin.goto(`${url}/people`);
    await choose(admin, 'Actions: ada', 'Deactivate');
    await admin.getByLabel('Hand ada’s 2 links to').selectOption('bruno');
    await assertAccessible(admin);
    await button(admin, 'Deactivate').click();
    await admin.getByText('ada was deactivated.').waitFor();
    await bruno.goto(`${url}/links`);
    await assertBecomes(async () => (await linkRows(bruno)).sort(), [codes.file, codes.url].sort());
    await bruno.goto(`${url}/links/${codes.file}`);
    await bruno.getByText('Proprietário: “ada” → “bruno”').waitFor();
    await assertAccessible(bruno);
    await assertFits(bruno);
    await ada.goto(url);
    await ada.getByLabel('Name', { exact: true }).fill('ada');
    await ada.getByLabel('Password', { exact: true }).fill(passwordOf('ada'));
    await ada.keyboard.press('Enter');
    await ada.getByRole('alert').getByText('The name or the password is wrong.').waitFor();
    await assertAccessible(ada);
  });
}
