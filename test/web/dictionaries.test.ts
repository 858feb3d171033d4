import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Language } from '../../src/common/languages.ts';
import { SET_TITLES } from '../../src/common/set-titles.ts';
import { type Messages, prepareTranslate } from '../../src/common/translate.ts';
import { de as deOfRestriction } from '../../web/actions/restriction-texts/de.ts';
import { en as enOfRestriction } from '../../web/actions/restriction-texts/en.ts';
import { es as esOfRestriction } from '../../web/actions/restriction-texts/es.ts';
import { fr as frOfRestriction } from '../../web/actions/restriction-texts/fr.ts';
import { pt as ptOfRestriction } from '../../web/actions/restriction-texts/pt.ts';
import { de as deOfCreate } from '../../web/create/create-texts/de.ts';
import { en as enOfCreate } from '../../web/create/create-texts/en.ts';
import { es as esOfCreate } from '../../web/create/create-texts/es.ts';
import { fr as frOfCreate } from '../../web/create/create-texts/fr.ts';
import { pt as ptOfCreate } from '../../web/create/create-texts/pt.ts';
import { de as deOfRecipients } from '../../web/history/recipient-texts/de.ts';
import { en as enOfRecipients } from '../../web/history/recipient-texts/en.ts';
import { es as esOfRecipients } from '../../web/history/recipient-texts/es.ts';
import { fr as frOfRecipients } from '../../web/history/recipient-texts/fr.ts';
import { pt as ptOfRecipients } from '../../web/history/recipient-texts/pt.ts';
import { de as deOfVerify } from '../../web/history/verify-texts/de.ts';
import { en as enOfVerify } from '../../web/history/verify-texts/en.ts';
import { es as esOfVerify } from '../../web/history/verify-texts/es.ts';
import { fr as frOfVerify } from '../../web/history/verify-texts/fr.ts';
import { pt as ptOfVerify } from '../../web/history/verify-texts/pt.ts';
import { de } from '../../web/i18n/locales/de.ts';
import { en } from '../../web/i18n/locales/en.ts';
import { es } from '../../web/i18n/locales/es.ts';
import { fr } from '../../web/i18n/locales/fr.ts';
import { pt } from '../../web/i18n/locales/pt.ts';
import { de as deOfRecord } from '../../web/link/record-texts/de.ts';
import { en as enOfRecord } from '../../web/link/record-texts/en.ts';
import { es as esOfRecord } from '../../web/link/record-texts/es.ts';
import { fr as frOfRecord } from '../../web/link/record-texts/fr.ts';
import { pt as ptOfRecord } from '../../web/link/record-texts/pt.ts';
import { de as deOfBulk } from '../../web/links/bulk/bulk-texts/de.ts';
import { en as enOfBulk } from '../../web/links/bulk/bulk-texts/en.ts';
import { es as esOfBulk } from '../../web/links/bulk/bulk-texts/es.ts';
import { fr as frOfBulk } from '../../web/links/bulk/bulk-texts/fr.ts';
import { pt as ptOfBulk } from '../../web/links/bulk/bulk-texts/pt.ts';
import { de as deOfList } from '../../web/links/list-texts/de.ts';
import { en as enOfList } from '../../web/links/list-texts/en.ts';
import { es as esOfList } from '../../web/links/list-texts/es.ts';
import { fr as frOfList } from '../../web/links/list-texts/fr.ts';
import { pt as ptOfList } from '../../web/links/list-texts/pt.ts';
import { de as deOfPeople } from '../../web/people/people-texts/de.ts';
import { en as enOfPeople } from '../../web/people/people-texts/en.ts';
import { es as esOfPeople } from '../../web/people/people-texts/es.ts';
import { fr as frOfPeople } from '../../web/people/people-texts/fr.ts';
import { pt as ptOfPeople } from '../../web/people/people-texts/pt.ts';
import { de as deOfHelp } from '../../web/shell/help/texts/de.ts';
import { en as enOfHelp } from '../../web/shell/help/texts/en.ts';
import { es as esOfHelp } from '../../web/shell/help/texts/es.ts';
import { fr as frOfHelp } from '../../web/shell/help/texts/fr.ts';
import { pt as ptOfHelp } from '../../web/shell/help/texts/pt.ts';
import { testTranslations } from '../support/dictionaries.ts';

const DICTIONARIES = { en, pt, es, de, fr };

describe('the texts of the pages', () => testTranslations(DICTIONARIES));

test('a set of files is called the same on the pages of senders, on those of visitors and in mails', () => {
  for (const language of Object.keys(SET_TITLES) as (keyof typeof SET_TITLES)[])
    assert.deepEqual(DICTIONARIES[language]['files.named'], SET_TITLES[language]);
});

const OF_VERIFY = { en: enOfVerify, pt: ptOfVerify, es: esOfVerify, de: deOfVerify, fr: frOfVerify };
const OF_RECORD = { en: enOfRecord, pt: ptOfRecord, es: esOfRecord, de: deOfRecord, fr: frOfRecord };
const OF_RECIPIENTS = {
  ...{ en: enOfRecipients, pt: ptOfRecipients, es: esOfRecipients },
  ...{ de: deOfRecipients, fr: frOfRecipients },
};
const OF_RESTRICTION = {
  ...{ en: enOfRestriction, pt: ptOfRestriction, es: esOfRestriction },
  ...{ de: deOfRestriction, fr: frOfRestriction },
};
const OF_CREATE = { en: enOfCreate, pt: ptOfCreate, es: esOfCreate, de: deOfCreate, fr: frOfCreate };
const OF_LIST = { en: enOfList, pt: ptOfList, es: esOfList, de: deOfList, fr: frOfList };
const OF_BULK = { en: enOfBulk, pt: ptOfBulk, es: esOfBulk, de: deOfBulk, fr: frOfBulk };
const OF_PEOPLE = { en: enOfPeople, pt: ptOfPeople, es: esOfPeople, de: deOfPeople, fr: frOfPeople };
const OF_HELP = { en: enOfHelp, pt: ptOfHelp, es: esOfHelp, de: deOfHelp, fr: frOfHelp };

describe('the texts of the page that checks a history', () => testTranslations(OF_VERIFY));
describe('the texts of the delivery record', () => testTranslations(OF_RECORD));
describe('the texts of the recipients', () => testTranslations(OF_RECIPIENTS));
describe('the texts of links that only some can open', () => testTranslations(OF_RESTRICTION));
describe('the texts of new links', () => testTranslations(OF_CREATE));
describe('the texts of the list of links', () => testTranslations(OF_LIST));
describe('the texts of links from a file', () => testTranslations(OF_BULK));
describe('the texts of people, teams and keys', () => testTranslations(OF_PEOPLE));
describe('the texts of the help', () => testTranslations(OF_HELP));

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

const PREFIX = /^(?:ofRequest|ofReceived)\./;

test('the words for a file request, and for what arrived, take the values of the texts that they replace', () => {
  const valuesOf = (message: unknown) => JSON.stringify(message).match(/\{\w+\}|"(by|one|other)"/g) ?? [];
  const messages: Messages = en;
  for (const [key, words] of Object.entries(messages).filter(([key]) => PREFIX.test(key)))
    assert.deepEqual(new Set(valuesOf(words)), new Set(valuesOf(messages[key.replace(PREFIX, '')])), key);
});
