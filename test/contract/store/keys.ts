import assert from 'node:assert/strict';
import { hashSecret } from '../../../src/core/model/people/hash-secret.ts';
import { apiKey, newChange, person, START } from '../../support/attempts.ts';
import type { TestStore } from '../store-harness.ts';

/** Tests what a store promises about API keys. */
export function keyContract(testStore: TestStore): void {
  testStore('a key is found by its hash, with all its members', async ({ store: { keys } }) => {
    const added = [
      apiKey('all'),
      apiKey("O'Neil; DROP TABLE api_key;--", { scopes: ['metrics'], expiresAt: START + 1 }),
      apiKey('Grüße 日本 😀', { scopes: ['create', 'manage'] }),
    ];
    for (const key of added) assert.equal(await keys.addKey(key), 'added');
    for (const key of added) assert.deepEqual(await keys.findKey(key.hash), key);
    for (const unknown of [hashSecret('other'), '', 'a\u0000', 'all', hashSecret('key all').toLowerCase()]) {
      assert.equal(await keys.findKey(unknown), undefined, unknown);
    }
  });

  testStore('a key is found with what its owner may do now', async ({ store: { keys, people, teams } }) => {
    await people.addPerson(person('ada', { scopes: ['create'], groups: [{ name: 'x', scopes: ['read'] }] }));
    for (const name of ['b', 'a']) await teams.addTeam({ name, members: ['ada'] }, START);
    const key = apiKey('laptop', { owner: 'ada' });
    await keys.addKey(key);
    const found = { ...key, owned: { scopes: ['create', 'read'], teams: ['a', 'b'] } };
    assert.deepEqual(await keys.findKey(key.hash), found);
    assert.deepEqual(await keys.listKeys(), [found]);
    await people.changePerson('ada', { scopes: [], teams: [] }, newChange());
    const now = { ...key, owned: { scopes: ['read'], teams: [] } };
    assert.deepEqual(await keys.findKey(key.hash), now);
  });

  testStore('keys are listed from the oldest', async ({ store: { keys } }) => {
    assert.deepEqual(await keys.listKeys(), []);
    const added = [
      apiKey('c', { createdAt: START }),
      apiKey('a', { createdAt: START + 1 }),
      apiKey('b', { createdAt: START + 1 }),
    ];
    for (const key of added.toReversed()) await keys.addKey(key);
    assert.deepEqual(await keys.listKeys(), added);
  });

  testStore('a name is used once, also after its key was revoked', async ({ store: { keys } }) => {
    const first = apiKey('ci');
    await keys.addKey(first);
    await keys.revokeKey('ci', START + 1);
    assert.equal(await keys.addKey({ ...apiKey('ci'), hash: hashSecret('another') }), 'name-taken');
    assert.equal(await keys.addKey(apiKey('CI')), 'added', 'case counts');
    assert.deepEqual(await keys.findKey(first.hash), { ...first, revokedAt: START + 1 });
    assert.equal(await keys.findKey(hashSecret('another')), undefined);
  });

  testStore('one of parallel additions under one name succeeds', async ({ store: { keys } }) => {
    const added = Array.from({ length: 20 }, (_, index) =>
      apiKey('ci', { hash: hashSecret(String(index)), createdAt: START + index }),
    );
    const results = await Promise.all(added.map(keys.addKey));
    assert.equal(results.filter((result) => result === 'added').length, 1);
    assert.equal(results.filter((result) => result === 'name-taken').length, 19);
    assert.deepEqual(await keys.listKeys(), [added[results.indexOf('added')]]);
  });

  testStore('a revocation is for good, and keeps its first time', async ({ store: { keys } }) => {
    const key = apiKey('ci');
    await keys.addKey(key);
    assert.equal(await keys.revokeKey('ci', START + 1), 'revoked');
    assert.equal(await keys.revokeKey('ci', START + 2), 'already-revoked');
    assert.deepEqual(await keys.findKey(key.hash), { ...key, revokedAt: START + 1 });
    for (const unknown of ['', 'CI', 'a\u0000', 'nobody']) {
      assert.equal(await keys.revokeKey(unknown, START), 'not-found', unknown);
    }
  });

  testStore('one of parallel revocations revokes', async ({ store: { keys } }) => {
    await keys.addKey(apiKey('ci'));
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => keys.revokeKey('ci', START + index)),
    );
    assert.equal(results.filter((result) => result === 'revoked').length, 1);
    assert.equal(results.filter((result) => result === 'already-revoked').length, 19);
  });

  testStore('the latest use counts, in any order of recording', async ({ store: { keys } }) => {
    const key = apiKey('ci');
    await keys.addKey(key);
    for (const [at, latest] of [
      [START + 5, START + 5],
      [START + 3, START + 5],
      [START + 9, START + 9],
    ] as const) {
      await keys.recordKeyUse('ci', at);
      assert.deepEqual(await keys.findKey(key.hash), { ...key, lastUsedAt: latest });
    }
    await keys.recordKeyUse('nobody', START);
    assert.equal((await keys.listKeys()).length, 1);
  });
}
