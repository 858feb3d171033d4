import assert from 'node:assert/strict';
import { anonymous } from '../../../src/core/model/author.ts';
import { appendEntry, EMPTY_CHAIN, headAt } from '../../../src/core/model/chain.ts';
import { FORMAT } from '../../../src/core/model/hashed-text.ts';
import type { HistoryEntry, HistoryItem } from '../../../src/core/model/history.ts';
import { type HistoryFilter, MAX_PAGE_ITEMS } from '../../../src/core/model/ranges.ts';
import type { AuditResult } from '../../../src/core/model/verdict.ts';
import type { HistoryStore } from '../../../src/core/ports/ports.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  downloadOf,
  newChange,
  PASSES,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import { chainOf, EVERY_ENTRY, readHistory } from '../../support/queries.ts';
import type { TestStore } from '../store-harness.ts';

/** Tests reading the history of links, and recording how downloads end. */
export function historyContract(testStore: TestStore): void {
  testStore('a history has the creation, attempts and revocation, newest first', async ({ store }) => {
    const created = newChange({ author: { kind: 'KEY', name: 'ci', ipAddress: '192.0.2.9' } });
    await store.create(redirectLink(codeOf(1), { maxViews: 2, owner: 'KEY ci' }), created);
    const attempt = attemptOn(codeOf(1), {
      ...{ at: START + 1, userAgent: null, ipAddress: null, referrer: 'intranet.example' },
    });
    await store.attempt(attempt);
    const revoked = newChange({ at: START + 2, author: anonymous('2001:db8::1') });
    await store.revoke(codeOf(1), revoked);
    const { items, next } = await readHistory(store, await chainOf(store, codeOf(1)));
    assert.equal(next, null);
    const [shortCode, format] = [codeOf(1), FORMAT];
    assert.deepEqual(items, [
      { ...revoked, format, shortCode, number: 3, kind: 'REVOKED', details: {} },
      {
        ...{ format, id: attempt.id, at: START + 1, salt: attempt.salt, shortCode, number: 2 },
        ...{ kind: 'ATTEMPT' },
        ...{ result: 'SUCCESS', count: 1, ipAddress: null, userAgent: null, downloads: [] },
        referrer: 'intranet.example',
      },
      { ...created, format, shortCode, number: 1, kind: 'CREATED', details: CREATION_DETAILS },
    ]);
  });

  testStore('the end of a download belongs to its attempt', async ({ store }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    const [first, second] = [attemptOn(codeOf(1)), attemptOn(codeOf(1), { at: START + 1 })];
    for (const attempt of [first, second]) await store.attempt(attempt);
    const end = downloadOf(first, { at: START + 2, bytesSent: 5 * 1024 ** 4, isSentCompletely: false });
    assert.equal(await store.recordDownload(end), 'recorded');
    const ofLink = await chainOf(store, codeOf(1));
    const { items } = await readHistory(store, { ...ofLink, results: ['SUCCESS'] });
    const { shortCode: _, attemptId: __, unsentBytes: ___, ...shown } = end;
    assert.deepEqual(items.map(downloadsIn), [[], [{ ...shown, format: FORMAT, number: 4 }]]);
  });

  testStore('a download without a link is not recorded', async ({ store }) => {
    assert.equal(await store.recordDownload(downloadOf(attemptOn(codeOf(1)))), 'not-found');
    assert.deepEqual(await readHistory(store), { items: [], next: null });
  });

  testStore('parallel attempts and ends of downloads make one chain for each link', async ({ store }) => {
    const codes = [codeOf(1), codeOf(2)];
    for (const code of codes) await store.create(redirectLink(code), newChange());
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const attempt = attemptOn(codes[index % 2] ?? '', { at: START + (index % 7) });
        await store.attempt(attempt);
        await store.recordDownload(
          downloadOf(attempt, { bytesSent: index, isSentCompletely: index % 3 === 0 }),
        );
      }),
    );
    for (const code of codes) {
      const link = await store.read(code);
      assert.equal(link?.history.entryCount, 1 + 2 * 30);
      const filter = { ...EVERY_ENTRY, ...(await chainOf(store, code)) };
      const items = await readAll(store.history, filter, MAX_PAGE_ITEMS);
      assert.equal(fingerprintOf(items), link.history.fingerprint);
    }
  });

  testStore('every filter, in pages of every size, selects what a search of all does', async ({ store }) => {
    const all = await addHistory(store);
    const ofLink = await chainOf(store, codeOf(1));
    const chained = all.filter(({ shortCode }) => shortCode === codeOf(1)).sort(byNumber);
    assert.notDeepEqual(chained, chained.toSorted(byId), 'numbers and times disagree');
    const chainFilters = FILTERS.filter(({ shortCode }) => shortCode === codeOf(1));
    const cases = [
      ...FILTERS.map((filter) => ({ filter, expected: all })),
      ...chainFilters.map((filter) => ({ filter: { ...filter, ...ofLink }, expected: chained })),
    ];
    for (const { filter, expected } of cases) {
      const selected = expected.filter((item) => isSelected(item, filter));
      for (const size of [1, 3, selected.length, selected.length + 1].filter((limit) => limit > 0)) {
        const items = await readAll(store.history, filter, size);
        assert.deepEqual(
          pluck(items, 'id'),
          selected.map(({ id }) => id),
          `${size}: ${JSON.stringify(filter)}`,
        );
      }
    }
    assert.deepEqual(await readAll(store.history, EVERY_ENTRY, MAX_PAGE_ITEMS), all);
  });

  testStore('a page that ends with the history has no next one', async ({ store }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    for (const at of [1, 2]) await store.attempt(attemptOn(codeOf(1), { at: START + at }));
    for (const filter of [{}, await chainOf(store, codeOf(1))]) {
      assert.equal((await readHistory(store, filter, 3)).next, null);
      assert.notEqual((await readHistory(store, filter, 2)).next, null);
    }
  });

  testStore('a cursor of another link shows none of its entries', async ({ store }) => {
    const codes = [codeOf(1), codeOf(2)];
    for (const code of codes) await store.create(redirectLink(code), newChange());
    for (const code of codes) await store.attempt(attemptOn(code));
    const { next: before } = await readHistory(store, await chainOf(store, codeOf(1)), 1);
    const other = { ...EVERY_ENTRY, ...(await chainOf(store, codeOf(2))), limit: 10 };
    assert.deepEqual(await store.history.readPage({ ...other, before }), { items: [], next: null });
  });

  testStore('a code that was never requested has no entries', async ({ store }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    for (const shortCode of [codeOf(2), codeOf(1).toLowerCase(), '', 'a\u0000b', "'"])
      assert.deepEqual(await readHistory(store, { shortCode }), { items: [], next: null });
  });

  testStore('an attempt on an unknown code is in the history, in no chain', async ({ store }) => {
    await store.attempt(attemptOn('missing', { prechecks: 'LINK_NOT_FOUND' }));
    const { items } = await readHistory(store);
    assert.deepEqual(pluck(items, 'shortCode', 'number', 'salt'), [['missing', 0, null]]);
  });

  testStore('a search that examined enough returns what it found, and goes on', async ({ store }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    const rare = attemptOn(codeOf(1), { ipAddress: '2001:db8::7' });
    await store.attempt(rare);
    const others = Array.from({ length: MAX_PAGE_ITEMS }, () => attemptOn(codeOf(1), { at: START + 1 }));
    await Promise.all(others.map((attempt) => store.attempt(attempt)));
    for (const entries of [await chainOf(store, codeOf(1)), {}]) {
      const filter = { ...entries, ipAddress: '2001:db8::7' };
      const first = await readHistory(store, filter, 1);
      assert.deepEqual(first.items, []);
      assert.ok(first.next);
      const second = await store.history.readPage({
        ...EVERY_ENTRY,
        ...filter,
        limit: 1,
        before: first.next,
      });
      assert.deepEqual(pluck(second.items, 'id'), [rare.id]);
    }
  });

  testStore('pages miss and repeat no entry while others are added', async ({ store }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    const add = (count: number, at: number) =>
      Promise.all(Array.from({ length: count }, () => store.attempt(attemptOn(codeOf(1), { at }))));
    await add(40, START);
    const before = new Set((await readHistory(store, {}, 100)).items.map(({ id }) => id));
    for (const entries of [await chainOf(store, codeOf(1)), {}]) {
      const adding = Promise.all([START - 1, START, START + 1].map((at) => add(20, at)));
      const items = await readAll(store.history, { ...EVERY_ENTRY, ...entries }, 3);
      await adding;
      assert.deepEqual(items, items.toSorted(byNumber), 'in their order');
      const ids = new Set(items.map(({ id }) => id));
      assert.equal(ids.size, items.length, 'each once');
      assert.ok(before.isSubsetOf(ids));
    }
  });
}

const CREATION_DETAILS = {
  ...{ confirm: false, expiresAt: null, maxViews: 2, passwordProtected: false },
  ...{ notifyEmailSha256: null, notifyUrlSha256: null },
  targetSha256: '9a7b13c88739c1760d2141f290c8a43127ad67fa6df3d6560fe5615f235d4db2',
  type: 'REDIRECT',
};

const RANGES = [EVERY_ENTRY.range, { start: START + 2, end: null }, { start: START + 1, end: START + 4 }];
const RESULTS: (AuditResult[] | null)[] = [null, ['SUCCESS'], ['NOT_FOUND', 'PREVIEW', 'VIEW_LIMIT_REACHED']];
const FILTERS: HistoryFilter[] = [null, codeOf(1), 'missing'].flatMap((shortCode) =>
  RANGES.flatMap((range) =>
    RESULTS.flatMap((results) =>
      [null, '192.0.2.1'].map((ipAddress) => ({ ...EVERY_ENTRY, shortCode, range, results, ipAddress })),
    ),
  ),
);

/** Adds entries of every kind at a few times, and returns all, newest first, as one page holds them. */
async function addHistory(store: Store): Promise<HistoryItem[]> {
  const addresses = ['192.0.2.1', '2001:db8::1', null];
  for (const index of [1, 2])
    await store.create(
      redirectLink(codeOf(index), { maxViews: 3 }),
      newChange({ author: anonymous('192.0.2.1') }),
    );
  for (let index = 0; index < 24; index++) {
    const ipAddress = addresses[index % 3] ?? null;
    const at = START + (index % 5);
    const common = { at, ipAddress, userAgent: `agent ${index}` };
    if (index % 4 === 3)
      await store.attempt(attemptOn('missing', { ...common, prechecks: 'LINK_NOT_FOUND' }));
    else
      await store.attempt(
        attemptOn(codeOf(1 + (index % 2)), {
          ...common,
          purpose: PURPOSES[index % 4] ?? 'OPEN',
          prechecks: PASSES,
        }),
      );
  }
  await store.revoke(codeOf(1), newChange({ at: START + 3, author: anonymous('192.0.2.1') }));
  return (await readHistory(store, {}, MAX_PAGE_ITEMS)).items;
}

const PURPOSES = ['OPEN', 'PREVIEW'] as const;

function isSelected(item: HistoryItem, { shortCode, range, results, ipAddress }: HistoryFilter): boolean {
  const address = item.kind === 'ATTEMPT' ? item.ipAddress : item.author.ipAddress;
  return (
    (shortCode === null || item.shortCode === shortCode) &&
    item.at >= (range.start ?? 0) &&
    item.at < (range.end ?? Number.POSITIVE_INFINITY) &&
    (results === null || (item.kind === 'ATTEMPT' && results.includes(item.result))) &&
    (ipAddress === null || address === ipAddress)
  );
}

const byNumber = (a: HistoryItem, b: HistoryItem): number => b.number - a.number;
const byId = (a: HistoryItem, b: HistoryItem): number => (a.id < b.id ? 1 : -1);

async function readAll(history: HistoryStore, filter: HistoryFilter, limit: number): Promise<HistoryItem[]> {
  const items: HistoryItem[] = [];
  let before: string | null = null;
  do {
    const page = await history.readPage({ ...filter, limit, before });
    assert.ok(page.items.length <= limit);
    items.push(...page.items);
    before = page.next;
  } while (before !== null);
  return items;
}

const downloadsIn = (item: HistoryItem) => (item.kind === 'ATTEMPT' ? item.downloads : []);

/** Computes the fingerprint of a history from the items of a link alone. */
function fingerprintOf(items: readonly HistoryItem[]) {
  const entries = items.flatMap((item): { number: number | null; entry: HistoryEntry }[] => {
    const { shortCode, id: attemptId } = item;
    return [
      { number: item.number, entry: item },
      ...downloadsIn(item).map((end) => ({
        number: end.number,
        entry: { ...end, kind: 'DOWNLOAD', shortCode, attemptId } as const,
      })),
    ];
  });
  return entries
    .sort((one, other) => (one.number ?? 0) - (other.number ?? 0))
    .reduce((chain, { entry }) => headAt(appendEntry(chain, entry, 0)), EMPTY_CHAIN).fingerprint;
}
