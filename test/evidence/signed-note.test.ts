import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSigner, hashHex, parseSigner, verifyEd25519 } from '../../src/core/model/ed25519.ts';
import {
  base64ToHex,
  COSIGNATURE,
  cosignersOf,
  formatCheckpoint,
  formatConsistency,
  formatHandover,
  formatProof,
  formatVerifierKey,
  parseCheckpoint,
  parseConsistency,
  parseHandover,
  parseNote,
  parseProof,
  parseVerifierKey,
  toVerifierKey,
  verifyNote,
} from '../../src/core/model/signed-note.ts';

/** The example of https://c2sp.org/signed-note. */
const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
/** The example of https://c2sp.org/tlog-checkpoint. */
const CHECKPOINT = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`;

const keyOf = (text: string) => {
  const key = parseVerifierKey(hashHex, text);
  assert.ok(key);
  return key;
};
const noteOf = (text: string) => {
  const note = parseNote(text);
  assert.ok(note);
  return note;
};

describe('signed notes', () => {
  test('the published example verifies, and not with another text, key or signature', () => {
    const key = keyOf(KEY);
    assert.equal(formatVerifierKey(key), KEY);
    assert.deepEqual(verifyNote(noteOf(NOTE), key, verifyEd25519), { result: 'VALID' });
    const changed = noteOf(NOTE.replace('example message', 'exemple message'));
    assert.deepEqual(verifyNote(changed, key, verifyEd25519), { result: 'WRONG' });
    const other = createSigner('example.com/foo');
    assert.deepEqual(verifyNote(noteOf(NOTE), other.key, verifyEd25519), { result: 'MISSING' });
  });

  test('a new key signs, and is read again as it is kept', () => {
    const signer = createSigner('links.example/log');
    const note = noteOf(signer.sign('some text\n'));
    assert.deepEqual(verifyNote(note, signer.key, verifyEd25519), { result: 'VALID' });
    const again = parseSigner(signer.secret);
    assert.deepEqual(again?.key, signer.key);
    assert.equal(again?.sign('some text\n'), signer.sign('some text\n'));
    assert.equal(parseSigner(signer.secret.replace('links', 'other')), undefined);
  });

  test('a cosignature verifies with its time, unless that is no date', () => {
    const witness = createSigner('witness.example');
    const key = toVerifierKey(hashHex, 'witness.example', COSIGNATURE, witness.key.publicKey);
    const checkpoint = parseCheckpoint(CHECKPOINT);
    assert.ok(checkpoint);
    const { note } = checkpoint;
    const cosigned = (at: number) => {
      const signed = noteOf(witness.sign(`cosignature/v1\ntime ${at}\n${note.text}`));
      const signature = at.toString(16).padStart(16, '0') + signed.signatures[0]?.signature;
      return { ...note, signatures: [...note.signatures, { name: key.name, keyId: key.keyId, signature }] };
    };
    const verified = (at: number) => verifyNote(cosigned(at), key, verifyEd25519);
    assert.deepEqual(verified(1_679_315_147), { result: 'VALID', at: 1_679_315_147 });
    assert.deepEqual(verified(8_640_000_000_001), { result: 'WRONG' });
    const cosigners = (at: number) => cosignersOf({ ...checkpoint, note: cosigned(at) });
    assert.deepEqual(cosigners(1_679_315_147), [{ name: 'witness.example', at: 1_679_315_147 }]);
    assert.deepEqual(cosigners(8_640_000_000_001), []);
  });

  test('texts that are no notes, keys or base64 are refused', () => {
    for (const text of ['', 'text\n', 'text\n\n', 'text\n\n— name\n', `${NOTE}x`, NOTE.trimEnd()])
      assert.equal(parseNote(text), undefined, JSON.stringify(text));
    for (const text of ['', 'a+b+c', KEY.replace('530d', '530e'), KEY.slice(0, -1), `x${KEY}`])
      assert.equal(parseVerifierKey(hashHex, text), undefined, text);
    for (const text of ['A', 'AB==', 'A=', 'AAA*', 'AAAA=']) assert.equal(base64ToHex(text), undefined, text);
  });
});

describe('texts of a log', () => {
  test('the published checkpoint is read, and written again', () => {
    const checkpoint = parseCheckpoint(CHECKPOINT);
    assert.equal(checkpoint?.size, 20_852_163);
    assert.ok(checkpoint);
    assert.equal(formatCheckpoint(checkpoint), checkpoint.note.text);
    for (const changed of [CHECKPOINT.replace('\n2', '\n02'), CHECKPOINT.replace('CsUY', 'CsU'), NOTE])
      assert.equal(parseCheckpoint(changed), undefined);
  });

  test('proofs and handovers are read as they were written', () => {
    const [one, two] = [createSigner('links.example/a'), createSigner('links.example/b')];
    const last = { size: 7, root: 'ab'.repeat(32) };
    const hashes = ['01'.repeat(32), '02'.repeat(32)];
    const signed = one.sign(formatCheckpoint({ origin: one.key.name, ...last }));
    const proof = { shortCode: 'Ölweg', number: 5, index: 6, hashes, signed };
    const read = parseProof(formatProof(proof));
    assert.deepEqual(read, { ...proof, checkpoint: parseCheckpoint(signed) });
    const consistency = { from: 3, to: 7, hashes };
    assert.deepEqual(parseConsistency(formatConsistency(consistency).trimEnd().split('\n')), consistency);
    const handover = { from: one.key, to: two.key, last };
    const text = one.sign(formatHandover(handover));
    assert.deepEqual(parseHandover(hashHex, text), { ...handover, note: parseNote(text) });
    assert.equal(parseCheckpoint(text), undefined, 'a handover is no checkpoint');
  });
});
