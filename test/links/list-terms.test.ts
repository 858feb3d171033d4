import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  conditionsOf,
  matches,
  partsOf,
  type Searched,
  termsOf,
  wordsOf,
} from '../../src/links/list-terms.ts';
import { linkState } from '../support/attempts.ts';

const LINK: Searched = {
  shortCode: 'My-Code1',
  type: 'REDIRECT',
  targetUrl: 'https://shop.example/caf%C3%A9?utm=Mail%FF',
  fileName: null,
  label: 'Überraschung 2026',
  tags: ['Spring Sale'],
  recipient: 'Zoë Ångström',
  creator: { kind: 'KEY', name: 'anna' },
};
const ANY = { search: [], type: null, label: null, tag: null, creator: null, creatorKind: null };
const MANAGER = { seesAll: true, name: { kind: 'KEY', name: 'root' } } as const;

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
    ['zoe ang', true],
    ['My-C', true],
    ['my-c', false],
    ['https', false],
    ['raschung', false],
    ['sale winter', false],
    ['-', false],
  ] as const) {
    test(`"${search}" ${isFound ? 'finds' : 'does not find'} the link`, () => {
      assert.equal(matches(LINK, { ...ANY, search: partsOf(search) }, MANAGER), isFound);
    });
  }

  test('only its creator and managers find a link by its target', () => {
    const find = (search: string, name: { kind: 'KEY' | 'USER' | 'ANONYMOUS'; name: string | null }) =>
      matches(LINK, { ...ANY, search: partsOf(search) }, { seesAll: false, name });
    assert.ok(find('cafe', { kind: 'KEY', name: 'anna' }));
    assert.ok(!find('cafe', { kind: 'USER', name: 'anna' }), 'another anna');
    assert.ok(!find('cafe', { kind: 'ANONYMOUS', name: null }));
    for (const open of ['uber', 'zoe']) assert.ok(find(open, { kind: 'USER', name: 'bert' }), open);
  });

  test('each condition of a link has a term of it', () => {
    const state = linkState({ status: 'EXPIRED', maxViews: 3, isPaused: true });
    const terms = termsOf(LINK, state);
    const filter = {
      ...{ search: partsOf('uber zoe shop.exam'), type: null, label: LINK.label, tag: 'Spring Sale' },
      ...{ creator: 'anna', creatorKind: null, states: ['EXPIRED' as const] },
    };
    const maker = { seesAll: false, name: { kind: 'KEY', name: 'anna' } } as const;
    for (const conditions of [conditionsOf(filter, MANAGER), conditionsOf(filter, maker)]) {
      assert.equal(conditions.length, 7);
      for (const { ranges } of conditions)
        assert.ok(ranges.some(({ from, end }) => terms.some((term) => term >= from && term < end)));
    }
    for (const each of ['USED_UP', 'PAUSED'] as const) assert.ok(terms.includes(`s${each}`));
  });

  test('no index is used for what nearly every link is', () => {
    const filter = {
      ...ANY,
      states: ['ACTIVE' as const, 'PAUSED' as const],
      type: 'REDIRECT' as const,
      creatorKind: 'KEY' as const,
    };
    assert.deepEqual(conditionsOf(filter, MANAGER), []);
  });
});
