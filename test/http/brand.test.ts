import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { contrast, deriveColors, SCHEMES } from '../../src/http/brand.ts';
import { readProjectFile } from '../support/documents.ts';
import { send } from '../support/http-client.ts';
import { openLink } from '../support/links.ts';
import { temporaryDirectory } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const BROWSER = { accept: 'text/html', 'accept-language': 'de' };

describe('the colours of a brand', () => {
  test('colours are readable as text and on buttons in both schemes', () => {
    const hex = fc
      .integer({ min: 0, max: 0xffffff })
      .map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(hex, fc.constantFrom('light', 'dark'), (color, scheme) => {
        const { accent, accentStrong, accentTint, onAccent } = deriveColors(color, scheme);
        const { paper, card, sunk } = SCHEMES[scheme];
        for (const background of [paper, card, sunk, accentTint, onAccent]) {
          for (const text of [accent, accentStrong]) assert.ok(contrast(text, background) >= 4.5, text);
        }
      }),
    );
    assert.equal(deriveColors('#0b5394', 'light').accent, '#0b5394', 'a readable colour stays');
  });

  test('colours are checked against the backgrounds of the pages', () => {
    const [light = '', dark = ''] = readProjectFile('web/tokens.css').split('prefers-color-scheme: dark');
    for (const [css, { paper, card, sunk }] of [
      [light, SCHEMES.light],
      [dark, SCHEMES.dark],
    ] as const) {
      for (const [name, value] of Object.entries({ paper, card, sunk })) {
        assert.match(css, new RegExp(`--${name}: ${value};`));
      }
    }
  });
});

test('all pages show the brand, whose files run no script', async (t) => {
  const logo = join(temporaryDirectory(t), 'logo.svg');
  writeFileSync(logo, SVG);
  const flags = ['--app.brand.name=A<b> & Co', `--app.brand.logo=${logo}`, '--app.brand.color=#ff0'];
  const service = await sharedService(...flags);

  for (const page of [
    await openLink(service, 'unknown1', BROWSER),
    await send(service, '/actuator/health', { headers: BROWSER }),
  ]) {
    assert.match(page.text, /<title>[^<]+ – A&#60;b&#62; &#38; Co<\/title>/);
    assert.match(page.text, /<header><img class="logo" src="data:image\/svg\+xml;base64,/);
    assert.match(page.text, /--accent:#/);
    assert.ok(!page.text.includes('Postern'));
  }
  for (const [path, toRoot] of [
    ['/dashboard', './'],
    ['/links/Ab12Cd34', '../'],
  ] as const) {
    const { text } = await send(service, path);
    assert.match(text, /<title>A&#60;b&#62; &#38; Co: /);
    assert.match(text, /name="application-name" content="A&#60;b&#62; &#38; Co"/);
    const [, style = ''] = /<link rel="stylesheet" href="([^"]*brand\/[^"]+)">/.exec(text) ?? [];
    assert.ok(style.startsWith(`${toRoot}brand/`), style);
    const [, image = ''] = /<meta name="brand-logo" content="([^"]+)">/.exec(text) ?? [];
    for (const [file, type] of [
      [style.slice(toRoot.length), 'text/css; charset=utf-8'],
      [image, 'image/svg+xml'],
    ]) {
      const { status, headers } = await send(service, `/${file}`);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], type);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/);
    }
  }
});

describe('the page is in the language of the browser', () => {
  const NAVIGATION = { ...BROWSER, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  test('the page of an unknown path leads back to the first page', async () => {
    const service = await sharedService();
    const { status, text } = await send(service, '/foo/bar', { headers: NAVIGATION });
    assert.equal(status, 404);
    assert.match(text, /<html lang="de">.*<h1[^>]*>Seite nicht gefunden<\/h1>.*href="\.\.\/"/s);
    const program = await send(service, '/foo/bar', { headers: { accept: 'text/html, application/json' } });
    assert.equal(program.headers['content-type'], 'application/json; charset=utf-8');
    const posted = await send(service, '/foo', { method: 'POST', headers: NAVIGATION });
    assert.equal(posted.headers['content-type'], 'application/json; charset=utf-8');
  });
  test('the page of the health has its components where others see them', async () => {
    const service = await sharedService();
    const { status, text } = await send(service, '/actuator/health', { headers: NAVIGATION });
    assert.equal(status, 503, 'the jobs do not run in this test');
    assert.match(
      text,
      /<html lang="de">.*<dt>Datenbank<\/dt><dd class="up">.*<dd class="down">Außer Betrieb/s,
    );
    const hidden = await sharedService('--management.endpoint.health.show-details=never');
    const page = await send(hidden, '/actuator/health', { headers: NAVIGATION });
    assert.ok(!page.text.includes('<dt>'));
  });
});
