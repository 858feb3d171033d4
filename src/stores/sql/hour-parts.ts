import { HOUR_MS } from '../../links/time-units.ts';
import type { Span } from './time-spans.ts';

// The summary of an hour has a set of addresses for each ten minutes. So a range that ends within an hour that is
// summarised reads the audit for less than ten minutes.

export const PARTS_PER_HOUR = 6;
const PART_MS = HOUR_MS / PARTS_PER_HOUR;

/** Returns the parts of an hour in milliseconds. */
export function partsOfHour(hour: number): Span[] {
  return Array.from({ length: PARTS_PER_HOUR }, (_, index) => {
    const start = hour * HOUR_MS + index * PART_MS;
    return { start, end: start + PART_MS };
  });
}

/** Returns what of an hour is in a span of milliseconds, but in no whole part. */
export function restOfHour(hour: number, whole: Span): Span[] {
  const start = Math.max(hour * HOUR_MS, whole.start);
  const end = Math.min((hour + 1) * HOUR_MS, whole.end);
  const first = Math.ceil(start / PART_MS) * PART_MS;
  const last = Math.floor(end / PART_MS) * PART_MS;
  if (first >= last) return [{ start, end }];
  return [
    { start, end: first },
    { start: last, end },
  ].filter((rest) => rest.start < rest.end);
}

/** Encodes the sets of an hour's parts: their lengths in bytes, 32 bits each, low byte first, then the sets. */
export function encodeParts(sets: readonly Uint8Array[]): Uint8Array {
  const lengths = Buffer.alloc(4 * PARTS_PER_HOUR);
  for (const [index, { length }] of sets.entries()) lengths.writeUInt32LE(length, 4 * index);
  return Buffer.concat([lengths, ...sets]);
}

/** Returns the encoded sets of an hour's parts. */
export function decodeParts(encoded: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  let at = 4 * PARTS_PER_HOUR;
  if (bytes.length < at) throw new Error('the lengths of the encoded sets of an hour are cut off');
  const sets = Array.from({ length: PARTS_PER_HOUR }, (_, index) => {
    const start = at;
    at += bytes.readUInt32LE(4 * index);
    return bytes.subarray(start, at);
  });
  if (at !== bytes.length) throw new Error('the encoded sets of an hour have another length');
  return sets;
}
