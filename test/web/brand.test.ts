import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertAccessible, startBrowser } from '../support/browser.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const { openPage } = await startBrowser();

test('the pages of a brand are accessible', async (t) => {
  const logo = join(temporaryDirectory(t), 'logo.svg');
  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>');
  const flags = ['--app.brand.name=Example Links', `--app.brand.logo=${logo}`, '--app.brand.color=#ff0'];
  const service = await startService(t, { flags });
  await service.startJobs();
  for (const [path, visible] of [
    ['/', 'form'],
    ['/actuator/health', 'h1'],
  ] as const) {
    await t.test(path, async (t) => {
      const page = await openPage(t);
      await page.goto(service.url + path);
      await page.locator(visible).waitFor();
      await assertAccessible(page);
    });
  }
});
