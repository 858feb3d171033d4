import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { json, member, sendJson } from '../support/http-client.ts';
import { linkState, openLink, uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { assertBecomes, assertFits } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();
const texts = TEXTS.en;
const FILES = {
  'offer.txt': 'an offer',
  'plans/ground floor.txt': 'x'.repeat(3_000),
  'plans/roof.txt': 'roof',
};

async function downloadBy(page: Page, role: 'link' | 'button', name: string) {
  const press = page.getByRole(role, { name, exact: true }).click();
  const [downloaded] = await Promise.all([page.waitForEvent('download'), press]);
  return { name: downloaded.suggestedFilename(), text: readFileSync(await downloaded.path(), 'utf8') };
}

test('the pages of a link to several files', async (t) => {
  const service = await startService(t);
  const create = async (more: Record<string, string>) => {
    const parts = Object.entries(FILES).map(([name, content]) => file(content, name));
    const created = await sendForm(service, [...parts, ...fields(more)]);
    const code = String(member(json(created), 'shortCode'));
    return { code, token: String(created.headers['x-link-token']) };
  };

  for (const [how, options] of [
    ['on a phone', { device: 'phone' }],
    ['on a dark desktop without JavaScript', { theme: 'dark', javaScriptEnabled: false }],
  ] as const) {
    await t.test(`a visitor downloads one file, and all as a ZIP, under one view ${how}`, async (t) => {
      const { code, token } = await create({ confirm: 'true', maxViews: '1' });
      const page = await openPage(t, options);
      await page.goto(`${service.url}/l/${code}`);
      await page.getByText('plans/ground floor.txt').waitFor();
      await page.getByText('offer.txt and 2 more files').waitFor();
      await page.getByText('3 files, 2.9 kB').waitFor();
      if (!('javaScriptEnabled' in options)) await assertAccessible(page);
      assert.equal(linkState(service, code).viewCount, 0);
      await page.getByRole('button', { name: texts['files.open'] }).click();
      const one = await downloadBy(page, 'link', 'roof.txt');
      assert.deepEqual(one, { name: 'roof.txt', text: 'roof' });
      await page.reload();
      assert.equal((await downloadBy(page, 'link', texts['files.zip'])).name, 'offer.txt + 2.zip');
      await assertFits(page);
      if (!('javaScriptEnabled' in options)) await assertAccessible(page);
      assert.equal(linkState(service, code).viewCount, 1);

      const owner = await openPage(t, { device: 'phone' });
      await owner.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
      await owner.goto(`${service.url}/links/${code}`);
      await owner.getByText('3 files', { exact: true }).click();
      await owner.getByText('plans/ground floor.txt').waitFor();
      await owner.getByText('2.9 kB (plans/roof.txt, 4 bytes; 3 files, 2.9 kB)').waitFor();
      await assertFits(owner);
      await assertAccessible(owner);
    });
  }

  await t.test('the history names the files of which something was sent', async (t) => {
    const { code, token } = await create({});
    const page = await openPage(t);
    await page.goto(`${service.url}/l/${code}`);
    await page.getByRole('link', { name: 'roof.txt', exact: true }).waitFor();
    const owner = await openPage(t);
    await owner.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
    await owner.goto(`${service.url}/links/${code}?show=record`);
    await owner.locator('.link-answer', { hasText: 'No file was downloaded yet.' }).waitFor();
    await downloadBy(page, 'link', 'ground floor.txt');
    await downloadBy(page, 'link', 'roof.txt');
    await owner.goto(`${service.url}/links/${code}`);
    await owner.locator('.link-answer', { hasText: 'Not all files were sent completely.' }).waitFor();
    const names = 'plans/ground floor.txt, plans/roof.txt';
    const sent = `Opened. Sent completely by the service: 2.9 kB (${names})`;
    await owner.getByText(sent, { exact: true }).waitFor();
  });

  for (const [device, theme, isOpened] of [
    ['phone', 'dark', false],
    ['desktop', 'light', true],
  ] as const) {
    await t.test(`the edit dialog adds and removes files on a ${device}`, async (t) => {
      const { code, token } = await create({});
      if (isOpened) await openLink(service, code);
      const page = await openPage(t, { device, theme });
      await page.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
      await page.goto(`${service.url}/links/${code}`);
      const open = async () => {
        await page.getByRole('button', { name: 'Edit', exact: true }).click();
        await page.getByRole('button', { name: 'Add or remove files' }).click();
      };
      await open();
      const dialog = page.getByRole('dialog', { name: 'Add or remove files' });
      const remove = (name: string) =>
        dialog.getByRole('button', { name: `Remove file: ${name}`, exact: true }).click();
      const save = () => dialog.getByRole('button', { name: 'Save changes' }).click();
      await remove('offer.txt');
      for (const [name, content] of [
        ['a.txt', 'added'],
        ['b.txt', 'dropped again'],
      ] as const)
        await dialog
          .getByLabel('Add files')
          .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
      await remove('b.txt');
      assert.equal(await dialog.getByText('This link was already opened').isVisible(), isOpened);
      assert.deepEqual(await dialog.locator('li bdi').allInnerTexts(), [
        ...['plans/ground floor.txt', 'plans/roof.txt', 'a.txt'],
      ]);
      await assertFits(page);
      await assertAccessible(page);
      await save();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.entry-label').getByText('Changed').waitFor();
      await open();
      await remove('plans/ground floor.txt');
      await remove('plans/roof.txt');
      await save();
      await dialog.waitFor({ state: 'detached' });
      assert.equal((await openLink(service, code)).text, 'added');
      await open();
      await remove('a.txt');
      await save();
      await dialog.getByText('Choose a file.').waitFor();
    });
  }

  await t.test('changes of files that were made meanwhile are not undone', async (t) => {
    const { code, token } = await create({});
    const page = await openPage(t);
    await page.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
    await page.goto(`${service.url}/links/${code}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Add or remove files' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add or remove files' });
    await dialog.getByRole('button', { name: 'Remove file: offer.txt', exact: true }).click();
    const headers = { 'x-link-token': token };
    const path = `/api/links/${code}/file`;
    assert.equal((await sendJson(service, path, { keep: '1' }, { method: 'PUT', headers })).status, 200);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('This link has changed in the meantime').waitFor();
    assert.equal((await openLink(service, code)).text, 'an offer');
  });

  await t.test('the page of one file offers the command that continues its download', async (t) => {
    const code = await uploadFile(service, 'content', {
      fileName: `a "b" $(c)'.txt`,
      fields: { confirm: 'true' },
    });
    const page = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${service.url}/l/${code}`);
    await page.getByText(texts['command.title'], { exact: true }).click();
    await page.getByText(texts['command.counts']).waitFor();
    await page.getByRole('button', { name: texts['command.show'] }).click();
    await page.getByRole('button', { name: texts['command.copy'] }).click();
    await page.getByText(texts['command.copied']).waitFor();
    await assertBecomes(
      async () =>
        (await page.evaluate<string>('navigator.clipboard.readText()')).replace(/lease_[\w-]+/, 'lease'),
      `curl -C - -o "a_b_c_.txt" "${service.url}/l/${code}/lease/a_b_c_.txt"`,
    );
    assert.equal((await downloadBy(page, 'link', texts['download.open'])).text, 'content');
    assert.equal(linkState(service, code).viewCount, 1);
  });
});
