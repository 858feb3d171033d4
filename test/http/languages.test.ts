import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TEXTS } from '../../src/http/pages/texts/texts.ts';
import { countText, sizeText, timeText, visitorOf } from '../../src/http/pages/visitor.ts';
import { openLink } from '../support/links.ts';
import { startService } from '../support/service.ts';

const LANGUAGES = ['en', 'pt', 'es', 'de', 'fr'] as const;

/** Every text of a language by the names that lead to it. */
function textsOf(value: unknown, name = ''): [name: string, text: string][] {
  if (typeof value === 'string') return [[name, value]];
  return Object.entries(Object(value)).flatMap(([key, member]) => textsOf(member, `${name}.${key}`));
}
const withoutPlurals = (texts: [string, string][]) =>
  texts.filter(([name]) => !name.startsWith('.viewsLeft.'));
const placeholders = (text: string) => text.match(/\{\w+\}/g) ?? [];

describe('the texts of the pages', () => {
  test('are there in five languages', () =>
    assert.deepEqual(Object.keys(TEXTS).sort(), [...LANGUAGES].sort()));

  for (const language of LANGUAGES) {
    const texts = textsOf(TEXTS[language]);

    test(`${language}: no key is missing, none is empty, and each has the same to fill in`, () => {
      const [own, english] = [withoutPlurals(texts), withoutPlurals(textsOf(TEXTS.en))];
      assert.deepEqual(own.map(([name]) => name).sort(), english.map(([name]) => name).sort());
      const inEnglish = new Map(english);
      for (const [name, text] of own) {
        assert.ok(text.trim() !== '', name);
        assert.deepEqual(placeholders(text), placeholders(inEnglish.get(name) ?? ''), name);
        if (language !== 'en' && text.length > 12)
          assert.notEqual(text, inEnglish.get(name), `${name} is English`);
      }
    });

    test(`${language}: each plural that the language has is there, with its number`, () => {
      const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const forms = TEXTS[language].viewsLeft;
      assert.deepEqual(Object.keys(forms).sort(), [...categories].sort());
      for (const form of Object.values(forms)) assert.deepEqual(placeholders(form), ['{count}']);
    });
  }
});

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
    ['es-419', 'es', 'es'],
    ['fr;q=x, es;q=0.1', 'es', 'es'],
    ['"><script>', 'en', 'en'],
    ['toString, __proto__', 'en', 'en'],
    [`${'nl,'.repeat(5_000)}de`, 'en', 'en'],
  ] as const) {
    test(`${String(header).slice(0, 40)}: ${locale}`, () => {
      const visitor = visitorOf(header);
      assert.deepEqual([visitor.language, visitor.locale], [language, locale]);
    });
  }

  test('numbers, sizes and times are written as they write them', () => {
    const [english, german] = [visitorOf('en-GB'), visitorOf('de-DE')];
    assert.equal(countText(TEXTS.en.viewsLeft, 1, english), '1 view left');
    assert.equal(countText(TEXTS.en.viewsLeft, 2_147_483_647, english), '2,147,483,647 views left');
    assert.equal(countText(TEXTS.de.viewsLeft, 1234, german), 'Noch 1.234 Aufrufe');
    assert.equal(
      countText(TEXTS.fr.viewsLeft, 2_000_000, visitorOf('fr')).replaceAll(/\s/g, ' '),
      '2 000 000 d’ouvertures restantes',
    );
    assert.equal(sizeText(0, english), '0 bytes');
    assert.equal(sizeText(1, english), '1 byte');
    assert.equal(sizeText(1024, english), '1 kB');
    assert.equal(sizeText(1_572_864, german).replaceAll(/\s/g, ' '), '1,5 MB');
    assert.equal(sizeText(5 * 1024 ** 5, english), '5,120 TB');
    const at = Date.parse('2026-06-15T13:05:00Z');
    assert.equal(timeText(at, english), '15 June 2026 at 13:05 UTC');
    assert.equal(timeText(at, german), '15. Juni 2026 um 13:05 UTC');
  });

  test('is the language of the page, whatever it says', async (t) => {
    const service = await startService(t);
    for (const language of LANGUAGES) {
      const { text } = await openLink(service, 'unknown1', {
        accept: 'text/html',
        'accept-language': language,
      });
      const title = TEXTS[language].notices.NOT_FOUND.title;
      assert.ok(text.includes(`<html lang="${language}">`) && text.includes(title), text);
    }
  });
});
