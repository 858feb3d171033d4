import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, DEVICES, type Device, startBrowser } from '../support/browser.ts';
import { startService } from '../support/service.ts';

const { openPage } = await startBrowser();

test('the front page in a browser', async (t) => {
  const service = await startService(t);
  for (const device of Object.keys(DEVICES) as Device[]) {
    await t.test(`shows itself without fault, ${device}`, async (t) => {
      const page = await openPage(t, { device });
      await page.goto(service.url);
      assert.equal(await page.title(), 'Postern');
      await assertAccessible(page);
    });
  }
});
