import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { makeCipher } from '../../cli/age-cipher.ts';
import {
  beginFile,
  type DecryptionKey,
  decryptFile,
  type EncryptionKey,
  encryptFile,
  type MakeCipher,
  needsPassphrase,
  openFile,
  readHeader,
  sizeOfFile,
} from '../../client/encryption/age-file.ts';
import { DamagedError } from '../../client/encryption/payload.ts';
import { type ArchivedFile, paddedSize, readArchive, toArchive } from '../../client/encryption/tar.ts';
import { makeCipher as makePageCipher } from '../../web/encryption/page-cipher.ts';

const hasAge = spawnSync('age', ['--version']).status === 0;
const KIB = 1024;
const CIPHERS: Record<string, MakeCipher> = { 'the command line': makeCipher, 'the page': makePageCipher };
const SIZES = [
  0,
  1,
  64 * KIB - 1,
  64 * KIB,
  64 * KIB + 1,
  KIB * KIB,
  KIB * KIB + 1,
  2 * KIB * KIB,
  3_000_000,
];

/** Yields bytes in pieces of odd sizes. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += 50_001) yield new Uint8Array(bytes.subarray(at, at + 50_001));
}

async function encrypt(bytes: Uint8Array, key: EncryptionKey, cipher = makeCipher) {
  const file = await beginFile(key);
  const encrypted = await buffer(encryptFile(file, inPieces(bytes), cipher));
  assert.equal(encrypted.length, sizeOfFile(file, bytes.length), 'the size is known before');
  return { encrypted, fragment: file.fragment ?? '' };
}

async function decrypt(
  encrypted: Uint8Array,
  key: DecryptionKey,
  cipher = makeCipher,
): Promise<Buffer | undefined> {
  const file = await readHeader(inPieces(encrypted));
  const payloadKey = await openFile(file, key);
  return payloadKey && buffer(decryptFile(file, payloadKey, cipher));
}

function runAge(flags: string[], input: Uint8Array, identity?: string): Buffer {
  const keyFile = join(mkdtempSync(join(tmpdir(), 'postern-age-')), 'key.txt');
  if (identity !== undefined) writeFileSync(keyFile, `${identity}\n`);
  const given = identity === undefined ? [] : ['-i', keyFile];
  const { status, stdout, stderr } = spawnSync('age', [...flags, ...given], { input, maxBuffer: 1e8 });
  assert.equal(status, 0, String(stderr));
  return stdout;
}

describe('an encrypted file', () => {
  for (const [name, cipher] of Object.entries(CIPHERS)) {
    test(`the library and ${name} decrypt what the other one encrypted, at every boundary of chunks`, async () => {
      const identity = await generateX25519Identity();
      const recipient = await identityToRecipient(identity);
      for (const size of SIZES) {
        const bytes = randomBytes(size);
        const { encrypted } = await encrypt(bytes, { kind: 'recipient', recipient }, cipher);
        const decrypter = new Decrypter();
        decrypter.addIdentity(identity);
        assert.deepEqual(Buffer.from(await decrypter.decrypt(encrypted)), bytes, `${size} bytes`);
        const encrypter = new Encrypter();
        encrypter.addRecipient(recipient);
        const foreign = await encrypter.encrypt(new Uint8Array(bytes));
        assert.deepEqual(await decrypt(foreign, { identities: [identity] }, cipher), bytes, `${size} bytes`);
      }
    });

    test(`bytes that are changed, missing or added are refused by ${name}`, async () => {
      const bytes = randomBytes(2 * KIB * KIB);
      const { encrypted, fragment } = await encrypt(bytes, { kind: 'random' }, cipher);
      const start = encrypted.length - 32 * (64 * KIB + 16);
      const changed = (at: number): Buffer => {
        const copy = Buffer.from(encrypted);
        copy[at] = (copy[at] ?? 0) ^ 1;
        return copy;
      };
      const cases = {
        'a changed version': changed(3),
        'a changed MAC': changed(start - 20),
        'a changed nonce': changed(start - 1),
        'a changed first byte': changed(start),
        'a changed last byte': changed(encrypted.length - 1),
        'one byte less': encrypted.subarray(0, -1),
        'one byte more': Buffer.concat([encrypted, Buffer.of(0)]),
        'a chunk less': encrypted.subarray(0, -(64 * KIB + 16)),
        'a batch less': encrypted.subarray(0, start + 16 * (64 * KIB + 16)),
        'a chunk twice': Buffer.concat([encrypted, encrypted.subarray(-(64 * KIB + 16))]),
        'the header alone': encrypted.subarray(0, start),
        'half of the header': encrypted.subarray(0, 60),
        nothing: Buffer.of(),
      };
      for (const [what, damaged] of Object.entries(cases))
        await assert.rejects(decrypt(damaged, { identities: [fragment] }, cipher), DamagedError, what);
    });
  }

  test('a passphrase decrypts it, and another passphrase or key does not', async () => {
    const bytes = Buffer.from('secret');
    const { encrypted } = await encrypt(bytes, { kind: 'passphrase', passphrase: 'open sesame' });
    assert.equal(needsPassphrase(await readHeader(inPieces(encrypted))), true);
    assert.deepEqual(await decrypt(encrypted, { passphrase: 'open sesame' }), bytes);
    assert.equal(await decrypt(encrypted, { passphrase: 'open sesam' }), undefined);
    assert.equal(await decrypt(encrypted, { identities: [await generateX25519Identity()] }), undefined);
  });

  test('the program age decrypts it, and what that encrypts is decrypted', { skip: !hasAge }, async () => {
    for (const size of [0, 64 * KIB, 3_000_000]) {
      const bytes = randomBytes(size);
      const { encrypted, fragment } = await encrypt(bytes, { kind: 'random' });
      assert.deepEqual(runAge(['-d'], encrypted, fragment), bytes);
      const recipient = await identityToRecipient(fragment);
      assert.deepEqual(await decrypt(runAge(['-r', recipient], bytes), { identities: [fragment] }), bytes);
    }
  });
});

describe('an archive', () => {
  const inMemory = (name: string, content: Uint8Array): ArchivedFile => ({
    name,
    sizeBytes: content.length,
    modifiedAt: Date.UTC(2026, 0, 1),
    read: () => inPieces(content),
  });
  const FILES = [
    inMemory('report.pdf', randomBytes(100_000)),
    inMemory('folder/empty', Buffer.of()),
    inMemory('folder/Übersicht 😀.txt', Buffer.from('one block'.padEnd(512, '.'))),
    inMemory(`${'deep/'.repeat(60)}${'n'.repeat(99)}`, Buffer.from('x')),
  ];

  test('the program tar unpacks it with all names and bytes', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-tar-'));
    const { sizeBytes, read } = toArchive(FILES);
    const archive = await buffer(read());
    assert.equal(archive.length, sizeBytes);
    const { status, stderr } = spawnSync('tar', ['-x', '-C', directory], { input: archive });
    assert.deepEqual([status, String(stderr)], [0, '']);
    for (const { name, read } of FILES)
      assert.deepEqual(readFileSync(join(directory, name)), await buffer(read()), name);
  });

  test('the entries of an archive are read, with what it says of itself, and those of the program tar', async () => {
    const found: unknown[] = [];
    for await (const { name, body, about } of readArchive(toArchive(FILES, { isText: true }).read()))
      found.push({ name, bytes: await buffer(body), about });
    const sizeBytes = FILES.reduce((sum, file) => sum + file.sizeBytes, 0);
    const about = { files: 4, sizeBytes, isText: true };
    assert.deepEqual(
      found,
      await Promise.all(FILES.map(async ({ name, read }) => ({ name, bytes: await buffer(read()), about }))),
    );
    const directory = mkdtempSync(join(tmpdir(), 'postern-tar-'));
    writeFileSync(join(directory, 'n'.repeat(200)), 'long');
    const { stdout } = spawnSync('tar', ['-c', '-C', directory, '.']);
    const names: string[] = [];
    for await (const { name, isFile, body } of readArchive(inPieces(stdout)))
      names.push(`${isFile} ${name} ${await text(body)}`);
    assert.deepEqual(names, ['false ./ ', `true ./${'n'.repeat(200)} long`]);
  });

  test('an archive is refused when it is cut off, also within its zeros, or a file has another size', async () => {
    const archive = await buffer(toArchive(FILES).read());
    for (const end of [600, 50_000, 101_888 + 512]) {
      await assert.rejects(async () => {
        for await (const { body } of readArchive(inPieces(archive.subarray(0, end)))) await buffer(body);
      }, `${end} bytes`);
    }
    for (const sizeBytes of [4, 6]) {
      const changed = { ...inMemory('a', Buffer.from('12345')), sizeBytes };
      await assert.rejects(buffer(toArchive([changed]).read()), /a was changed while it was read/);
    }
  });

  test('a file of 9 GB has its size in a record of pax', async () => {
    const { sizeBytes, read } = toArchive([
      { ...inMemory('big', Buffer.alloc(8192)), sizeBytes: 9_000_000_000 },
    ]);
    assert.ok(sizeBytes > 9_000_000_000);
    const first: Uint8Array[] = [];
    for await (const bytes of read()) {
      first.push(bytes);
      if (first.length === 3) break;
    }
    const { stdout } = spawnSync('tar', ['-tv'], { input: Buffer.concat(first) });
    assert.match(String(stdout), / 9000000000 .* big$/m);
  });

  test('the size of an archive is rounded up by at most 12 %, so that few different sizes are left', () => {
    const seen = new Set<number>();
    for (let size = 1024; size < 100_000_000; size += 7 * 512) {
      const padded = paddedSize(size);
      assert.ok(padded >= size && padded % 512 === 0);
      assert.ok(padded <= Math.max(10_240, size * 1.12), `${size} becomes ${padded}`);
      seen.add(padded);
    }
    assert.ok(seen.size < 400, `${seen.size} sizes`);
    assert.equal(paddedSize(9_000_000_000_000), 9_070_970_929_152);
  });
});
