import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
  ...{
    search: [],
    type: null,
    label: null,
    tag: null,
    owner: null,
    ownerKind: null,
    team: null,
    isMine: false,
  },
};
const MANAGER = { listsAll: true, seesAll: true, owner: 'KEY root', teams: [] };

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
});
