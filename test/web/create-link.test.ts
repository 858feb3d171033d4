import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible, DEVICES, type Device, startBrowser } from '../support/browser.ts';
import { json, member, send } from '../support/http-client.ts';
import { auditedResults, openLink } from '../support/links.ts';
import { assertFits, tabTo } from '../support/pages.ts';
import { startService, type TestService, testClock } from '../support/service.ts';

const { openPage } = await startBrowser();
const EACH_DEVICE = Object.keys(DEVICES) as Device[];
const TARGET = 'https://example.com/handbook?chapter=3#end';
/** Runs in the page: lines are stronger in high contrast. */
const BORDER_WIDTH = `getComputedStyle(document.querySelector('.button')).borderTopWidth`;
const FILE = { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('what is in it') };

/** Waits for the link that was made, and gives its short code. */
async function madeLink(page: Page): Promise<string> {
  const link = page.locator('.result-link p');
  await link.waitFor();
  return /\/l\/(\w+)$/.exec(await link.innerText())?.[1] ?? assert.fail('there is no link');
}

/** What the service knows of a link. */
async function describe(service: TestService, shortCode: string): Promise<Record<string, unknown>> {
  return json(await send(service, `/api/links/${shortCode}`)) as Record<string, unknown>;
}

test('making a link', async (t) => {
  const service = await startService(t, { clock: testClock(Date.now()) });

  for (const device of EACH_DEVICE) {
    await t.test(`to a URL, with a pointer, ${device}`, async (t) => {
      const page = await openPage(t, { device });
      await page.goto(service.url);
      if (device === 'phone') await assertAccessible(page);
      await assertFits(page);
      await page.getByLabel('Paste an address').fill(TARGET);
      await page.getByRole('radio', { name: 'A week' }).click();
      await page.getByRole('radio', { name: 'A number of times' }).click();
      await page.getByLabel('times', { exact: true }).fill('2');
      await page.getByLabel('Password').fill('open sesame');
      await assertAccessible(page);
      await assertFits(page);
      await page.getByRole('button', { name: 'Make the link' }).click();

      const shortCode = await madeLink(page);
      await page.locator('.badge').waitFor();
      await assertAccessible(page);
      await assertFits(page);
      const text = await page.locator('.fate').innerText();
      assert.match(
        text,
        /^It opens 2 times until .*, and then never again\. Whoever opens it needs the password\. It asks before/,
      );
      const link = await describe(service, shortCode);
      assert.equal(link['maxViews'], 2);
      assert.equal(link['passwordProtected'], true);
      assert.equal(link['confirm'], true);
      const lastsMs = Date.parse(String(link['expiresAt'])) - service.clock();
      assert.ok(Math.abs(lastsMs - 7 * 86_400_000) < 3_600_000, `it lasts ${lastsMs} ms`);
      const answer = await openLink(service, shortCode, { 'x-link-password': 'open sesame' });
      assert.equal(answer.headers.location, TARGET);
    });

    await t.test(`for a file, with a pointer, ${device}`, async (t) => {
      const page = await openPage(t, { device });
      await page.goto(service.url);
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      await (await choosing).setFiles(FILE);
      await page.getByText('report.pdf').waitFor();
      if (device === 'phone') await assertAccessible(page);
      await page.getByRole('button', { name: 'Make the link' }).click();
      const answer = await openLink(service, await madeLink(page));
      assert.equal(answer.text, 'what is in it');
      assert.match(String(answer.headers['content-disposition']), /filename="report\.pdf"/);
    });
  }

  await t.test('to a URL, with a keyboard alone', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'Make a link' }).waitFor();
    await tabTo(page, 'textbox', 'Paste an address');
    await page.keyboard.type(TARGET);
    await tabTo(page, 'radio', 'No limit');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'radio', 'Any number of times');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'button', 'Generate');
    await page.keyboard.press('Enter');
    await tabTo(page, 'checkbox', /^Ask before it opens/);
    await page.keyboard.press('Space');
    await tabTo(page, 'button', 'Make the link');
    await page.keyboard.press('Enter');

    const shortCode = await madeLink(page);
    assert.equal(await page.locator(':focus').innerText(), 'Your link is ready');
    const link = await describe(service, shortCode);
    assert.equal(link['maxViews'], 1);
    assert.equal(link['confirm'], false, 'what is on by default was switched off');
    assert.equal(link['passwordProtected'], true);
    const password = await page.locator('.result-password code').innerText();
    assert.match(password, /^(\w{5}-){3}\w{5}$/);
    assert.equal((await openLink(service, shortCode, { 'x-link-password': password })).status, 302);

    await tabTo(page, 'button', 'Make another link');
    await page.keyboard.press('Enter');
    await tabTo(page, 'textbox', 'Paste an address');
    assert.equal(await page.getByLabel('Paste an address').inputValue(), '');
  });

  await t.test('for a file, with a keyboard alone', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'Make a link' }).waitFor();
    await tabTo(page, 'button', 'Choose a file');
    const choosing = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await choosing).setFiles(FILE);
    await page.getByText('report.pdf').waitFor();
    await tabTo(page, 'button', 'Remove');
    await page.keyboard.press('Enter');
    await page.getByLabel('Paste an address').waitFor();
    await tabTo(page, 'button', 'Choose a file');
    const again = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await again).setFiles(FILE);
    await tabTo(page, 'button', 'Make the link');
    await page.keyboard.press('Enter');
    assert.equal((await openLink(service, await madeLink(page))).text, 'what is in it');
  });

  await t.test('what is dropped or pasted anywhere on the page is taken', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await page.getByLabel('Paste an address').waitFor();
    await giveOver(page, 'drop', 'text/uri-list', TARGET);
    assert.equal(await page.getByLabel('Paste an address').inputValue(), TARGET);
    await giveOver(page, 'paste', 'text/plain', 'https://example.com/pasted');
    assert.equal(await page.getByLabel('Paste an address').inputValue(), 'https://example.com/pasted');
    const field = '#password';
    assert.equal(
      await giveOver(page, 'drop', 'text/plain', 'a password', field),
      false,
      'it is left to the field',
    );
    assert.equal(await page.getByLabel('Paste an address').inputValue(), 'https://example.com/pasted');
    await giveOver(page, 'paste', 'file', 'picture.png');
    await page.getByText('picture.png').waitFor();
    await giveOver(page, 'drop', 'file', 'notes.txt');
    await page.getByText('notes.txt').waitFor();
    await page.getByRole('button', { name: 'Make the link' }).click();
    assert.equal((await openLink(service, await madeLink(page))).text, 'content');
    const stays = await giveOver(page, 'drop', 'file', 'late.txt');
    assert.ok(stays, 'where no file is taken, the browser does not leave the page for it');
  });

  await t.test('until a date', async (t) => {
    const page = await openPage(t, { timezoneId: 'Asia/Kolkata' });
    await page.goto(service.url);
    await page.getByLabel('Paste an address').fill(TARGET);
    await page.getByRole('radio', { name: 'Until a date' }).click();
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByText('Choose a date and a time.').waitFor();
    assert.equal(await page.getByLabel('Date and time').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Date and time').fill('2099-12-31T18:00');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = await describe(service, await madeLink(page));
    assert.equal(link['expiresAt'], '2099-12-31T12:30:00.000Z');
    assert.match(await page.locator('.fate').innerText(), /31 December 2099 at 18:00/);
  });

  await t.test("an error stands by its field, in the service's words", async (t) => {
    const page = await openPage(t);
    for (const [what, field, fill, text] of [
      ['no URL', 'Paste an address', 'example.com', 'must be a valid URL'],
      ['nothing', 'Paste an address', '', 'must not be blank'],
      ['no number of views', 'times', '0', 'must be greater than 0'],
      ['a number that is none', 'times', 'many', 'must be an integer'],
      ['a password that no header can carry', 'Password', ' blank', 'must not'],
    ] as const) {
      await page.goto(service.url);
      if (field !== 'Paste an address') await page.getByLabel('Paste an address').fill(TARGET);
      if (field === 'times') await page.getByRole('radio', { name: 'A number of times' }).click();
      const input = page.getByLabel(field, { exact: true });
      await input.fill(fill);
      await page.getByRole('button', { name: 'Make the link' }).click();
      await page.locator('.field-error').waitFor();
      assert.equal(await page.locator('.field-error').count(), 1, what);
      assert.ok((await page.locator('.field-error').textContent())?.includes(text), what);
      assert.equal(await input.getAttribute('aria-invalid'), 'true', what);
      assert.equal(await page.locator(':focus').getAttribute('id'), await input.getAttribute('id'), what);
      const told = await page.locator(`#${await input.getAttribute('aria-describedby')}`).textContent();
      assert.ok(told?.includes(text), `a screen reader reads it with the field: ${what}`);
      if (what === 'no URL') await assertAccessible(page);
    }
  });

  await t.test('a service that cannot be reached is told, and nothing that was typed is lost', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await page.getByLabel('Paste an address').fill(TARGET);
    await page.route('**/api/links', (route) => route.fulfill({ status: 502, body: '<html>Bad gateway' }));
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByRole('alert').waitFor();
    await assertAccessible(page);
    await page.unroute('**/api/links');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await madeLink(page);
  });

  await t.test('the link is copied, and its QR code saved as SVG and PNG', async (t) => {
    const page = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(service.url);
    await page.getByLabel('Paste an address').fill(TARGET);
    await page.getByRole('button', { name: 'Make the link' }).click();
    const shortCode = await madeLink(page);
    await page.getByRole('button', { name: 'Copy the link', exact: true }).click();
    await page.getByText('Copied').first().waitFor();
    assert.match(
      (await page.evaluate('navigator.clipboard.readText()')) as string,
      new RegExp(`/l/${shortCode}$`),
    );
    for (const [kind, begin] of [
      ['SVG', /^<svg|^<\?xml/],
      ['PNG', /^.PNG/],
    ] as const) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save the QR code as ${kind}` }).click();
      const download = await downloading;
      assert.equal(download.suggestedFilename(), `postern-${shortCode}.${kind.toLowerCase()}`);
      assert.match(readFileSync(await download.path(), 'latin1'), begin);
    }
  });

  await t.test('a link that cannot be copied says so to everybody', async (t) => {
    const page = await openPage(t);
    await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
      document.execCommand = () => false;`);
    await page.goto(service.url);
    await page.getByLabel('Paste an address').fill('https://example.com/kept');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByRole('button', { name: 'Copy the link', exact: true }).click();
    const told = await page.getByText('Copying failed').boundingBox();
    assert.ok((told?.width ?? 0) > 100 && (told?.height ?? 0) > 10, JSON.stringify(told));
  });

  await t.test('the link is handed on in the way of the device, where it has one', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.addInitScript(`navigator.share = async (data) => { globalThis.shared = data; };`);
    await page.goto(service.url);
    await page.getByLabel('Paste an address').fill(TARGET);
    await page.emulateMedia({ contrast: 'more' });
    assert.equal(await page.evaluate(BORDER_WIDTH), '2px');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Make the link' }).click();
    const shortCode = await madeLink(page);
    await page.getByRole('button', { name: 'Share…' }).click();
    const { url } = await page.evaluate<{ url: string }>('shared');
    assert.match(url, new RegExp(`/l/${shortCode}$`));
  });

  await t.test('markup stays text', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    const markup = `<img src=x onerror="alert(1)">'"&.txt`;
    await page.locator('input[type=file]').setInputFiles({ ...FILE, name: markup });
    await page.getByText(markup).waitFor();
    await page.getByRole('button', { name: 'Make the link' }).click();
    await madeLink(page);
    await page.locator('.my-link .badge').waitFor();
    assert.ok((await page.locator('.my-link h3').innerText()).includes('<img src=x'));
    await page.getByRole('button', { name: 'Make another link' }).click();
    await page.getByLabel('Paste an address').fill('https://example.com/?<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await madeLink(page);
    assert.equal(await page.locator('main img, main script').count(), 0);
  });
});

test('my links', async (t) => {
  const service = await startService(t);
  for (const device of EACH_DEVICE) {
    await t.test(`are known to this browser alone, with what has become of them, ${device}`, async (t) => {
      const page = await openPage(t, { device });
      await page.goto(service.url);
      await page.getByText('The links that you make appear here.').waitFor();
      const shortCode = await make(page, async () => {
        await page.getByRole('radio', { name: 'A number of times' }).click();
      });
      const row = page.locator('.my-link');
      await row.getByText('0 of 3 views').waitFor();
      assert.deepEqual(auditedResults(service, shortCode), [], 'to look at it is no attempt');
      await openLink(service, shortCode, { accept: 'application/json' });
      await page.reload();
      await row.getByText('1 of 3 views').waitFor();
      await row.getByText('2 left').waitFor();
      await assertAccessible(page);
      await assertFits(page);

      const other = await openPage(t, { device });
      await other.goto(service.url);
      await other.getByText('The links that you make appear here.').waitFor();
    });
  }

  await t.test('one is revoked after a question, and removed from the list, with a pointer', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(service.url);
    const shortCode = await make(page);
    await page.getByRole('button', { name: `Revoke the link ${shortCode}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this link?' });
    await dialog.waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(member(await describe(service, shortCode), 'status'), 'ACTIVE');
    await page.getByRole('button', { name: `Revoke the link ${shortCode}` }).click();
    await dialog.getByRole('button', { name: 'Revoke it' }).click();
    await page.locator('.my-link').getByText('Revoked', { exact: true }).waitFor();
    assert.equal((await openLink(service, shortCode)).status, 410);
    await page.getByRole('button', { name: `Remove ${shortCode} from the list` }).click();
    await page.getByText('The links that you make appear here.').waitFor();
  });

  await t.test('one is revoked with a keyboard alone; Escape keeps it', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    const shortCode = await make(page);
    await tabTo(page, 'button', `Revoke the link ${shortCode}`);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const focused = await page.locator(':focus').getAttribute('aria-label');
    assert.equal(focused, `Revoke the link ${shortCode}`, 'the focus is back where it was');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await tabTo(page, 'button', 'Revoke it');
    await page.keyboard.press('Enter');
    await page.locator('.my-link').getByText('Revoked', { exact: true }).waitFor();
    assert.equal((await openLink(service, shortCode)).status, 410);
    await tabTo(page, 'button', `Remove ${shortCode} from the list`);
    await page.keyboard.press('Enter');
    await page.locator('.my-link').waitFor({ state: 'detached' });
  });

  await t.test('one that cannot be revoked says why, in the words of the service', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await page.getByLabel('Paste an address').fill('https://example.com/kept');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await madeLink(page);
    const body = JSON.stringify({ message: 'An unexpected error occurred. Reference ID: 1' });
    await page.route('**/l/*', (route) => route.fulfill({ status: 500, body }));
    await page.getByRole('button', { name: /^Revoke the link/ }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    const told = await page.getByRole('alert').textContent();
    assert.equal(told, 'An unexpected error occurred. Reference ID: 1');
  });

  await t.test('the focus is never lost with what was pressed', async (t) => {
    const page = await openPage(t);
    const press = async (name: string | RegExp) => {
      await page.getByRole('button', { name, exact: typeof name === 'string' }).focus();
      await page.keyboard.press('Enter');
    };
    const hasFocus = (part: Locator) => part.and(page.locator(':focus')).waitFor();
    const address = page.getByLabel('Paste an address');
    const title = page.getByRole('heading', { name: 'My links' });
    await page.goto(service.url);
    await page.locator('input[type=file]').setInputFiles(FILE);
    await hasFocus(page.getByRole('button', { name: 'Remove', exact: true }));
    await page.keyboard.press('Enter');
    await hasFocus(address);
    await address.fill('https://example.com/kept');
    await page.keyboard.press('Enter');
    await madeLink(page);
    await press('Make another link');
    await hasFocus(address);
    await press(/^Revoke the link/);
    await press('Revoke it');
    await hasFocus(title);
    await address.focus();
    await press(/from the list$/);
    await hasFocus(title);
  });

  await t.test('another tab shows what this one made', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    const other = await page.context().newPage();
    await other.goto(service.url);
    await other.getByText('The links that you make appear here.').waitFor();
    await make(page);
    await other.locator('.my-link .badge').waitFor();
  });

  await t.test('what lies in the storage and is no link harms nothing', async (t) => {
    const page = await openPage(t);
    const junk = JSON.stringify([1, null, { shortCode: 'x', accessUrl: 'javascript:alert(1)', title: '' }]);
    for (const kept of ['{', 'null', '{"a":1}', junk]) {
      await page.addInitScript(`localStorage.setItem('postern.links', ${JSON.stringify(kept)})`);
      await page.goto(service.url);
      await page.getByText('The links that you make appear here.').waitFor();
    }
  });

  await t.test('one that the service does not know says so', async (t) => {
    const page = await openPage(t);
    const link = {
      shortCode: 'gone1234',
      accessUrl: 'http://x.example/l/gone1234',
      title: 'Gone',
      type: 'REDIRECT',
    };
    await page.addInitScript(
      `localStorage.setItem('postern.links', ${JSON.stringify(JSON.stringify([link]))})`,
    );
    await page.goto(service.url);
    await page.getByText('The service does not know this link.').waitFor();
    await assertAccessible(page);
  });
});

/** Makes a link to a URL with what `choose` chooses, and gives its short code. */
async function make(page: Page, choose?: () => Promise<void>): Promise<string> {
  await page.getByLabel('Paste an address').fill(TARGET);
  await choose?.();
  await page.getByRole('button', { name: 'Make the link' }).click();
  const shortCode = await madeLink(page);
  await page.locator('.my-link .badge').waitFor();
  return shortCode;
}

/** Drops or pastes something on the page: a text of some type, or a file of some name. */
async function giveOver(
  page: Page,
  how: 'drop' | 'paste',
  type: string,
  content: string,
  at = 'h1',
): Promise<boolean> {
  return await page.evaluate(`{
    const data = new DataTransfer();
    if (${JSON.stringify(type)} === 'file') data.items.add(new File(['content'], ${JSON.stringify(content)}));
    else data.setData(${JSON.stringify(type)}, ${JSON.stringify(content)});
    const options = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };
    const events = ${JSON.stringify(how)} === 'drop'
      ? ['dragenter', 'dragover', 'drop'].map((type) => new DragEvent(type, options))
      : [new ClipboardEvent('paste', options)];
    for (const event of events) document.querySelector(${JSON.stringify(at)}).dispatchEvent(event);
    events.at(-1).defaultPrevented;
  }`);
}
