import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { NO_LABELS } from '../../../src/links/link.ts';
import { DAY_MS } from '../../../src/links/time-units.ts';
import { codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { openSqliteHarness } from '../../support/sqlite-harness.ts';

const LINKS = 6_000;
const LINKS_PER_RUN = 1_000;
const NOW = START + DAY_MS;

test('a ranking finds all links that match, where links were created out of order, as by an import', async () => {
  await using harness = await openSqliteHarness();
  const { store, path } = harness;
  const labels = { ...NO_LABELS, label: 'Offer' };
  const active = new Set<string>();
  for (let start = 0; start < LINKS; start += LINKS_PER_RUN) {
    const links = Array.from({ length: LINKS_PER_RUN }, (_, offset) => {
      const index = start + offset;
      const startsAt = index % 12 === 0 ? null : NOW + DAY_MS;
      const createdAt = START - ((index * 7_919) % 365) * DAY_MS - index;
      return redirectLink(codeOf(index), { createdAt, startsAt, labels });
    });
    await Promise.all(links.map((link) => store.create(link, newChange())));
    for (const { shortCode, startsAt } of links) if (startsAt === null) active.add(shortCode);
    while (await store.maintainList(LINKS_PER_RUN, NOW));
    using db = new DatabaseSync(path);
    db.exec('UPDATE link_term_run SET link_count = 16384'); // so that the next links get a run of their own
  }
  const found = new Set<string>();
  const page = { search: [], type: null, tag: null, creator: null, creatorKind: null, limit: 200 };
  const reader = { seesAll: true, name: { kind: 'KEY', name: 'admin' } } as const;
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const { items, next } = await store.list.readPage({
      ...{ ...page, label: 'Offer', reader, range: { start: null, end: null }, now: NOW, after },
      ...{ sort: 'views', order: 'desc', states: ['ACTIVE'] },
    });
    for (const { link } of items) found.add(link.shortCode);
    after = next;
  }
  assert.deepEqual(found, active);
});
