import assert from 'node:assert/strict';
import type { Link } from '../../../src/core/model/link.ts';
import { type ListQuery, MAX_LISTED } from '../../../src/core/model/listed-links.ts';
import { matches, partsOf, type Searched } from '../../../src/core/model/search-terms.ts';
import { DAY_MS } from '../../../src/core/model/time-units.ts';
import { MAX_SORTED } from '../../../src/core/ports/link-list.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { EVERY_LINK } from '../../support/queries.ts';
import type { TestStore } from '../store-harness.ts';

const NOW = START + 60_000;
const READER = { listsAll: true, seesAll: true, owner: 'KEY admin', teams: [] };
const ALL: ListQuery = { ...EVERY_LINK, reader: READER, now: NOW };
/** More than a page examines. */
const MANY = 505;

/** Tests what a search finds, and what its pages reveal, with many links. */
export function listSearchContract(testStore: TestStore): void {
  testStore('the end of a page does not reveal the words of hidden targets', async ({ store }) => {
    const url = 'https://secretword.example';
    const earlier = { url, createdAt: START - 2 * DAY_MS };
    await store.create(redirectLink(codeOf(1), { ...earlier, owner: 'KEY anna' }), newChange());
    await store.create(redirectLink(codeOf(2), { ...earlier, owner: 'KEY bert' }), newChange());
    await createMany(store, 3, MANY, (index) => [
      redirectLink(codeOf(index), { url, createdAt: START + index, owner: 'KEY bert' }),
      newChange(),
    ]);
    for (const [name, filter, expected] of [
      ['carl', {}, []],
      ['carl', { owner: 'bert' }, []],
      ['anna', {}, [codeOf(1)]],
    ] as const) {
      const reader = { ...ALL.reader, seesAll: false, owner: `KEY ${name}` };
      const query = { ...ALL, ...filter, reader, search: partsOf('secretw') };
      const { items, next } = await store.list.readPage(query);
      assert.deepEqual([items.map(codeIn), next], [expected, null], name);
    }
  });

  testStore('the end of a page names no link that its reader may not see', async ({ store }) => {
    const terms = { label: 'x' };
    // Many links meet each of two conditions, and none meets both, so that a page ends between links of others.
    await createMany(store, 1, 2 * MANY, (index) => [
      redirectLink(codeOf(index), index % 2 ? { owner: 'KEY anna' } : { owner: 'KEY bert', terms }),
      newChange(),
    ]);
    const reader = { ...ALL.reader, listsAll: false, seesAll: false, owner: 'KEY anna' };
    for (const order of ['desc', 'asc'] as const) {
      let pages = 0;
      for (let after: string | null = null; pages === 0 || after !== null; pages += 1) {
        const query: ListQuery = { ...ALL, label: 'x', reader, order, after };
        const { items, next } = await store.list.readPage(query);
        assert.deepEqual(items, []);
        assert.match(next ?? '', /^(\d{19}\.)?$/);
        after = next;
      }
      assert.ok(pages > 1, order);
    }
  });

  testStore('a rare link is found in one page among many, by one word or several', async ({ store }) => {
    const terms = { label: 'needle haystack' };
    await store.create(redirectLink(codeOf(1), { terms }), newChange());
    await createMany(store, 2, MANY, (index) => [
      redirectLink(codeOf(index), {
        createdAt: START + index,
        terms: { label: 'haystack' },
      }),
      newChange(),
    ]);
    for (const search of ['needle', 'haystack needle', 'exam needle']) {
      const { items, next } = await store.list.readPage({ ...ALL, search: partsOf(search) });
      assert.deepEqual([items.map(codeIn), next], [[codeOf(1)], null], search);
    }
  });

  testStore('pages of a search have each link once, in both orders', async ({ store }) => {
    const isFound = (index: number) => index % 20 === 0;
    await createMany(store, 1, MANY, (index) => {
      const terms = isFound(index) ? { label: 'needle' } : {};
      return [redirectLink(codeOf(index), { createdAt: START + (index >> 3), terms }), newChange()];
    });
    const expected = Array.from({ length: MANY }, (_, index) => index + 1)
      .filter(isFound)
      .map(codeOf);
    for (const order of ['asc', 'desc'] as const) {
      const found: string[] = [];
      for (let after: string | null = null, pages = 0; pages === 0 || after !== null; pages++) {
        assert.ok(pages < 20);
        const query: ListQuery = { ...ALL, order, after, search: partsOf('needle'), limit: 3 };
        const page = await store.list.readPage(query);
        found.push(...page.items.map(codeIn));
        after = page.next;
      }
      assert.deepEqual(found.toSorted(), expected, order);
    }
  });

  testStore('links with the same number are all found, also after a change of one', async ({ store }) => {
    for (const code of SAME_NUMBER)
      await store.create(redirectLink(code, { terms: { label: `word${code}` } }), newChange());
    const assertFound = async () => {
      for (const code of SAME_NUMBER) {
        const { items } = await store.list.readPage({ ...ALL, search: partsOf(`word${code}`) });
        assert.deepEqual(items.map(codeIn), [code]);
      }
    };
    // The newest links are not searched by an index.
    await createMany(store, 1, MANY, (index) => [
      redirectLink(codeOf(index), { createdAt: START + index }),
      newChange(),
    ]);
    await assertFound();
    await store.revoke(SAME_NUMBER[0], newChange({ at: NOW }));
    await assertFound();
  });

  testStore(
    'links with the same number are found once, wherever the sample of a search ends',
    async ({ store }) => {
      for (const code of SAME_NUMBER)
        await store.create(redirectLink(code, { terms: { label: 'needle' } }), newChange());
      const createNewer = (index: number): Parameters<Store['create']> => [
        redirectLink(codeOf(index), { createdAt: START + index }),
        newChange(),
      ];
      await createMany(store, 1, 124, createNewer);
      for (let newer = 125; newer < 132; newer++) {
        await store.create(...createNewer(newer));
        const { items } = await store.list.readPage({ ...ALL, search: partsOf('needle') });
        assert.deepEqual(items.map(codeIn).sort(), SAME_NUMBER.toSorted(), String(newer));
      }
    },
  );

  testStore('a link in a rare state is ranked though all newer ones are in others', async ({ store }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    await createMany(store, 2, MAX_SORTED + 1, (index) => [
      redirectLink(codeOf(index), { startsAt: NOW + 1, createdAt: START + index }),
      newChange(),
    ]);
    for (const sort of ['views', 'opened'] as const) {
      const { items, next } = await store.list.readPage({ ...ALL, sort, states: ['ACTIVE'] });
      assert.deepEqual([items.map(codeIn), next], [[codeOf(1)], null], sort);
    }
    await store.attempt(attemptOn(codeOf(1), { at: NOW }));
    const { items } = await store.list.readPage({ ...ALL, sort: 'views', limit: 1 });
    assert.deepEqual(items.map(codeIn), [codeOf(1)]);
  });

  testStore('several words select what a reading of all does, also of long texts', async ({ store }) => {
    const labelsOf = (index: number, shift: number) => {
      const words = WORDS.filter((_, bit) => ((index * 37 + shift * 11) >> bit) & 1);
      const filler = Array.from({ length: index % 3 === 0 ? 58 : 0 }, (_, place) => `filler${place}`);
      const half = words.length >> 1;
      return {
        ...{ label: words.slice(0, half).join(' '), note: null, recipient: words.slice(half).join(' ') },
        tags: [filler.join(' ')],
      };
    };
    const url = (index: number) => `https://example.com/${'a/'.repeat(index % 2)}${WORDS[index % 6]}`;
    const count = 48;
    for (let index = 0; index < count; index++) {
      const createdAt = START - (index % 4) * DAY_MS + index;
      await store.create(
        redirectLink(codeOf(index), { url: url(index), terms: labelsOf(index, 0), createdAt }),
        newChange(),
      );
    }
    for (let index = 0; index < count; index += 5)
      await store.change(
        codeOf(index),
        { patch: { terms: labelsOf(index, 1) }, versions: null },
        newChange({ at: NOW }),
      );
    const all = (await store.list.readPage({ ...ALL, limit: MAX_LISTED })).items;
    assert.equal(all.length, count);
    await createMany(store, count, MANY, (index) => [
      redirectLink(codeOf(index), { url: 'https://other.example', createdAt: START + index }),
      newChange(),
    ]);
    for (const first of WORDS)
      for (const second of [...WORDS, 'filler5', 'fil', 'filler57', 'a'])
        for (const sort of ['created', 'views'] as const) {
          const search = partsOf(`${first} ${second}`);
          const { items } = await store.list.readPage({ ...ALL, search, sort, limit: MAX_LISTED });
          const expected = all.filter((item) => matches(searchedOf(item), { ...ALL, search }, ALL.reader));
          const about = `${first} ${second}, by ${sort}`;
          assert.deepEqual(items.map(codeIn).sort(), expected.map(codeIn).sort(), about);
        }
  });

  testStore('a changed link is found by its new words, and not by its old ones', async ({ store }) => {
    const terms = { label: 'Autumn', tags: ['old'], recipient: 'Zoe' };
    await store.create(redirectLink(codeOf(1), { terms }), newChange());
    const patch = {
      targetUrl: 'https://changed.example',
      terms: { label: 'Winter', tags: ['new'], recipient: null },
    };
    await store.change(codeOf(1), { patch, versions: null }, newChange({ at: NOW }));
    await createMany(store, 2, MANY, (index) => [
      redirectLink(codeOf(index), { createdAt: START + index }),
      newChange(),
    ]);
    for (const [word, isFound] of [
      ...['changed', 'winter', 'new'].map((each) => [each, true] as const),
      ...['autumn', 'old', 'zoe'].map((each) => [each, false] as const),
    ]) {
      const { items } = await store.list.readPage({ ...ALL, search: partsOf(word) });
      assert.deepEqual(items.map(codeIn), isFound ? [codeOf(1)] : [], word);
    }
  });
}

/** Links that are created at `START` with these codes have the same number, see src/stores/list-number.ts. */
const SAME_NUMBER = ['N0000270', 'N0002573'] as const;

const WORDS = ['amber', 'basil', 'cedar', 'delta', 'ember', 'fjord'];

function searchedOf({ shortCode, terms, target, owner, team }: Link): Searched {
  const { type } = target;
  const targetUrl = type === 'REDIRECT' ? target.url : null;
  const fileName = type === 'DOWNLOAD' ? target.file.fileName : null;
  return { shortCode, type, targetUrl, fileName, owner, team, ...terms };
}

const codeIn = (link: Link): string => link.shortCode;

async function createMany(
  store: Store,
  first: number,
  count: number,
  make: (index: number) => Parameters<Store['create']>,
): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => store.create(...make(first + index))));
}
