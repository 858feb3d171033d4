import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { composeZip } from '../../src/core/use-cases/files/compose-zip.ts';
import { temporaryDirectory } from '../support/service.ts';
import { isInstalled, UNPACKERS } from '../support/unpackers.ts';

const ZEROS = Buffer.alloc(64 * 2 ** 20);
const LARGE_BYTES = 4 * 2 ** 30 + ZEROS.length;

function crcOfZeros(sizeBytes: number): number {
  let crc = 0;
  for (let rest = sizeBytes; rest > 0; rest -= ZEROS.length)
    crc = crc32(ZEROS.subarray(0, Math.min(rest, ZEROS.length)), crc);
  return crc;
}

for (const { program, check } of UNPACKERS) {
  const options = { skip: isInstalled(program) ? false : `${program} is not installed` };
  test(`${program} opens a ZIP with a file of more than 4 GB, and one after it`, options, (t) => {
    const sizes = { large: LARGE_BYTES, 'after/it': 5 };
    const files = Object.entries(sizes).map(([fileName, sizeBytes]) => ({
      ...{ fileName, sizeBytes, sha256: '', crc32: crcOfZeros(sizeBytes) },
    }));
    const zip = composeZip({ files, createdAt: Date.UTC(2026, 10, 28) });
    const file = join(temporaryDirectory(t), 'large.zip');
    const handle = openSync(file, 'w');
    ftruncateSync(handle, zip.sizeBytes); // the zeros take no space
    let position = 0;
    for (const segment of zip.segments({ firstByte: 0, lengthBytes: zip.sizeBytes })) {
      if (segment instanceof Uint8Array) writeSync(handle, segment, 0, segment.length, position);
      position += segment instanceof Uint8Array ? segment.length : segment.lengthBytes;
    }
    closeSync(handle);
    execFileSync(program, check(file));
  });
}
