import assert from 'node:assert/strict';
import type { LinkPatch } from '../../../src/core/model/decide-change.ts';
import type { LinkChange } from '../../../src/core/model/link-change.ts';
import type { LinkEvent } from '../../../src/core/model/link-event.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  redirectLink,
  START,
  termsOf,
} from '../../support/attempts.ts';
import { historyOf } from '../../support/queries.ts';
import type { TestStore } from '../store-harness.ts';

const CODE = codeOf(1);
const ALL_TERMS = {
  expiresAt: START + 60_000,
  maxViews: 9,
  passwordHash: 'a hash',
  targetUrl: 'https://example.org/new',
  startsAt: START + 1_000,
  isPaused: true,
  terms: termsOf('ada'),
} satisfies LinkPatch;

function change(
  store: Store,
  patch: LinkPatch,
  { versions = null, ...by }: Partial<LinkChange> & { versions?: number[] | null } = {},
) {
  return store.change(CODE, { patch, versions }, newChange(by));
}

async function attempt(store: Store, version: number) {
  return (await store.attempt(attemptOn(CODE, { version }))).verdict;
}

/** Tests changing the terms of links. */
export function termsContract(testStore: TestStore): void {
  testStore('every term is changed, durably, and recorded with its author', async (harness) => {
    const author = { kind: 'KEY', name: 'ci', ipAddress: '192.0.2.4' } as const;
    await harness.store.create(redirectLink(CODE, { maxViews: 3 }), newChange());
    for (let views = 0; views < 2; views++) await attempt(harness.store, 0);
    const by = newChange({ author, at: START + 1 });
    const result = await harness.store.change(CODE, { patch: ALL_TERMS, versions: [0] }, by);
    assert.ok(result.result === 'changed');
    const { expiresAt, maxViews, startsAt, isPaused, terms, passwordHash } = result.link;
    assert.deepEqual(
      { targetUrl: ALL_TERMS.targetUrl, expiresAt, maxViews, startsAt, isPaused, terms, passwordHash },
      ALL_TERMS,
    );
    assert.deepEqual(result.link.target, { type: 'REDIRECT', url: 'https://example.org/new' });
    assert.deepEqual([result.link.version, result.link.viewCount], [1, 2]);
    assert.deepEqual(await harness.store.read(CODE), result.link);
    assert.deepEqual((await harness.readChanges()).at(-1), { ...by, kind: 'CHANGED', shortCode: CODE });
    await harness.reopen();
    assert.deepEqual(await harness.store.read(CODE), result.link);
    const nothing = { expiresAt: null, maxViews: null, passwordHash: null, startsAt: null } as const;
    const removed = { ...nothing, terms: { notifyUrl: null, notifyEmail: null }, isPaused: false };
    const again = await change(harness.store, removed);
    assert.ok(again.result === 'changed' && again.link.terms.notifyLanguage === null);
    assert.deepEqual(await harness.store.read(CODE), again.link);
    assert.equal(await attempt(harness.store, 2), 'SUCCESS');
    assert.deepEqual(
      (await historyOf(harness.store, CODE)).map(({ number, kind }) => `${number} ${kind}`),
      ['6 ATTEMPT', '5 CHANGED', '4 CHANGED', '3 ATTEMPT', '2 ATTEMPT', '1 CREATED'],
    );
  });

  testStore('an attempt by an outdated definition is not decided', async ({ store, readAudit }) => {
    await store.create(redirectLink(CODE), newChange());
    assert.equal((await store.find(CODE))?.passwordHash, null);
    await change(store, { passwordHash: 'a hash' });
    for (const purpose of ['OPEN', 'PREVIEW'] as const) {
      const { verdict } = await store.attempt(attemptOn(CODE, { version: 0, purpose }));
      assert.equal(verdict, 'CHANGED');
    }
    assert.deepEqual(await readAudit(), []);
    const found = await store.find(CODE, 0);
    assert.deepEqual([found?.definitionVersion, found?.passwordHash], [1, 'a hash']);
    assert.deepEqual(await store.find(CODE), found, 'the new definition is cached');
    assert.equal(await attempt(store, 1), 'SUCCESS');
    const refused = attemptOn(CODE, { version: null, prechecks: 'RATE_LIMITED' });
    assert.equal((await store.attempt(refused)).verdict, 'RATE_LIMITED');
  });

  testStore('a limit below the views ends a link, and a later end opens it again', async ({ store }) => {
    await store.create(redirectLink(CODE, { maxViews: 5 }), newChange());
    for (let views = 0; views < 3; views++) await attempt(store, 0);
    const lowered = await change(store, { maxViews: 1 });
    assert.ok(lowered.result === 'changed');
    assert.deepEqual([lowered.link.status, lowered.link.maxViews, lowered.link.viewCount], ['EXPIRED', 3, 3]);
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 1, REVOKED: 0 });
    assert.equal(await attempt(store, 0), 'VIEW_LIMIT_REACHED');
    await change(store, { maxViews: 4 });
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 1, EXPIRED: 0, REVOKED: 0 });
    assert.equal(await attempt(store, 0), 'SUCCESS');
    await change(store, { maxViews: null, expiresAt: START + 10 });
    assert.equal(await store.expireDue(START + 11, 10), 1);
    await change(store, { expiresAt: START + 20 }, { at: START + 12 });
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 1, EXPIRED: 0, REVOKED: 0 });
    assert.equal(await store.expireDue(START + 15, 10), 0);
    assert.equal(await store.expireDue(START + 21, 10), 1);
  });

  testStore('a change of nothing, or of what stays, is not recorded', async ({ store, readChanges }) => {
    await store.create(redirectLink(CODE, { maxViews: 5 }), newChange());
    const before = await readChanges();
    const resultOf = async (patch: LinkPatch, versions: number[] | null = null) =>
      (await change(store, patch, { versions })).result;
    assert.equal(await resultOf({ maxViews: 5, terms: {}, passwordHash: null }), 'unchanged');
    assert.equal(await resultOf({ maxViews: 6 }, [1, 2]), 'version-mismatch');
    assert.equal(await resultOf({ startsAt: START + 2, expiresAt: START + 1 }), 'refused');
    for (const unknown of ['nosuchcd', '', 'a\u0000']) {
      const { result } = await store.change(unknown, { patch: {}, versions: null }, newChange());
      assert.equal(result, 'not-found');
    }
    assert.deepEqual(await readChanges(), before);
    await store.revoke(CODE, newChange());
    assert.equal(await resultOf({ maxViews: 6 }), 'revoked');
    await store.begin(fileIdOf(2), START);
    await store.create(downloadLink(codeOf(2), { fileId: fileIdOf(2) }), newChange());
    const toUrl = { patch: { targetUrl: 'https://example.org' }, versions: null };
    assert.equal((await store.change(codeOf(2), toUrl, newChange())).result, 'refused');
  });

  testStore('one of parallel changes of one version happens', async ({ store, readChanges }) => {
    await store.create(redirectLink(CODE), newChange());
    const changeAll = (versions: number[] | null) =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          change(store, { terms: { label: `${versions} ${index}` } }, { versions }),
        ),
      );
    const results = (await changeAll([0])).map(({ result }) => result);
    assert.equal(results.filter((result) => result === 'changed').length, 1);
    assert.equal(results.filter((result) => result === 'version-mismatch').length, 19);
    await changeAll(null);
    assert.equal((await store.read(CODE))?.version, 21);
    assert.equal((await readChanges()).length, 22);
  });

  testStore('no attempt after a change is granted by the terms before it', async ({ store, readAudit }) => {
    await store.create(redirectLink(CODE, { maxViews: 1_000 }), newChange());
    const open = (count: number) => Array.from({ length: count }, () => attempt(store, 0));
    const early = open(10);
    const lowering = change(store, { maxViews: 12 });
    const raced = open(64);
    assert.equal((await lowering).result, 'changed');
    const { maxViews } = (await store.read(CODE)) ?? {};
    const verdicts = await Promise.all([...early, ...raced, ...open(64)]);
    assert.equal(verdicts.filter((verdict) => verdict === 'SUCCESS').length, maxViews);
    assert.ok(verdicts.slice(-64).every((verdict) => verdict !== 'CHANGED'));
    const granted = (await readAudit()).filter(({ result }) => result === 'SUCCESS');
    assert.equal(granted.length, maxViews);
    await change(store, { passwordHash: 'a hash' });
    assert.ok((await Promise.all(open(64))).every((verdict) => verdict === 'CHANGED'));
  });

  testStore('an attempt goes on when only the label of its link was changed meanwhile', async ({ store }) => {
    await store.create(redirectLink(CODE), newChange());
    const found = await store.find(CODE);
    await change(store, { terms: { label: 'a', note: 'b' } });
    const [link, again] = [await store.read(CODE), await store.find(CODE, 1)];
    assert.deepEqual([link?.version, link?.definitionVersion], [1, 0]);
    assert.deepEqual([found?.definitionVersion, again?.definitionVersion], [0, 0]);
    assert.equal(await attempt(store, 0), 'SUCCESS');
  });

  testStore('the receivers of a link, also a cached one, are those of its last change', async ({ store }) => {
    const notify = { url: 'https://hooks.example/old', email: 'a@example.com', language: 'fr' };
    const { url: notifyUrl, email: notifyEmail, language: notifyLanguage } = notify;
    await store.create(
      redirectLink(CODE, { terms: { notifyUrl, notifyEmail, notifyLanguage, label: 'Offer' } }),
      newChange(),
    );
    await store.create(redirectLink(codeOf(2)), newChange());
    const names = { label: 'Offer', recipient: null, fileName: null, requestMessage: null };
    const others = { requestCode: null, names, isEmailOfPerson: false };
    const read = () => store.notifications.readReceivers([CODE, codeOf(2), 'nosuchcd']);
    assert.equal((await store.find(CODE))?.terms.notifyUrl, notifyUrl);
    assert.deepEqual(await read(), [{ shortCode: CODE, notify, ...others }]);
    await change(store, { terms: { notifyUrl: ALL_TERMS.terms.notifyUrl } });
    assert.deepEqual(await read(), [
      { shortCode: CODE, notify: { ...notify, url: ALL_TERMS.terms.notifyUrl }, ...others },
    ]);
    await change(store, { terms: { notifyUrl: null, notifyEmail: null } });
    assert.deepEqual(await read(), []);
  });

  testStore('a received file names its request to the receiver of the request alone', async ({ store }) => {
    const terms = { notifyUrl: 'https://hooks.example/request' };
    await store.create(redirectLink(codeOf(2), { terms }), newChange());
    await store.create({ ...redirectLink(CODE, { terms }), requestCode: codeOf(2) }, newChange());
    const read = async () => (await store.notifications.readReceivers([CODE]))[0]?.requestCode;
    assert.equal(await read(), codeOf(2));
    await change(store, { terms: { notifyUrl: 'https://hooks.example/other' } });
    assert.equal(await read(), null);
  });

  testStore('a change is an event of a link that others want to be notified of', async ({ store }) => {
    await store.create(redirectLink(CODE), newChange());
    await change(store, { terms: { label: 'a' } }, { notifiedLinks: 'SUBSCRIBED' });
    await change(store, { terms: { notifyUrl: ALL_TERMS.terms.notifyUrl } }, { notifiedLinks: 'SUBSCRIBED' });
    await change(store, { terms: { notifyUrl: null, label: 'b' } }, { notifiedLinks: 'ALL' });
    const rows = await store.notifications.readOutbox(null, 10);
    const events = rows.flatMap(({ links }) => links.flatMap((link) => link.events));
    const { entries } = await store.notifications.readEntries(
      events.flatMap((event) => ('seq' in event ? [event.seq] : [])),
    );
    const detailsOf = (event: LinkEvent) => {
      const entry = entries.find(({ id }) => 'id' in event && id === event.id);
      return entry && 'details' in entry ? Object.keys(entry.details) : assert.fail('no change');
    };
    assert.deepEqual(events.map((event) => `${event.type} ${detailsOf(event)}`).sort(), [
      'link.changed label,notifyUrlSha256',
      'link.changed notifyUrlSha256',
    ]);
  });
}
