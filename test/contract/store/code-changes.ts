import assert from 'node:assert/strict';
import type { Link, NewLink } from '../../../src/core/model/link.ts';
import type { LinkChange } from '../../../src/core/model/link-change.ts';
import { NO_TERMS } from '../../../src/core/model/terms.ts';
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
import { historyOf } from '../../support/queries.ts';
import type { TestStore } from '../store-harness.ts';

const [OLD, NEW, OTHER] = [codeOf(1), codeOf(2), codeOf(3)];
const TOKEN = { tokenHash: 'the hash of its token' };
const LATER = START + 60_000;

type Wanted = { from?: string; to?: string; versions?: number[] | null } & Partial<LinkChange>;

function changeCode(store: Store, { from = OLD, to = NEW, versions = null, ...by }: Wanted = {}) {
  const records = { revocation: newChange({ at: LATER, ...by }), creation: newChange({ at: LATER, ...by }) };
  return store.changeCode(from, { shortCode: to, versions }, records);
}

async function requireLink(store: Store, shortCode: string): Promise<Link> {
  const link = await store.read(shortCode);
  assert.ok(link);
  return link;
}

async function readKinds(store: Store, shortCode: string) {
  const items = await historyOf(store, shortCode);
  return items.map((item) => (item.kind === 'ATTEMPT' ? item.result : ([item.kind, item.details] as const)));
}

/** Tests changing the short codes of links. */
export function codeChangeContract(testStore: TestStore): void {
  testStore('a link continues under its new short code, with what it has left', async (harness) => {
    const { store } = harness;
    await store.begin(fileIdOf(1), START);
    const plain = { label: 'L', note: 'n', tags: ['x'], recipient: 'Jane' };
    const terms = {
      ...TOKEN,
      terms: { ...NO_TERMS, ...plain, confirm: true, notifyUrl: 'https://hooks.example/a' },
      passwordHash: 'a hash',
      expiresAt: LATER + 1,
      owner: 'KEY ci',
    };
    const link: NewLink = { ...downloadLink(OLD, { fileId: fileIdOf(1) }), ...terms, maxViews: 3 };
    await store.create(link, newChange());
    await store.attempt(attemptOn(OLD));
    await store.change(OLD, { patch: { isPaused: true }, versions: null }, newChange());
    const author = { kind: 'KEY', name: 'ci', ipAddress: '192.0.2.4' } as const;
    assert.deepEqual(await changeCode(store, { author, versions: [1], notifiedLinks: 'SUBSCRIBED' }), {
      result: 'changed',
    });
    await harness.reopen();
    const [former, latest] = [await requireLink(harness.store, OLD), await requireLink(harness.store, NEW)];
    assert.deepEqual([former.status, former.viewCount, former.maxViews], ['REVOKED', 1, 3]);
    const { history, lastOpenedAt, status, version, viewCount, isPaused, ...kept } = latest;
    assert.deepEqual(kept, { ...link, shortCode: NEW, maxViews: 2, createdAt: LATER });
    assert.deepEqual([lastOpenedAt, status, version, viewCount, isPaused], [null, 'ACTIVE', 0, 0, true]);
    const [created] = await readKinds(harness.store, NEW);
    assert.partialDeepStrictEqual(created, [
      'CREATED',
      {
        formerEntryCount: 4,
        formerFingerprint: former.history.fingerprint,
        formerShortCode: OLD,
        paused: true,
      },
    ]);
    const kinds = await readKinds(harness.store, OLD);
    assert.deepEqual(kinds[0], ['REVOKED', { newShortCode: NEW }]);
    assert.equal((await harness.store.attempt(attemptOn(OLD))).verdict, 'REVOKED');
    assert.deepEqual(await harness.store.statistics.linkCounts(), { ACTIVE: 1, EXPIRED: 0, REVOKED: 1 });
    assert.deepEqual(
      (await harness.readChanges())
        .slice(-2)
        .map(({ kind, shortCode, author: by }) => [kind, shortCode, by])
        .sort(),
      [
        ['CREATED', NEW, author],
        ['REVOKED', OLD, author],
      ],
    );
    const outbox = await harness.store.notifications.readOutbox(null, 10);
    assert.deepEqual(
      outbox.flatMap(({ links }) => links.map(({ shortCode, events }) => [shortCode, events[0]?.type])),
      [
        [OLD, 'link.revoked'],
        [NEW, 'link.created'],
      ],
    );
    assert.deepEqual(
      await harness.store.claimStale(Number.MAX_SAFE_INTEGER, 1),
      [],
      'the file is of the new link',
    );
  });

  testStore('a repeated change of a short code changes nothing', async ({ store, readChanges }) => {
    await store.create(redirectLink(OLD, TOKEN), newChange());
    const results = await Promise.all(Array.from({ length: 10 }, () => changeCode(store)));
    assert.deepEqual(results.map(({ result }) => result).sort(), ['changed', ...Array(9).fill('revoked')]);
    assert.deepEqual(await changeCode(store, { from: NEW, to: OTHER }), { result: 'changed' });
    assert.deepEqual(await changeCode(store, { to: OTHER }), { result: 'revoked' });
    assert.equal((await readChanges()).length, 5);
  });

  testStore('a short code that cannot be changed stays', async ({ store, readChanges }) => {
    const [revoked, expired, exhausted] = [codeOf(4), codeOf(5), codeOf(6)];
    for (const link of [
      ...[redirectLink(OLD), redirectLink(OTHER, TOKEN), redirectLink(revoked, { tokenHash: 'another' })],
      ...[redirectLink(expired, { expiresAt: LATER - 1 }), redirectLink(exhausted, { maxViews: 1 })],
    ])
      await store.create(link, newChange());
    await store.revoke(revoked, newChange());
    await store.attempt(attemptOn(exhausted));
    const before = await readChanges();
    for (const [wanted, result] of [
      [{ from: codeOf(9) }, 'not-found'],
      [{ from: 'a\u0000b' }, 'not-found'],
      [{ from: revoked }, 'revoked'],
      [{ from: expired }, 'ended'],
      [{ from: exhausted }, 'ended'],
      [{ versions: [1] }, 'version-mismatch'],
      [{ to: OTHER }, 'short-code-taken'],
      [{ to: revoked }, 'short-code-taken'],
      [{ to: OLD }, 'unchanged'],
    ] as const)
      assert.deepEqual(await changeCode(store, wanted as Wanted), { result }, JSON.stringify(wanted));
    assert.deepEqual(await readChanges(), before);
  });

  testStore('one of two links that want a short code gets it, the other keeps its own', async ({ store }) => {
    for (const code of [OLD, OTHER]) await store.create(redirectLink(code), newChange());
    const wanted = [OLD, OTHER].map((from) => changeCode(store, { from }));
    const creation = store.create(redirectLink(NEW), newChange());
    const results = [...(await Promise.all(wanted)).map(({ result }) => result), await creation];
    assert.equal(results.filter((result) => result === 'changed' || result === 'created').length, 1);
    const { ACTIVE, REVOKED } = await store.statistics.linkCounts();
    assert.deepEqual([ACTIVE, REVOKED], results[2] === 'created' ? [3, 0] : [2, 1]);
  });

  testStore('attempts that race with a change of code get exactly the views', async ({ store }) => {
    const maxViews = 20;
    for (let round = 0; round < 5; round++) {
      const [from, to] = [codeOf(round), codeOf(100 + round)];
      await store.create(redirectLink(from, { maxViews }), newChange());
      const open = (code: string) => store.attempt(attemptOn(code)).then(({ verdict }) => verdict);
      const first = Array.from({ length: 8 * round }, () => open(from));
      const changed = changeCode(store, { from, to });
      const racing = Array.from({ length: 2 * maxViews }, (_, index) => open(index % 3 === 0 ? to : from));
      const { result } = await changed;
      const last = Array.from({ length: 2 * maxViews }, () => open(to));
      const verdicts = await Promise.all([...first, ...racing, ...last]);
      assert.equal(
        verdicts.filter((verdict) => verdict === 'SUCCESS').length,
        maxViews,
        `round ${round}: ${result}`,
      );
      const [former, latest] = await Promise.all([store.read(from), store.read(to)]);
      assert.equal((former?.viewCount ?? 0) + (latest?.viewCount ?? 0), maxViews);
    }
  });
}
