import assert from 'node:assert/strict';
import { shownStateAt } from '../../../src/links/describe-link.ts';
import { type Link, type NewLink, NO_LABELS, type ShownState } from '../../../src/links/link.ts';
import {
  type Creator,
  type ListedLink,
  type ListQuery,
  MAX_SORTED,
  seesTarget,
} from '../../../src/links/link-list.ts';
import { partsOf } from '../../../src/links/list-terms.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import type { TestStore } from '../store.ts';

const NOW = START + 60_000;
/** More than a search reads in the order of the list, before it uses an index. */
const MANY = 140;
const MANAGER = { seesAll: true, name: { kind: 'KEY', name: 'admin' } } as const;
const MAKER = { seesAll: false, name: { kind: 'KEY', name: 'anna' } } as const;
const ALL: ListQuery = {
  ...{
    search: [],
    states: null,
    type: null,
    label: null,
    tag: null,
    creator: null,
    creatorKind: null,
    isMine: false,
  },
  ...{ range: { start: null, end: null }, sort: 'created', order: 'desc', limit: 50, after: null },
  ...{ reader: MANAGER, now: NOW },
};

/** Tests the list of all links and its search. */
export function listContract(testStore: TestStore): void {
  testStore('a new link is listed and found at once, with its creator and its state', async ({ store }) => {
    const author = { kind: 'KEY', name: 'anna', ipAddress: '192.0.2.1' } as const;
    const link = redirectLink('Promo-26', { labels: { ...NO_LABELS, label: 'Autumn Sale' } });
    await store.create(link, newChange({ author }));
    await store.attempt(attemptOn('Promo-26', { at: START + 5 }));
    for (const search of ['', 'autumn', 'SAL', 'Promo', 'autumn sale', 'example']) {
      const { items, next } = await store.list.readPage({ ...ALL, search: partsOf(search) });
      assert.deepEqual(
        items.map(({ link: found, creator }) => [found, creator]),
        [[await store.read('Promo-26'), { kind: 'KEY', name: 'anna' }]],
        search,
      );
      assert.equal(next, null);
    }
    for (const search of ['autumns', 'promo-27', 'le', '!'])
      assert.deepEqual((await store.list.readPage({ ...ALL, search: partsOf(search) })).items, [], search);
  });

  testStore('every combination of filters selects the same links as a reading of all', async ({ store }) => {
    await addLinks(store);
    const expected = await readModel(store);
    for (const filter of FILTERS) await assertSelected(store, expected, filter, SMALL_PAGES);
    // The first links of an order are not searched by an index.
    await Promise.all(
      Array.from({ length: 2 * MANY }, (_, index) => {
        const createdAt = index < MANY ? START - 1 - index : NOW - index;
        return store.create(redirectLink(codeOf(100 + index), { createdAt }), newChange());
      }),
    );
    const all = await readAll(store, { limit: 200 });
    assert.equal(all.length, 30 + 2 * MANY);
    for (const filter of FILTERS) await assertSelected(store, all, filter, LARGE_PAGES);
  });

  testStore('a changed link is found by what it is now', async ({ store }) => {
    await addLinks(store);
    await store.revoke(codeOf(3), newChange({ at: NOW }));
    await store.expireDue(NOW + 1, 100);
    const expected = await readModel(store);
    for (const state of ['REVOKED', 'EXPIRED', 'USED_UP', 'SCHEDULED'] as const)
      await assertSelected(store, expected, { states: [state] }, SMALL_PAGES);
  });

  testStore('sorting by views and by the last opening is exact', async ({ store }) => {
    await addLinks(store);
    const expected = await readModel(store);
    for (const order of ['desc', 'asc'] as const) {
      for (const sort of ['views', 'opened'] as const) {
        const items = await readAll(store, { sort, order, limit: 7 });
        const sign = order === 'asc' ? 1 : -1;
        const rankOf = ({ link }: ListedLink) =>
          sort === 'views' ? link.viewCount : (link.lastOpenedAt ?? 0);
        const sorted = expected.toSorted((a, b) => sign * (rankOf(a) - rankOf(b)) || newestFirst(a, b));
        assert.deepEqual(items.map(codeIn), sorted.map(codeIn), `${sort} ${order}`);
      }
    }
  });

  testStore(
    'the most viewed and the newest opened links are ranked among more links than are sorted',
    async ({ store }) => {
      await store.create(redirectLink(codeOf(1)), newChange());
      const others = Array.from({ length: MAX_SORTED }, (_, index) => codeOf(index + 2));
      await Promise.all(
        others.map((code, index) =>
          store.create(redirectLink(code, { createdAt: START + 1 + index }), newChange()),
        ),
      );
      await store.attempt(attemptOn(codeOf(1), { at: NOW }));
      for (const sort of ['views', 'opened'] as const) {
        const { items } = await store.list.readPage({ ...ALL, sort, limit: 1 });
        assert.deepEqual(items.map(codeIn), [codeOf(1)], sort);
      }
    },
  );

  testStore(
    'a search that examined enough returns what it found, and goes on from there',
    async ({ store }) => {
      const rare = redirectLink('Rare0001', { labels: { ...NO_LABELS, label: 'needle' } });
      await store.create(rare, newChange());
      await Promise.all(
        Array.from({ length: 1_200 }, (_, index) =>
          store.create(redirectLink(codeOf(index), { createdAt: START + 1 + index }), newChange()),
        ),
      );
      const first = await store.list.readPage({
        ...ALL,
        states: ['REVOKED', 'ACTIVE'],
        search: partsOf('exam'),
      });
      assert.equal(first.items.length, 50);
      const all = await readAll(store, { states: ['ACTIVE'], search: partsOf('exam'), limit: 200 });
      assert.equal(all.length, 1_201);
      const indexed = await store.list.readPage({ ...ALL, search: partsOf('needle') });
      assert.deepEqual(indexed.items.map(codeIn), ['Rare0001'], 'in one page');
      assert.equal(indexed.next, null);
    },
  );
}

const newestFirst = (a: ListedLink, b: ListedLink): number => b.link.createdAt - a.link.createdAt;
const codeIn = ({ link }: ListedLink): string => link.shortCode;

type Filter = Partial<
  Pick<
    ListQuery,
    'states' | 'type' | 'label' | 'tag' | 'creator' | 'creatorKind' | 'isMine' | 'range' | 'reader'
  >
> & {
  text?: string;
};
const FILTERS: Filter[] = ['', 'report', 'exa', 'Bob', 'L000', 'example ann', 'zzz'].flatMap((text) =>
  [MANAGER, MAKER].flatMap((reader) =>
    [
      {},
      { states: ['ACTIVE', 'USED_UP'] as const },
      { states: ['EXPIRED', 'SCHEDULED'] as const },
      { type: 'DOWNLOAD' } as const,
      { label: 'Annual report' },
      { tag: 'b' },
      { creator: 'anna' },
      { isMine: true },
      { isMine: true, creator: 'bert' },
      { creatorKind: 'ANONYMOUS', tag: 'a' } as const,
      { creatorKind: 'USER' } as const,
      { creator: 'bert', tag: 'a', range: { start: START + 3, end: START + 20 } },
    ].map((filter) => ({ ...filter, text, reader })),
  ),
);

/** Adds links of every kind, each at its own time. */
async function addLinks(store: Store): Promise<void> {
  const creators: Creator[] = [
    { kind: 'KEY', name: 'anna' },
    { kind: 'USER', name: 'bert' },
    { kind: 'ANONYMOUS', name: null },
  ];
  for (let index = 0; index < 30; index++) {
    const creator = creators[index % 3] ?? { kind: 'ANONYMOUS', name: null };
    const labels = {
      ...NO_LABELS,
      ...(index % 4 === 0 && { label: 'Annual report' }),
      ...(index % 5 === 0 && { recipient: 'Bobby Tables' }),
      tags: ['a', 'b', 'annex'].slice(0, index % 4),
    };
    const terms: Partial<NewLink> = {
      ...{ createdAt: START + index, labels },
      ...(index % 6 === 1 && { maxViews: 1 }),
      ...(index % 6 === 2 && { expiresAt: START + 30_000 }),
      ...(index % 6 === 3 && { startsAt: NOW + 1 }),
    };
    const code = codeOf(index);
    const link =
      index % 7 === 6
        ? { ...downloadLink(code, { fileId: fileIdOf(index) }), ...terms }
        : redirectLink(code, terms);
    if (link.target.type === 'DOWNLOAD') await store.begin(link.target.file.fileId, START);
    await store.create(link, newChange({ at: START + index, author: { ...creator, ipAddress: null } }));
    for (let view = 0; view < index % 5; view++)
      await store.attempt(attemptOn(code, { at: START + 100 + view * 3 + index }));
  }
}

/** Reads all links one by one, newest first. */
async function readModel(store: Store): Promise<ListedLink[]> {
  const items: ListedLink[] = [];
  for (let index = 29; index >= 0; index--) {
    const link = await store.read(codeOf(index));
    const kind = index % 3 === 0 ? 'KEY' : index % 3 === 1 ? 'USER' : 'ANONYMOUS';
    if (link) items.push({ link, creator: { kind, name: ['anna', 'bert', null][index % 3] ?? null } });
  }
  return items;
}

async function assertSelected(
  store: Store,
  all: readonly ListedLink[],
  filter: Filter,
  pages: readonly Page[],
): Promise<void> {
  const expected = all.filter((item) => isSelected(item, filter));
  const { text = '', ...others } = filter;
  for (const [order, limit] of pages) {
    const items = await readAll(store, { ...others, search: partsOf(text), order, limit });
    const sorted = order === 'asc' ? expected.toReversed() : expected;
    assert.deepEqual(items, sorted, `${order} ${limit}: ${JSON.stringify(filter)}`);
  }
}

type Page = readonly [ListQuery['order'], number];
const SMALL_PAGES: Page[] = [
  ['desc', 50],
  ['desc', 2],
  ['asc', 3],
];
const LARGE_PAGES: Page[] = [
  ['desc', 200],
  ['asc', 200],
];

/** Restates the filters without the words of list-terms.ts: these texts have only letters, digits and spaces. */
function isSelected({ link, creator }: ListedLink, filter: Filter): boolean {
  const { text = '', states, type, label, tag, creator: name, creatorKind, range, reader = MANAGER } = filter;
  const maker = filter.isMine ? reader.name : undefined;
  const { target, labels, createdAt } = link;
  const hidden = target.type === 'DOWNLOAD' ? target.file.fileName : target.url;
  const texts = [
    labels.label,
    ...labels.tags,
    labels.recipient,
    ...(seesTarget(reader, creator) ? [hidden] : []),
  ];
  const words = texts.flatMap((each) => (each ?? '').toLowerCase().split(/[^a-z0-9]+/));
  const isFound = (part: string) =>
    link.shortCode.startsWith(part) || words.some((word) => word.startsWith(part.toLowerCase()));
  return [
    text === '' || text.split(' ').every(isFound),
    !states || states.includes(stateOf(link)),
    !type || target.type === type,
    !label || labels.label === label,
    !tag || labels.tags.includes(tag),
    !name || creator?.name === name,
    !creatorKind || creator?.kind === creatorKind,
    !maker || (creator.kind === maker.kind && creator.name === maker.name),
    !range?.start || createdAt >= range.start,
    !range?.end || createdAt < range.end,
  ].every(Boolean);
}

const stateOf = (link: Link): ShownState => shownStateAt(link, NOW);

/** Reads all pages. */
async function readAll(store: Store, query: Partial<ListQuery>): Promise<ListedLink[]> {
  const items: ListedLink[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < 100; pages++) {
    const page: Awaited<ReturnType<Store['list']['readPage']>> = await store.list.readPage({
      ...ALL,
      ...query,
      after,
    });
    items.push(...page.items);
    after = page.next;
    if (after === null) return items;
  }
  return assert.fail('the list has no end');
}
