import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Language } from '../../src/i18n/languages.ts';
import { de } from '../../web/i18n/locales/de.ts';
import { en } from '../../web/i18n/locales/en.ts';
import { es } from '../../web/i18n/locales/es.ts';
import { fr } from '../../web/i18n/locales/fr.ts';
import { pt } from '../../web/i18n/locales/pt.ts';
import type { Dictionary } from '../../web/i18n/translate.ts';
import { testTranslations } from '../support/dictionaries.ts';
import { sourcesOf } from '../support/sources.ts';

const DICTIONARIES = { en, pt, es, de, fr } satisfies Record<Language, Dictionary>;

describe('the texts of the app', () => testTranslations(DICTIONARIES));

test('every text is used', () => {
  const code = sourcesOf('web')
    .filter(({ path }) => !path.includes('/locales/'))
    .map(({ text }) => text)
    .join('\n');
  for (const key of Object.keys(en)) assert.ok(code.includes(`'${key}'`), key);
});
