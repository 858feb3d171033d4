import fc from 'fast-check';

/** Pieces on which parsers of HTTP, forms, JSON and paths have failed. One character stands for one byte. */
export const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '"',
  '\\',
  '%',
  '%00',
  '%2e%2e',
  '%2f',
  '%5c',
  '%c0%ae',
  '..',
  '../',
  '..\\',
  '//',
  '/l/',
  '/%6c/',
  '?',
  '#',
  '&',
  '=',
  '{',
  '[',
  '__proto__',
  'constructor',
  '\x7f',
  '\x80',
  '\x9b',
  '\xc3\xa9',
  '\xe2\x80\xae',
  '\xed\xa0\x80',
  '\xf0\x9f\x98\x80',
  '-1',
  '0',
  '1e400',
  '99999999999999999999',
  'NaN',
  '--',
  '--fuzz-boundary\r\n',
  '--fuzz-boundary--\r\n',
  '0\r\n\r\n',
  'fffffffff\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: 18446744073709551616\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'Host: a\r\n',
  'Expect: 100-continue\r\n',
  'X-Forwarded-For: ::ffff:1.2.3.4, unknown\r\n',
  'HTTP/1.1',
  'HTTP/2.0',
  'A'.repeat(300),
  'A'.repeat(40_000),
];

/** A change of bytes. Positions are taken modulo the length, so that each applies to any request. */
export type Mutation =
  | { kind: 'replace'; at: number; byte: number }
  | { kind: 'remove'; at: number; length: number }
  | { kind: 'insert'; at: number; piece: string }
  | { kind: 'repeat'; at: number; length: number; times: number }
  | { kind: 'splice'; at: number; from: number; length: number }
  | { kind: 'cut'; at: number };

const at = fc.nat({ max: 100_000 });
const length = fc.integer({ min: 1, max: 64 });
const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 16 })
  .map((array) => Buffer.from(array).toString('latin1'));

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('replace' as const), at, byte: fc.nat({ max: 255 }) }),
  fc.record({ kind: fc.constant('remove' as const), at, length }),
  fc.record({
    kind: fc.constant('insert' as const),
    at,
    piece: fc.oneof({ arbitrary: fc.constantFrom(...PIECES), weight: 4 }, bytes),
  }),
  fc.record({ kind: fc.constant('repeat' as const), at, length, times: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ kind: fc.constant('splice' as const), at, from: at, length }),
  fc.record({ kind: fc.constant('cut' as const), at }),
);

/** Applies a mutation. `donor` is the request of which a splice takes its bytes. */
export function mutate(text: string, change: Mutation, donor: string): string {
  const position = text.length === 0 ? 0 : change.at % text.length;
  const [before, after] = [text.slice(0, position), text.slice(position)];
  switch (change.kind) {
    case 'replace':
      return before + String.fromCharCode(change.byte) + after.slice(1);
    case 'remove':
      return before + after.slice(change.length);
    case 'insert':
      return before + change.piece + after;
    case 'repeat':
      return before + after.slice(0, change.length).repeat(change.times) + after;
    case 'splice': {
      const start = change.from % donor.length;
      return before + donor.slice(start, start + change.length) + after;
    }
    case 'cut':
      return before;
  }
}
