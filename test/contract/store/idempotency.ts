import assert from 'node:assert/strict';
import type { IdempotentCreation } from '../../../src/core/model/decide-creations.ts';
import type { NewLink } from '../../../src/core/model/link.ts';
import type { Store } from '../../../src/stores/store.ts';
import { codeOf, downloadLink, fileIdOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import type { TestStore } from '../store-harness.ts';

type Part = { id?: string; fingerprint?: string; item?: number; itemCount?: number; response?: string };

const part = (wanted: Part = {}): IdempotentCreation => {
  const { id = 'request', fingerprint = 'sent', itemCount = 1, item = 0 } = wanted;
  return { request: { id, fingerprint, itemCount }, item, response: wanted.response ?? `response ${item}` };
};

const create = (store: Store, link: number | NewLink, wanted: Part = {}, at = START) =>
  store.create(
    typeof link === 'number' ? redirectLink(codeOf(link)) : link,
    { ...newChange(), at },
    { idempotency: part(wanted) },
  );

const activeLinks = async (store: Store) => (await store.statistics.linkCounts()).ACTIVE;

/** Tests that a request with an Idempotency-Key creates each of its links once. */
export function idempotencyContract(testStore: TestStore): void {
  testStore('a response is committed with its link, and survives a restart', async (harness) => {
    assert.equal(await harness.store.idempotency.findRequest('request'), undefined);
    assert.equal(await create(harness.store, 1, { response: 'encrypted ü "\\' }), 'created');
    await harness.reopen();
    assert.deepEqual(await harness.store.idempotency.findRequest('request'), {
      fingerprint: 'sent',
      responses: [{ item: 0, response: 'encrypted ü "\\' }],
    });
    assert.equal(await harness.store.idempotency.findRequest('REQUEST'), undefined);
  });

  testStore('a repeated item creates nothing, and its response stays', async ({ store, readChanges }) => {
    await create(store, 1);
    assert.equal(await create(store, 2, { response: 'other' }), 'repeated');
    assert.equal(await create(store, 3, { fingerprint: 'other', item: 1 }), 'repeated');
    assert.equal(await store.find(codeOf(2)), undefined);
    assert.equal(await store.find(codeOf(3)), undefined);
    assert.equal(await activeLinks(store), 1);
    assert.equal((await readChanges()).length, 1);
    const first = await store.idempotency.findRequest('request');
    assert.deepEqual(first?.responses, [{ item: 0, response: 'response 0' }]);
  });

  testStore('the items of a request are created in any order, at different times', async ({ store }) => {
    const itemCount = 3;
    await create(store, 2, { item: 2, itemCount });
    const items = await Promise.all([0, 1, 2].map((item) => create(store, item, { item, itemCount })));
    assert.deepEqual(items, ['created', 'created', 'repeated']);
    const first = await store.idempotency.findRequest('request');
    assert.deepEqual(pluck(first?.responses ?? [], 'item'), [0, 1, 2]);
  });

  testStore('a request of which no link was created is not kept', async ({ store }) => {
    await create(store, 1, { id: 'other' });
    assert.equal(await create(store, 1), 'short-code-taken');
    assert.equal(await create(store, downloadLink(codeOf(2), { fileId: fileIdOf(2) })), 'upload-gone');
    assert.equal(await store.idempotency.findRequest('request'), undefined);
    assert.equal(await create(store, 3, { fingerprint: 'corrected' }), 'created');
    assert.equal((await store.idempotency.findRequest('request'))?.fingerprint, 'corrected');
  });

  testStore('a repeated upload keeps its file in the ledger', async ({ store }) => {
    for (const index of [1, 2]) await store.begin(fileIdOf(index), START);
    const upload = (index: number) => create(store, downloadLink(codeOf(index), { fileId: fileIdOf(index) }));
    assert.equal(await upload(1), 'created');
    assert.equal(await upload(2), 'repeated');
    assert.equal(await store.abandon(fileIdOf(2)), true);
  });

  testStore('one of 40 requests at once with one id is created', async ({ store }) => {
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => create(store, index, { fingerprint: `sent ${index % 2}` })),
    );
    assert.equal(results.filter((result) => result === 'created').length, 1);
    assert.equal(results.filter((result) => result === 'repeated').length, 39);
    assert.equal(await activeLinks(store), 1);
  });

  testStore('the oldest requests are deleted, a bounded number at a time', async ({ store }) => {
    for (const index of [0, 1, 2, 3]) {
      const wanted = { id: `request ${index}`, itemCount: 2 };
      await create(store, 2 * index, wanted, START + index);
      await create(store, 2 * index + 1, { ...wanted, item: 1 }, START + index);
    }
    const { idempotency } = store;
    const kept = async () => {
      const found = [0, 1, 2, 3].map((index) => idempotency.findRequest(`request ${index}`));
      return (await Promise.all(found)).map((request) => request?.responses.length ?? 0);
    };
    assert.equal(await idempotency.deleteRequestsBefore(START, 100), 0);
    assert.equal(await idempotency.deleteRequestsBefore(START + 3, 1), 1, 'one at least');
    assert.deepEqual(await kept(), [0, 2, 2, 2]);
    assert.equal(await idempotency.deleteRequestsBefore(START + 3, 5), 2);
    assert.deepEqual(await kept(), [0, 0, 0, 2]);
    assert.equal(await idempotency.deleteRequestsBefore(START + 3, 5), 0);
    assert.equal(await create(store, 9, { id: 'request 0' }), 'created', 'the key is free again');
  });
}
