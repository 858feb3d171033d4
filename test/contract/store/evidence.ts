import assert from 'node:assert/strict';
import { createSigner, hashHex } from '../../../src/core/model/ed25519.ts';
import { isConsistent } from '../../../src/core/model/merkle-tree.ts';
import { parseCheckpoint, parseConsistency, parseHandover } from '../../../src/core/model/signed-note.ts';
import type { EvidenceStore } from '../../../src/core/ports/evidence.ts';
import { proveConsistency } from '../../../src/core/use-cases/evidence/prove-entry.ts';
import { prepareSignCheckpoint, rotateKey } from '../../../src/core/use-cases/evidence/sign-checkpoint.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { assertProved, createTestKeeper, openTestLog, type TestKeeper } from '../../support/evidence.ts';
import type { TestStore } from '../store-harness.ts';

/** Tests the tree of the log, and its checkpoints. */
export function evidenceContract(testStore: TestStore): void {
  testStore(
    'a checkpoint covers every link up to its newest entry, and later entries only the next',
    async ({ store }) => {
      const { sign } = openTestLog(store);
      assert.equal(await sign(), undefined, 'an empty log');
      await createLinks(store, 3);
      await open(store, [1, 1, 2]);
      assert.equal((await sign())?.size, 6);
      assert.deepEqual(await provedNumbers(store, 3), [3, 2, 1]);
      await open(store, [1, 3]);
      assert.deepEqual(await provedNumbers(store, 3), [3, 2, 1]);
      assert.equal((await sign())?.size, 8);
      assert.deepEqual(await provedNumbers(store, 3), [4, 2, 2]);
      assert.equal(await sign(), undefined, 'no entry since');
    },
  );

  testStore('attempts without a link are no leaves', async ({ store }) => {
    const { sign } = openTestLog(store);
    await createLinks(store, 1);
    await store.attempt(attemptOn('unknown1'));
    assert.equal((await sign())?.size, 1);
    await store.attempt(attemptOn('unknown1'));
    assert.equal(await sign(), undefined);
    await open(store, [1]);
    assert.equal((await sign())?.size, 2);
    assert.equal(await assertProved(store, codeOf(1)), 2);
  });

  testStore(
    'a tree of several tiles has each link, and begins with each tree before it',
    async ({ store }) => {
      const { sign } = openTestLog(store);
      await createLinks(store, 5);
      const signed = [await sign()];
      for (let round = 0; round < 4; round++) {
        await open(
          store,
          Array.from({ length: 200 }, (_, index) => (index % 5) + 1),
        );
        signed.push(await sign());
      }
      assert.deepEqual(
        signed.map((each) => each?.size),
        [5, 205, 405, 605, 805],
      );
      assert.deepEqual(await provedNumbers(store, 5), [161, 161, 161, 161, 161]);
      const heads = signed.flatMap((each) => (each ? (parseCheckpoint(each.note) ?? []) : []));
      for (const [index, to] of heads.entries())
        for (const from of heads.slice(0, index)) {
          const proved = await proveConsistency(store.evidence, from.size, to.size);
          const proof = typeof proved !== 'string' && parseConsistency(proved.text.trimEnd().split('\n'));
          assert.ok(proof && isConsistent(hashHex, { from, to }, proof.hashes), `${from.size} to ${to.size}`);
        }
      assert.equal(await proveConsistency(store.evidence, 5, 806), 'NO_CHECKPOINT');
    },
  );

  testStore('instances that sign at the same time make one log', async ({ store }) => {
    const one = openTestLog(store);
    await createLinks(store, 2);
    await one.sign();
    const two = openTestLog(store, one.keeper);
    for (let round = 0; round < 5; round++) {
      await open(
        store,
        Array.from({ length: 150 }, (_, index) => (index % 2) + 1),
      );
      await Promise.all([one.sign(), two.sign(), one.sign()]);
    }
    await Promise.all([one.sign(), two.sign()]);
    assert.deepEqual(await provedNumbers(store, 2), [376, 376]);
    const tree = await store.evidence.readTree();
    assert.equal(tree?.signed?.size, 752);
  });

  testStore('an instance that is overtaken leaves the newer checkpoint beside the key', async ({ store }) => {
    const two = openTestLog(store);
    const { keeper } = two;
    await createLinks(store, 1);
    let overtaking = true;
    const slow: TestKeeper = Object.create(keeper, {
      writeNewest: {
        async value(note: string) {
          if (overtaking) {
            overtaking = false;
            await open(store, [1]);
            assert.equal((await two.sign())?.size, 2);
          }
          await keeper.writeNewest(note);
        },
      },
    });
    assert.equal(await openTestLog(store, slow).sign(), undefined);
    assert.equal(parseCheckpoint(keeper.newest ?? '')?.size, 2);
    assert.equal((await store.evidence.readTree())?.signed?.size, 2);
  });

  testStore(
    'a log that lacks entries of the newest checkpoint is refused, until a new log begins',
    async ({ store, execute }) => {
      const { sign, keeper, parts } = openTestLog(store);
      await createLinks(store, 2);
      await open(store, [1, 2]);
      const before = await sign();
      await open(store, [1]);
      await sign();
      const newest = keeper.newest;
      await execute(`DELETE FROM entry WHERE short_code = '${codeOf(1)}' AND number = 3`);
      await execute('DELETE FROM log_tree');
      const again = openTestLog(store, keeper);
      await assert.rejects(again.sign(), /the log has 4 entries, and the newest checkpoint is of 5/);
      assert.equal(keeper.newest, newest, 'nothing was signed');
      await rotateKey({ ...parts, newOrigin: () => 'links.example/log/next' }, { isNewLog: true });
      const after = await again.sign();
      assert.equal(after?.size, 4);
      assert.match(after?.note ?? '', /^links\.example\/log\/next\n4\n/);
      assert.equal(parseCheckpoint(after?.note ?? '')?.root, parseCheckpoint(before?.note ?? '')?.root);
    },
  );

  testStore(
    'an instance with its own copy of the key signs nothing that another has contradicted',
    async ({ store, execute }) => {
      const one = openTestLog(store);
      await createLinks(store, 2);
      await one.sign();
      const copied = createTestKeeper();
      Object.assign(copied, { kept: one.keeper.kept, newest: one.keeper.newest });
      const two = openTestLog(store, copied);
      await open(store, [1, 1]);
      assert.equal((await one.sign())?.size, 4);
      assert.equal(await two.sign(), undefined, 'no entry since');
      assert.equal(copied.newest, one.keeper.newest);
      // An older database, with another entry.
      await execute(`DELETE FROM entry WHERE short_code = '${codeOf(1)}' AND number > 1`);
      await execute('DELETE FROM log_tree');
      await open(store, [2]);
      for (const { sign } of [one, two]) await assert.rejects(sign(), /the newest checkpoint is of 4/);
    },
  );

  testStore(
    'a log goes on where leaves of its last tile are detached before the tile is complete',
    async ({ store, execute }) => {
      const { sign } = openTestLog(store);
      await createLinks(store, 1);
      await open(store, Array<number>(299).fill(1));
      assert.equal((await sign())?.size, 300);
      await execute(`DELETE FROM entry WHERE short_code = '${codeOf(1)}' AND number BETWEEN 260 AND 290`);
      await open(store, [1]);
      assert.equal((await sign())?.size, 301);
      await open(store, Array<number>(299).fill(1));
      assert.equal((await sign())?.size, 600);
      await open(store, [1]);
      assert.equal((await sign())?.size, 601);
    },
  );

  testStore('a log with a changed fingerprint is refused', async ({ store, execute }) => {
    const { sign, keeper } = openTestLog(store);
    await createLinks(store, 2);
    await sign();
    await execute(
      `UPDATE entry SET fingerprint = (SELECT fingerprint FROM entry WHERE short_code = '${codeOf(2)}') WHERE short_code = '${codeOf(1)}'`,
    );
    await execute('DELETE FROM log_tree');
    await assert.rejects(openTestLog(store, keeper).sign(), /with others/);
  });

  testStore(
    'a tree without hashes of its newest checkpoint is refused at once',
    async ({ store, execute }) => {
      const { sign } = openTestLog(store);
      await createLinks(store, 1);
      await open(store, Array<number>(300).fill(1));
      await sign();
      await execute('DELETE FROM log_tile');
      await assert.rejects(sign(), /hashes of the newest checkpoint are missing/);
    },
  );

  testStore('there is no proof from hashes of entries that are not there', async ({ store, execute }) => {
    const { sign } = openTestLog(store);
    await createLinks(store, 1);
    await open(store, Array<number>(300).fill(1));
    await sign();
    assert.ok(typeof (await proveConsistency(store.evidence, 5, 301)) === 'object');
    await execute(`DELETE FROM entry WHERE short_code = '${codeOf(1)}' AND number = 1`);
    assert.equal(await proveConsistency(store.evidence, 5, 301), 'ENTRIES_DETACHED');
  });

  testStore('a new key is signed by the one before, and signs the same log', async ({ store }) => {
    const { sign, keeper, parts } = openTestLog(store);
    await createLinks(store, 1);
    const before = await sign();
    const rotated = await rotateKey(parts, { isNewLog: false });
    const after = await sign();
    assert.equal(after?.key, rotated?.key);
    assert.equal(before?.key, rotated?.formerKey);
    assert.equal(after?.size, 1);
    const [handover] = (after?.handovers ?? []).map((text) => parseHandover(hashHex, text));
    assert.equal(handover?.from.name, handover?.to.name);
    assert.equal(handover?.last.size, 1);
    await assertProved(store, codeOf(1));
    // A service with neither key signs nothing.
    const other = openTestLog(store, createTestKeeper());
    await assert.rejects(other.sign(), /the key of the log is missing/);
    assert.ok(keeper.kept);
    const stranger = createTestKeeper();
    await stranger.write({ secret: createSigner('links.example/log/other').secret, handovers: [] });
    const strange = openTestLog(store, stranger);
    await assert.rejects(strange.sign(), /give it the same key file/);
    assert.equal(await rotateKey(strange.parts, { isNewLog: false }), undefined);
    const newLog = await rotateKey(strange.parts, { isNewLog: true });
    assert.equal(newLog?.formerKey, null, 'its key has not signed this log');
    assert.deepEqual((await strange.sign())?.handovers, []);
  });

  testStore('a key does not continue a checkpoint that it has not signed', async ({ store, execute }) => {
    const { sign, keeper, parts } = openTestLog(store);
    await createLinks(store, 1);
    await sign();
    await open(store, [1]);
    await execute(`UPDATE log_tree SET signed = replace(signed, '\\n1\\n', '\\n2\\n')`);
    await assert.rejects(sign(), /the checkpoint in the database was changed/);
    assert.equal(parseCheckpoint(keeper.newest ?? '')?.size, 1, 'nothing was signed');
    assert.equal(await rotateKey(parts, { isNewLog: false }), undefined);
    assert.equal((await rotateKey(parts, { isNewLog: true }))?.formerKey, null);
    assert.deepEqual((await sign())?.handovers, []);
  });

  testStore(
    'a new log begins where the newest checkpoint cannot be read, or is missing',
    async ({ store }) => {
      const { sign, keeper, parts } = openTestLog(store);
      await createLinks(store, 1);
      const before = await sign();
      keeper.newest = 'damaged';
      await assert.rejects(sign(), /the newest checkpoint beside the key is damaged/);
      assert.equal((await rotateKey(parts, { isNewLog: true }))?.formerKey, before?.key);
      const next = await sign();
      assert.equal(next?.handovers.length, 1);
      keeper.newest = null;
      await open(store, [1]);
      await assert.rejects(sign(), /the newest checkpoint beside the key is missing/);
      assert.equal((await rotateKey(parts, { isNewLog: true }))?.formerKey, next?.key);
      assert.equal((await sign())?.handovers.length, 2);
    },
  );

  testStore('a stop does not wait until it is known which entries are complete', async ({ store }) => {
    const { parts } = openTestLog(store);
    await createLinks(store, 1);
    const evidence = Object.create(store.evidence, {
      readSettled: { value: () => new Promise<number>(() => {}) },
    }) as EvidenceStore; // which it inherits from
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 20);
    assert.equal(await prepareSignCheckpoint({ ...parts, evidence })(stopping.signal), undefined);
    assert.equal(await store.evidence.readTree(), null);
  });
}

async function createLinks(store: Store, count: number): Promise<void> {
  for (let index = 1; index <= count; index++)
    await store.create(redirectLink(codeOf(index), { maxViews: null }), newChange());
}

/** Opens links at once, so that several batches commit them. */
async function open(store: Store, links: readonly number[]): Promise<void> {
  await Promise.all(links.map((index) => store.attempt(attemptOn(codeOf(index)))));
}

async function provedNumbers(store: Store, count: number): Promise<number[]> {
  const codes = Array.from({ length: count }, (_, index) => codeOf(index + 1));
  return Promise.all(codes.map((code) => assertProved(store, code)));
}
