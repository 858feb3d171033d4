import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { generateX25519Identity } from 'age-encryption';
import type { Download, Page } from 'playwright-core';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { uploadEncrypted } from '../support/encrypted-links.ts';
import { auditedResults, linkState, revokeLink } from '../support/links.ts';
import { assertBecomes, assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService, type TestService } from '../support/service.ts';
import { mailFlags, readMailedCode, startSmtpServer } from '../support/smtp-server.ts';

const { openPage } = await startBrowser();
const texts = TEXTS.en;

const status = (page: Page) => () => page.getByRole('status').textContent();
const alert = (page: Page) => () => page.locator('[role=alert]').textContent();
const saving = (name: string) =>
  `${texts['encrypted.script.done']} ${texts['encrypted.script.saving'].replace('{name}', name)}`;
const start = (page: Page) => page.getByRole('button', { name: texts['encrypted.open'] }).click();
const codeIn = (link: string) => /\/l\/(\w+)/.exec(link)?.[1] ?? '';
const viewsOf = (service: TestService, link: string) => linkState(service, codeIn(link)).viewCount;

async function contentOf(download: Download): Promise<Buffer> {
  assert.equal(await download.failure(), null);
  return readFileSync(await download.path());
}

/** Opens a page of a link, and keeps the addresses and bodies that it requests. */
async function visit(t: TestContext, link: string, script = '') {
  const page = await openPage(t);
  await page.addInitScript(script);
  const sent: string[] = [];
  page.on('request', (request) =>
    sent.push(`${request.url()} ${request.postData()} ${JSON.stringify(request.headers())}`),
  );
  await page.goto(link);
  return { page, sent };
}

test('a browser decrypts the file of a link with its key, under one view, and sends no key', async (t) => {
  const service = await startService(t);
  const content = randomBytes(3_000_000);
  const link = await uploadEncrypted(service, [['Bericht ä.pdf', content]], { fields: { maxViews: '1' } });
  await t.test('the key in the address decrypts the file', async (t) => {
    const { page, sent } = await visit(t, link);
    assert.equal(await page.getByRole('heading').textContent(), texts['encrypted.title']);
    assert.equal(await page.getByLabel(texts['encrypted.key']).isVisible(), false);
    await assertAccessible(page);
    const [download] = await Promise.all([page.waitForEvent('download'), start(page)]);
    assert.equal(download.suggestedFilename(), 'Bericht ä.pdf');
    assert.deepEqual(await contentOf(download), content);
    await assertBecomes(status(page), saving('Bericht ä.pdf'));
    await waitForFocus(page, page.getByRole('button', { name: 'Save Bericht ä.pdf' }));
    await assertAccessible(page);
    assert.ok(sent.length >= 2);
    assert.ok(!sent.some((text) => text.includes('AGE-SECRET')), sent.join('\n'));
  });
  assert.deepEqual([viewsOf(service, link), auditedResults(service, codeIn(link)).at(-1)], [1, 'SUCCESS']);
});

test('a recipient decrypts a file after the code from the mailbox, under one view', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  const fields = { maxViews: '1', verifiedRecipients: 'ann@example.com' };
  const link = await uploadEncrypted(service, [['a.txt', 'content']], { fields });
  await t.test('the key in the address stays there', async (t) => {
    const { page, sent } = await visit(t, link);
    await page.locator('#recipientAddress').fill('ann@example.com');
    await page.getByRole('button', { name: texts['recipient.send'] }).click();
    await page.getByLabel(texts['recipient.code.field'], { exact: true }).fill(await readMailedCode(smtp, 1));
    await page.getByRole('button', { name: texts['recipient.code.open'] }).click();
    await page.getByRole('heading', { name: texts['encrypted.title'] }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), start(page)]);
    assert.equal(String(await contentOf(download)), 'content');
    assert.ok(!sent.some((text) => text.includes('AGE-SECRET')), sent.join('\n'));
  });
  assert.equal(viewsOf(service, link), 1);
});

test('a reload goes on under the same view, until the lease ends', async (t) => {
  const service = await startService(t);
  const options = { isText: true, fields: { maxViews: '1' } };
  const link = await uploadEncrypted(service, [['message.txt', 'the code is 4711']], options);
  const [, key = ''] = link.split('#');
  const shown = (page: Page) => () => page.locator('#text').textContent();
  await t.test('a text is shown again, and the key is only behind #', async (t) => {
    const { page, sent } = await visit(t, link);
    for (let copies = 0; copies < 3; copies++) {
      await start(page);
      await assertBecomes(shown(page), 'the code is 4711');
      await waitForFocus(page, page.getByLabel(texts['encrypted.shown']));
      await page.reload();
      await page.getByText(texts['encrypted.again']).waitFor();
    }
    await assertAccessible(page);
    assert.equal(new URL(page.url()).hash, `#${key}`);
    const kept = await page.evaluate(
      'JSON.stringify([history.state, { ...localStorage, ...sessionStorage }])',
    );
    for (const text of [...sent, String(kept)]) assert.ok(!text.includes(key), text);
    assert.equal(viewsOf(service, link), 1);
    const other = await page.context().newPage();
    await other.goto(link);
    await other.getByText(texts['notice.VIEW_LIMIT_REACHED.title']).waitFor();

    await start(page);
    await page.getByRole('alert').getByText(texts['notice.DOWNLOAD_ENDED.text']).waitFor();
    assert.equal(await page.getByRole('button', { name: texts['encrypted.open'] }).isDisabled(), true);
    service.clock.now += 25 * 3_600_000;
    await page.reload();
    await page.getByText(texts['notice.DOWNLOAD_ENDED.title']).waitFor();
    await revokeLink(service, codeIn(link));
    await page.reload();
    await page.getByText(texts['notice.REVOKED.title']).waitFor();
  });
});

test('before it is opened, a page does not say whether it has files or a text', async (t) => {
  const service = await startService(t);
  const upload = (isText: boolean) =>
    uploadEncrypted(service, [['message.txt', 'text']], { isText, fields: { maxViews: '2' } });
  const links = [await upload(false), await upload(true)];
  for (const language of ['en', 'de', 'es', 'fr', 'pt'] as const) {
    await t.test(language, async (t) => {
      const page = await openPage(t, { locale: language, device: 'phone' });
      const { 'encrypted.title': title, 'preview.title': card, 'views.counts': counts } = TEXTS[language];
      const shown = [];
      for (const link of links) {
        await page.goto(link);
        await page.getByRole('heading', { name: title }).waitFor();
        await page.getByText(counts).waitFor();
        shown.push(await page.locator('main').innerText());
        assert.equal(await page.locator('[property="og:title"]').getAttribute('content'), card);
        await assertFits(page);
      }
      assert.equal(shown[0], shown[1]);
    });
  }
});

test('a passphrase is asked for, and a wrong one costs no further view', async (t) => {
  const service = await startService(t);
  const key = { kind: 'passphrase', passphrase: 'öffne dich' } as const;
  const link = await uploadEncrypted(service, [['a.txt', 'content']], { key, fields: { maxViews: '1' } });
  await t.test('the page asks for the passphrase', async (t) => {
    const { page } = await visit(t, link);
    const field = page.getByLabel(texts['encrypted.key']);
    await page.getByText(texts['encrypted.hint']).waitFor();
    await field.fill('offne dich');
    await page.getByText('Can still be opened once').waitFor();
    await start(page);
    await assertBecomes(alert(page), texts['encrypted.script.wrongKey']);
    await page.getByText(texts['encrypted.again']).waitFor();
    assert.equal(await page.getByText('Can still be opened once').count(), 0);
    await page.getByLabel(texts['encrypted.show'], { exact: true }).check();
    await assertBecomes(() => field.getAttribute('type'), 'text');
    await assertAccessible(page);
    await field.fill('öffne dich'.normalize('NFD'));
    const [download] = await Promise.all([page.waitForEvent('download'), start(page)]);
    assert.equal(String(await contentOf(download)), 'content');
  });
  assert.equal(viewsOf(service, link), 1);
});

test('a link with a password decrypts after it, without another page', async (t) => {
  const service = await startService(t);
  const link = await uploadEncrypted(service, [['a.txt', 'content']], { fields: { password: 'pass word' } });
  await t.test('the page decrypts after the password', async (t) => {
    const page = await openPage(t);
    await page.goto(link);
    await page.getByLabel(texts['password.field'], { exact: true }).fill('pass word');
    await page.getByRole('button', { name: texts['password.open'] }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), start(page)]);
    assert.equal(String(await contentOf(download)), 'content');
  });
  assert.equal(viewsOf(service, link), 1);
});

test('an encrypted text is shown and copied; several files are listed', async (t) => {
  const service = await startService(t);
  const text = 'first line\n  <b>second</b>';
  const shown = await uploadEncrypted(service, [['message.txt', text]], { isText: true });
  await t.test('a text', async (t) => {
    const { page } = await visit(t, shown);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await start(page);
    await assertBecomes(() => page.locator('#text').textContent(), text);
    await page.getByRole('button', { name: texts['text.copy'] }).click();
    await assertBecomes(() => page.evaluate<string>('navigator.clipboard.readText()'), text);
    await assertAccessible(page);
  });
  const several = await uploadEncrypted(service, [
    ['folder/a.txt', 'a'],
    ['folder/b.txt', 'b'],
  ]);
  await t.test('several files', async (t) => {
    const { page } = await visit(t, several);
    await start(page);
    await waitForFocus(page, page.getByRole('button', { name: 'Save folder/a.txt' }));
    await tabTo(page, 'button', 'Save folder/b.txt');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Space')]);
    assert.deepEqual([download.suggestedFilename(), String(await contentOf(download))], ['b.txt', 'b']);
    await assertBecomes(status(page), saving('folder/b.txt'));
    await assertAccessible(page);
  });
});

test('a file is saved under a name that is not hidden, and that any system can hold', async (t) => {
  const service = await startService(t);
  const link = await uploadEncrypted(service, [['../.ssh/a:b.txt', 'content']]);
  await t.test('the page saves the file under a cleaned name', async (t) => {
    const { page } = await visit(t, link);
    const [download] = await Promise.all([page.waitForEvent('download'), start(page)]);
    assert.equal(download.suggestedFilename(), 'a_b.txt');
    await assertBecomes(status(page), saving('_ssh/a_b.txt'));
  });
});

test('nothing is saved of a file that is damaged or has another key', async (t) => {
  const service = await startService(t);
  const good = [['a.txt', 'content']] as const;
  const damage = (bytes: Buffer) => bytes.subarray(0, -1);
  const other = await generateX25519Identity();
  const [link, untouched] = [await uploadEncrypted(service, good), await uploadEncrypted(service, good)];
  for (const [what, address, expected] of [
    ['a shortened file', await uploadEncrypted(service, good, { damage }), texts['encrypted.script.damaged']],
    ['another key', link.replace(/#.*/, `#${other}`), texts['encrypted.script.wrongKey']],
  ] as const) {
    await t.test(what, async (t) => {
      const { page } = await visit(t, address);
      await start(page);
      const error = page.locator('[role=alert]:not([hidden])');
      await error.waitFor();
      const found = (await error.textContent()) ?? '';
      assert.equal(found, expected);
      assert.equal(await page.locator('#decrypted button').count(), 0);
    });
  }
  for (const [what, damaged] of [
    ['a key that is cut off', link.slice(0, -3)],
    ['a key with other last letters', `${link.slice(0, -2)}${link.endsWith('QQ') ? 'PP' : 'QQ'}`],
  ] as const) {
    await t.test(what, async (t) => {
      const { page } = await visit(t, damaged);
      await assertBecomes(alert(page), texts['encrypted.script.badLink']);
      assert.equal(await page.getByRole('button', { name: texts['encrypted.open'] }).isDisabled(), true);
    });
  }
  await t.test('a damaged key that is typed spends no view', async (t) => {
    const { page } = await visit(t, untouched.replace(/#.*/, ''));
    await page.getByLabel(texts['encrypted.key']).fill(`${untouched.replace(/.*#/, '').slice(0, -3)}`);
    await start(page);
    await assertBecomes(alert(page), texts['encrypted.script.wrongKey']);
    assert.equal(viewsOf(service, untouched), 0);
  });
});

test('large files go into a picked folder or file, else through the private file system', async (t) => {
  const service = await startService(t, {
    flags: [
      '--spring.servlet.multipart.max-file-size=100MB',
      '--spring.servlet.multipart.max-request-size=100MB',
    ],
  });
  const content = randomBytes(70_000_000);
  const one = await uploadEncrypted(service, [['big.bin', content]]);
  const two = await uploadEncrypted(service, [
    ['a/big.bin', content],
    ['a/big.bin', 'second'],
  ]);
  // No test can use the dialogs of the system. Their handles are those of the private file system.
  const withPickers = `{
    const root = () => navigator.storage.getDirectory();
    window.showDirectoryPicker = root;
    const written = new Promise((resolve) => { window.goOn = resolve; });
    window.showSaveFilePicker = async ({ suggestedName }) => {
      const handle = await (await root()).getFileHandle(suggestedName, { create: true });
      const open = handle.createWritable.bind(handle);
      return Object.assign(handle, { createWritable: async () => {
        const writable = await open();
        const write = writable.write.bind(writable);
        return Object.assign(writable, { write: async (part) => { await write(part); await written; } });
      } });
    };
  }`;
  const sizesIn = (page: Page, folder: string) =>
    page.evaluate<Record<string, number>>(`(async () => {
      const root = await navigator.storage.getDirectory();
      const found = {};
      for await (const handle of (await (${folder})).values())
        if (handle.kind === 'file') found[handle.name] = (await handle.getFile()).size;
      return found;
    })()`);
  const choose = (page: Page) => page.getByRole('button', { name: texts['encrypted.script.choose'] }).click();
  await t.test('a picked file', async (t) => {
    const { page } = await visit(t, one, withPickers);
    await start(page);
    await page.getByText('Ready: big.bin, 67 MB').waitFor();
    assert.equal(await page.locator('progress').isVisible(), false, 'nothing is received until then');
    await choose(page);
    const bar = page.getByRole('progressbar', { name: /^\d.* of \d+ MB$/ });
    await bar.waitFor();
    assert.ok(Number(await bar.getAttribute('value')) > 0);
    await assertAccessible(page);
    await page.evaluate('goOn()');
    await assertBecomes(status(page), texts['encrypted.script.done']);
    assert.equal(await bar.isVisible(), false);
    assert.deepEqual(await sizesIn(page, 'root'), { 'big.bin': 70_000_000 });
  });
  await t.test('a picked folder', async (t) => {
    const { page } = await visit(t, two, withPickers);
    await start(page);
    await choose(page);
    await assertBecomes(status(page), texts['encrypted.script.done']);
    assert.deepEqual(await sizesIn(page, "root.getDirectoryHandle('a')"), {
      'big.bin': 70_000_000,
      'big (1).bin': 6,
    });
  });
  await t.test('the private file system', async (t) => {
    const { page } = await visit(t, one, 'window.showSaveFilePicker = undefined;');
    const [download] = await Promise.all([page.waitForEvent('download'), start(page)]);
    assert.deepEqual(await contentOf(download), content);
  });
});
