import assert from 'node:assert/strict';
import type { LinkPatch } from '../../../src/core/model/decide-change.ts';
import { newPerson } from '../../../src/core/model/people/person.ts';
import type { Store } from '../../../src/stores/store.ts';
import { codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { historyOf } from '../../support/queries.ts';
import type { TestStore } from '../store-harness.ts';

const ADD_TEAM = `INSERT INTO team (name, created_at) VALUES ('press', 1)`;
/** More than two parts of a transfer. */
const MANY = 1_203;

async function addPerson(store: Store, name: string): Promise<void> {
  await store.people.addPerson(newPerson({ name, scopes: ['create'], createdAt: START }));
}

/** Tests who links belong to. */
export function ownerContract(testStore: TestStore): void {
  const change = (store: Store, patch: LinkPatch) =>
    store.change(codeOf(1), { patch, versions: null }, newChange());

  testStore('a link gets another owner and a team, and its history both', async ({ store, execute }) => {
    await execute(ADD_TEAM);
    await addPerson(store, 'bob');
    await store.create(redirectLink(codeOf(1), { owner: 'KEY ci' }), newChange());
    const changed = await change(store, { owner: 'USER bob', team: 'press' });
    assert.deepEqual('changedTerms' in changed && changed.changedTerms, ['owner', 'team']);
    const link = await store.read(codeOf(1));
    assert.deepEqual([link?.owner, link?.team, link?.definitionVersion], ['USER bob', 'press', 0]);
    const [entry] = await historyOf(store, codeOf(1));
    assert.deepEqual(entry?.kind === 'CHANGED' && entry.details, {
      owner: { new: 'USER bob', old: 'KEY ci' },
      team: { new: 'press', old: null },
    });
  });

  testStore('a link gets no deactivated owner and no unknown team', async ({ store, execute }) => {
    await execute(ADD_TEAM);
    await addPerson(store, 'carl');
    await store.people.changePerson('carl', { isActive: false }, newChange());
    assert.equal(await store.create(redirectLink(codeOf(2), { team: 'sales' }), newChange()), 'unknown-team');
    assert.equal(await store.create(redirectLink(codeOf(1), { team: 'press' }), newChange()), 'created');
    const patches = [
      { owner: 'USER carl' },
      { owner: 'USER nobody' },
      { owner: 'KEY carl' },
      { team: 'sales' },
    ];
    for (const patch of patches) {
      const refused = await change(store, patch);
      assert.ok(refused.result === 'refused', JSON.stringify(patch));
      assert.equal(refused.error.field, Object.keys(patch)[0]);
    }
    assert.equal((await change(store, { team: null })).result, 'changed');
  });

  testStore('all links of an owner pass to another, each with an entry', async (harness) => {
    const { store } = harness;
    await addPerson(store, 'bob');
    const codes = Array.from({ length: MANY }, (_, index) => codeOf(index));
    const owned = (code: string) =>
      store.create(redirectLink(code, { owner: 'USER ada', maxViews: 5 }), newChange());
    await Promise.all(codes.map(owned));
    await store.create(redirectLink('Other001', { owner: 'USER ada b' }), newChange());
    await store.revoke(codeOf(1), newChange());
    const isOfTransfer = ({ author }: { author: { name: string | null } }) => author.name === 'admin';
    const author = { kind: 'USER', name: 'admin', ipAddress: null } as const;
    const owners = { from: 'USER ada', to: 'USER bob' };
    await assert.rejects(store.transferLinks({ ...owners, to: 'USER nobody' }, newChange({ author })));
    assert.equal((await store.read(codeOf(0)))?.owner, 'USER ada');

    assert.equal(await store.transferLinks(owners, newChange({ author })), MANY);
    const records = (await harness.readChanges()).filter(isOfTransfer);
    assert.deepEqual(records.map(({ shortCode }) => shortCode).sort(), codes);
    for (const name of ['id', 'salt'] as const)
      assert.equal(new Set(records.map((record) => record[name])).size, MANY, name);
    const [first, revoked] = [await store.read(codeOf(0)), await store.read(codeOf(1))];
    assert.deepEqual([first?.owner, first?.version, first?.maxViews], ['USER bob', 1, 5]);
    assert.deepEqual([revoked?.owner, revoked?.status], ['USER bob', 'REVOKED']);
    assert.equal((await store.read('Other001'))?.owner, 'USER ada b');
    assert.equal(await store.transferLinks(owners, newChange({ author })), 0);
  });
}
