import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { until } from '../support/http-client.ts';
import { shortCodeOf } from '../support/links.ts';
import { sendForm } from '../support/multipart.ts';
import { startService } from '../support/service.ts';

const { browser } = await startBrowser();

/** A file that runs script wherever a browser takes it for its type. `type` is what another server would send. */
type Polyglot = { fileName: string; type: string; content(script: string): string };

const POLYGLOTS: Polyglot[] = [
  {
    fileName: 'page.html',
    type: 'text/html',
    content: (script) => `<!doctype html><title>x</title><script>${script}</script>`,
  },
  {
    fileName: 'image.svg',
    type: 'image/svg+xml',
    content: (script) => `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`,
  },
  {
    fileName: 'feed.xml',
    type: 'text/xml',
    content: (script) =>
      `<?xml version="1.0"?><x:html xmlns:x="http://www.w3.org/1999/xhtml"><x:script>${script}</x:script></x:html>`,
  },
  {
    // A PDF with an action, whose first bytes are HTML: readers search the first kilobyte for the signature.
    fileName: 'report.pdf',
    type: 'text/html /pdf',
    content: (script) =>
      `<script>${script}</script>\n%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
  },
  {
    // A GIF of 12,079 pixels width (`/*`), and a script that assigns to GIF89a.
    fileName: 'picture.gif',
    type: 'text/javascript',
    content: (script) => `GIF89a/*\u0001\u0000*/=1;${script}`,
  },
];

/** The elements by which a page of another site may embed a file. */
const EMBEDDINGS: ((url: string) => string)[] = [
  (url) => `<iframe src="${url}"></iframe>`,
  (url) => `<object data="${url}"></object>`,
  (url) => `<object data="${url}" type="image/svg+xml"></object>`,
  (url) => `<embed src="${url}" type="text/html">`,
  (url) => `<img src="${url}" alt="">`,
  (url) => `<script src="${url}"></script>`,
  (url) => `<script type="module" src="${url}"></script>`,
  (url) => `<link rel="stylesheet" href="${url}">`,
];

/** Another site. It embeds files, records the scripts that report to it, and can serve files with their own type. */
async function startOtherSite(t: TestContext) {
  const ran = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://other.example');
    const polyglot = POLYGLOTS.find(({ fileName }) => pathname === `/${fileName}`);
    response.setHeader('access-control-allow-origin', '*');
    if (pathname === '/ran') ran.add(searchParams.get('in') ?? '');
    else if (polyglot) {
      const script = reportTo(url, `control ${polyglot.fileName}`);
      response.setHeader('content-type', polyglot.type === 'text/html /pdf' ? 'text/html' : polyglot.type);
      response.write(polyglot.content(script));
    } else if (pathname === '/embed') {
      const file = searchParams.get('file') ?? '';
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const embeddings = EMBEDDINGS.map((embed) => embed(file));
      response.write(`<!doctype html><link rel="icon" href="data:,">${embeddings.join('')}`);
    }
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => void server.close());
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { url, ran };
}

/** Returns a script that any of the polyglots can contain: it has no markup characters and no parentheses to escape. */
function reportTo(site: string, name: string): string {
  return `new Image().src='${site}/ran?in='+encodeURIComponent('${name} at '+location.href)`;
}

/** Opens a file directly and, on a page of another site, in every embedding. */
async function openEverywhere(page: Page, site: string, file: string): Promise<void> {
  // A response that is downloaded aborts the navigation.
  await page.goto(file, { waitUntil: 'load' }).catch(() => undefined);
  // The load event waits for what the page embeds and for its scripts.
  await page.goto(`${site}/embed?${new URLSearchParams({ file })}`, { waitUntil: 'load' });
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
}

test('an uploaded HTML, SVG, XML, PDF or script file runs no script in a browser', async (t) => {
  // Closed first: the service would wait for downloads that the browser has not read.
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const service = await startService(t);
  const site = await startOtherSite(t);

  await t.test('each of them would run if it were served with a type of its own', async () => {
    for (const { fileName } of POLYGLOTS) await openEverywhere(page, site.url, `${site.url}/${fileName}`);
    const hasRun = (fileName: string) =>
      [...site.ran].some((name) => name.startsWith(`control ${fileName} at `));
    await until(() => POLYGLOTS.every(({ fileName }) => hasRun(fileName)));
    site.ran.clear();
  });

  for (const { fileName, type, content } of POLYGLOTS) {
    await t.test(fileName, async () => {
      const script = reportTo(site.url, fileName);
      const file = { name: 'file', fileName, contentType: type, content: content(script) };
      const shortCode = shortCodeOf(await sendForm(service, [file]));
      const downloads: string[] = [];
      page.on('download', (download) => downloads.push(download.suggestedFilename()));
      await openEverywhere(page, site.url, `${service.url}/l/${shortCode}`);
      await until(() => downloads.includes(fileName));
      assert.deepEqual([...site.ran], []);
    });
  }
});
