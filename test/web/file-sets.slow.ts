import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { json, member } from '../support/http-client.ts';
import { linkState, uploadFile } from '../support/links.ts';
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
      await page.getByText('3 files, 2.9 kB').waitFor();
      if (!('javaScriptEnabled' in options)) await assertAccessible(page);
      assert.equal(linkState(service, code).viewCount, 0);
      await page.getByRole('button', { name: texts['files.open'] }).click();
      const one = await downloadBy(page, 'link', 'roof.txt');
      assert.deepEqual(one, { name: 'roof.txt', text: 'roof' });
      await page.reload();
      assert.equal((await downloadBy(page, 'link', texts['files.zip'])).name, 'offer.zip');
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
    await downloadBy(page, 'link', 'ground floor.txt');
    await downloadBy(page, 'link', 'roof.txt');
    const owner = await openPage(t);
    await owner.addInitScript(`sessionStorage.setItem('postern.token.${code}', '${token}')`);
    await owner.goto(`${service.url}/links/${code}`);
    const names = 'plans/ground floor.txt, plans/roof.txt';
    const sent = `Opened. Sent completely by the service: 2.9 kB (${names})`;
    await owner.getByText(sent, { exact: true }).waitFor();
  });

  await t.test('the page of one file offers the command that continues its download', async (t) => {
    const code = await uploadFile(service, 'content', {
      fileName: `a "b" $(c)'.txt`,
      fields: { confirm: 'true' },
    });
    const page = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${service.url}/l/${code}`);
    await page.getByRole('button', { name: texts['command.title'] }).click();
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
