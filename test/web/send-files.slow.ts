import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Decrypter } from 'age-encryption';
import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import type { Page, Request } from 'playwright-core';
import { startBreakingProxy } from '../support/breaking-proxy.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import {
  chooseFiles,
  chooseSource,
  createdShortCode,
  describeLink,
  encryptInPage,
  openCreatePage,
} from '../support/create-page.ts';
import { json, member, send, sendJson, until } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { countRows } from '../support/links.ts';
import {
  asksBeforeLeaving,
  assertBecomes,
  assertFits,
  chooseInMenu,
  tabTo,
  waitForFocus,
} from '../support/pages.ts';
import { freePort, startServiceProcess } from '../support/process.ts';
import { limitedNginx, startReverseProxy, withoutProxy } from '../support/reverse-proxies.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const { openPage } = await startBrowser();
const MIB = 1024 ** 2;

/** Writes files of random bytes below a directory. Returns their paths. */
function writeFiles(t: TestContext, sizes: Record<string, number>): string[] {
  const directory = temporaryDirectory(t);
  return Object.entries(sizes).map(([name, size]) => {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, randomBytes(size));
    return path;
  });
}

const choose = (page: Page, paths: string | string[]) => chooseFiles(page, paths);
const create = (page: Page) => page.getByRole('button', { name: 'Create link' }).click();

/** Drops files and folders as the system does, which scripts of a page cannot. */
async function drop(page: Page, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
}

/** Slows the uploads of a page. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send('Network.emulateNetworkConditions', speed);
}

/** Returns the offsets from which a page sends, as they are sent. */
function collectOffsets(page: Page): number[] {
  const offsets: number[] = [];
  page.on('request', (request: Request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}

test('files pass a proxy that limits the body of a request, or the page names it', {
  skip: withoutProxy(limitedNginx('1m')),
}, async (t) => {
  const service = await startService(t);
  const open = async (t: TestContext, limit: string, path = '') => {
    const { url } = await startReverseProxy(t, limitedNginx(limit), service);
    const page = await openPage(t);
    await page.goto(url + path);
    return page;
  };
  for (const encrypts of [false, true]) {
    await t.test(`smaller parts are sent, encrypted: ${encrypts}`, async (t) => {
      const page = await open(t, '1m');
      const offsets = collectOffsets(page);
      await choose(page, writeFiles(t, { 'a.bin': 3 * MIB }));
      if (encrypts) await encryptInPage(page);
      await create(page);
      const link = await page.locator('.result-link p').innerText();
      const [, shortCode = ''] = /\/l\/(\w+)/.exec(link) ?? [];
      const file = member(await describeLink(service, shortCode), 'file');
      assert.ok(Number(member(file, 'sizeBytes')) >= 3 * MIB);
      assert.ok(new Set(offsets).size >= 4, offsets.join());
    });
  }
  await t.test('the page names a proxy that lets no part pass', async (t) => {
    const page = await open(t, '60k');
    await choose(page, writeFiles(t, { 'a.bin': MIB }));
    await create(page);
    await page
      .getByRole('alert')
      .getByText(/^The proxy nginx\/[\d.]+ refuses requests of this size/)
      .waitFor();
  });
  await t.test('a visitor sends files through it', async (t) => {
    const body = { request: { message: 'Your films' } };
    const path = `/l/${member(json(await sendJson(service, '/api/links', body)), 'shortCode')}`;
    for (const [limit, expected] of [
      ['1m', 'Your files were received'],
      ['60k', 'A proxy in front of this service refuses requests of this size.'],
    ] as const) {
      const page = await open(t, limit, path);
      await page.getByLabel('Files', { exact: true }).setInputFiles(writeFiles(t, { 'a.bin': 3 * MIB }));
      await page.getByRole('button', { name: 'Send files' }).click();
      await page.getByText(expected).waitFor();
    }
  });
});

test('several files', async (t) => {
  const service = await startService(t, { flags: ['--app.upload.max-size=3MB'] });

  await t.test(
    'a dropped folder and a chosen file become one link, with the paths of the files',
    async (t) => {
      const page = await openCreatePage(openPage, t, service, { device: 'phone' });
      const [nested = '', , other = ''] = writeFiles(t, {
        'site/css/a.css': 10,
        'site/index.html': 20,
        'b.txt': 5,
      });
      await drop(page, [dirname(dirname(nested))]);
      await page.getByText('2 files, 30 bytes').waitFor();
      await choose(page, [other]);
      for (const name of ['b.txt', 'site/css/a.css', 'site/index.html'])
        await page.locator('.source-files').getByText(name, { exact: true }).waitFor();
      await waitForFocus(page, page.getByRole('list', { name: '3 files, 35 bytes' }));
      await assertAccessible(page);
      await assertFits(page);
      await page.getByLabel('Name of the ZIP file').fill('all.zip');
      await create(page);
      const file = member(await describeLink(service, await createdShortCode(page)), 'file');
      assert.equal(member(file, 'name'), 'all.zip');
      assert.equal(member(file, 'fileCount'), 3);
      await page.locator('.my-link').getByText('3 files').waitFor();
    },
  );

  await t.test('files are removed with the keyboard, down to the form without any', async (t) => {
    const page = await openCreatePage(openPage, t, service);
    await choose(page, writeFiles(t, { 'a.txt': 1, 'b.txt': 2, 'c.txt': 3 }));
    const list = page.getByRole('list', { name: '3 files, 6 bytes' });
    await waitForFocus(page, list);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    assert.equal(await list.isVisible(), true, 'a key pressed too early removes nothing');
    await tabTo(page, 'button', 'Remove file: b.txt');
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByRole('list', { name: '2 files, 4 bytes' }));
    await tabTo(page, 'button', 'Remove file: c.txt');
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByRole('group', { name: 'a.txt, 1 byte' }));
    await assertAccessible(page);
    await page.keyboard.press('Tab');
    await waitForFocus(page, page.getByRole('button', { name: 'Remove file', exact: true }));
    await page.keyboard.press('Enter');
    await waitForFocus(page, page.getByRole('button', { name: 'Choose files' }));
  });

  await t.test(
    'files over the limit are refused before the first byte, and some can be removed',
    async (t) => {
      const page = await openCreatePage(openPage, t, service);
      const uploads: string[] = [];
      page.on('request', (request) => request.url().includes('/uploads') && uploads.push(request.url()));
      await choose(page, writeFiles(t, { 'a.bin': 2 * MIB, 'b.bin': 2 * MIB, 'c.bin': 10 }));
      const error = page.getByText('These files are 4 MB in total. Choose at most 3 MB.');
      await error.waitFor();
      await waitForFocus(page, page.getByRole('list', { name: '3 files, 4 MB' }));
      await assertAccessible(page);
      await create(page);
      await error.waitFor();
      assert.deepEqual(uploads, []);
      await page.getByRole('button', { name: 'Remove file: a.bin' }).click();
      await error.waitFor({ state: 'detached' });
      await create(page);
      await createdShortCode(page);
    },
  );

  await t.test('a refused term sends no byte again', async (t) => {
    const page = await openCreatePage(openPage, t, service);
    const offsets = collectOffsets(page);
    await choose(page, writeFiles(t, { 'a.bin': 10 }));
    await page.getByText('More options', { exact: true }).click();
    await page.getByLabel('Custom short code').fill('!');
    await create(page);
    await page.locator('.field-error').waitFor();
    await page.getByLabel('Custom short code').fill('corrected');
    await create(page);
    await page.locator('.result-link p').getByText('corrected').waitFor();
    assert.deepEqual(offsets, [0]);
  });
});

/** Fails unless the link of the page leads to a file with this SHA-256. */
async function assertStored(page: Page, service: { url: string }, bytes: Buffer): Promise<void> {
  const { file } = await describeLink(service, await createdShortCode(page));
  assert.equal(member(file, 'sha256'), createHash('sha256').update(bytes).digest('hex'));
}

/** Writes a file of random bytes. */
function writeLarge(t: TestContext, size: number): { path: string; bytes: Buffer } {
  const path = join(temporaryDirectory(t), 'build.zip');
  const bytes = randomBytes(size);
  writeFileSync(path, bytes);
  return { path, bytes };
}

test('an upload goes on over a line that breaks again and again', async (t) => {
  const service = await startService(t);
  const url = await startBreakingProxy(t, service.url, 6 * MIB);
  await t.test('the offsets of an upload grow', async (t) => {
    const page = await openPage(t);
    const offsets = collectOffsets(page);
    await page.goto(url);
    const { path, bytes } = writeLarge(t, 20 * MIB);
    await choose(page, path);
    await create(page);
    await assertStored(page, service, bytes);
    assert.ok(offsets.length >= 3, String(offsets));
    assert.deepEqual(
      offsets,
      offsets.toSorted((a, b) => a - b),
    );
  });
});

/**
 * Starts a proxy that breaks the connections of requests which create links while the line is down. `isLost`: they reach the
 * service, and their responses are lost.
 */
async function startProxy(t: TestContext, service: { url: string }) {
  const line = { isDown: true, isLost: false, url: '' };
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    let isCut = false;
    client.on('data', (bytes: Buffer) => {
      if (bytes.includes('POST /api/links ')) isCut = line.isDown;
      if (isCut && !line.isLost) client.destroy();
      else upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => (isCut ? client.destroy() : client.write(bytes)));
  });
  t.after(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return line;
}

test('the last request of an upload is tried again when the line breaks', async (t) => {
  const service = await startService(t);
  for (const [what, isEncrypted, isLost] of [
    ['a file whose request is lost', false, false],
    ['a file whose response is lost becomes one link', false, true],
    ['an encrypted file whose response is lost', true, true],
  ] as const) {
    await t.test(what, async (t) => {
      const line = Object.assign(await startProxy(t, service), { isLost });
      const before = countRows(service, 'link');
      const page = await openPage(t, { device: 'phone' });
      const offsets = collectOffsets(page);
      await page.goto(line.url);
      await choose(page, writeFiles(t, { 'a.bin': 10 }));
      if (isEncrypted) await encryptInPage(page);
      await create(page);
      await page.getByText('Connection lost. Trying again…').waitFor();
      await assertAccessible(page);
      await assertFits(page);
      line.isDown = false;
      await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
      assert.deepEqual([countRows(service, 'link') - before, offsets], [1, [0]]);
    });
  }
  await t.test('an upload is cancelled, and leaves nothing', async (t) => {
    const line = await startProxy(t, service);
    const files = service.storedFiles().length;
    const page = await openPage(t);
    await page.goto(line.url);
    await choose(page, writeFiles(t, { 'a.bin': 10 }));
    await create(page);
    await page.getByText('Connection lost. Trying again…').waitFor();
    assert.equal(service.storedFiles().length, files + 1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create link' }).waitFor();
    await until(() => service.storedFiles().length === files);
    assert.equal(await page.locator('.form-error, .field-error').count(), 0);
    Object.assign(line, { isLost: true });
    await create(page);
    await page.getByText('Connection lost. Trying again…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    line.isDown = false;
    await createdShortCode(page); // the link existed already
    assert.equal(service.storedFiles().length, files + 1);
  });
});

test('an upload survives the end of the service', async (t) => {
  const directory = temporaryDirectory(t);
  const port = await freePort();
  const killed = await startServiceProcess(t, directory, { port });
  await t.test('the page tries again until the next one is there', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    const offsets = collectOffsets(page);
    await page.goto(killed.url);
    const { path, bytes } = writeLarge(t, 20 * MIB);
    await choose(page, path);
    await slowDown(page, 4 * MIB);
    await create(page);
    await page.getByText(/left$/).waitFor();
    killed.signal('SIGKILL');
    await killed.exited;
    await page.getByText('Connection lost. Trying again…').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    const next = await startServiceProcess(t, directory, { port });
    await slowDown(page, -1);
    await assertStored(page, next, bytes);
    assert.ok(offsets.length >= 2, String(offsets));
  });
});

test('an unfinished upload', async (t) => {
  const service = await startService(t);
  const offer = /^The upload of “build.zip” stopped at \d+%. Choose the same file again to continue.$/;

  await t.test('an upload of a closed tab is offered again, and goes on with the same file', async (t) => {
    const { path, bytes } = writeLarge(t, 60 * MIB);
    const first = await openCreatePage(openPage, t, service);
    await slowDown(first, 4 * MIB);
    await choose(first, path);
    await create(first);
    await first.getByText(/left$/).waitFor();
    await first.getByRole('button', { name: 'Pause' }).click();
    await first.getByText('Paused').waitFor();
    await first.getByRole('button', { name: 'Resume' }).click();
    await until(async () => Number(await first.locator('.upload progress').getAttribute('value')) > 5);
    const other = await first.context().newPage();
    await other.goto(service.url);
    await other.locator('.link-form').waitFor();
    assert.equal(
      await other.getByText('build.zip').count(),
      0,
      'another tab does not offer what this one sends',
    );
    await first.close();

    const second = await other.context().newPage();
    const offsets = collectOffsets(second);
    await second.goto(service.url);
    await second.getByText(offer).waitFor();
    await assertAccessible(second);
    await choose(second, writeLarge(t, 10).path);
    await second.getByText('The chosen files are not the same.').waitFor();
    await second.getByRole('button', { name: 'Remove file' }).click();
    await choose(second, path);
    await second.getByText(/^The upload of “build.zip” continues at \d+%.$/).waitFor();
    await create(second);
    await assertStored(second, service, bytes);
    const [start = 0] = offsets;
    assert.ok(start > MIB, `it went on at ${start}`);
    await second.reload();
    await second.locator('.link-form').waitFor();
    assert.equal(await second.evaluate(`localStorage.getItem('postern.uploads')`), null);
  });

  for (const how of ['cancelled', 'discarded'] as const) {
    await t.test(`an upload that is ${how} leaves nothing`, async (t) => {
      const page = await openCreatePage(openPage, t, service);
      const before = service.storedFiles().length;
      await slowDown(page, 8 * MIB);
      await choose(page, writeLarge(t, 128 * MIB).path);
      await create(page);
      await page.getByText(/left$/).waitFor();
      await until(() => service.storedFiles().length > before);
      if (how === 'cancelled') await page.getByRole('button', { name: 'Cancel' }).click();
      else {
        await page.evaluate(
          'addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), true)',
        );
        page.on('dialog', (question) => void question.accept());
        await page.reload();
        await page.getByText(offer).waitFor();
        await page.getByRole('button', { name: 'Discard upload' }).click();
      }
      await until(() => service.storedFiles().length === before);
      await assertBecomes(() => page.evaluate(`localStorage.getItem('postern.uploads')`), null);
    });
  }
});

test('a link to an infected file says that it is paused', async (t) => {
  const service = await startService(t, { flags: ['--app.upload.scan=false'] });
  await t.test('the page of the new link names the malware', async (t) => {
    const page = await openCreatePage(openPage, t, service);
    await choose(page, writeFiles(t, { 'a.txt': 1 }));
    await create(page);
    const { file } = await describeLink(service, await createdShortCode(page));
    assert.equal(member(file, 'scan'), 'INFECTED', JSON.stringify(file)); // it says why, if the scanner did not run
    await page.getByRole('alert').getByText('A scanner found malware in this file.').waitFor();
    await page.locator('.my-link').getByText('Paused').waitFor();
    await assertAccessible(page);
  });
});

test('a text', async (t) => {
  const service = await startService(t);

  await t.test('a text is shown once, and is nowhere else', async (t) => {
    const page = await openCreatePage(openPage, t, service, { device: 'phone' });
    await chooseSource(page, 'TEXT');
    await waitForFocus(page, page.getByLabel('Your text'));
    await create(page);
    await page.locator('.field-error').getByText('Enter a text of at most 1 MB.').waitFor();
    await waitForFocus(page, page.getByLabel('Your text'));
    await page.keyboard.type('the code is 4711');
    await assertAccessible(page);
    await assertFits(page);
    await page.getByRole('checkbox', { name: 'Hide while typing' }).click();
    await assertBecomes(() => page.getByLabel('Your text').getAttribute('type'), 'password');
    await create(page);
    const link = await describeLink(service, await createdShortCode(page));
    assert.equal(link['maxViews'], 1);
    await page
      .locator('.my-link')
      .getByText(/^Text of \d+ \w+ \d+, \d+:\d+$/)
      .waitFor();
    const kept = await page.evaluate('document.documentElement.outerHTML + JSON.stringify(localStorage)');
    assert.ok(!String(kept).includes('4711'));
  });

  await t.test('a text without a limit is sent as one, and a replaced text comes back', async (t) => {
    const page = await openCreatePage(openPage, t, service);
    await chooseSource(page, 'TEXT');
    await page.getByLabel('Your text').fill('hello');
    await drop(page, writeFiles(t, { 'a.txt': 1 }));
    await page.locator('.source-file').getByText('a.txt').waitFor();
    await chooseSource(page, 'TEXT');
    await assertBecomes(() => page.getByLabel('Your text').inputValue(), 'hello');
    await page.getByRole('radio', { name: 'No limit' }).click();
    await create(page);
    assert.equal((await describeLink(service, await createdShortCode(page)))['maxViews'], null);
  });
});

test('files that the browser encrypts', async (t) => {
  const service = await startService(t);

  await t.test('files reach the service encrypted, and the link alone has their key', async (t) => {
    const page = await openCreatePage(openPage, t, service);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
    await choose(page, writeFiles(t, { 'plan of the year.txt': 3 * MIB, 'b.txt': 1 }));
    await encryptInPage(page);
    await assertAccessible(page);
    await create(page);
    const shown = page.locator('.result-link p');
    await page.getByText('The key is only in this link. It cannot be shown again.').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    assert.equal(await asksBeforeLeaving(page), true, 'the link was not copied');
    const [address = '', key = ''] = (await shown.innerText()).split('#');
    const row = page.locator('.my-link');
    await row.getByText('Encrypted', { exact: true }).waitFor();
    await row.getByText('Copy address without key').waitFor();
    const { body } = await send(service, new URL(address).pathname, { method: 'POST' });
    const decrypter = new Decrypter();
    decrypter.addIdentity(key);
    assert.match(Buffer.from(await decrypter.decrypt(body)).toString('latin1'), /plan of the year\.txt/);
    const kept = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'));
    for (const text of [...sent, kept]) assert.ok(!text.includes(key));
    assert.ok(!sent.some((text) => text.includes('plan of the year')));
  });

  await t.test(
    'what its tab copies and draws has the key; other pages say that theirs lacks it',
    async (t) => {
      const page = await openCreatePage(openPage, t, service);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await choose(page, writeFiles(t, { 'a.txt': 1 }));
      await encryptInPage(page);
      await create(page);
      const whole = await page.locator('.result-link p').innerText();
      const [address = '', key = ''] = whole.split('#');
      assert.match(key, /^AGE-SECRET-KEY-1/);
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const assertShared = async (copies: readonly (() => Promise<void>)[], text: string): Promise<void> => {
        for (const copy of copies) {
          await page.evaluate(`navigator.clipboard.writeText('')`);
          await copy();
          const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
          await assertBecomes(async () => /https?:\S+/.exec(await copied())?.[0], text);
        }
      };
      const assertDrawn = (text: string): Promise<void> => {
        const drawn = toSvgPath(generate(text, { minCorrectionLevel: correction.M }));
        return assertBecomes(() => page.locator('.qr path').first().getAttribute('d'), drawn);
      };
      await assertShared([() => press('Copy link'), () => press('Copy message')], whole);
      await press('Copy key');
      await assertBecomes(() => page.evaluate<string>('navigator.clipboard.readText()'), key);
      assert.equal(await page.getByText('The email does not contain the key').count(), 0, 'it sends none');
      const visitor = await openPage(t);
      await visitor.goto(address);
      await visitor.getByLabel('Passphrase or key').fill(key);
      await visitor.getByRole('button', { name: 'Decrypt' }).click();
      await visitor.getByText('a.txt').first().waitFor();
      await press('QR code');
      await assertDrawn(whole);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.locator('.result').getByRole('link', { name: 'History' }).click();
      const note = page.getByText(/^Encrypted. What you copy here and the QR code leave out the key/);
      await page
        .locator('.link-card')
        .locator('p + .actions')
        .filter({ has: page.getByText('Copy address without key') })
        .waitFor();
      await note.waitFor();
      const copies = [() => press('Copy address without key'), () => chooseInMenu(page, 'Copy message')];
      await assertShared(copies, address);
      await chooseInMenu(page, 'QR code');
      await page.getByRole('dialog').locator(note).waitFor();
      await assertDrawn(address);
      await assertAccessible(page);
      await page.evaluate(
        `sessionStorage.setItem('postern.key', '${await addKey(service, 'operator', ['read', 'manage'])}')`,
      );
      await page.goto(`${service.url}/links`);
      const row = page.getByRole('row').filter({ hasText: new URL(address).pathname.slice(3) });
      await row.getByText(/^Encrypted content of \d+ \w+ \d+, \d+:\d+$/).waitFor();
      assert.equal(await row.getByText('encrypted.tar.age').count(), 0);
    },
  );

  await t.test('a text is encrypted with a passphrase, and shown once', async (t) => {
    const page = await openCreatePage(openPage, t, service, { device: 'phone' });
    await chooseSource(page, 'TEXT');
    await page.getByLabel('Your text').fill('the code is 4711');
    await encryptInPage(page);
    await page.getByRole('button', { name: 'Generate: Passphrase' }).click();
    const field = page.locator('.passphrase input');
    const typed = `${await field.inputValue()} ü`;
    await field.fill(typed.normalize('NFD'));
    await assertFits(page);
    await create(page);
    const shortCode = await createdShortCode(page);
    const passphrase = await page.locator('.secret-to-copy code').first().innerText();
    assert.doesNotMatch(await page.locator('.terms').innerText(), /Password/, 'it has none besides');
    const { body } = await send(service, `/l/${shortCode}`, { headers: { accept: 'application/json' } });
    const decrypter = new Decrypter();
    assert.equal(passphrase, typed.normalize('NFD'), 'as it was typed');
    decrypter.addPassphrase(typed);
    assert.match(Buffer.from(await decrypter.decrypt(body)).toString('latin1'), /the code is 4711/);
    assert.equal((await describeLink(service, shortCode))['state'], 'USED_UP');
  });
});
