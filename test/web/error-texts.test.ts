import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, type Language } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import { FIELD_ERROR_CODES } from '../../src/core/model/parsed.ts';
import { errorText } from '../../web/create/error-texts.ts';
import { prepareFormat } from '../../web/i18n/format.ts';
import { de } from '../../web/i18n/locales/links/de.ts';
import { en } from '../../web/i18n/locales/links/en.ts';
import { es } from '../../web/i18n/locales/links/es.ts';
import { fr } from '../../web/i18n/locales/links/fr.ts';
import { pt } from '../../web/i18n/locales/links/pt.ts';
import type { LinksDictionary, Messages } from '../../web/i18n/translate.ts';
import { sourcesOf } from '../support/sources.ts';

const DICTIONARIES = { en, de, es, fr, pt } satisfies Record<Language, LinksDictionary>;

/** The rules of single fields are found from these. */
const ENTRIES = [
  'src/core/rules/creation.ts',
  'src/core/rules/change.ts',
  'src/core/model/decide-change.ts',
  'src/http/routes/upload-file.ts',
];
/** The rules of queries, which reading a link needs and writing one does not. */
const QUERIES = [/-query\.ts$/, /\/time-range\.ts$/];
/** The errors of the request as a whole. */
const REQUEST_CODES = [
  ...['DUPLICATE_FIELD', 'CUSTOM_CODE_TAKEN', 'LINK_IS_REVOKED', 'VERSION_MISMATCH', 'FILE_TOO_LARGE'],
  ...['REQUEST_TOO_LARGE', 'STORAGE_FULL', 'RATE_LIMITED', 'OVERLOADED', 'DATABASE_UNAVAILABLE'],
];

/** Returns the codes of fields that creating and changing a link can return. */
function findFieldCodes(): string[] {
  const sources = new Map(sourcesOf('src').map((source) => [source.path, source]));
  const reached = new Set<string>();
  function reach(path: string): void {
    if (reached.has(path) || QUERIES.some((query) => query.test(path))) return;
    reached.add(path);
    for (const { target, isTypeOnly } of sources.get(path)?.imports ?? []) {
      if (!isTypeOnly && target.startsWith('src/core/')) reach(target);
    }
  }
  for (const entry of ENTRIES) {
    assert.ok(sources.has(entry), entry);
    reach(entry);
  }
  reached.delete('src/core/model/parsed.ts'); // defines all codes
  const code = [...reached].map((path) => sources.get(path)?.code).join('\n');
  return FIELD_ERROR_CODES.filter((name) => code.includes(`'${name}'`));
}

test('every error of creating or changing a link has a text in each language', () => {
  const fieldCodes = findFieldCodes();
  for (const known of ['INVALID_TARGET_URL', 'FILE_EMPTY', 'TAG_TOO_LONG', 'TERM_CANNOT_BE_CHANGED']) {
    assert.ok(fieldCodes.includes(known), known);
  }
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
