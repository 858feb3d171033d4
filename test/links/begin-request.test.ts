import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { EMPTY_CHAIN } from '../../src/core/model/chain.ts';
import { type KeyedRequest, prepareBeginRequest } from '../../src/core/use-cases/create/begin-request.ts';
import { codeOf, newChange, redirectLink } from '../support/attempts.ts';
import { openSqliteHarness, type SqliteHarness } from '../support/sqlite-harness.ts';

const FINGERPRINT = 'sent';
const ITEM_COUNT = 20;

let harness: SqliteHarness;
beforeEach(async () => {
  harness = await openSqliteHarness();
});
afterEach(() => harness[Symbol.asyncDispose]());

/** Begins one request as an instance of its own does. */
async function beginElsewhere({ secret = 'secret' as string | null, key = 'key', isSignedIn = true } = {}) {
  const begin = prepareBeginRequest(harness.store.idempotency, secret);
  const started = await begin({ id: 'anna', isSignedIn }, key);
  assert.ok(started !== 'running');
  return started;
}

const responseTo = (item: number) => ({ item });

/** Commits items of a request. The response to each has the number of its item. */
async function commit(started: KeyedRequest, items: readonly number[]): Promise<void> {
  for (const item of items) {
    const { request, toResponse } = started.once(
      { fingerprint: FINGERPRINT, item, itemCount: ITEM_COUNT },
      () => responseTo(item),
    );
    const link = redirectLink(codeOf(item));
    const response = toResponse({ link, token: '', history: EMPTY_CHAIN });
    await harness.store.create(link, newChange(), { idempotency: { request, item, response } });
  }
}

test('another instance opens the responses to the items that were committed', async () => {
  await commit(await beginElsewhere(), [0, 7]);
  const repeated = await beginElsewhere();
  assert.ok(repeated.isRepeat);
  assert.deepEqual(repeated.openFirst(FINGERPRINT), new Map([0, 7].map((item) => [item, responseTo(item)])));
  assert.equal(repeated.openFirst('other'), 'other-request');
});

test('a fingerprint depends on the secret and the key, so that the store alone gives away no password', async () => {
  const sent = ['/api/links', { password: 'secret' }];
  const started = [{}, {}, { secret: 'other' }, { secret: null }, { key: 'other' }].map((wanted) =>
    beginElsewhere(wanted),
  );
  const [first, again, ...others] = (await Promise.all(started)).map((each) => each.fingerprintOf(sent));
  assert.equal(first, again);
  assert.equal(new Set([first, ...others]).size, 4);
});

test('a fingerprint covers only the presence of a password without credentials or a secret, so that none can be tried', async () => {
  const sent = (password?: string) => ['/api/links/bulk', [{ password, label: 'a' }]];
  for (const wanted of [{ isSignedIn: false }, { secret: null }]) {
    const started = await beginElsewhere(wanted);
    const first = started.fingerprintOf(sent('right'));
    assert.equal(started.fingerprintOf(sent('wrong')), first);
    assert.notEqual(started.fingerprintOf(sent()), first);
    assert.notEqual(started.fingerprintOf(['/api/links/bulk', [{ password: 'right', label: 'b' }]]), first);
  }
  const signedIn = await beginElsewhere();
  assert.notEqual(signedIn.fingerprintOf(sent('wrong')), signedIn.fingerprintOf(sent('right')));
});
