import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from '../../src/core/model/chain.ts';
import { hashHex, verifyEd25519 } from '../../src/core/model/ed25519.ts';
import { examineExport } from '../../src/core/use-cases/history/exported/examine-export.ts';
import { CHECKS, checkExportedHistory } from '../../src/tools/commands/check-export.ts';
import { compileSha256 } from '../../web/compile-sha256.ts';
import { createDeliveryReader } from '../../web/history/delivery.ts';
import { createBlobSorter } from '../../web/verify/blob-sorter.ts';
import { readAhead } from '../../web/verify/read-ahead.ts';
import { readSlice } from '../../web/verify/read-slice.ts';
import { createFingerprintChain, prepareSha256, type Sha256Parts } from '../../web/verify/sha256.ts';
import { CHANGED_EXPORTS } from '../support/changed-exports.ts';
import { makeExport, toNdjson } from '../support/exported-history.ts';
import { seededInt } from '../support/random.ts';

const parts: Sha256Parts = await import(`data:text/javascript,${encodeURIComponent(compileSha256())}`);

test('the SHA-256 of the page is that of Node.js for texts of any length', () => {
  const hashText = prepareSha256(parts);
  const random = seededInt(20_261_130);
  const character = () => ['a', 'ß', '€', '😀'][random(4)] ?? '';
  const lengths = [...Array(300).keys(), 4_095, 4_096, 4_097, 70_000];
  for (const length of lengths) {
    const text = Array.from({ length }, character).join('').slice(0, length).toWellFormed();
    assert.equal(hashText(text), hash('sha256', text), `${length} characters`);
  }
});

test('a chain of the page has the fingerprints of the core', () => {
  const chain = createFingerprintChain(parts);
  assert.equal(chain.fingerprint, '');
  let fingerprint = '';
  for (const length of [0, 1, 55, 56, 64, 300, 12_300, 12_400, 200_000]) {
    const text = 'ü'.repeat(length);
    chain.add(Buffer.from(text));
    fingerprint = createHash('sha256').update(`${fingerprint}${text}`).digest('hex');
    assert.equal(chain.fingerprint, fingerprint, `${length} characters`);
    assert.ok(chain.has(fingerprint));
    assert.ok(!chain.has(fingerprint.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))));
  }
});

/** Checks an export as the page does, in slices. */
async function check(text: string, sliceBytes: number, knownFingerprint: string | null = null) {
  const file = new Blob([text]);
  const delivery = createDeliveryReader(500);
  let isWhole = false;
  const checked = await examineExport(
    { chunks: file.stream(), knownFingerprint },
    {
      ...{ sha256, checks: CHECKS, sorter: createBlobSorter(), onItem: delivery.add },
      evidence: { hash: hashHex, verify: verifyEd25519 },
      async readAhead(head, wanted) {
        const of = [createDeliveryReader(500), createDeliveryReader(500)];
        let slices = 0;
        const read = await readAhead(
          { file, head, wanted, chain: createFingerprintChain(parts) },
          {
            readSlice: (slice) =>
              readSlice(slice, { checks: CHECKS, sha256, delivery: of[slices++ % 2] ?? delivery }),
            parallel: 3,
            onProgress() {},
          },
          sliceBytes,
        );
        isWhole = read !== undefined;
        if (!read) return undefined;
        for (const recipients of read.recipients) delivery.mergeRecipients(recipients);
        for (const each of of) delivery.merge(each.collected());
        return read;
      },
    },
  );
  return { ...checked, isWhole, delivery: delivery.read() };
}

test('a whole export gives the same result in slices of any size', async () => {
  const { lines, heads } = makeExport();
  const text = toNdjson(lines);
  const expected = await checkExportedHistory({
    chunks: new Blob([text]).stream(),
    knownFingerprint: heads[2]?.fingerprint ?? '',
  });
  const reader = createDeliveryReader(500);
  for (const line of lines.slice(1)) reader.add(line as never);
  for (const sliceBytes of [1, 7, 100, 333, 1_000, 1_000_000]) {
    for (const each of [text, text.slice(0, -1), text.replaceAll('\n', '\r\n'), `${text}\n\n`]) {
      const { isWhole, delivery, ...checked } = await check(each, sliceBytes, heads[2]?.fingerprint);
      assert.ok(isWhole, `slices of ${sliceBytes} bytes`);
      assert.deepEqual(checked, expected);
      assert.deepEqual(delivery, reader.read());
    }
  }
});

test('an export in which anything is wrong is read again from its start, which names it', async () => {
  for (const [what, lines] of CHANGED_EXPORTS) {
    const text = toNdjson(lines);
    const expected = await checkExportedHistory({
      chunks: new Blob([text]).stream(),
      knownFingerprint: null,
    });
    for (const sliceBytes of [100, 1_000_000]) {
      const { findings } = await check(text, sliceBytes);
      assert.deepEqual(
        findings.shown.map(({ code, params }) => [code, params]),
        expected.findings.shown.map(({ code, params }) => [code, params]),
        what,
      );
    }
  }
});
