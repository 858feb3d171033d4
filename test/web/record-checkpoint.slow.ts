import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { formatVerifierKey } from '../../src/core/model/signed-note.ts';
import { de } from '../../web/link/record-texts/de.ts';
import { en } from '../../web/link/record-texts/en.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { send, sendJson } from '../support/http-client.ts';
import { openLink, shortCodeOf, TARGET } from '../support/links.ts';
import { assertFits } from '../support/pages.ts';
import { startService, type TestService } from '../support/service.ts';
import { startWitness } from '../support/witness.ts';

const { openPage } = await startBrowser();

async function createWithToken(service: TestService) {
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET });
  return { shortCode: shortCodeOf(created), token: String(created.headers['x-link-token']) };
}

/** Opens the delivery record of a link. */
async function openRecord(
  t: TestContext,
  service: TestService,
  { shortCode, token }: { shortCode: string; token: string },
  options?: PageOptions,
): Promise<Page> {
  const page = await openPage(t, options);
  await page.addInitScript(`sessionStorage.setItem('postern.token.${shortCode}', '${token}')`);
  await page.goto(`${service.url}/links/${shortCode}?show=record`);
  return page;
}

test('a delivery record names the witnesses of its checkpoint, and its text is checked on /verify', async (t) => {
  const { key, flag } = await startWitness(t);
  const service = await startService(t, { flags: [flag] });
  const link = await createWithToken(service);
  await openLink(service, link.shortCode);
  await service.signCheckpoint?.();

  await t.test('the text with the key of the witness passes the check', async (t) => {
    const owner = await openRecord(t, service, link);
    const shown = owner.locator('.record-checkpoint');
    await shown.getByText(en.witnesses).waitFor();
    assert.equal(
      await shown.getByRole('listitem').innerText(),
      'witness.example: 15 Jun 2026, 12:00:00\u00a0UTC',
    );
    await shown.getByText('so all entries up to number 2 were in the log at that time').waitFor();
    assert.equal(await owner.getByText(en.checkpointLater).count(), 0);
    await assertAccessible(owner);
    const pdf = (await owner.pdf({ format: 'A4' })).toString('latin1');
    assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 2, 'the checkpoint is on a sheet of its own');
    const kept = `${await shown.locator('pre').innerText()}\n\n${formatVerifierKey(key)}`;
    const { text } = await send(service, `/api/links/${link.shortCode}/history`, {
      headers: { accept: 'application/x-ndjson', 'x-link-token': link.token },
    });

    const other = await openPage(t);
    await other.goto(`${service.url}/verify`);
    await other
      .locator('#exported')
      .setInputFiles({ name: 'e.ndjson', mimeType: '', buffer: Buffer.from(text) });
    await other.getByText('Compare a fingerprint, a file or a checkpoint').click();
    await other.getByLabel('Checkpoints and keys that you kept').fill(kept);
    await other.getByRole('button', { name: 'Verify' }).click();
    await other.getByText('The witness witness.example signed this checkpoint at 15 Jun 2026').waitFor();
    await other.getByText('Up to entry 2, the history is the one of the proof that you kept.').waitFor();
  });
});

test('a delivery record without a witness does not mention witnesses, and fits a small phone', async (t) => {
  const service = await startService(t);
  const link = await createWithToken(service);
  await service.signCheckpoint?.();
  await openLink(service, link.shortCode);

  await t.test('in German', async (t) => {
    const phone = { locale: 'de-AT', viewport: { width: 320, height: 640 } };
    const page = await openRecord(t, service, link, phone);
    await page.getByText(de.checkpoint, { exact: true }).waitFor();
    const hint = page.getByText(de.checkpointLater);
    await hint.waitFor();
    assert.doesNotMatch(await page.getByRole('article').innerText(), /in einer Minute/);
    await page.emulateMedia({ media: 'print' });
    await hint.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'screen' });
    assert.doesNotMatch(await page.getByRole('article').innerText(), /Zeuge/);
    await assertFits(page);
    await assertAccessible(page);
  });
});
