import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { chooseFiles, chooseSource } from '../support/create-page.ts';
import { until } from '../support/http-client.ts';
import { assertFits } from '../support/pages.ts';
import { ON_DIRECTORY, startService, temporaryDirectory } from '../support/service.ts';

const { openPage, browser } = await startBrowser();
const MIB = 1024 ** 2;
/** `TEST_UPLOAD_MIB=1024` uploads a gigabyte, in some seconds. */
const LARGE_MIB = Number(process.env['TEST_UPLOAD_MIB'] ?? 100);

/** Creates a file of this size that takes no disk space. */
function sparseFile(t: TestContext, bytes: number): string {
  const path = join(temporaryDirectory(t), 'large.bin');
  const file = openSync(path, 'w');
  ftruncateSync(file, bytes);
  closeSync(file);
  return path;
}

async function choose(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url);
  await chooseFiles(page, path);
  await page.getByText('large.bin').waitFor();
}

/** Returns the resident memory of the browser's page processes. */
async function memoryOfPages(): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  assert.ok(pages.length > 0);
  const resident = pages.map(({ id }) => {
    const [, kibibytes = ''] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  });
  return resident.reduce((sum, bytes) => sum + bytes);
}

test('the page needs no more memory for a large file', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async (t) => {
  const service = await startService(t, {
    flags: [`--app.upload.max-size=${LARGE_MIB + 1}MB`],
  });
  await t.test(`${LARGE_MIB} MiB`, async (t) => {
    const page = await openPage(t);
    await choose(page, service.url, sparseFile(t, LARGE_MIB * MIB));
    const before = await memoryOfPages();
    let peak = before;
    let isDone = false;
    await page.getByRole('button', { name: 'Create link' }).click();
    const done = page.getByRole('heading', { name: 'Your link is ready' }).waitFor({ timeout: 100_000 });
    const sampling = (async () => {
      while (!isDone) peak = Math.max(peak, await memoryOfPages());
    })();
    await done;
    isDone = true;
    await sampling;
    const growthMib = Math.round((peak - before) / MIB);
    t.diagnostic(`the page grew by ${growthMib} MiB`);
    assert.ok(growthMib < 40, `the page grew by ${growthMib} MiB`);
    assert.equal(service.storedFiles().length, 1);
  });
});

test('a slow upload', async (t) => {
  const service = await startService(t);

  /** Starts the upload over a connection that takes a minute for 20 MiB. */
  async function start(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: MIB / 3 },
    });
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText(/left$/).waitFor();
  }

  await t.test('an upload shows its progress, its speed and the time left', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await choose(page, service.url, sparseFile(t, 20 * MIB));
    await start(page);
    // The first figures of a busy machine may be in bytes and hours.
    const progress = /Uploading\n\d+%\n+[\d.]+ (kB|MB) of 20 MB\n[\d.]+ (kB|MB)\/s\n\d+ (secs?|mins?) left/;
    await until(async () => progress.test(await page.locator('.upload').innerText()));
    // The form is locked meanwhile.
    await page.locator('.source-file button:disabled').waitFor();
    const opacity = await page.evaluate(`getComputedStyle(document.querySelector('.choice span')).opacity`);
    assert.equal(opacity, '0.6', 'the lifetimes are grey, too');
    await assertAccessible(page);
    await assertFits(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create link' }).waitFor();
  });

  await t.test('a file that is too large is refused before it is sent', async (t) => {
    const page = await openPage(t);
    await choose(page, service.url, sparseFile(t, 2049 * MIB));
    await page.getByText('The file “large.bin” is too large. Choose a file of at most 2 GB.').waitFor();
    await page.getByRole('button', { name: 'Choose files' }).and(page.locator(':focus')).waitFor();
    await assertAccessible(page);
    await chooseSource(page, 'URL');
    await page.locator('.field-error').waitFor({ state: 'detached' });
  });
});

test('an almost full disk is explained at the file, in the language of the page', ON_DIRECTORY, async (t) => {
  const service = await startService(t, { freeBytes: async () => 256 * MIB });
  const page = await openPage(t, { locale: 'de' });
  await choose(page, service.url, sparseFile(t, 20 * MIB));
  await page.getByRole('button', { name: 'Link erstellen' }).click();
  await page.getByText('Der Speicher für Dateien ist fast voll.').waitFor();
  assert.equal(await page.locator('.field-error').count(), 1);
  assert.equal(await page.locator('.field-error').getAttribute('lang'), null);
});
