import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type KeyedRequest, prepareBeginRequest } from '../../src/links/begin-request.ts';
import { EMPTY_CHAIN } from '../../src/links/chain.ts';
import { codeOf, newChange, redirectLink } from '../support/attempts.ts';
import { openSqliteHarness, type SqliteHarness } from '../support/sqlite-harness.ts';

const FINGERPRINT = 'sent';
const ITEM_COUNT = 20;

let harness: SqliteHarness;
beforeEach(async () => {
  harness = await openSqliteHarness();
});
afterEach(() => harness[Symbol.asyncDispose]());

/** Begins one request as an instance of its own does, and counts its reads of the store. */
async function beginElsewhere({ secret = 'secret' as string | null, key = 'key', isSignedIn = true } = {}) {
  let reads = 0;
  const { idempotency } = harness.store;
  const findRequest = (id: string) => {
    reads += 1;
    return idempotency.findRequest(id);
  };
  const begin = prepareBeginRequest({ findRequest }, secret);
  const started = await begin({ id: 'anna', isSignedIn }, key);
  assert.ok(started !== 'running');
  reads = 0;
  return { started, readCount: () => reads };
}

const responseTo = (item: number) => ({ item, token: `token ${item}` });

/** Commits items of a request. The response to each has the number of its item, and a token. */
async function commit(started: KeyedRequest, items: readonly number[]): Promise<void> {
  for (const item of items) {
    const { request, toResponse } = started.once(
      { fingerprint: FINGERPRINT, item, itemCount: ITEM_COUNT },
      () => ({ shown: { item }, secrets: { token: responseTo(item).token } }),
    );
    const link = redirectLink(codeOf(item));
    const response = toResponse({ link, token: '', history: EMPTY_CHAIN });
    await harness.store.create(link, newChange(), { idempotency: { request, item, response } });
  }
}

const readItems = (started: KeyedRequest, items: readonly number[]) =>
  Promise.all(items.map((item) => started.readFirst(FINGERPRINT, item)));

const ALL = Array.from({ length: ITEM_COUNT }, (_, item) => item);
const [EARLY, LATE] = [ALL.slice(0, ITEM_COUNT / 2), ALL.slice(ITEM_COUNT / 2)];

test('items that another instance committed are read together, and those committed later once more', async () => {
  const [one, other] = [await beginElsewhere(), await beginElsewhere()];
  await commit(one.started, EARLY);
  assert.deepEqual(await readItems(other.started, EARLY), EARLY.map(responseTo));
  assert.equal(other.readCount(), 1);
  await commit(one.started, LATE);
  assert.deepEqual(await readItems(other.started, ALL), ALL.map(responseTo));
  assert.equal(other.readCount(), 2);
});

test('an item whose response was deleted has none, and a key of another request is recognised', async () => {
  const [one, other] = [await beginElsewhere(), await beginElsewhere()];
  assert.equal(await other.started.readFirst(FINGERPRINT, 0), undefined);
  await commit(one.started, [0]);
  assert.equal(await other.started.readFirst('other', 0), 'other-request');
});

test('a caller without credentials and a service without a secret store no token', async () => {
  for (const [item, wanted] of [{ isSignedIn: false }, { secret: null }].entries()) {
    const { started } = await beginElsewhere({ ...wanted, key: `key ${item}` });
    await commit(started, [item]);
    const { started: repeated } = await beginElsewhere({ key: `key ${item}` });
    assert.deepEqual(await repeated.readFirst(FINGERPRINT, item), { item });
  }
});

test('a fingerprint depends on the secret and the key, so that the store alone gives away no password', async () => {
  const sent = ['/api/links', { password: 'secret' }];
  const started = [{}, {}, { secret: 'other' }, { secret: null }, { key: 'other' }].map((wanted) =>
    beginElsewhere(wanted),
  );
  const [first, again, ...others] = (await Promise.all(started)).map((each) =>
    each.started.fingerprintOf(sent),
  );
  assert.equal(first, again);
  assert.equal(new Set([first, ...others]).size, 4);
});
