import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { validateHeaderValue } from 'node:http';
import { describe, test } from 'node:test';
import { parse } from 'content-disposition';
import fc from 'fast-check';
import { cleanFileName } from '../../src/core/rules/file-name.ts';
import { parsePassword } from '../../src/core/rules/parse-password.ts';
import { contentDisposition, decodePasswordHeader, wantsJson, wantsPage } from '../../src/http/headers.ts';
import { anyFileName, passwordLike } from '../links/rules/arbitraries.ts';

/** Returns a password as Node returns it when a client sent it in UTF-8. */
function inHeader(password: string): string {
  return Buffer.from(password, 'utf8').toString('latin1');
}

describe('Content-Disposition', () => {
  for (const [name, value] of [
    ['report.pdf', 'attachment; filename="report.pdf"'],
    ['two words; more.txt', 'attachment; filename="two words; more.txt"'],
    ['a"b\\c', 'attachment; filename="a\\"b\\\\c"'],
    ['100%25.txt', `attachment; filename="100%25.txt"; filename*=UTF-8''100%2525.txt`],
    ['naïve.txt', 'attachment; filename="na_ve.txt"; filename*=UTF-8\'\'na%C3%AFve.txt'],
    ['😀.png', 'attachment; filename="_.png"; filename*=UTF-8\'\'%F0%9F%98%80.png'],
    [
      '€ "(a)*\'.txt',
      'attachment; filename="_ \\"(a)*\'.txt"; filename*=UTF-8\'\'%E2%82%AC%20%22%28a%29%2A%27.txt',
    ],
    ['a\r\nb', 'attachment; filename="a__b"; filename*=UTF-8\'\'a%0D%0Ab'],
  ] as const) {
    test(`${JSON.stringify(name)} becomes ${value}`, () => assert.equal(contentDisposition(name), value));
  }

  test('every name becomes a legal header of printable ASCII', () => {
    fc.assert(
      fc.property(anyFileName, (name) => {
        const value = contentDisposition(name);
        validateHeaderValue('Content-Disposition', value);
        assert.equal(new Headers({ x: value }).get('x'), value);
        assert.match(
          value,
          /^attachment; filename="(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"(?:; filename\*=UTF-8''[\w!#$&+\-.^`|~%]*)?$/,
        );
      }),
    );
  });

  test('an independent parser of RFC 6266 reads the same name', () => {
    fc.assert(
      fc.property(anyFileName, (name) => {
        const cleaned = cleanFileName(name);
        assert.equal(parse(contentDisposition(cleaned)).parameters['filename'], cleaned);
      }),
    );
  });
});

describe('X-Link-Password', () => {
  for (const value of [undefined, '', ' ', '\t', inHeader('\u00a0'), '\u00a0']) {
    test(`${JSON.stringify(value)} is no password`, () => assert.equal(decodePasswordHeader(value), null));
  }

  for (const [why, header, password] of [
    ['plain ASCII', 'secret', 'secret'],
    ['UTF-8', '\u00c3\u00a4', 'ä'],
    ['UTF-8 that ends in the byte A0', '\u00c3\u00a0', 'à'],
    ['a byte of white space inside', 'a  b\u00c2\u00a0c', 'a  b\u00a0c'],
    ['UTF-8 beyond the first plane', '\u00f0\u009f\u0098\u0080', '😀'],
    ['UTF-8 with a byte order mark', '\u00ef\u00bb\u00bfa', '\ufeffa'],
    ['Latin-1, which is not valid UTF-8', 'caf\u00e9', 'café'],
    ['bytes that end inside a character', '\u00e2\u0082', 'â\u0082'],
    ['an overlong form', '\u00c0\u00af', 'À¯'],
    ['a surrogate in UTF-8', '\u00ed\u00a0\u00bd', 'í\u00a0½'],
    ['surrounding white space, unchanged', ' a ', ' a '],
  ] as const) {
    test(`the header decodes ${why}`, () => assert.equal(decodePasswordHeader(header), password));
  }

  test('every accepted password survives the header unchanged', () => {
    fc.assert(
      fc.property(passwordLike, (text) => {
        const password = parsePassword(text);
        fc.pre(password.ok && password.value !== null);
        const header = inHeader(password.value);
        validateHeaderValue('X-Link-Password', header);
        assert.equal(new Headers({ 'X-Link-Password': header }).get('X-Link-Password'), header);
        assert.equal(decodePasswordHeader(header), password.value);
      }),
    );
  });

  test('different bytes never decode to the same password', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const header = Buffer.from(bytes).toString('latin1');
        const password = decodePasswordHeader(header);
        if (password === null) return;
        assert.ok(password === header || inHeader(password) === header);
      }),
    );
  });
});

/** The header of a browser that follows a link. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

type Row = [accept: string | undefined, json: boolean, page: boolean];

const ROWS: Row[] = [
  [undefined, false, false],
  ['', false, false],
  ['*/*', false, false],
  ['application/*', false, false],
  ['application/xml', false, false],
  ['text/json', false, false],
  ['application/js', false, false],
  ['image/*', false, false],
  ['image/png', false, false],
  ['text/plain', false, false],
  ['application/xhtml+xml', false, false],
  ['*/*,application/json', true, false],
  ['text/*', false, false],
  ['application/json', true, false],
  ['APPLICATION/JSON', true, false],
  ['application/json;charset=utf-8', true, false],
  ['application/json; q=0.001', true, false],
  ['text/plain, application/json;q=0.5', true, false],
  ['application/json;q=0', false, false],
  ['application/json;q=0.0', false, false],
  ['application/json; Q=0', false, false],
  ['application/json ; q=0, */*', false, false],
  ['application/json;q=nonsense', false, false],
  ['application/jsonp', false, false],
  ['application/json-patch+json', false, false],
  ['x-application/json', false, false],
  ['text/plain;note="application/json"', false, false],
  ['text/plain;note="a,application/json,b"', false, false],
  [`${'a/b,'.repeat(7_800)}application/json`, true, false],
  [`${'a/b,'.repeat(7_800)}application/json;q=0`, false, false],
  ['text/html', false, true],
  ['TEXT/HTML', false, true],
  [BROWSER, false, true],
  ['text/html;q=0', false, false],
  ['text/html;q=0.9,*/*;q=0.1', false, true],
  ['text/html, application/json', true, false],
  ['text/html, application/json;q=0.1', true, false],
  ['text/html, application/json;q=0', false, true],
  ['text/html;q=0, application/json', true, false],
];

test('Accept selects JSON, a page, or neither', () => {
  for (const [accept, json, page] of ROWS)
    assert.deepEqual([wantsJson(accept), wantsPage(accept)], [json, page], String(accept).slice(0, 90));
});
