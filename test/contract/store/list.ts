import assert from 'node:assert/strict';
import { type Link, type NewLink, type ShownState, shownStateAt } from '../../../src/core/model/link.ts';
import type { ListQuery } from '../../../src/core/model/listed-links.ts';
import { partsOf } from '../../../src/core/model/search-terms.ts';
import { NO_TERMS } from '../../../src/core/model/terms.ts';
import { MAX_EXAMINED_ENTRIES, MAX_SORTED } from '../../../src/core/ports/link-list.ts';
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
import { EVERY_LINK } from '../../support/queries.ts';
import type { StoreHarness, TestStore } from '../store-harness.ts';

const NOW = START + 60_000;
/** More than a search reads in the order of the list, before it uses an index. */
const MANY = 140;
const MANAGER = { listsAll: true, seesAll: true, owner: 'KEY admin', teams: [] } as const;
const OWNER = { listsAll: true, seesAll: false, owner: 'KEY anna', teams: ['press'] } as const;
const MEMBER = { listsAll: false, seesAll: false, owner: 'USER carl', teams: ['press', 'sales'] } as const;
const ALL: ListQuery = { ...EVERY_LINK, reader: MANAGER, now: NOW };

/** Tests the list of all links and its search. */
export function listContract(testStore: TestStore): void {
  testStore('a new link is listed and found at once, with its owner and its state', async ({ store }) => {
    const author = { kind: 'KEY', name: 'anna', ipAddress: '192.0.2.1' } as const;
    const link = redirectLink('Promo-26', {
      owner: 'KEY anna',
      terms: { label: 'Autumn Sale' },
    });
    await store.create(link, newChange({ author }));
    await store.attempt(attemptOn('Promo-26', { at: START + 5 }));
    for (const search of ['', 'autumn', 'SAL', 'Promo', 'autumn sale', 'example']) {
      const { items, next } = await store.list.readPage({ ...ALL, search: partsOf(search) });
      assert.deepEqual(
        items.map((found) => [found, found.owner]),
        [[await store.read('Promo-26'), 'KEY anna']],
        search,
      );
      assert.equal(next, null);
    }
    for (const search of ['autumns', 'promo-27', 'le', '!'])
      assert.deepEqual((await store.list.readPage({ ...ALL, search: partsOf(search) })).items, [], search);
  });

  testStore('every combination of filters selects the same links as a reading of all', async (harness) => {
    const { store } = harness;
    await addLinks(harness);
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

  testStore('a changed link is found by what it is now', async (harness) => {
    const { store } = harness;
    await addLinks(harness);
    await store.revoke(codeOf(3), newChange({ at: NOW }));
    await store.expireDue(NOW + 1, 100);
    const expected = await readModel(store);
    for (const state of ['REVOKED', 'EXPIRED', 'USED_UP', 'SCHEDULED'] as const)
      await assertSelected(store, expected, { states: [state] }, SMALL_PAGES);
  });

  testStore('sorting by views and by the last opening is exact', async (harness) => {
    const { store } = harness;
    await addLinks(harness);
    const expected = await readModel(store);
    for (const order of ['desc', 'asc'] as const) {
      for (const sort of ['views', 'opened'] as const) {
        const items = await readAll(store, { sort, order, limit: 7 });
        const sign = order === 'asc' ? 1 : -1;
        const rankOf = (link: Link) => (sort === 'views' ? link.viewCount : (link.lastOpenedAt ?? 0));
        const sorted = expected.toSorted((a, b) => sign * (rankOf(a) - rankOf(b)) || newestFirst(a, b));
        assert.deepEqual(items.map(codeIn), sorted.map(codeIn), `${sort} ${order}`);
      }
    }
  });

  testStore('the most viewed and newest opened links are ranked among very many', async ({ store }) => {
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
  });

  testStore('the views among the newest entries of links are read, the newest first', async ({ store }) => {
    for (const number of [1, 2, 3]) await store.create(redirectLink(codeOf(number)), newChange());
    const bot = { userAgent: 'Slackbot 1.0' };
    await store.attempt(attemptOn(codeOf(1), { at: START + 1, ...bot }));
    await store.attempt(attemptOn(codeOf(2), { at: START + 2, userAgent: null }));
    await store.attempt(attemptOn(codeOf(1), { at: START + 3, purpose: 'PREVIEW' }));
    await store.attempt(attemptOn(codeOf(1), { at: START + 4 }));
    for (let index = 0; index < MAX_EXAMINED_ENTRIES - 1; index++)
      await store.attempt(attemptOn(codeOf(3), { at: START + 10 + index, ...(index === 0 && bot) }));
    const read = async (...numbers: number[]) => {
      const links = await Promise.all(numbers.map((number) => store.read(codeOf(number))));
      const views = await store.list.readViews(links.filter((link) => link !== undefined));
      return views.map(({ shortCode, result, at, userAgent }) => [shortCode, result, at - START, userAgent]);
    };
    assert.deepEqual(await read(1, 2), [
      [codeOf(1), 'SUCCESS', 4, 'test'],
      [codeOf(2), 'SUCCESS', 2, null],
      [codeOf(1), 'SUCCESS', 1, 'Slackbot 1.0'],
    ]);
    const newest = await read(3);
    assert.equal(newest.length, MAX_EXAMINED_ENTRIES - 1);
    assert.deepEqual(newest.at(-1), [codeOf(3), 'SUCCESS', 10, 'Slackbot 1.0']);
    await store.attempt(attemptOn(codeOf(3), { at: START + 50 }));
    await store.attempt(attemptOn(codeOf(3), { at: START + 51 }));
    const bounded = await read(3);
    assert.equal(bounded.length, MAX_EXAMINED_ENTRIES);
    assert.deepEqual(bounded.at(-1), [codeOf(3), 'SUCCESS', 11, 'test'], 'no more entries are examined');
  });

  testStore('a search that examined enough returns what it found, and goes on', async ({ store }) => {
    const rare = redirectLink('Rare0001', { terms: { label: 'needle' } });
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
  });
}

const newestFirst = (a: Link, b: Link): number => b.createdAt - a.createdAt;
const codeIn = (link: Link): string => link.shortCode;

type Filter = Partial<
  Pick<
    ListQuery,
    | 'states'
    | 'type'
    | 'label'
    | 'tag'
    | 'owner'
    | 'ownerKind'
    | 'team'
    | 'isMine'
    | 'range'
    | 'reader'
    | 'requestCode'
  >
> & {
  text?: string;
};
const FILTERS: Filter[] = ['', 'report', 'exa', 'Bob', 'L000', 'example ann', 'zzz'].flatMap((text) =>
  [MANAGER, OWNER, MEMBER].flatMap((reader) =>
    [
      {},
      { states: ['ACTIVE', 'USED_UP'] as const },
      { states: ['EXPIRED', 'SCHEDULED'] as const },
      { type: 'DOWNLOAD' } as const,
      { label: 'Annual report' },
      { tag: 'b' },
      { owner: 'anna' },
      { team: 'sales' },
      { isMine: true },
      { isMine: true, owner: 'bert' },
      { isMine: true, requestCode: null },
      { requestCode: null },
      { requestCode: codeOf(0) },
      { ownerKind: 'ANONYMOUS', tag: 'a' } as const,
      { ownerKind: 'USER' } as const,
      { owner: 'bert', tag: 'a', range: { start: START + 3, end: START + 20 } },
    ].map((filter) => ({ ...filter, text, reader })),
  ),
);

/** Adds links of every kind, each at its own time. */
async function addLinks({ store, execute }: StoreHarness): Promise<void> {
  await execute(`INSERT INTO team (name, created_at) VALUES ('press', 1), ('sales', 1)`);
  for (let index = 0; index < 30; index++) {
    const owner = ['KEY anna', 'USER bert', 'ANONYMOUS'][index % 3] ?? 'ANONYMOUS';
    const team = index % 8 === 3 ? (index % 16 === 3 ? 'press' : 'sales') : null;
    const labels = {
      ...NO_TERMS,
      ...(index % 4 === 0 && { label: 'Annual report' }),
      ...(index % 5 === 0 && { recipient: 'Bobby Tables' }),
      tags: ['a', 'b', 'annex'].slice(0, index % 4),
    };
    const terms: Partial<NewLink> = {
      ...{ createdAt: START + index, terms: labels, owner, team },
      ...(index % 6 === 1 && { maxViews: 1 }),
      ...(index % 6 === 2 && { expiresAt: START + 30_000 }),
      ...(index % 6 === 3 && { startsAt: NOW + 1 }),
      ...(index % 14 === 6 && { requestCode: codeOf(0) }),
    };
    const code = codeOf(index);
    const link =
      index % 7 === 6
        ? { ...downloadLink(code, { fileId: fileIdOf(index) }), ...terms }
        : redirectLink(code, terms);
    if (link.target.type === 'DOWNLOAD') await store.begin(link.target.file.fileId, START);
    await store.create(link, newChange({ at: START + index }));
    for (let view = 0; view < index % 5; view++)
      await store.attempt(attemptOn(code, { at: START + 100 + view * 3 + index }));
  }
}

/** Reads all links one by one, newest first. */
async function readModel(store: Store): Promise<Link[]> {
  const items: Link[] = [];
  for (let index = 29; index >= 0; index--) {
    const link = await store.read(codeOf(index));
    if (link) items.push(link);
  }
  return items;
}

async function assertSelected(
  store: Store,
  all: readonly Link[],
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
function isSelected(link: Link, filter: Filter): boolean {
  const { text = '', states, type, label, tag, owner, ownerKind, team, range, reader = MANAGER } = filter;
  const isHeld = link.owner === reader.owner || reader.teams.some((name) => name === link.team);
  const [kind, name] = link.owner.split(' ');
  const { target, terms, createdAt } = link;
  const hidden =
    target.type === 'DOWNLOAD' ? target.file.fileName : target.type === 'REDIRECT' ? target.url : '';
  const texts = [terms.label, ...terms.tags, terms.recipient, ...(reader.seesAll || isHeld ? [hidden] : [])];
  const words = texts.flatMap((each) => (each ?? '').toLowerCase().split(/[^a-z0-9]+/));
  const isFound = (part: string) =>
    link.shortCode.startsWith(part) || words.some((word) => word.startsWith(part.toLowerCase()));
  return [
    text === '' || text.split(' ').every(isFound),
    !states || states.includes(stateOf(link)),
    !type || target.type === type,
    !label || terms.label === label,
    !tag || terms.tags.includes(tag),
    reader.listsAll || isHeld,
    !owner || name === owner,
    !ownerKind || kind === ownerKind,
    !team || link.team === team,
    !filter.isMine || link.owner === reader.owner,
    filter.requestCode === undefined || (link.requestCode ?? null) === filter.requestCode,
    !range?.start || createdAt >= range.start,
    !range?.end || createdAt < range.end,
  ].every(Boolean);
}

const stateOf = (link: Link): ShownState => shownStateAt(link, NOW);

/** Reads all pages. */
async function readAll(store: Store, query: Partial<ListQuery>): Promise<Link[]> {
  const items: Link[] = [];
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
