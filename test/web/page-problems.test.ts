import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { collectProblems, startBrowser } from '../support/browser.ts';
import { until } from '../support/http-client.ts';

const { browser } = await startBrowser();

const BAD_PAGES: [name: string, policy: string, markup: string, problem: RegExp][] = [
  ['an inline script', "script-src 'self'", '<script>1</script>', /^error: .*Content Security Policy/],
  ['an inline style', "style-src 'self'", '<p style="color:red">', /^error: .*Content Security Policy/],
  ['an error on the console', '', '<script>console.error("no")</script>', /^error: no$/],
  ['a warning on the console', '', '<script>console.warn("no")</script>', /^warning: no$/],
  ['an uncaught error', '', '<script>throw new Error("no")</script>', /^thrown: Error: no/],
  ['a missing file', '', '<link rel="stylesheet" href="/gone.css">', /^404 for the stylesheet/],
  [
    'a request to another host',
    '',
    '<img src="http://127.0.0.2:1/x.png" alt="">',
    /^requests another host: http:\/\/127\.0\.0\.2/,
  ],
];

test('a browser test fails on an error of its page', async (t) => {
  let page = { policy: '', markup: '' };
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      if (page.policy) response.setHeader('content-security-policy', page.policy);
      response.end(`<!doctype html><link rel="icon" href="data:,">${page.markup}`);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;

  async function openBadPage(t: TestContext, policy: string, markup: string): Promise<string[]> {
    page = { policy, markup };
    const tab = await browser.newPage();
    t.after(() => tab.close());
    const problems = collectProblems(tab);
    await tab.goto(`http://127.0.0.1:${port}/`);
    return problems;
  }

  for (const [name, policy, markup, problem] of BAD_PAGES) {
    await t.test(name, async (t) => {
      const problems = await openBadPage(t, policy, markup);
      await until(() => problems.some((text) => problem.test(text)));
    });
  }
  await t.test('a page without errors passes', async (t) => {
    assert.deepEqual(await openBadPage(t, "default-src 'none'; img-src data:", '<p>Good</p>'), []);
  });
});
