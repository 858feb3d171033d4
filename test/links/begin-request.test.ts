import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type BegunRequest, prepareBeginRequest } from '../../src/links/begin-request.ts';
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
async function beginElsewhere(): Promise<{ begun: BegunRequest; readCount(): number }> {
  let reads = 0;
  const { idempotency } = harness.store;
  const begin = prepareBeginRequest({
    findRequest(id) {
      reads += 1;
      return idempotency.findRequest(id);
    },
  });
  const begun = await begin('anna', 'key');
  assert.ok(begun !== 'running');
  reads = 0;
  return { begun, readCount: () => reads };
}

/** Commits items of a request. The response to each is the number of its item. */
async function commit(begun: BegunRequest, items: readonly number[]): Promise<void> {
  for (const item of items) {
    const { request, toResponse } = begun.once(
      { fingerprint: FINGERPRINT, item, itemCount: ITEM_COUNT },
      () => item,
    );
    const link = redirectLink(codeOf(item));
    const response = toResponse({ link, token: '', history: EMPTY_CHAIN });
    await harness.store.create(link, newChange(), { idempotency: { request, item, response } });
  }
}

const readItems = (begun: BegunRequest, items: readonly number[]) =>
  Promise.all(items.map((item) => begun.readFirst(FINGERPRINT, item)));

const ALL = Array.from({ length: ITEM_COUNT }, (_, item) => item);
const [EARLY, LATE] = [ALL.slice(0, ITEM_COUNT / 2), ALL.slice(ITEM_COUNT / 2)];

test('items that another instance committed are read together, and those committed later once more', async () => {
  const [one, other] = [await beginElsewhere(), await beginElsewhere()];
  await commit(one.begun, EARLY);
  assert.deepEqual(await readItems(other.begun, EARLY), EARLY);
  assert.equal(other.readCount(), 1);
  await commit(one.begun, LATE);
  assert.deepEqual(await readItems(other.begun, ALL), ALL);
  assert.equal(other.readCount(), 2);
});

test('an item whose response was deleted has none, and a key of another request is recognised', async () => {
  const [one, other] = [await beginElsewhere(), await beginElsewhere()];
  assert.equal(await other.begun.readFirst(FINGERPRINT, 0), undefined);
  await commit(one.begun, [0]);
  assert.equal(await other.begun.readFirst('other', 0), 'other-request');
});
