import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatBytes, formatDateTime } from '../../src/common/format.ts';
import { chooseLanguage, chooseLocale } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import { OWN_BRAND } from '../../src/http/brand.ts';
import { readVisitor, TEXTS } from '../../src/http/pages/visitor.ts';
import { testTranslations } from '../support/dictionaries.ts';

const SITE = {
  config: { contacts: { abuse: null, operator: null }, baseUrl: 'https://links.example' },
  brand: OWN_BRAND,
};
const SPACES = /[\u00a0\u202f]/g;

describe('the texts of the visitor pages', () => testTranslations(TEXTS));

describe('the language of a visitor', () => {
  for (const [header, language, locale] of [
    [undefined, 'en', 'en'],
    ['', 'en', 'en'],
    ['*', 'en', 'en'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt', 'pt-BR'],
    ['nl, fr;q=0.5, de;q=0.7', 'de', 'de'],
    ['DE-at', 'de', 'de-AT'],
    ['en;q=0, es', 'es', 'es'],
    ['zh-Hant-TW, fr-CA;q=0.1', 'fr', 'fr-CA'],
    ['de-DE-u-nu-arab', 'de', 'de-DE'],
    ['es-419', 'es', 'es-419'],
    ['fr;q=x, es;q=0.1', 'es', 'es'],
    ['"><script>', 'en', 'en'],
    ['toString, __proto__', 'en', 'en'],
    [`${'nl,'.repeat(5_000)}de`, 'en', 'en'],
  ] as const) {
    test(`Accept-Language: ${String(header).slice(0, 40)} is read as ${locale}`, () => {
      const visitor = readVisitor(header, SITE);
      assert.deepEqual([visitor.language, visitor.locale], [language, locale]);
    });
  }

  test('numbers, sizes and times are formatted in the locale', () => {
    const viewsLeft = (header: string, count: number) =>
      readVisitor(header, SITE).t('views.left', { count }).replaceAll(SPACES, ' ');
    assert.equal(viewsLeft('en-GB', 1), 'Can still be opened once');
    assert.equal(viewsLeft('en-GB', 2_147_483_647), 'Can still be opened 2,147,483,647 times');
    assert.equal(viewsLeft('de-DE', 1234), 'Lässt sich noch 1.234-mal öffnen');
    assert.equal(viewsLeft('de-AT', 1234), 'Lässt sich noch 1 234-mal öffnen');
    assert.equal(viewsLeft('fr', 2_000_000), 'Peut encore être ouvert 2 000 000 de fois');
    assert.equal(formatBytes(0, 'en-GB'), '0 bytes');
    assert.equal(formatBytes(1, 'en-GB'), '1 byte');
    assert.equal(formatBytes(1024, 'en-GB'), '1 kB');
    assert.equal(formatBytes(1_572_864, 'de-DE').replaceAll(SPACES, ' '), '1,5 MB');
    assert.equal(formatBytes(1_572_864, 'en-GB', 'second'), '1.5 MB/s');
    assert.equal(formatBytes(5 * 1024 ** 5, 'en-GB'), '5,120 TB');
    const at = new Date('2026-06-15T13:05:00Z');
    assert.equal(formatDateTime(at, 'en-GB', 'UTC'), '15 June 2026 at 13:05 UTC');
    assert.equal(formatDateTime(at, 'de-DE', 'UTC'), '15. Juni 2026 um 13:05 UTC');
  });
});

test("the first supported of the browser's languages is chosen", () => {
  const CASES: [string[], string][] = [
    [['de-AT', 'en'], 'de'],
    [['nl', 'fr-CA'], 'fr'],
    [['PT-br'], 'pt'],
    [['ja', 'zh'], 'en'],
    [['english', 'constructor'], 'en'],
    [[], 'en'],
  ];
  for (const [tags, language] of CASES) assert.equal(chooseLanguage(tags), language, String(tags));
});

test('a language takes the region of the first tag that has one', () => {
  assert.equal(chooseLocale('en', ['de-AT', 'en-GB', 'en-US']), 'en-GB');
  assert.equal(chooseLocale('en', ['en', 'en-us']), 'en-US');
  assert.equal(chooseLocale('en', ['en-US@posix']), 'en');
  assert.equal(chooseLocale('de', ['en-GB']), 'de');
  assert.equal(chooseLocale('de', ['de']), 'de');
});

test('a message has its values filled in, in the plural form of the language', () => {
  const english = {
    sent: '{sent} of {total}',
    views: { one: '{count} view', other: '{count} views' },
  } as const;
  const t = prepareTranslate<typeof english>('en', english);
  assert.equal(t('views', { count: 1 }), '1 view');
  assert.equal(t('views', { count: 1234 }), '1,234 views');
  assert.equal(t('sent', { sent: '$&', total: '{sent}' }), '$& of {sent}');
  const french = { sent: '{sent} sur {total}', views: { one: '{count} vue', other: '{count} vues' } };
  const inFrench = prepareTranslate<typeof english>('fr', french);
  assert.equal(inFrench('views', { count: 0 }), '0 vue');
  assert.equal(inFrench('views', { count: 2 }), '2 vues');
});
