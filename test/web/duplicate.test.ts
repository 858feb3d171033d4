import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Page } from 'playwright-core';
import { LinkRequest } from '../../src/http/schemas.ts';
import { startBrowser } from '../support/browser.ts';
import { uploadEncrypted } from '../support/encrypted-links.ts';
import { json, send } from '../support/http-client.ts';
import { shortCodeOf, uploadFile } from '../support/links.ts';
import { assertBecomes } from '../support/pages.ts';
import { personHeaders, sendFromPage } from '../support/people.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

/** The content of a picture is only recognised. */
const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
/** The terms of any link. */
const COMMON = {
  fallbackUrl: 'https://example.com/over',
  host: 'go.example',
  startsAt: '2098-01-01T09:00:00Z',
  expiresAt: '2099-01-01T09:00:00Z',
  maxViews: 7,
  confirm: true,
  label: 'Offer',
  recipient: 'Ann',
  note: 'first line\nsecond line',
  senderName: 'Jürgen Müller',
  message: 'Dear Ann,\nplease sign',
  shownBeforePassword: true,
  verifiedRecipients: ['ann@example.com', 'bob@example.org'],
  tags: ['a', 'b'],
  team: 'sales',
  notifyEmail: 'owner@example.org',
  notifyUrl: 'https://hooks.example/opened',
};
const OF_URL = { targetUrl: 'https://example.com/?a=1', forwardPath: true, forwardQuery: true };
const REQUEST = { message: 'The signed contract\nas PDF', maxFiles: 3, maxBytes: 1_500_000 };
/** What only one link has, and the content of a file, which a duplicate gets anew. */
const NOT_COPIED = ['password', 'customCode', 'text', 'uploadId', 'fileName', 'sha256'];
/** What the page offers once a file was chosen. */
const OF_FILE = ['viewable', 'encrypted'];

test('a duplicate has every term of its link', async (t) => {
  const service = await startService(t, {
    flags: [
      ...['--app.base-url=http://links.example', '--app.hosts=go.example'],
      ...[
        `--app.webhooks.secret=whsec_${Buffer.alloc(24, 'a').toString('base64')}`,
        '--app.webhooks.per-link=everyone',
      ],
      ...['--app.mail.url=smtp://127.0.0.1:9', '--app.mail.from=links@example.com'],
      ...['--app.mail.recipients=example.org', '--app.mail.per-link=everyone'],
    ],
  });
  const ada = await personHeaders(service, 'ada');
  await sendFromPage(service, 'POST', '/api/teams', { name: 'sales', members: ['ada'] }, ada);

  const describe = async (code: string) =>
    json(await send(service, `/api/links/${code}`, { headers: ada })) as Record<string, unknown>;
  const openCopy = async (t: TestContext, code: string): Promise<Page> => {
    const page = await openPage(t);
    const value = ada.cookie.split('=')[1] ?? '';
    await page.context().addCookies([{ name: 'postern', value, url: service.url }]);
    await page.goto(`${service.url}/?copy=${code}`);
    await assertBecomes(() => page.getByLabel('Label', { exact: true }).inputValue(), 'Offer');
    return page;
  };
  const copyOf = async (page: Page) => {
    const [response] = await Promise.all([
      page.waitForResponse(
        (response) => response.request().method() === 'POST' && /links$/.test(response.url()),
      ),
      page.getByRole('button', { name: 'Create link' }).click(),
    ]);
    assert.equal(response.status(), 201, await response.text());
    return describe(((await response.json()) as { shortCode: string }).shortCode);
  };
  const key = identityToRecipient(await generateX25519Identity());

  for (const [kind, own] of [
    ['a link to a URL', OF_URL],
    ['a file request', { request: { ...REQUEST, recipientKey: await key } }],
  ] as const) {
    await t.test(kind, async (t) => {
      const { message, verifiedRecipients, ...ofAll } = COMMON; // a file request has its own message, and no recipients
      const terms: Record<string, unknown> = {
        ...{ ...ofAll, ...('request' in own ? own : { message, verifiedRecipients, ...own }) },
      };
      const code = shortCodeOf(await sendFromPage(service, 'POST', '/api/links', terms, ada));
      const [first, copy] = [await describe(code), await copyOf(await openCopy(t, code))];
      for (const name of Object.keys(terms).filter((name) => name !== 'host'))
        assert.deepEqual(copy[name], first[name], name);
      assert.match(String(copy['accessUrl']), /^http:\/\/go\.example\//);
      assert.notEqual(copy['shortCode'], code);
    });
  }

  await t.test('a picture that visitors may look at', async (t) => {
    const fields = { label: 'Offer', viewable: 'true' };
    const page = await openCopy(t, await uploadFile(service, PNG, { fileName: 'a.png', fields }));
    await page.getByText('The files are not copied. Choose them again.').waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Choose a file.').waitFor();
    const chosen = { name: 'b.png', mimeType: 'image/png', buffer: PNG };
    await page.locator('input[type=file]').first().setInputFiles(chosen);
    assert.equal(Object(await copyOf(page))['file'].viewable, true);
  });

  await t.test('an encrypted file', async (t) => {
    const url = await uploadEncrypted(service, [['a.txt', 'a']], { fields: { label: 'Offer' } });
    const page = await openCopy(t, new URL(url).pathname.slice('/l/'.length));
    const chosen = { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') };
    await page.locator('input[type=file]').first().setInputFiles(chosen);
    assert.equal(Object(await copyOf(page))['file'].encrypted, true);
  });

  await t.test('a password, which the page asks for again', async (t) => {
    const terms = { label: 'Offer', targetUrl: 'https://example.com/', password: 'correct horse' };
    const code = shortCodeOf(await sendFromPage(service, 'POST', '/api/links', terms, ada));
    const page = await openCopy(t, code);
    const note = page.getByText('The password is not copied. Set another one.');
    await note.waitFor();
    await page.locator('#password').fill('another one');
    await note.waitFor({ state: 'detached' });
  });

  await t.test('no term is forgotten here', () => {
    const known = [...Object.keys({ ...COMMON, ...OF_URL }), 'request', ...OF_FILE, ...NOT_COPIED];
    assert.deepEqual(Object.keys(LinkRequest.properties).sort(), known.sort());
  });
});
