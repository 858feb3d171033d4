import assert from 'node:assert/strict';
import { hashHex, verifyEd25519 } from '../../src/core/model/ed25519.ts';
import { rootOfInclusion, toLeafHash } from '../../src/core/model/merkle-tree.ts';
import { parseProof, parseVerifierKey, verifyNote } from '../../src/core/model/signed-note.ts';
import type { KeptKey, KeyKeeper } from '../../src/core/ports/evidence.ts';
import { proveEntry } from '../../src/core/use-cases/evidence/prove-entry.ts';
import {
  type EvidenceParts,
  prepareSignCheckpoint,
} from '../../src/core/use-cases/evidence/sign-checkpoint.ts';
import type { Store } from '../../src/stores/store.ts';

export type TestKeeper = KeyKeeper & { kept: KeptKey | null; newest: string | null };

/** Keeps a key in memory. */
export function createTestKeeper(): TestKeeper {
  const keeper: TestKeeper = {
    kept: null,
    newest: null,
    read: async () => keeper.kept,
    async create(kept) {
      if (keeper.kept) return false;
      keeper.kept = kept;
      return true;
    },
    async write(kept) {
      keeper.kept = kept;
    },
    readNewest: async () => keeper.newest,
    async writeNewest(note) {
      keeper.newest = note;
    },
    async removeNewest() {
      keeper.newest = null;
    },
  };
  return keeper;
}

/** Returns a log on a store, whose checkpoints are signed by calls. */
export function openTestLog(store: Store, keeper = createTestKeeper()) {
  let logs = 0;
  const parts: EvidenceParts = {
    ...{ evidence: store.evidence, keeper, clock: Date.now },
    newOrigin() {
      logs += 1;
      return `links.example/log/${logs}`;
    },
  };
  return { parts, keeper, sign: prepareSignCheckpoint(parts) };
}

/** Asserts that the newest checkpoint has an entry of a link, and returns the number of that entry. */
export async function assertProved(store: Store, shortCode: string): Promise<number> {
  const link = await store.read(shortCode);
  assert.ok(link);
  const found = await proveEntry(store.evidence, shortCode, link.history);
  assert.ok(found, `no proof of ${shortCode}`);
  const proof = parseProof(found.proof);
  const key = parseVerifierKey(hashHex, found.key);
  assert.ok(proof && key);
  assert.equal(verifyNote(proof.checkpoint.note, key, verifyEd25519).result, 'VALID');
  const { size, root } = proof.checkpoint;
  if (found.number === link.history.entryCount) {
    const leaf = { index: proof.index, hash: toLeafHash(hashHex, link.history.fingerprint) };
    assert.equal(rootOfInclusion(hashHex, leaf, size, proof.hashes), root, `the proof of ${shortCode}`);
  }
  return found.number;
}
