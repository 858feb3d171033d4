import assert from 'node:assert/strict';
import type { Author } from '../../../src/core/model/author.ts';
import { codeOf, downloadLink, fileIdOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import type { TestStore } from '../store-harness.ts';

const AUTHORS: Author[] = [
  { kind: 'KEY', name: 'Grüße 日本 😀', ipAddress: '203.0.113.7' },
  { kind: 'USER', name: "O'Neil; DROP TABLE link_change;--", ipAddress: '2001:db8::1' },
  { kind: 'LINK_TOKEN', name: null, ipAddress: '203.0.113.8' },
  { kind: 'ANONYMOUS', name: null, ipAddress: null },
];

/** Tests that each change of a link is recorded with its author, in the transaction of the change. */
export function changeContract(testStore: TestStore): void {
  testStore('each creation and revocation is recorded with its author', async ({ store, readChanges }) => {
    const expected = [];
    for (const [index, author] of AUTHORS.entries()) {
      const shortCode = codeOf(index);
      const [creation, revocation] = [
        newChange({ author, at: START + index * 2 }),
        newChange({ author, at: START + index * 2 + 1 }),
      ];
      await store.create(redirectLink(shortCode), creation);
      await store.revoke(shortCode, revocation);
      expected.push(
        { ...creation, kind: 'CREATED', shortCode },
        { ...revocation, kind: 'REVOKED', shortCode },
      );
    }
    assert.deepEqual(await readChanges(), expected);
  });

  testStore('a change of nothing is not recorded', async ({ store, readChanges }) => {
    assert.equal(await store.create(redirectLink(codeOf(1)), newChange()), 'created');
    assert.equal(await store.revoke(codeOf(1), newChange()), 'revoked');
    const before = await readChanges();
    assert.equal(await store.create(redirectLink(codeOf(1)), newChange()), 'short-code-taken');
    assert.equal(await store.revoke(codeOf(1), newChange()), 'already-revoked');
    assert.equal(await store.revoke(codeOf(2), newChange()), 'not-found');
    const gone = downloadLink(codeOf(3), { fileId: fileIdOf(3) });
    assert.equal(await store.create(gone, newChange()), 'upload-gone');
    assert.deepEqual(await readChanges(), before);
  });

  testStore('parallel revocations of one link record one', async ({ store, readChanges }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    const results = await Promise.all(
      Array.from({ length: 20 }, () => store.revoke(codeOf(1), newChange({ at: START + 1 }))),
    );
    assert.equal(results.filter((result) => result === 'revoked').length, 1);
    assert.equal(results.filter((result) => result === 'already-revoked').length, 19);
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 0, REVOKED: 1 });
    assert.equal((await readChanges()).filter(({ kind }) => kind === 'REVOKED').length, 1);
  });

  testStore('one of parallel creations of a short code succeeds', async ({ store, readChanges }) => {
    const changes = Array.from({ length: 20 }, (_, index) =>
      newChange({ author: { kind: 'KEY', name: `key ${index}`, ipAddress: null } }),
    );
    const links = changes.map((_, index) => redirectLink(codeOf(1), { url: `https://example.com/${index}` }));
    const results = await Promise.all(
      links.map((link, index) => store.create(link, changes[index] ?? newChange())),
    );
    const first = results.indexOf('created');
    assert.equal(results.filter((result) => result === 'short-code-taken').length, results.length - 1);
    assert.deepEqual((await store.find(codeOf(1)))?.target, links[first]?.target);
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 1, EXPIRED: 0, REVOKED: 0 });
    assert.deepEqual(await readChanges(), [{ ...changes[first], kind: 'CREATED', shortCode: codeOf(1) }]);
  });

  testStore(
    'a change whose author cannot be recorded is undone with its batch',
    async ({ store, readChanges }) => {
      await store.create(redirectLink(codeOf(1)), newChange());
      const before = await readChanges();
      const impossible = newChange({ author: { kind: 'ANONYMOUS', name: null, ipAddress: '1'.repeat(46) } });
      await assert.rejects(store.revoke(codeOf(1), impossible));
      const creations = await Promise.allSettled([
        store.create(redirectLink(codeOf(2)), newChange()),
        store.create(redirectLink(codeOf(3)), impossible),
      ]);
      assert.deepEqual(pluck(creations, 'status'), ['rejected', 'rejected']);
      assert.equal((await store.read(codeOf(1)))?.status, 'ACTIVE');
      assert.equal(await store.read(codeOf(2)), undefined);
      assert.equal(await store.read(codeOf(3)), undefined);
      assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 1, EXPIRED: 0, REVOKED: 0 });
      assert.deepEqual(await readChanges(), before);
    },
  );

  testStore('the hash of a token, the owner and the team are read, but not cached', async ({ store }) => {
    await store.create(redirectLink(codeOf(1), { tokenHash: 'a hash', owner: 'KEY ci' }), newChange());
    await store.create(redirectLink(codeOf(2)), newChange());
    const [one, two] = [await store.read(codeOf(1)), await store.read(codeOf(2))];
    assert.deepEqual([one?.tokenHash, one?.owner, one?.team], ['a hash', 'KEY ci', null]);
    assert.deepEqual([two?.tokenHash, two?.owner], [null, 'ANONYMOUS']);
    const found = (await store.find(codeOf(1))) ?? {};
    for (const name of ['tokenHash', 'owner', 'team']) assert.ok(!(name in found), name);
  });
}
