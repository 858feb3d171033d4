import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { LANGUAGES, type Language } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import { formatVerifierKey } from '../../src/core/model/signed-note.ts';
import { checkExportedHistory } from '../../src/tools/commands/check-export.ts';
import { en } from '../../web/history/verify-texts/en.ts';
import { prepareFormat } from '../../web/i18n/format.ts';
import { statementText } from '../../web/verify/statement-texts.ts';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { CHANGED_EXPORTS, DENIED, withLine } from '../support/changed-exports.ts';
import { makeExport, PARTS, toNdjson } from '../support/exported-history.ts';
import {
  doubts,
  exported,
  KEY,
  LOG,
  manipulations,
  OF_LINK,
  WITNESS_KEY,
} from '../support/log-manipulations.ts';
import { assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

const TEXTS = {
  text: prepareTranslate<typeof en>('en-GB', en),
  format: prepareFormat('en-GB'),
};

const toFile = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) });
const findings = (page: Page) => page.locator('.verify-result li').allInnerTexts();

/** Chooses a changed export, and returns what the page says of it. */
async function verdictOf(page: Page, lines: readonly unknown[]): Promise<string[]> {
  await page.locator('#exported').setInputFiles(toFile('export.ndjson', toNdjson(lines)));
  await page.locator('.verify-result').waitFor({ state: 'detached' });
  await page.locator('button[type=submit]').click();
  await page.locator('.verify-result').waitFor();
  assert.equal(await page.locator('.time-line').count(), 0, 'what is not proved is not shown');
  return findings(page);
}

test('the page that checks a history', async (t) => {
  const service = await startService(t);
  const { lines, heads } = makeExport();
  const known = heads[2]?.fingerprint ?? '';

  await t.test(
    'each manipulation of a history or its log is found, with what an outsider kept',
    async (t) => {
      const page = await openPage(t);
      await page.goto(`${service.url}/verify`);
      await page.getByText(en.compare).click();
      const check = async (lines: readonly unknown[], kept: string, shown = '.verify-result') => {
        await page.locator('#exported').setInputFiles(toFile('export.ndjson', toNdjson(lines)));
        await page.locator('#kept').fill(kept);
        await page.locator('.verify-result').waitFor({ state: 'detached' });
        await page.locator('button[type=submit]').click();
        await page.locator(shown).waitFor();
      };
      const [good, proof] = [await exported(), await LOG.proof(OF_LINK[5] ?? '', 6)];
      await check(good, `${KEY}\n\n${formatVerifierKey(WITNESS_KEY)}\n\n${proof}`);
      await page.getByRole('heading', { name: 'The history is complete and unchanged' }).waitFor();
      await page.getByText('The witness witness.example signed this checkpoint at 15 Jun 2026').waitFor();
      await assertAccessible(page);
      for (const { what, lines: changed, kept } of await manipulations()) {
        if (what === 'what was kept, copied in part') {
          await check(changed, kept, '#kept[aria-invalid]');
          await page.getByText(en.keptUnreadable).waitFor();
          assert.equal(await page.locator('.verify-result').count(), 0, 'it says nothing about the history');
          continue;
        }
        await check(changed, kept);
        assert.equal(await page.locator('.verify-bad').count(), 1, what);
      }
      for (const { what, lines: changed, kept } of await doubts()) {
        await check(changed, kept);
        const isCompared = what.endsWith('a witness'); // otherwise the reader kept no checkpoint to compare
        const title = isCompared ? en.consistent : en.unconfirmed;
        await page.getByRole('heading', { name: title, exact: true }).waitFor();
        const tone = isCompared ? 'good' : 'warn';
        assert.equal(await page.locator(`.verify-result.verify-${tone}`).count(), 1, what);
      }
      await check(good, await LOG.proof(OF_LINK[3] ?? '', 4));
      await page.getByRole('heading', { name: 'Unchanged up to entry 4', exact: true }).waitFor();
      assert.equal(await page.locator('.verify-result.verify-good').count(), 1, 'later entries are newer');
      await page.locator('#fingerprint').fill(known);
      await check(good, await LOG.consistency(10, 18));
      await page.getByRole('heading', { name: /^Unchanged up to entry 2 / }).waitFor();
      await page.getByText(en.nothingCompared).waitFor();
      assert.equal(await page.locator('.verify-result.verify-warn').count(), 1, 'more was not compared');
    },
  );

  await t.test('the button for a file speaks the language of the page, and names the file', async (t) => {
    const page = await openPage(t);
    await page.addInitScript(`localStorage.setItem('postern.language', 'de')`);
    await page.goto(`${service.url}/verify`);
    await page.getByText('Datei auswählen').first().waitFor();
    const field = page.locator('#exported');
    const opacity = await page.evaluate(`getComputedStyle(document.querySelector('#exported')).opacity`);
    assert.equal(opacity, '0', 'the button of the browser is not seen');
    await field.setInputFiles(toFile('export.ndjson', toNdjson(lines)));
    await page.locator('bdi', { hasText: 'export.ndjson' }).waitFor();
    await assertAccessible(page);
  });

  await t.test('a history is checked with the keyboard, without a network', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/verify`);
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await tabTo(page, 'button', 'Saved history');
    await page.getByRole('button', { name: 'Verify' }).press('Enter');
    await page.getByText('Choose the saved history.').waitFor();
    await waitForFocus(page, page.locator('#exported'));
    await page.locator('#exported').setInputFiles(toFile('export.ndjson', toNdjson(lines)));
    assert.equal(await page.getByLabel('Fingerprint').isVisible(), false);
    await page.keyboard.press('Tab');
    await waitForFocus(page, page.locator('summary'));
    await page.keyboard.press('Enter');
    await page.locator('#compared').setInputFiles(toFile('report.pdf', 'the file of the link'));
    await tabTo(page, 'textbox', 'Fingerprint');
    await page.keyboard.type('ab12');
    await page.keyboard.press('Enter');
    await page.getByText('A fingerprint has 64 characters').waitFor();
    await page.getByLabel('Fingerprint').fill(` ${known.toUpperCase()} `);
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    const answer = 'Opened once, on 15 Jun 2026, 23:52 UTC. The file was not sent completely.';
    const verdict = 'Unchanged up to entry 2 (15 Jun 2026, 23:52:00 UTC)';
    await waitForFocus(page, page.getByRole('heading', { name: /^Unchanged up to entry 2 \(/ }));
    const said = await page.locator('.verify-good.verify-result').innerText();
    assert.deepEqual(
      said
        .split('\n')
        .map((line) => line.replaceAll(/\s+/g, ' ').trim())
        .filter(Boolean)
        .slice(0, 3),
      [verdict, en.notLater, answer],
      'the answer can be that of entries that are not covered',
    );
    await page.locator(`#limits-title ~ ul`).getByText(en.notLater).waitFor();
    const texts = await page.locator('.verify-checked li').allInnerTexts();
    assert.deepEqual(await findings(page), [], 'what happened comes first');
    assert.match(
      texts[0] ?? '',
      /^Link L0000001: all 6 entries are there and unchanged\. The newest is from .*\sUTC/,
    );
    assert.match(texts[2] ?? '', /^Your fingerprint is that of entry 2, from 15 Jun 2026, 23:52:00\sUTC/);
    await page.locator('.verify-file').getByText('“report.pdf” is the file of the link').waitFor();
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    assert.deepEqual(
      headings.map((text) => text.replaceAll('\u00a0', ' ')),
      [...[verdict, 'What happened', 'The file', 'What was checked', 'What this does not prove']],
    );
    await page
      .getByText('Who opened the link: several people can share an IP address or a mailbox.')
      .waitFor();
    const happened = page.getByRole('region', { name: 'What happened' });
    assert.match(
      await happened.locator('dl').innerText(),
      /First opened\n15 Jun 2026, 23:52:00\sUTC · 192\.0\.2\.1/,
    );
    assert.match(await happened.locator('dl').innerText(), /Sent completely by the service\nNo/);
    assert.deepEqual(
      (await happened.locator('li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')),
      [
        '1 15 Jun 2026, 23:51:00 UTC Link created 192.0.2.9 · API key ci',
        '2, 5 15 Jun 2026, 23:52:00 UTC Opened. Download interrupted after the service sent 10 bytes 192.0.2.1 · Grüße "quoted" \\ 😀',
        '3 15 Jun 2026, 23:53:00 UTC Refused: View limit reached',
        '4 15 Jun 2026, 23:54:00 UTC 7 previews, not opened 192.0.2.1 · Grüße "quoted" \\ 😀',
        '6 15 Jun 2026, 23:56:00 UTC Link revoked 192.0.2.9 · API key ci',
      ],
    );
    await assertAccessible(page);
    await page.getByLabel('Fingerprint').fill('');
    await page.getByRole('button', { name: 'Verify' }).click();
    await waitForFocus(page, page.getByRole('heading', { name: answer }));
    await page.getByRole('heading', { name: 'Complete, and no change found' }).waitFor();
    await page.getByText('That the whole history was not made anew').waitFor();
    await assertAccessible(page);
    assert.deepEqual(requests, []);
  });

  for (const locale of ['en-GB', 'de-DE'])
    await t.test(`at 1280 by 720 pixels, the button is on the first screen in ${locale}`, async (t) => {
      const page = await openPage(t, { locale, viewport: { width: 1280, height: 720 } });
      await page.goto(`${service.url}/verify`);
      const { y = Infinity, height = 0 } = (await page.locator('button[type=submit]').boundingBox()) ?? {};
      assert.ok(y + height <= 720, `it ends ${y + height} px below the top`);
    });

  await t.test('the page gives the verdicts of the command line', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/verify`);
    for (const [what, changed] of CHANGED_EXPORTS) {
      const chunks = new Blob([toNdjson(changed)]).stream();
      const expected = await checkExportedHistory({ chunks, knownFingerprint: null });
      const texts = expected.findings.shown.map((each) => statementText(each, TEXTS));
      assert.deepEqual(await verdictOf(page, changed), texts, what);
    }
    const many = [lines[0], ...Array.from({ length: 130 }, () => ({ kind: 'VIEW' }))];
    const texts = await verdictOf(page, many);
    assert.deepEqual([texts.length, texts.at(-1)], [101, 'and 31 more findings']);
    await page.locator('#exported').setInputFiles(toFile('export.ndjson', '\u0000'));
    await page.locator('summary').click();
    await page.getByLabel('Fingerprint').fill('ab'.repeat(32));
    assert.match((await verdictOf(page, lines)).join(), /^No entry has your fingerprint/);
  });

  await t.test('a file that is no export is named as such, without an accusation', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/verify`);
    for (const [text, title] of [
      ['%PDF-1.7\n%âãÏÓ\n', 'This is not a saved history'],
      ['PK\x03\x04ÿ\n', 'This is not a saved history'],
      [toNdjson(makeExport({ filtered: true }).lines), 'The history cannot be checked'],
      [toNdjson(withLine(DENIED, { result: 'EXPIRED' })), 'The check failed: do not rely on this history'],
    ] as const) {
      const buffer = Buffer.from(text, title.startsWith('This') ? 'latin1' : 'utf8');
      await page.locator('#exported').setInputFiles({ ...toFile('report.bin', ''), buffer });
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      await assertAccessible(page);
    }
  });

  await t.test('the files of a link with several are listed, and compared one at a time', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/verify`);
    const { lines: several, heads } = makeExport({ parts: PARTS });
    await page.locator('#exported').setInputFiles(toFile('export.ndjson', toNdjson(several)));
    const verify = page.getByRole('button', { name: 'Verify' });
    await verify.click();
    const files = page.getByRole('region', { name: 'The file' });
    for (const { fileName, sha256 } of PARTS) {
      await files.getByText(fileName).waitFor();
      await files.getByText(sha256).waitFor();
    }
    await page.getByText(/^According to this file, it was saved on 15 Jun 2026/).waitFor();
    await assertAccessible(page);
    await files.getByRole('button', { name: 'File to compare' }).click();
    await page.locator('#compared').setInputFiles(toFile('scan.pdf', 'lease.pdf'));
    await verify.click();
    await files.getByText('“scan.pdf” is “lease.pdf”, one of the files of the link').waitFor();
    await page.locator('#compared').setInputFiles(toFile('all.zip', 'PK'));
    await verify.click();
    await files.getByText('“all.zip” was not compared: only single files can be.').waitFor();
    await page.locator('#compared').setInputFiles(toFile('other.pdf', 'other'));
    await verify.click();
    await files.getByText('“other.pdf” is none of the 2 files of the link').waitFor();
    const changed = toNdjson(several).replace('plan.pdf', 'flan.pdf');
    await page.locator('#exported').setInputFiles(toFile('export.ndjson', changed));
    await verify.click();
    await page.getByText('The list of files in line 1 was changed after the history was saved.').waitFor();
    await page.locator('#exported').setInputFiles(toFile('export.ndjson', toNdjson(several)));
    await page.getByLabel('Fingerprint').fill('ab'.repeat(32));
    await verify.click();
    await page.getByRole('heading', { name: 'This history does not have your fingerprint' }).waitFor();
    await page.locator('#fingerprint').fill(heads.at(-1)?.fingerprint ?? '');
    await page.locator('#compared').setInputFiles(toFile('plan.pdf', 'plan.pdf'));
    await verify.click();
    await page.getByText('The history is complete and unchanged').waitFor();
  });

  await t.test('the fingerprint of an address that is opened on the page is taken over', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/verify`);
    await page.locator('#exported').setInputFiles(toFile('export.ndjson', toNdjson(lines)));
    await page.goto(`${service.url}/verify#${known}`);
    const field = page.getByLabel('Fingerprint');
    await field.waitFor();
    assert.equal(await field.inputValue(), known);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('heading', { name: /^Unchanged up to entry 2 / }).waitFor();
    await page.getByRole('link', { name: en.notProved }).click();
    assert.equal(await field.inputValue(), known);
  });

  await t.test('files that are dropped on the page are checked', async (t) => {
    const page = await openPage(t);
    await page.goto(`${service.url}/verify`);
    await page.locator('h1').waitFor();
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['another file'], 'other.pdf'));
      dataTransfer.items.add(new File([${JSON.stringify(toNdjson(lines))}], 'export.ndjson'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    }`);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('“other.pdf” is not the file of the link: its SHA-256 differs.').waitFor();
    await page
      .getByRole('heading', { name: 'The history is unchanged, but the file is a different one' })
      .waitFor();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    const shown = await page.evaluate(`document.querySelector('#compared').files[0].name`);
    assert.equal(shown, 'other.pdf');
    assert.ok(await page.locator('#compared').isVisible());
  });

  // A language of the pages is one of the browser.
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await t.test(`a changed history is reported in ${language}, on a phone`, async (t) => {
      const page = await openPage(t, { device: 'phone', locale: language });
      await page.goto(`${service.url}/verify`);
      const [text = ''] = await verdictOf(page, withLine(DENIED, { number: null }));
      assert.match(text, /\b4\b/);
      assert.equal(text.startsWith('Line 4'), language === 'en');
      await assertFits(page);
      await assertAccessible(page);
    });
  }
});
