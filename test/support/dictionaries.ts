import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLanguage, LANGUAGES, type Language } from '../../src/common/languages.ts';
import type { Messages, PluralForms } from '../../src/common/translate.ts';

/** Returns the texts of a message by plural category. */
function pluralsOf({ by, ...forms }: PluralForms): Record<string, string> {
  return forms;
}
const formsOf = (message: string | PluralForms): string[] =>
  typeof message === 'string' ? [message] : Object.values(pluralsOf(message));
const placeholdersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

/** Tests the messages of each language against those of English, which the compiler cannot compare in full. */
export function testTranslations(messagesOf: Record<Language, Messages>): void {
  for (const language of Object.keys(LANGUAGES).filter(isLanguage)) {
    describe(LANGUAGES[language], () => testLanguage(language, messagesOf[language], messagesOf.en));
  }
}

function testLanguage(language: Language, messages: Messages, english: Messages): void {
  test('a dictionary has the keys of English and no empty text', () => {
    assert.deepEqual(Object.keys(messages).sort(), Object.keys(english).sort());
    for (const [key, message] of Object.entries(messages)) {
      for (const form of formsOf(message))
        assert.ok(form.trim() === form && form !== '', `${key}: "${form}"`);
    }
  });

  test('a dictionary has the placeholders of English in each text', () => {
    for (const [key, message] of Object.entries(messages)) {
      const expected = placeholdersOf(formsOf(english[key] ?? '').at(-1) ?? '');
      for (const form of formsOf(message)) {
        // The singular may say "once" instead of the number.
        const isWord =
          expected.includes('count') &&
          typeof message !== 'string' &&
          form === message.one &&
          !form.includes('{count}');
        const names = isWord ? [...placeholdersOf(form), 'count'].sort() : placeholdersOf(form);
        assert.deepEqual(names, expected, `${key}: ${form}`);
      }
    }
  });

  test('a dictionary has each plural form of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, message] of Object.entries(messages)) {
      if (typeof message === 'string') continue;
      assert.deepEqual(Object.keys(pluralsOf(message)).sort(), [...pluralCategories].sort(), key);
    }
  });

  if (language === 'en') return;
  test('a dictionary is translated: no longer text is the same as in English', () => {
    // Placeholders are not words to translate.
    const wordsOf = (message: (typeof messages)[string]) =>
      formsOf(message)
        .join()
        .replaceAll(/\{\w+\}/g, '');
    const same = Object.entries(messages).filter(
      ([key, message]) =>
        JSON.stringify(message) === JSON.stringify(english[key]) && wordsOf(message).length > 12,
    );
    assert.deepEqual(same, []);
  });
}
