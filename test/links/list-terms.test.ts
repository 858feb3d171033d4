import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ListReader } from '../../src/core/model/listed-links.ts';
import {
  conditionsOf,
  matches,
  meets,
  partsOf,
  type Searched,
  termsOf,
  wordsOf,
} from '../../src/core/model/search-terms.ts';
import { linkState } from '../support/attempts.ts';

const LINK: Searched = {
  shortCode: 'My-Code1',
  type: 'REDIRECT',
  targetUrl: 'https://shop.example/caf%C3%A9?utm=Mail%FF',
  fileName: null,
  label: 'Überraschung 2026',
  tags: ['Spring Sale'],
  recipient: 'Zoë Ångström',
  owner: 'KEY anna',
  team: 'press',
};
const ANY = {
  search: [],
  type: null,
  label: null,
  tag: null,
  owner: null,
  ownerKind: null,
  team: null,
  isMine: false,
};
const reader = (owner: string | null, teams: string[] = []): ListReader => ({
  ...{ listsAll: true, seesAll: false, owner, teams },
});
const MANAGER = { ...reader('KEY root'), seesAll: true };
const READERS = [
  [MANAGER, false],
  [reader('KEY anna'), true],
  [reader('USER anna', ['sales', 'press']), false],
  [reader('USER anna', ['sales']), false],
  [reader(null), false],
] as const;

describe('the search of the list', () => {
  test('words have no case and no accents', () => {
    assert.deepEqual(wordsOf('Café-Crème №5, naïve'), ['cafe', 'creme', 'no5', 'naive']);
    assert.deepEqual(wordsOf('日本 Привет'), ['日本', 'привет']);
    assert.deepEqual(wordsOf('a'.repeat(50)), ['a'.repeat(40)]);
  });

  for (const [search, isFound] of [
    ['uber', true],
    ['ÜBERRASCHUNG sale', true],
    ['cafe', true],
    ['shop.exam', true],
    ['https://shop.example/caf', true],
    ['https://links.example/go/l/My-Code1', true],
    ['http://localhost:8080/l/My-C', true],
    ['/l/My-Code1', true],
    ['https://links.example/l/Other', false],
    ['https://go.example/go/My-C', true],
    ['https://go.example/My-C', false],
    ['zoe ang', true],
    ['My-C', true],
    ['my-c', false],
    ['https', false],
    ['raschung', false],
    ['sale winter', false],
    ['-', false],
  ] as const) {
    test(`"${search}" ${isFound ? 'finds' : 'does not find'} the link`, () => {
      assert.equal(matches(LINK, { ...ANY, search: partsOf(search, '/go/') }, MANAGER), isFound);
    });
  }

  test('the address of a code with segments and letters of any script finds it', () => {
    const [part] = partsOf('https://go.example/gro%CC%88%C3%9Fe/b', '/');
    assert.equal(part?.text, 'größe/b');
    assert.ok(matches({ ...LINK, shortCode: 'größe/b.c' }, { ...ANY, search: partsOf('größe/b.') }, MANAGER));
  });

  test('only its owner, members of its team and managers find a link by its target', () => {
    const find = (search: string, by: ListReader) => matches(LINK, { ...ANY, search: partsOf(search) }, by);
    assert.deepEqual(
      READERS.map(([by]) => find('cafe', by)),
      [true, true, true, false, false],
    );
    for (const open of ['uber', 'zoe']) assert.ok(find(open, reader('USER bert')), open);
  });

  test('a reader who does not list all finds own links and those of own teams', () => {
    const terms = termsOf(LINK, linkState());
    for (const [index, [by]] of READERS.entries()) {
      const limited = { ...by, listsAll: false };
      const [condition] = conditionsOf({ ...ANY, states: null }, limited);
      const isFound = index === 1 || index === 2;
      assert.equal(condition && meets(terms, condition), isFound, JSON.stringify(by));
      assert.equal(matches(LINK, ANY, limited), isFound);
    }
  });

  test('each condition of a link has a term of it', () => {
    const state = linkState({ status: 'EXPIRED', maxViews: 3, isPaused: true });
    const terms = termsOf(LINK, state);
    const filter = {
      ...{ search: partsOf('uber zoe shop.exam'), type: null, label: LINK.label, tag: 'Spring Sale' },
      ...{
        owner: 'anna',
        ownerKind: 'KEY' as const,
        team: 'press',
        isMine: false,
        states: ['EXPIRED' as const],
      },
    };
    for (const conditions of [conditionsOf(filter, MANAGER), conditionsOf(filter, reader('KEY anna'))]) {
      assert.equal(conditions.length, 10);
      for (const condition of conditions) assert.ok(meets(terms, condition), JSON.stringify(condition));
    }
    for (const each of ['USED_UP', 'PAUSED', 'REVOKED'] as const) {
      const [condition] = conditionsOf({ ...ANY, states: [each] }, MANAGER);
      assert.equal(condition && meets(terms, condition), each !== 'REVOKED', each);
    }
  });

  test('the name of an owner is found as names of people are compared, and that of a key as it is', () => {
    const ofPerson = { ...LINK, owner: 'USER josé' };
    const ofKey = { ...LINK, owner: 'KEY José' };
    for (const [link, owner, isFound] of [
      [ofPerson, 'JOSE\u0301', true],
      [ofPerson, 'jose', false],
      [ofKey, 'José', true],
      [ofKey, 'josé', false],
    ] as const) {
      const filter = { ...ANY, owner, states: null };
      assert.equal(matches(link, filter, MANAGER), isFound, `${link.owner} ${owner}`);
      const [condition] = conditionsOf(filter, MANAGER);
      assert.equal(condition && meets(termsOf(link, linkState()), condition), isFound);
    }
  });

  test('terms consist of letters and digits, which need no quotes in a full-text search', () => {
    const link = { ...LINK, tags: [`'"*:&|()-`, 'AND OR NOT'], recipient: '日本 Привет' };
    for (const term of termsOf(link, linkState({ maxViews: 3 }))) assert.match(term, /^[a-z][\p{L}\p{N}]+$/u);
  });

  test('a word of a target is a condition on its owner or team, unless the reader sees all targets', () => {
    const terms = termsOf(LINK, linkState());
    for (const [index, [by]] of READERS.entries()) {
      const [condition] = conditionsOf({ ...ANY, states: null, search: partsOf('cafe') }, by);
      assert.equal(condition && meets(terms, condition), index < 3, JSON.stringify(by));
    }
  });

  test('links of the reader alone are those with the kind and the name of the reader, without those of teams', () => {
    const terms = termsOf(LINK, linkState());
    for (const [by, isFound] of READERS) {
      const [condition] = conditionsOf({ ...ANY, states: null, isMine: true }, by);
      assert.equal(condition && meets(terms, condition), isFound, JSON.stringify(by));
      assert.equal(matches(LINK, { ...ANY, isMine: true }, by), isFound);
    }
  });

  test('no condition is set on links that may be active', () => {
    assert.deepEqual(conditionsOf({ ...ANY, states: ['ACTIVE', 'PAUSED'] }, MANAGER), []);
  });

  test('a search that no link can match is a condition that no terms meet', () => {
    const [condition] = conditionsOf({ ...ANY, states: null, search: partsOf('!') }, MANAGER);
    assert.ok(condition && !meets(termsOf(LINK, linkState()), condition));
  });
});
