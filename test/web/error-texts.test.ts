import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, type Language } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import { FIELD_ERROR_CODES } from '../../src/core/model/parsed.ts';
import { errorText } from '../../web/create/error-texts.ts';
import { prepareFormat } from '../../web/i18n/format.ts';
import { de } from '../../web/i18n/locales/de.ts';
import { en } from '../../web/i18n/locales/en.ts';
import { es } from '../../web/i18n/locales/es.ts';
import { fr } from '../../web/i18n/locales/fr.ts';
import { pt } from '../../web/i18n/locales/pt.ts';
import type { Dictionary, Messages } from '../../web/i18n/translate.ts';

const DICTIONARIES = { en, de, es, fr, pt } satisfies Record<Language, Dictionary>;

/** The errors of fields that only queries, people, keys and requests to the API have. */
const OTHER_FIELD_CODES = [
  ...['UNKNOWN_FIELD', 'PASSWORD_TOO_SHORT', 'INVALID_NAME', 'INVALID_EMAIL', 'INVALID_SCOPES'],
  ...['SCOPES_BEYOND_OWNER', 'LINKS_NEED_OWNER', 'END_BEFORE_START', 'INVALID_UNIT', 'INVALID_TIME_ZONE'],
  ...['INVALID_FORMAT', 'INVALID_RESULT', 'INVALID_ADDRESS', 'INVALID_CURSOR', 'INVALID_STATE'],
  ...[
    'INVALID_ERASURE',
    'INVALID_IMPORT',
    'INVALID_TYPE',
    'INVALID_OWNER_KIND',
    'INVALID_SORT',
    'INVALID_ORDER',
  ],
];
/** The errors of the request as a whole. */
const REQUEST_CODES = [
  ...['DUPLICATE_FIELD', 'CUSTOM_CODE_TAKEN', 'LINK_IS_REVOKED', 'VERSION_MISMATCH', 'FILE_TOO_LARGE'],
  ...['REQUEST_TOO_LARGE', 'STORAGE_FULL', 'RATE_LIMITED', 'OVERLOADED', 'DATABASE_UNAVAILABLE'],
];

test('every error of creating or changing a link has a text in each language', () => {
  const fieldCodes = FIELD_ERROR_CODES.filter((code) => !OTHER_FIELD_CODES.includes(code));
  for (const language of Object.keys(LANGUAGES)) {
    const messages = DICTIONARIES[language as Language];
    // Errors use no other texts, or the assertion below fails.
    const t = prepareTranslate<Messages>(language, messages as never);
    const texts = { t, format: prepareFormat(language) };
    for (const code of [...fieldCodes, ...REQUEST_CODES]) {
      const text = errorText(code, { max: 'P30D', host: 'example.com' }, texts);
      assert.ok(text, `${code} has no text`);
      assert.doesNotMatch(text, /[{}]|undefined/, code);
    }
  }
});
