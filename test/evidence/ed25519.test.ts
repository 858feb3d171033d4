import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { verifyEd25519 } from '../../src/core/model/ed25519.ts';
import { verifyEd25519 as verifyInBrowser } from '../../web/verify/verify-ed25519.ts';
import { fencedBlocks, readProjectFile } from '../support/documents.ts';

const { Point } = ed25519;
const { ORDER } = Point.Fn;
const MESSAGE = 'a text';
const TORSION = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
/** The points of small order. The first is the neutral one. */
const SMALL = Array.from({ length: 8 }, (_, index) => TORSION.multiplyUnsafe(BigInt(index)));
const [SECRET, NONCE] = [1_234_567_890_123n, 9_876_543_210_987n];
const [KEY, START] = [Point.BASE.multiply(SECRET), Point.BASE.multiply(NONCE)];

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const toBytes = (number: bigint): Buffer =>
  Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(Buffer.from(bytes).reverse())}`);

type Signature = { what: string; key: string; signature: string; isValid: boolean };

/** Signs as RFC 8032 says, with any points. `secret`, `nonce`: of their parts of large order. */
function sign(
  what: string,
  key: Uint8Array,
  start: Uint8Array,
  { secret = SECRET, nonce = NONCE, more = 0n } = {},
) {
  const digest = createHash('sha512').update(start).update(key).update(MESSAGE).digest();
  const s = ((nonce + (toNumber(digest) % ORDER) * secret) % ORDER) + more;
  return { what, key: toHex(key), signature: toHex(start) + toHex(toBytes(s)), isValid: false };
}

/** Signatures at the edges of the rules, which implementations judge differently. */
function edges(): Signature[] {
  const [key, start] = [KEY.toBytes(), START.toBytes()];
  const none = { secret: 0n, nonce: 0n };
  const zero = Buffer.from(SMALL[0]?.toBytes() ?? []);
  const negativeZero = Buffer.from(zero);
  negativeZero[31] = 0x80;
  return [
    { ...sign('a signature', key, start), isValid: true },
    sign('a number above the order', key, start, { more: ORDER }),
    ...SMALL.flatMap((small) => [
      ...SMALL.map((other) =>
        sign('a key and a start of small order', small.toBytes(), other.toBytes(), none),
      ),
      sign('a key of small order', small.toBytes(), start, { secret: 0n }),
      sign('a start of small order', key, small.toBytes(), { nonce: 0n }),
    ]),
    sign('a zero with a sign', key, negativeZero, { nonce: 0n }),
    ...SMALL.slice(1).map((small) => sign('a start of mixed order', key, START.add(small).toBytes())),
  ];
}

test('the browser accepts the signatures that the command line accepts', () => {
  for (const { what, key, signature, isValid } of edges()) {
    const results = [verifyEd25519, verifyInBrowser].map((verify) => verify(key, MESSAGE, signature));
    assert.deepEqual(results, [isValid, isValid], `${what}: ${key} ${signature}`);
  }
  for (const small of SMALL.slice(1))
    for (let number = 1n; number < 16n; number += 1n) {
      const [key, start] = [KEY.add(small).toBytes(), Point.BASE.multiply(number).toBytes()];
      const { signature } = sign('a key of mixed order', key, start, { nonce: number });
      const [expected, actual] = [verifyEd25519, verifyInBrowser].map((verify) =>
        verify(toHex(key), MESSAGE, signature),
      );
      assert.equal(actual, expected, `a key of mixed order: ${toHex(key)} ${signature}`);
    }
  assert.equal(verifyInBrowser(toHex(KEY.toBytes()), MESSAGE, 'ab'), false);
});

const WITHOUT_PYTHON = spawnSync('python3', ['--version']).error && 'there is no python3';

test('the program of the document accepts the same signatures', { skip: WITHOUT_PYTHON }, () => {
  const [program] = fencedBlocks(readProjectFile('docs/history-format.md'), 'python');
  const [functions = ''] = program?.text.split('sys.stdin.reconfigure') ?? [];
  const loop = `
for each in json.load(sys.stdin):
    print(is_signed(bytes.fromhex(each["key"]), b"${MESSAGE}", bytes.fromhex(each["signature"])))
`;
  const cases = edges();
  const { stdout, stderr } = spawnSync('python3', ['-c', functions + loop], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  const results = stdout.trim().split('\n');
  assert.deepEqual(
    cases.map(({ what }, index) => `${what}: ${results[index]}`),
    cases.map(({ what, isValid }) => `${what}: ${isValid ? 'True' : 'False'}`),
  );
});
