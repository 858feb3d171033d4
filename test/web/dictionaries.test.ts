import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { de } from '../../web/i18n/locales/de.ts';
import { en } from '../../web/i18n/locales/en.ts';
import { es } from '../../web/i18n/locales/es.ts';
import { fr } from '../../web/i18n/locales/fr.ts';
import { pt } from '../../web/i18n/locales/pt.ts';
import {
  chooseLanguage,
  choosePlace,
  type Dictionary,
  LANGUAGES,
  type PluralForms,
  prepareTranslate,
} from '../../web/i18n/translate.ts';
import { sourcesOf } from '../support/sources.ts';

const DICTIONARIES = { en, pt, es, de, fr } satisfies Record<keyof typeof LANGUAGES, Dictionary>;
const ENGLISH: Record<string, string | PluralForms> = en;

const formsOf = (message: string | PluralForms): string[] =>
  typeof message === 'string' ? [message] : Object.values(message);
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

for (const [language, dictionary] of Object.entries(DICTIONARIES)) {
  const messages: Record<string, string | PluralForms> = dictionary;
  describe(LANGUAGES[language as keyof typeof LANGUAGES], () => {
    test('has every text, and none that English has not', () => {
      assert.deepEqual(Object.keys(messages).sort(), Object.keys(ENGLISH).sort());
      for (const [key, message] of Object.entries(messages)) {
        for (const form of formsOf(message))
          assert.ok(form.trim() === form && form !== '', `${key}: "${form}"`);
      }
    });
    test('has the same values in each text', () => {
      for (const [key, message] of Object.entries(messages)) {
        const expected = namesIn(formsOf(ENGLISH[key] ?? '').at(-1) ?? '');
        for (const form of formsOf(message)) {
          // "Once" is a count in a word.
          const isWord = typeof message !== 'string' && form === message.one && !form.includes('{count}');
          const names = isWord ? [...namesIn(form), 'count'].sort() : namesIn(form);
          assert.deepEqual(names, expected, `${key}: ${form}`);
        }
      }
    });
    test('has each plural form that the language has', () => {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      for (const [key, message] of Object.entries(messages)) {
        if (typeof message === 'string') continue;
        assert.deepEqual(Object.keys(message).sort(), [...pluralCategories].sort(), key);
      }
    });
    test('was translated', () => {
      if (language === 'en') return;
      const same = Object.entries(messages).filter(([key, message]) => {
        return (
          JSON.stringify(message) === JSON.stringify(ENGLISH[key]) && formsOf(message).join().length > 12
        );
      });
      assert.deepEqual(same, []);
    });
  });
}

test('every text is used', () => {
  const code = sourcesOf('web')
    .filter(({ path }) => !path.includes('/locales/'))
    .map(({ text }) => text)
    .join('\n');
  for (const key of Object.keys(ENGLISH)) assert.ok(code.includes(`'${key}'`), key);
});

test('a text is told with its values, in the plural form of the language', () => {
  const inEnglish = prepareTranslate('en', en);
  assert.equal(inEnglish('state.views', { count: 1 }), '1 view');
  assert.equal(inEnglish('state.views', { count: 1234 }), '1,234 views');
  assert.equal(inEnglish('upload.sent', { sent: '$&', total: '{sent}' }), '$& of {sent}');
  const inFrench = prepareTranslate('fr', fr);
  assert.equal(inFrench('state.views', { count: 0 }), '0 vue');
  assert.equal(inFrench('state.views', { count: 2 }), '2 vues');
  assert.equal(
    inFrench('state.views', { count: 1_000_000 }),
    '1 000 000 de vues'.replaceAll(/(?<=\d) (?=\d)/g, '\u202f'),
  );
});

test("the page speaks the first of the reader's languages that it knows", () => {
  const CASES: [string[], string][] = [
    [['de-AT', 'en'], 'de'],
    [['nl', 'fr-CA'], 'fr'],
    [['PT-br'], 'pt'],
    [['ja', 'zh'], 'en'],
    [['english', 'constructor'], 'en'],
    [[], 'en'],
  ];
  for (const [wanted, language] of CASES) assert.equal(chooseLanguage(wanted), language, String(wanted));
});

test('dates are written as where the reader is', () => {
  assert.equal(choosePlace('en', ['de-AT', 'en-GB', 'en-US']), 'en-GB');
  assert.equal(choosePlace('en', ['en-US@posix']), 'en');
  assert.equal(choosePlace('de', ['en-GB']), 'de');
  assert.equal(choosePlace('de', ['de']), 'de');
});
