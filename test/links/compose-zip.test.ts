import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import type { FilePartInfo } from '../../src/core/model/link.ts';
import { cleanSetNames } from '../../src/core/rules/set-names.ts';
import {
  composeZip as composeSet,
  type Zip,
  type ZipSegment,
} from '../../src/core/use-cases/files/compose-zip.ts';
import { temporaryDirectory } from '../support/service.ts';
import { isInstalled, UNPACKERS } from '../support/unpackers.ts';

const toInfo = (fileName: string, bytes: Buffer): FilePartInfo => ({
  ...{ fileName, sizeBytes: bytes.length, sha256: '', crc32: crc32(bytes) },
});
const CREATED = Date.UTC(2026, 10, 28, 21, 35, 7);
const composeZip = (files: readonly FilePartInfo[], createdAt = CREATED) => composeSet({ files, createdAt });
const whole = ({ sizeBytes }: Zip) => ({ firstByte: 0, lengthBytes: sizeBytes });
const lengthOf = (segment: ZipSegment) =>
  segment instanceof Uint8Array ? segment.length : segment.lengthBytes;

/** Returns the bytes of a part of a ZIP. */
function toBytes(zip: Zip, stored: Buffer, part = whole(zip)): Buffer {
  const pieces = [...zip.segments(part)].map((segment) =>
    segment instanceof Uint8Array
      ? segment
      : stored.subarray(segment.firstByte, segment.firstByte + segment.lengthBytes),
  );
  return Buffer.concat(pieces);
}

const anySize = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0xfffffff0, max: 2 ** 40 }));
const anyFiles = fc
  .array(fc.record({ sizeBytes: anySize, crc32: fc.integer({ min: 0, max: 0xffffffff }) }), { maxLength: 9 })
  .map((files) => files.map((facts, index) => ({ ...facts, fileName: `ä/${index}`, sha256: '' })));

/** Reads the numbers of a header of the central directory that 64-bit fields may replace (APPNOTE 4.5.3). */
function readCentral(bytes: Buffer) {
  const values = [24, 20, 42].map((at) => bytes.readUInt32LE(at));
  let extra = 46 + bytes.readUInt16LE(28) + 9 + 4; // after the name and the time
  return values.map((value) => {
    if (value !== 0xffffffff) return value;
    extra += 8;
    return Number(bytes.readBigUInt64LE(extra - 8));
  });
}

/** Reads the number of files, and the size and the place of the central directory (APPNOTE 4.3.14, 4.3.16). */
function readEnd(segment: ZipSegment | undefined): number[] {
  assert.ok(Buffer.isBuffer(segment));
  if (segment.length > 22) return [32, 40, 48].map((at) => Number(segment.readBigUInt64LE(at)));
  return [segment.readUInt16LE(10), segment.readUInt32LE(12), segment.readUInt32LE(16)];
}

test('the central directory of any files has their sizes and the places of their headers', () => {
  fc.assert(
    fc.property(anyFiles, (files) => {
      const zip = composeZip(files);
      const starts = new Map<number, ZipSegment>();
      const directory: Buffer[] = [];
      let position = 0;
      for (const segment of zip.segments(whole(zip))) {
        starts.set(position, segment);
        position += lengthOf(segment);
        if (Buffer.isBuffer(segment) && segment.readUInt32LE() === 0x02014b50) directory.push(segment);
      }
      assert.equal(position, zip.sizeBytes);
      const directoryBytes = Buffer.concat(directory).length;
      assert.deepEqual(readEnd([...starts.values()].at(-1)), [
        ...[files.length, directoryBytes],
        [...starts].find(([, segment]) => segment === directory[0])?.[0] ?? 0,
      ]);
      let firstByte = 0;
      for (const [index, { sizeBytes, crc32: crc }] of files.entries()) {
        const [size, compressed, offset = 0] = readCentral(directory[index] ?? Buffer.alloc(46));
        assert.deepEqual([size, compressed], [sizeBytes, sizeBytes]);
        const header = starts.get(offset);
        assert.ok(Buffer.isBuffer(header));
        assert.deepEqual([header.readUInt32LE(), header.readUInt32LE(14)], [0x04034b50, crc]);
        const data = { firstByte, lengthBytes: sizeBytes };
        if (sizeBytes > 0) assert.deepEqual(starts.get(offset + header.length), data);
        firstByte += sizeBytes;
      }
      const stored = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      assert.deepEqual(zip.storedPart(whole(zip)), { firstByte: 0, lengthBytes: stored });
    }),
  );
});

/** Checks that a part of a ZIP of some contents has the bytes of the whole. Returns the size of the whole. */
function checkPart(bytes: readonly Buffer[], firstByte: number, wantedBytes: number): number {
  const zip = composeZip(bytes.map((content, index) => toInfo(`${index}.txt`, content)));
  const stored = Buffer.concat(bytes);
  const all = toBytes(zip, stored);
  assert.equal(all.length, zip.sizeBytes);
  const part = { firstByte, lengthBytes: Math.min(wantedBytes, Math.max(all.length - firstByte, 0)) };
  assert.deepEqual(toBytes(zip, stored, part), all.subarray(firstByte, firstByte + part.lengthBytes));
  const storedPieces = [...zip.segments(part)].filter((piece) => !(piece instanceof Uint8Array));
  assert.deepEqual(
    zip.storedPart(part).lengthBytes,
    storedPieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
  );
  return zip.sizeBytes;
}

test('any part of a ZIP has the bytes of the whole, and names the bytes of the stored file that it contains', () => {
  const few = ['first', '', 'second'].map((text) => Buffer.from(text));
  for (let firstByte = 0; firstByte < checkPart(few, firstByte, 9); firstByte++);
  const contents = fc.array(fc.string({ maxLength: 20 }).map(Buffer.from), { maxLength: 6 });
  fc.assert(
    fc.property(contents, fc.nat(600), fc.nat(600), (bytes, firstByte, lengthBytes) => {
      checkPart(bytes, firstByte, lengthBytes);
    }),
  );
});

describe('unpackers', () => {
  const contents = new Map([
    ['a.txt', Buffer.from('one')],
    ['empty', Buffer.alloc(0)],
    ['Ordner/ü 名.bin', Buffer.alloc(100_000, 'xyz')],
    ['Ordner/deep/er/a.txt', Buffer.from('two')],
  ]);
  for (const { program, check, unpack } of UNPACKERS) {
    const options = { skip: isInstalled(program) ? false : `${program} is not installed` };
    test(`${program} unpacks files and folders of a ZIP`, options, (t) => {
      const zip = composeZip([...contents].map(([name, bytes]) => toInfo(name, bytes)));
      const directory = temporaryDirectory(t);
      const file = join(directory, 'set.zip');
      writeFileSync(file, toBytes(zip, Buffer.concat([...contents.values()])));
      const target = join(directory, 'out');
      mkdirSync(target);
      const env = { ...process.env, LC_ALL: 'C.UTF-8' };
      execFileSync(program, unpack(file, target), { env });
      for (const [name, bytes] of contents) assert.deepEqual(readFileSync(join(target, name)), bytes);
    });

    test(`${program} finds the time of creation, and names that any system can hold`, options, (t) => {
      const names = 'a:b|A*B|dot.|dot|.git/hooks/x|aux|COM1.txt|what?|end |Ü|u\u0308'.split('|');
      const files = cleanSetNames(names).map((name) => toInfo(name, Buffer.from(name)));
      const zip = composeZip(files);
      const directory = temporaryDirectory(t);
      const file = join(directory, 'set.zip');
      writeFileSync(file, toBytes(zip, Buffer.concat(files.map(({ fileName }) => Buffer.from(fileName)))));
      const env = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'Asia/Kolkata' };
      execFileSync(program, unpack(file, join(directory, 'out')), { env });
      const found = readdirSync(join(directory, 'out'), { recursive: true, encoding: 'utf8' });
      const unpacked = found.filter((name) => statSync(join(directory, 'out', name)).isFile());
      assert.deepEqual(
        unpacked.sort(),
        [
          '_COM1.txt',
          '_aux',
          '_git/hooks/x',
          'A_B (2)',
          'a_b',
          'dot',
          'dot_',
          'end_',
          'u\u0308 (2)',
          'what_',
          'Ü',
        ].sort(),
      );
      // Python leaves the times of files as they are.
      const { mtimeMs } = statSync(join(directory, 'out/what_'));
      if (program !== 'python3') assert.equal(mtimeMs, CREATED);
    });

    test(`${program} opens a ZIP of more than 65,535 files`, options, (t) => {
      const files = Array.from({ length: 66_000 }, (_, index) =>
        toInfo(`${index % 9}/${index}`, Buffer.from('x')),
      );
      const file = join(temporaryDirectory(t), 'set.zip');
      writeFileSync(file, toBytes(composeZip(files), Buffer.alloc(66_000, 'x')));
      execFileSync(program, check(file));
    });
  }
});
