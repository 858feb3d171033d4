import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { en } from '../../web/i18n/locales/en.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { chooseFiles, chooseSource, createdShortCode, openOptions } from '../support/create-page.ts';
import { send, sendJson, until } from '../support/http-client.ts';
import { linkState, shortCodeOf, uploadFile } from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { assertFits } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();
const texts = TEXTS.en;
const SECRET = '\nuser:\t<admin>\r\nkey:\t  4711 ✓';

/** Returns a PNG of one colour (RFC 2083). */
function toPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = Buffer.alloc(height * (width + 1), 0x80);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0; // no filter
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))],
  ]);
}

/** Returns silence of 8-bit samples, 8,000 a second. */
function toWav(seconds: number): Buffer {
  const samples = Buffer.alloc(8_000 * seconds, 0x80);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // PCM
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** Returns a PDF with one page, which says hello. */
function toPdf(): Buffer {
  const text = 'BT /F1 24 Tf 50 100 Td (Hello) Tj ET';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>\nstream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
  return Buffer.from(`%PDF-1.4\n${objects.join('')}trailer<</Size 6/Root 1 0 R>>\n%%EOF\n`);
}

/** Records a video of a canvas, as browsers do. */
const RECORD = `new Promise((resolve) => {
  const canvas = document.body.appendChild(document.createElement('canvas'));
  canvas.width = 64; canvas.height = 48;
  const context = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
  let frame = 0;
  recorder.ondataavailable = async ({ data }) => {
    clearInterval(drawing);
    resolve([...new Uint8Array(await data.arrayBuffer())]);
  };
  const drawing = setInterval(() => {
    context.fillStyle = ['red', 'blue'][frame % 2];
    context.fillRect(0, 0, 64, 48);
    if (++frame === 20) recorder.stop();
  }, 40);
  recorder.start();
})`;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('the pages of texts and pictures', async (t) => {
  const service = await startService(t);
  const createText = async (members: Record<string, unknown> = {}) =>
    shortCodeOf(await sendJson(service, '/api/links', { text: SECRET, ...members }));
  const open = async (t: TestContext, shortCode: string, options?: PageOptions) => {
    const page = await openPage(t, options);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.url}/l/${shortCode}`);
    return page;
  };

  await t.test('the click shows a text, and one button copies exactly this text', async (t) => {
    const shortCode = await createText({ maxViews: 2 });
    const page = await open(t, shortCode, { device: 'phone' });
    await page.getByRole('heading', { name: texts['text.title'] }).waitFor();
    assert.equal(linkState(service, shortCode).viewCount, 0);
    await press(page, texts['text.open']);
    await page.getByText('Can still be opened once.').waitFor();
    assert.equal(await page.locator('pre').textContent(), SECRET);
    await press(page, texts['text.copy']);
    await page.getByRole('status').getByText(texts['command.copied']).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), SECRET);
    await assertAccessible(page);
    await assertFits(page);
    assert.equal(page.url(), `${service.url}/l/${shortCode}`, 'no address has it');
  });

  await t.test('a text can be read and selected without JavaScript', async (t) => {
    const page = await open(t, await createText(), { javaScriptEnabled: false });
    await press(page, texts['text.open']);
    assert.equal(await page.locator('pre').textContent(), SECRET);
    assert.equal(await page.getByRole('button').count(), 0);
  });

  for (const [device, size] of [
    ['phone', 40],
    ['desktop', 3_000],
  ] as const) {
    await t.test(`a picture is shown and downloaded on a ${device}, and fits`, async (t) => {
      const fields = { viewable: 'true', maxViews: '1' };
      const shortCode = await uploadFile(service, toPng(size, size), { fileName: 'plan ä.png', fields });
      const page = await open(t, shortCode, { device });
      const picture = page.getByRole('img', { name: 'plan ä.png' });
      await picture.waitFor();
      assert.equal(await page.evaluate('document.images[0].naturalWidth'), size);
      await assertFits(page);
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: texts['download.open'] }).click(),
      ]);
      assert.deepEqual([await saved.failure(), saved.suggestedFilename()], [null, 'plan ä.png']);
      await page.reload();
      await picture.waitFor();
      assert.equal(linkState(service, shortCode).viewCount, 1);
    });
  }

  const shown = (content: Buffer, fileName: string) =>
    uploadFile(service, content, { fileName, fields: { viewable: 'true', maxViews: '1' } });
  /** Reads a property of the element that plays a file: the page itself runs no script. */
  const stateOf = (page: Page, property: string) =>
    page.evaluate<number>(`document.querySelector('audio, video').${property}`);

  await t.test('audio is played and sought on its page under one view', async (t) => {
    const shortCode = await shown(toWav(90), 'a "speech" ä.wav');
    const page = await open(t, shortCode, { device: 'phone' });
    const player = page.getByLabel('a "speech" ä.wav', { exact: true });
    await player.waitFor();
    await until(async () => (await stateOf(page, 'readyState')) > 0);
    assert.equal(await stateOf(page, 'duration'), 90);
    for (const second of [80, 10, 60]) {
      await page.evaluate(`document.querySelector('audio').currentTime = ${second}`);
      await until(async () => !(await stateOf(page, 'seeking')) && (await stateOf(page, 'readyState')) > 1);
      assert.equal(await stateOf(page, 'currentTime'), second);
    }
    await assertFits(page);
    await page.reload();
    await until(async () => (await stateOf(page, 'readyState')) > 0);
    assert.equal(linkState(service, shortCode).viewCount, 1);
  });

  await t.test('axe finds nothing on the page of a player', async (t) => {
    const shortCode = await shown(toWav(1), 'speech.wav');
    // Without its sandbox, axe can run on the page.
    const page = await open(t, shortCode, { bypassCSP: true });
    await page.getByLabel('speech.wav', { exact: true }).waitFor();
    await assertAccessible(page);
  });

  await t.test('a video is shown on its page', async (t) => {
    const recording = await openPage(t);
    await recording.goto(`${service.url}/l/unknown`);
    const video = Buffer.from(await recording.evaluate<number[]>(RECORD));
    const shortCode = await shown(video, 'film.webm');
    const page = await open(t, shortCode);
    await until(async () => (await stateOf(page, 'readyState')) > 1);
    assert.deepEqual([await stateOf(page, 'videoWidth'), await stateOf(page, 'videoHeight')], [64, 48]);
    await assertFits(page);
  });

  await t.test('the create page offers to show a PDF, and nothing that browsers cannot show', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    const choose = (name: string, mimeType: string) => chooseFiles(page, { name, mimeType, buffer: toPdf() });
    await choose('offer.zip', 'application/zip');
    await page.locator('.source-file').getByText('offer.zip').waitFor();
    await openOptions(page);
    await page.getByRole('checkbox', { name: en.encrypt }).waitFor();
    assert.equal(await page.getByLabel(en.viewable).count(), 0);
    await page.getByRole('button', { name: en['source.remove'] }).click();
    await choose('offer.pdf', 'application/pdf');
    await page.getByLabel(en.viewable).check();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    const path = `/l/${await createdShortCode(page)}`;
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
    const opened = await send(service, path, { method: 'POST', headers, body: '' });
    assert.equal(opened.status, 303, 'a browser gets the page that shows it');
  });

  // The Chromium from npm is a headless shell, which has no viewer. With TEST_BROWSER, any other Chromium uses its own.
  for (const device of ['phone', 'desktop'] as const) {
    await t.test(
      `a PDF is shown by the viewer of the browser on a ${device}, or can be opened`,
      async (t) => {
        const shortCode = await shown(toPdf(), 'offer.pdf');
        const page = await openPage(t, { device });
        const ofFile: string[] = [];
        page.on('response', (response) => {
          if (response.url().includes('/view/'))
            ofFile.push(`${response.status()} ${response.headers()['content-type']}`);
        });
        await page.goto(`${service.url}/l/${shortCode}`);
        const hasViewer = await page.evaluate<boolean>('navigator.pdfViewerEnabled');
        const fallback = page.getByText(texts['shown.noPdf']);
        if (hasViewer) await until(() => ofFile.length > 0);
        else await fallback.waitFor();
        assert.equal(await fallback.isVisible(), !hasViewer);
        assert.deepEqual(ofFile, hasViewer ? ['200 application/pdf'] : [], 'nothing is loaded in vain');
        await assertAccessible(page);
        await assertFits(page);
        const downloading = hasViewer ? undefined : page.waitForEvent('download');
        await page.getByRole('link', { name: texts['shown.pdf'] }).click();
        if (downloading) assert.equal((await downloading).suggestedFilename(), 'offer.pdf');
        else await page.waitForURL(/\/view\/offer\.pdf$/);
        assert.equal(linkState(service, shortCode).viewCount, 1);
      },
    );
  }
});

test('the page of a link says that its file is held back', async (t) => {
  // A scanner that finds something in every file.
  const service = await startService(t, { flags: ['--app.upload.scan=false'] });
  const created = await sendForm(service, [file('content')]);
  const shortCode = shortCodeOf(created);
  await t.test('a file that is infected', async (t) => {
    const page = await openPage(t);
    const token = created.headers['x-link-token'];
    await page.addInitScript(`sessionStorage.setItem('postern.token.${shortCode}', '${token}')`);
    await page.goto(`${service.url}/links/${shortCode}`);
    await page.getByText(en['scan.heldBack']).waitFor();
    await page.getByText(en['scan.INFECTED'], { exact: true }).waitFor();
    await assertAccessible(page);
  });
  await t.test('a file that was not scanned, where that is required', async (t) => {
    const flags = ['--app.upload.scan=ls /no-such-directory', '--app.scan.required=true'];
    const strict = await startService(t, { flags });
    const page = await openPage(t);
    const requested: string[] = [];
    page.on('request', (request) => void requested.push(request.url()));
    await page.goto(strict.url);
    await chooseSource(page, 'REQUEST');
    await page.getByLabel(en['request.write']).waitFor();
    assert.ok(!requested.some((url) => url.includes('recipient-key')), 'senders cannot encrypt');
    const chosen = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
    await chooseFiles(page, chosen);
    await page.getByText('a.txt').first().waitFor();
    assert.equal(await page.getByLabel(en.encrypt).count(), 0);
    await page.getByRole('button', { name: en['create.submit'] }).click();
    await page.getByRole('alert').getByText(en['scan.required']).waitFor();
    await assertAccessible(page);
    await page.getByRole('link', { name: en['history.title'], exact: true }).click();
    await page.getByText(en['scan.required']).waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: en['link.resume'] }).click();
    await page.getByText(en['error.heldBack']).waitFor();
    await assertAccessible(page);
  });
});
