import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/core/model/attempt.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, PASSES, redirectLink, START } from '../../support/attempts.ts';
import { WHOLE } from '../../support/recount.ts';
import type { TestStore } from '../store-harness.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 20_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.1 Mobile/15E148 Safari/604.1';
const HOUR = 3_600_000;

/** Tests the statistics that are counted from entries. */
export function viewsContract(testStore: TestStore): void {
  const attempt = (store: Store, code: number, part: Partial<Attempt> = {}) =>
    store.attempt(attemptOn(codeOf(code), { userAgent: null, ...part }));

  testStore('views are counted by referrer, browser and system, in a range', async ({ store }) => {
    const none = { views: 0, isTruncated: false, referrers: [], browsers: [], systems: [] };
    assert.deepEqual(await store.statistics.viewSources(WHOLE), none);
    await store.create(redirectLink(codeOf(1)), newChange());
    await attempt(store, 1, { userAgent: FIREFOX, referrer: 'a.example' });
    await attempt(store, 1, { userAgent: FIREFOX, referrer: 'b.example', at: START + HOUR });
    // From the third time on, the entry has the number of the user agent.
    await attempt(store, 1, { userAgent: FIREFOX, referrer: 'b.example', at: START + HOUR });
    await attempt(store, 1, { userAgent: SAFARI, at: START + 2 * HOUR });
    await attempt(store, 1, { at: START + 2 * HOUR });
    // Neither refused attempts nor previews are views.
    await attempt(store, 2, { prechecks: 'LINK_NOT_FOUND', referrer: 'c.example' });
    await attempt(store, 1, { purpose: 'PREVIEW', referrer: 'c.example' });
    await attempt(store, 1, { prechecks: { ...PASSES, password: 'WRONG' }, referrer: 'c.example' });
    assert.deepEqual(await store.statistics.viewSources(WHOLE), {
      ...{ views: 5, isTruncated: false },
      referrers: [
        { name: 'b.example', count: 2 },
        { name: null, count: 2 },
        { name: 'a.example', count: 1 },
      ],
      browsers: [
        { name: 'Firefox', count: 3 },
        { name: 'Safari', count: 1 },
        { name: null, count: 1 },
      ],
      systems: [
        { name: 'Linux', count: 3 },
        { name: 'iOS', count: 1 },
        { name: null, count: 1 },
      ],
    });
    const range = { start: START + HOUR, end: START + 2 * HOUR };
    assert.deepEqual(await store.statistics.viewSources(range), {
      ...{ views: 2, isTruncated: false, referrers: [{ name: 'b.example', count: 2 }] },
      ...{ browsers: [{ name: 'Firefox', count: 2 }], systems: [{ name: 'Linux', count: 2 }] },
    });
  });

  testStore('attempts on some links are counted by hour and result', async ({ store }) => {
    for (const code of [1, 2, 3]) await store.create(redirectLink(codeOf(code)), newChange());
    const codes = [codeOf(1), codeOf(2), 'unknown1'];
    for (const at of [START, START + 1, START + HOUR])
      for (const code of [1, 3]) await attempt(store, code, { at, ipAddress: `192.0.2.${code}` });
    await attempt(store, 2, { at: START + HOUR, ipAddress: '192.0.2.2', referrer: 'a.example' });
    await attempt(store, 2, { at: START + HOUR, purpose: 'PREVIEW', ipAddress: '192.0.2.9' });
    for (const asked of [{ password: 'MISSING' }, { recipient: 'MISSING' }] as const)
      await attempt(store, 2, {
        at: START + HOUR,
        prechecks: { ...PASSES, ...asked },
        ipAddress: '192.0.2.2',
      });
    await store.revoke(codeOf(2), newChange());
    await attempt(store, 2, { at: START + HOUR, ipAddress: '192.0.2.2' });
    const { hours, ...counted } = await store.statistics.attemptsOfLinks(codes, WHOLE);
    assert.deepEqual(
      hours.map(({ startsAt, result, count }) => [startsAt - (START - (START % HOUR)), result, count]).sort(),
      [
        [0, 'SUCCESS', 2],
        [HOUR, 'PASSWORD_REQUIRED', 1],
        [HOUR, 'PREVIEW', 1],
        [HOUR, 'RECIPIENT_REQUIRED', 1],
        [HOUR, 'REVOKED', 1],
        [HOUR, 'SUCCESS', 2],
      ],
    );
    assert.partialDeepStrictEqual(counted, { views: 4, uniqueOrigins: 2, isTruncated: false });
    assert.deepEqual(
      counted.latest.slice(0, 2).map(({ shortCode, at, result, count }) => [shortCode, at, result, count]),
      [
        [codeOf(2), START + HOUR, 'REVOKED', 1],
        [codeOf(2), START + HOUR, 'SUCCESS', 1],
      ],
    );
    assert.equal(counted.latest.length, 5, 'without the preview and the requests');
    assert.deepEqual(counted.referrers, [
      { name: null, count: 3 },
      { name: 'a.example', count: 1 },
    ]);
    const second = await store.statistics.attemptsOfLinks(codes, { start: START + 1, end: START + HOUR });
    assert.equal(second.views, 1);
    const none = await store.statistics.attemptsOfLinks([], WHOLE);
    assert.deepEqual([none.views, none.latest], [0, []]);
  });

  testStore('those of the ranked links that exist are read', async ({ store }) => {
    await store.create(redirectLink(codeOf(1), { terms: { label: 'Q3' } }), newChange());
    await store.create(redirectLink(codeOf(2)), newChange());
    const links = await store.statistics.readLinks([codeOf(1), codeOf(2), 'unknown1']);
    const labels = links.map(({ shortCode, terms }) => [shortCode, terms.label]).sort();
    assert.deepEqual(labels, [
      [codeOf(1), 'Q3'],
      [codeOf(2), null],
    ]);
  });
}
