import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { createdShortCode, openCreatePage } from '../support/create-page.ts';
import { sendJson } from '../support/http-client.ts';
import { linkState, shortCodeOf } from '../support/links.ts';
import { assertFits } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();
const FILES = ['one.txt', 'two.txt'].map((name) => ({
  ...{ name, mimeType: 'text/plain', buffer: Buffer.from(`the content of ${name}`) },
}));

test('a person asks for files, and a visitor sends them and gets a receipt', async (t) => {
  const service = await startService(t);
  const page = await openCreatePage(openPage, t, service);
  await page.getByRole('button', { name: 'Request files' }).click();
  await page.getByLabel('What do you need?').fill('The signed contract\nas PDF');
  await page.getByLabel('Files at most').fill('2');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Create link' }).click();
  const code = await createdShortCode(page);

  const visitor = await openPage(t, { device: 'phone' });
  await visitor.goto(`${service.url}/l/${code}`);
  await visitor.getByText('The signed contract').waitFor();
  await assertFits(visitor);
  await assertAccessible(visitor);
  await visitor.getByLabel('Files', { exact: true }).setInputFiles(FILES);
  await visitor.getByLabel('Your name (optional)').fill('Jane');
  await visitor.getByRole('button', { name: 'Send files' }).click();
  await visitor.getByRole('heading', { name: 'Your files were received' }).waitFor();
  await assertAccessible(visitor);
  const download = visitor.waitForEvent('download');
  await visitor.getByRole('button', { name: 'Save receipt' }).click();
  assert.equal((await download).suggestedFilename(), 'receipt.txt');

  await page.goto(`${service.url}/links/${code}`);
  await page.getByRole('heading', { name: 'What arrived' }).waitFor();
  await page.getByRole('link', { name: 'The signed contract – Jane' }).click();
  await page.getByText('Arrived with the file request').first().waitFor();
  await assertAccessible(page);
  assert.equal(linkState(service, code).viewCount, 1);
});

test('a protected request takes files after its password, with and without JavaScript', async (t) => {
  const service = await startService(t);
  for (const javaScriptEnabled of [true, false]) {
    const request = { request: { message: 'Photos' }, password: 'secret' };
    const code = shortCodeOf(await sendJson(service, '/api/links', request));
    const page = await openPage(t, { javaScriptEnabled });
    await page.goto(`${service.url}/l/${code}`);
    await page.getByLabel('Password', { exact: true }).fill('secret');
    await page.getByRole('button', { name: 'Open link' }).click();
    await page.getByText('Photos').waitFor();
    await page.getByLabel('Files', { exact: true }).setInputFiles(FILES);
    if (!javaScriptEnabled) await page.getByLabel('Password', { exact: true }).fill('secret');
    await page.getByRole('button', { name: 'Send files' }).click();
    await page.getByRole('heading', { name: 'Your files were received' }).waitFor();
    assert.equal(linkState(service, code).viewCount, 1);
  }
});

test('an upload of a visitor survives a broken line', async (t) => {
  const service = await startService(t);
  const code = shortCodeOf(await sendJson(service, '/api/links', { request: { message: 'Photos' } }));
  const page = await openPage(t);
  await page.goto(`${service.url}/l/${code}`);
  let failures = 0;
  await page.route('**/uploads/*', (route) =>
    route.request().method() === 'PATCH' && failures++ === 0
      ? route.fulfill({ status: 503 })
      : route.continue(),
  );
  await page.getByLabel('Files', { exact: true }).setInputFiles(FILES);
  await page.getByRole('button', { name: 'Send files' }).click();
  await page.getByRole('heading', { name: 'Your files were received' }).waitFor();
  assert.equal(failures, 2);
});
