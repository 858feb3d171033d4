import fc from 'fast-check';

/** Any string that JSON can hold, including controls and lone surrogates. */
export const utf16 = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units));

/** Strings of pieces that are significant for the rule under test, mixed with random text. */
export function pieced(pieces: readonly string[], maxLength = 12): fc.Arbitrary<string> {
  return fc.array(fc.oneof(fc.constantFrom(...pieces), utf16), { maxLength }).map((parts) => parts.join(''));
}

/** Well-formed Unicode without controls, as people type it. */
export const plainText = fc.string({ unit: 'grapheme', maxLength: 60 });

const NS_PER_MS = 1_000_000n;
const FIRST = Temporal.Instant.from('0001-01-01T00:00Z').epochMilliseconds;
const LAST = Temporal.Instant.from('9998-12-31T00:00Z').epochMilliseconds;

/** Milliseconds of years with four digits, near and far from 1970. */
export const epochMs = fc.oneof(
  fc.integer({ min: FIRST, max: LAST }),
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_003 }),
);

/** An instant in nanoseconds, often at or next to a whole millisecond. */
export const epochNs = fc
  .tuple(epochMs, fc.oneof(fc.constantFrom(0, 1, 500_000, 999_999), fc.integer({ min: 0, max: 999_999 })))
  .map(([ms, ns]) => BigInt(ms) * NS_PER_MS + BigInt(ns));

export const offset = fc
  .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([sign, hours, minutes]) => `${sign}${twoDigits(hours)}:${twoDigits(minutes)}`);

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Writes an instant as a client would, with Temporal as the independent reference. */
export function writeInstant(ns: bigint, timeZone: string): string {
  return Temporal.Instant.fromEpochNanoseconds(ns).toString({ timeZone });
}

/** Returns true when the whole millisecond `ms` is later than the instant `ns`, without rounding. */
export function isLater(ms: number, ns: bigint): boolean {
  return BigInt(ms) * NS_PER_MS > ns;
}

const FILE_NAME_PIECES = 'a .pdf . .. / \\ " \' ; %0d%0a \r\n \u202e \u2066 \u200f \u2028 😀 é'.split(' ');
const longText = fc
  .tuple(fc.constantFrom('x', 'é', '€', '😀'), fc.nat({ max: 300 }))
  .map(([c, n]) => c.repeat(n));
export const anyFileName = fc.oneof(
  utf16,
  pieced(FILE_NAME_PIECES),
  fc.tuple(longText, pieced(FILE_NAME_PIECES)).map((parts) => parts.join('')),
);

const PASSWORD_PIECES = [...'aàÿ€😀 \u00a0\ufeff\t\u0000\u0080\ud83dÃ¤'];
export const passwordLike = fc.oneof(plainText, pieced(PASSWORD_PIECES), utf16);

const URL_PIECES = 'http https :// / \\ @ : ? # a é . %41 % [::1] 80'.split(' ');
const SPACES = [' ', '\t', '\n', '\u00a0', '\u2028', '\ufeff', '\u0085', '\u0000', '\u007f'];
const BEGINNINGS = ['http://', 'https://example.com', 'http://é.example:80/', 'https://u:ü@example.com/?'];
const beginning = fc.constantFrom(...BEGINNINGS);

/** Mostly refused: spaces, controls and broken hosts are among them. */
const wild = fc.tuple(beginning, pieced([...URL_PIECES, ...SPACES, '。', '％', '\ud83d']));
/** Often accepted, also with many characters outside ASCII. */
const tame = fc.tuple(
  beginning,
  fc.oneof(
    plainText,
    fc.array(fc.constantFrom(...URL_PIECES)).map((p) => p.join('')),
  ),
);
export const urlLike = fc.oneof(wild, tame).map((parts) => parts.join(''));
