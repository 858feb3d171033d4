import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cleanFileName } from '../../../src/core/rules/file-name.ts';
import { anyFileName, plainText } from './arbitraries.ts';

describe('the original file name', () => {
  for (const [name, cleaned] of [
    ['report.pdf', 'report.pdf'],
    ['Jahresabschluß 2026 (final).pdf', 'Jahresabschluß 2026 (final).pdf'],
    ['.bashrc', '.bashrc'],
    ['...', '...'],
    ['a"b\'c;d%0d%0a.txt', 'a"b\'c;d%0d%0a.txt'],
    ['"><svg onload=alert(1)>.svg', '"><svg onload=alert(1)>.svg'],
    ['/etc/passwd', 'passwd'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\fakepath\\photo.jpg', 'photo.jpg'],
    ['a/b\\c.txt', 'c.txt'],
    ['a\\b/c.txt', 'c.txt'],
    ['a\r\nb\u0000c\u007fd\u0085.txt', 'abcd.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['\u2066a\u2069\u202a.b\u202c', 'a.b'],
    ['\u200einvoice\u200f\u061cfdp.exe', 'invoicefdp.exe'],
    ['a\u2028b\u2029.txt', 'ab.txt'],
    ['\ufeffa\u00ad\u200b\u180e\u2060\u2064\u206f.exe', 'a.exe'],
    ['a\u{e0065}\u{e0078}\u{e007f}.txt', 'a.txt'],
    ['نمونه\u200cها 👩\u200d💻.txt', 'نمونه\u200cها 👩\u200d💻.txt'],
    ['a\ud83d.txt', 'a\ufffd.txt'],
    [undefined, 'file'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['.\u0000.', 'file'],
    ['folder/', 'file'],
    ['folder\\..', 'file'],
    ['\u0000', 'file'],
  ] as const) {
    it(`${JSON.stringify(name)} becomes ${JSON.stringify(cleaned)}`, () => {
      assert.equal(cleanFileName(name), cleaned);
    });
  }

  for (const [why, name, cleaned] of [
    ['255 bytes are unchanged', 'x'.repeat(255), 'x'.repeat(255)],
    ['256 bytes are cut', 'x'.repeat(256), 'x'.repeat(255)],
    ['the extension survives the cut', `${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
    [
      'an extension of 16 bytes survives the cut',
      `${'x'.repeat(300)}.${'e'.repeat(15)}`,
      `${'x'.repeat(239)}.${'e'.repeat(15)}`,
    ],
    [
      'an extension of 17 bytes does not survive',
      `${'x'.repeat(254)}.${'e'.repeat(16)}`,
      `${'x'.repeat(254)}.`,
    ],
    ['no character is split', `x${'😀'.repeat(64)}`, `x${'😀'.repeat(63)}`],
    ['no character before an extension is split', `${'€'.repeat(100)}.pdf`, `${'€'.repeat(83)}.pdf`],
  ] as const) {
    it(`at most 255 bytes: ${why}`, () => assert.equal(cleanFileName(name), cleaned));
  }

  it('a cleaned name has no path, no control character and at most 255 bytes; cleaning is idempotent', () => {
    fc.assert(
      fc.property(anyFileName, (name) => {
        const cleaned = cleanFileName(name);
        assert.doesNotMatch(cleaned, /[/\\\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u);
        assert.ok(Buffer.byteLength(cleaned) <= 255);
        assert.ok(!['', '.', '..'].includes(cleaned));
        assert.equal(cleanFileName(cleaned), cleaned);
      }),
    );
  });

  it('a valid name is unchanged', () => {
    const ordinary = plainText.filter(
      (name) => !/^\.{0,2}$|[/\\\p{Cf}\p{Zl}\p{Zp}]/u.test(name) && Buffer.byteLength(name) <= 255,
    );
    fc.assert(fc.property(ordinary, (name) => assert.equal(cleanFileName(name), name)));
  });
});
