import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Language } from '../../src/common/languages.ts';
import { type Messages, prepareTranslate } from '../../src/common/translate.ts';
import { PLAIN_NAMES } from '../../src/core/model/terms.ts';
import { de as bulkDe } from '../../web/i18n/locales/bulk/de.ts';
import { en as bulkEn } from '../../web/i18n/locales/bulk/en.ts';
import { es as bulkEs } from '../../web/i18n/locales/bulk/es.ts';
import { fr as bulkFr } from '../../web/i18n/locales/bulk/fr.ts';
import { pt as bulkPt } from '../../web/i18n/locales/bulk/pt.ts';
import { de as createDe } from '../../web/i18n/locales/create/de.ts';
import { en as createEn } from '../../web/i18n/locales/create/en.ts';
import { es as createEs } from '../../web/i18n/locales/create/es.ts';
import { fr as createFr } from '../../web/i18n/locales/create/fr.ts';
import { pt as createPt } from '../../web/i18n/locales/create/pt.ts';
import { de } from '../../web/i18n/locales/de.ts';
import { en } from '../../web/i18n/locales/en.ts';
import { es } from '../../web/i18n/locales/es.ts';
import { fr } from '../../web/i18n/locales/fr.ts';
import { de as linksDe } from '../../web/i18n/locales/links/de.ts';
import { en as linksEn } from '../../web/i18n/locales/links/en.ts';
import { es as linksEs } from '../../web/i18n/locales/links/es.ts';
import { fr as linksFr } from '../../web/i18n/locales/links/fr.ts';
import { pt as linksPt } from '../../web/i18n/locales/links/pt.ts';
import { de as manageDe } from '../../web/i18n/locales/manage/de.ts';
import { en as manageEn } from '../../web/i18n/locales/manage/en.ts';
import { es as manageEs } from '../../web/i18n/locales/manage/es.ts';
import { fr as manageFr } from '../../web/i18n/locales/manage/fr.ts';
import { pt as managePt } from '../../web/i18n/locales/manage/pt.ts';
import { de as paletteDe } from '../../web/i18n/locales/palette/de.ts';
import { en as paletteEn } from '../../web/i18n/locales/palette/en.ts';
import { es as paletteEs } from '../../web/i18n/locales/palette/es.ts';
import { fr as paletteFr } from '../../web/i18n/locales/palette/fr.ts';
import { pt as palettePt } from '../../web/i18n/locales/palette/pt.ts';
import { de as peopleDe } from '../../web/i18n/locales/people/de.ts';
import { en as peopleEn } from '../../web/i18n/locales/people/en.ts';
import { es as peopleEs } from '../../web/i18n/locales/people/es.ts';
import { fr as peopleFr } from '../../web/i18n/locales/people/fr.ts';
import { pt as peoplePt } from '../../web/i18n/locales/people/pt.ts';
import { pt } from '../../web/i18n/locales/pt.ts';
import { de as requestDe } from '../../web/i18n/locales/request/de.ts';
import { en as requestEn } from '../../web/i18n/locales/request/en.ts';
import { es as requestEs } from '../../web/i18n/locales/request/es.ts';
import { fr as requestFr } from '../../web/i18n/locales/request/fr.ts';
import { pt as requestPt } from '../../web/i18n/locales/request/pt.ts';
import { de as uploadDe } from '../../web/i18n/locales/upload/de.ts';
import { en as uploadEn } from '../../web/i18n/locales/upload/en.ts';
import { es as uploadEs } from '../../web/i18n/locales/upload/es.ts';
import { fr as uploadFr } from '../../web/i18n/locales/upload/fr.ts';
import { pt as uploadPt } from '../../web/i18n/locales/upload/pt.ts';
import { de as verifyDe } from '../../web/i18n/locales/verify/de.ts';
import { en as verifyEn } from '../../web/i18n/locales/verify/en.ts';
import { es as verifyEs } from '../../web/i18n/locales/verify/es.ts';
import { fr as verifyFr } from '../../web/i18n/locales/verify/fr.ts';
import { pt as verifyPt } from '../../web/i18n/locales/verify/pt.ts';
import { testTranslations } from '../support/dictionaries.ts';
import { type Source, sourcesOf } from '../support/sources.ts';

const DICTIONARIES = { en, pt, es, de, fr };

const SOURCES = new Map(
  sourcesOf('web')
    .filter(({ path }) => !path.includes('/locales/'))
    .map((source) => [source.path, source]),
);

/** Returns the code of the files that a page loads. */
function codeOf(page: string): string {
  const found = new Set<Source>();
  const add = (path: string): void => {
    const source = SOURCES.get(path);
    if (!source || found.has(source)) return;
    found.add(source);
    for (const { target, isTypeOnly } of source.imports) if (!isTypeOnly) add(target);
  };
  add(page);
  return [...found].map(({ text }) => text).join('\n');
}

describe('the texts of every page', () => testTranslations(DICTIONARIES));
describe('the texts of the pages of links', () =>
  testTranslations({ en: linksEn, pt: linksPt, es: linksEs, de: linksDe, fr: linksFr }));
describe('the texts of the pages that change links', () =>
  testTranslations({ en: manageEn, pt: managePt, es: manageEs, de: manageDe, fr: manageFr }));
describe('the texts of the view that creates links from a file', () =>
  testTranslations({ en: bulkEn, pt: bulkPt, es: bulkEs, de: bulkDe, fr: bulkFr }));
describe('the texts of people who sign in', () =>
  testTranslations({ en: peopleEn, pt: peoplePt, es: peopleEs, de: peopleDe, fr: peopleFr }));
describe('the texts of the page that creates links', () =>
  testTranslations({ en: createEn, pt: createPt, es: createEs, de: createDe, fr: createFr }));
describe('the texts of uploads', () =>
  testTranslations({ en: uploadEn, pt: uploadPt, es: uploadEs, de: uploadDe, fr: uploadFr }));
describe('the words for a file request', () =>
  testTranslations({ en: requestEn, pt: requestPt, es: requestEs, de: requestDe, fr: requestFr }));
describe('the texts of the search box', () =>
  testTranslations({ en: paletteEn, pt: palettePt, es: paletteEs, de: paletteDe, fr: paletteFr }));
describe('the texts of the page that checks a history', () =>
  testTranslations({ en: verifyEn, pt: verifyPt, es: verifyEs, de: verifyDe, fr: verifyFr }));

test('the views of a link are in the singular where the language has one', () => {
  const views = (language: Language, count: number, whole: number): string =>
    prepareTranslate<typeof en>(language, DICTIONARIES[language])('state.viewsOf', { count, whole });
  assert.equal(views('en', 0, 1), '0 of 1 view');
  assert.equal(views('en', 1, 3), '1 of 3 views');
  assert.equal(views('de', 0, 1), '0 von 1 Aufruf');
  assert.equal(views('de', 1, 3), '1 von 3 Aufrufen');
  assert.equal(views('fr', 0, 1), '0 vue sur 1');
  assert.equal(views('fr', 1, 3), '1 vue sur 3');
  assert.equal(views('fr', 2, 3), '2 vues sur 3');
  assert.equal(views('es', 1, 3), '1 de 3 visitas');
  assert.equal(views('pt', 0, 1), '0 de 1 acesso');
});

test('the words for a file request take the values of the texts that they replace', () => {
  const others: Messages = { ...en, ...createEn, ...linksEn, ...manageEn, ...uploadEn };
  const valuesOf = (message: unknown) => JSON.stringify(message).match(/\{\w+\}|"(by|one|other)"/g) ?? [];
  for (const [key, words] of Object.entries(requestEn))
    assert.deepEqual(new Set(valuesOf(words)), new Set(valuesOf(others[key])), key);
});

test('every text is used', () => {
  // Those of terms are named by the table.
  const ofTerms = new Set(PLAIN_NAMES.flatMap((name) => [name, `${name}.hint`]));
  const code = [...SOURCES.values()].map(({ text }) => text).join('\n');
  for (const key of Object.keys({
    ...en,
    ...bulkEn,
    ...createEn,
    ...linksEn,
    ...manageEn,
    ...paletteEn,
    ...peopleEn,
    ...uploadEn,
    ...verifyEn,
  }))
    assert.ok(ofTerms.has(key) || code.includes(`'${key}'`), key);
});

test('no text is in two dictionaries', () => {
  const keys = [en, bulkEn, createEn, linksEn, manageEn, paletteEn, peopleEn, uploadEn, verifyEn].flatMap(
    Object.keys,
  );
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) < index),
    [],
  );
});

for (const [page, missing] of [
  ['dashboard', { ...createEn, ...linksEn, ...manageEn }],
  ['sign-in', { ...createEn, ...linksEn, ...manageEn }],
  ['people', { ...createEn, ...linksEn, ...manageEn }],
  ['create', manageEn],
  ['link', createEn],
  ['links', createEn],
  ['verify', { ...createEn, ...linksEn, ...manageEn, ...peopleEn }],
] as const) {
  test(`the page ${page} uses no text that it does not load`, () => {
    const code = codeOf(`web/${page}/main.tsx`);
    assert.ok(code.includes("'nav.skip'"), 'the files of the page were found');
    assert.deepEqual(
      // Errors of the API have a member `message`, too.
      Object.keys(missing).filter((key) => key !== 'message' && code.includes(`'${key}'`)),
      [],
    );
  });
}
