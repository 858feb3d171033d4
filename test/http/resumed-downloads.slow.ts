import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test, { type TestContext } from 'node:test';
import { startBreakingProxy } from '../support/breaking-proxy.ts';
import { startBrowser } from '../support/browser.ts';
import { linkState, uploadFile } from '../support/links.ts';
import { downloadWith, WITH_CURL } from '../support/resumed-download.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startService } from '../support/service.ts';

const MIB = 1024 ** 2;
const CONTENT = randomBytes(24 * MIB);
/** Less than a fourth of the file, so that each connection of four breaks. Chromium continues five times by itself. */
const LINE_BREAKS_AFTER_BYTES = 5 * MIB;

const { openPage } = await startBrowser();

/** A download of a link over a line that breaks. Returns the path of the file. */
type Download = (t: TestContext, link: URL) => Promise<string>;

const DOWNLOADS: {
  name: string;
  programs?: string[];
  fields?: Record<string, string>;
  download: Download;
}[] = [
  {
    name: 'curl -C -',
    programs: ['curl'],
    download: (t, link) => downloadWith(t, link, WITH_CURL),
  },
  {
    name: 'wget -c',
    programs: ['wget'],
    download: async (t, link) => {
      const resume = ['wget', '--tries=1', '-c', '-O', 'file'];
      const begin = ['wget', '--tries=1', '--server-response', '-O', 'file'];
      return downloadWith(t, link, { begin, resume, repeat: /fully retrieved/ });
    },
  },
  {
    name: 'aria2c -x4',
    programs: ['aria2c', 'curl'],
    download: (t, link) =>
      downloadWith(t, link, {
        begin: ['curl', '--dump-header', '-', '--output', 'begun'],
        resume: ['aria2c', '-x4', '-s4', '-k1M', '--max-tries=1', '--file-allocation=none', '-o', 'file'],
      }),
  },
  { name: 'Chromium, at the address of the link,', download: downloadInPage },
  { name: 'Chromium, after a confirmation,', fields: { confirm: 'true' }, download: downloadInPage },
];

async function downloadInPage(t: TestContext, link: URL): Promise<string> {
  const page = await openPage(t);
  const downloading = page.waitForEvent('download');
  await page.goto(link.href).catch(() => undefined); // which is no page, or one with a button
  const button = page.getByRole('button', { name: 'Download file' });
  if ((await button.count()) > 0) await button.click();
  return (await downloading).path();
}

for (const storage of ['a directory', 'a bucket']) {
  test(`the downloads from ${storage} that break`, async (t) => {
    const bucket = storage === 'a bucket' ? await startS3Server() : undefined;
    t.after(() => bucket?.stop());
    const service = await startService(t, { flags: bucket?.flags ?? [] });
    for (const { name, programs = [], fields, download } of DOWNLOADS) {
      const missing = programs.find((program) => spawnSync(program, ['--version']).error);
      const skip = missing !== undefined && `no ${missing} on the PATH`;
      await t.test(`${name} receives the whole file under one view`, { skip }, async (t) => {
        const code = await uploadFile(service, CONTENT, { fields: { maxViews: '1', ...fields } });
        const line = await startBreakingProxy(t, service.url, LINE_BREAKS_AFTER_BYTES);
        const path = await download(t, new URL(`/l/${code}`, line));
        assert.equal(hash('sha256', readFileSync(path)), hash('sha256', CONTENT));
        assert.equal(linkState(service, code).viewCount, 1);
      });
    }
  });
}
