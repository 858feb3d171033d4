import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, type Language } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import { prepareFormat } from '../../web/i18n/format.ts';
import { de } from '../../web/i18n/locales/de.ts';
import { en } from '../../web/i18n/locales/en.ts';
import { es } from '../../web/i18n/locales/es.ts';
import { fr } from '../../web/i18n/locales/fr.ts';
import { pt } from '../../web/i18n/locales/pt.ts';
import type { Dictionary, Messages } from '../../web/i18n/translate.ts';
import { ERROR_TEXTS, errorText } from '../../web/shell/error-texts.ts';

const DICTIONARIES = { en, de, es, fr, pt } satisfies Record<Language, Dictionary>;
/** The errors whose texts have values, with those that the service or the page gives them. */
const PARAMS: Record<string, Record<string, string | number>> = {
  max: { max: 30 },
  host: { host: 'example.com' },
  address: { address: 'bob' },
  status: { status: 502, proxy: 'nginx' },
};

function textOf(language: string, code: string | null, params: Record<string, string | number> = {}): string {
  const t = prepareTranslate<Messages>(language, DICTIONARIES[language as Language]);
  const format = prepareFormat(language);
  return errorText(
    { kind: 'REFUSED', status: 400, code, field: null, text: 'English', params },
    { t, format },
  );
}

test('every error has a text in each language, with all of its values', () => {
  const params = Object.assign({}, ...Object.values(PARAMS));
  for (const language of Object.keys(LANGUAGES))
    for (const code of Object.keys(ERROR_TEXTS)) {
      const text = textOf(language, code, params);
      assert.notEqual(text, 'English', code);
      assert.doesNotMatch(text, /[{}]|undefined/, code);
    }
});

test('an error that only programs cause, or a newer service, has the text for any in each language', () => {
  for (const language of Object.keys(LANGUAGES))
    for (const code of ['LEASE_ENDED', 'OF_A_NEWER_SERVICE'])
      assert.equal(textOf(language, code), DICTIONARIES[language as Language]['error.unexpected']);
});

test('an error without a code is shown as it is', () => {
  assert.equal(textOf('de', null), 'English');
});

test('values are written as the language does', () => {
  assert.match(textOf('de', 'MAX_VIEWS_TOO_LARGE', { max: 1_000_000 }), /1\.000\.000/);
  assert.match(textOf('de', 'EXPIRY_TOO_LATE', { max: 'P30D' }), /30 Tage/);
});
