import type { ChangeDetails, EventEntry, HistoryEntry } from './history.ts';
import type { EpochMs } from './link.ts';
import { isPersonal, PLAIN_NAMES, recordedName } from './terms.ts';

// The text of an entry that its fingerprint covers. Browsers use it, too, so it gets the hash function.

/** Returns the SHA-256 of a text in UTF-8, as hexadecimal digits. */
export type Sha256 = (text: string) => string;

/** The number of the format of the text that a fingerprint covers, see docs/history-format.md. */
export const FORMAT = 1;

/** The detail of a change that says to which address the link was mailed. It is no term. */
export const MAILED_TO = 'mailedTo';

/**
 * The details that can name a person, or what not every reader of the history may see. So can a hash of an address or of a URL, which can be guessed. The fingerprint of an
 * entry covers them only by one salted hash: one for each field would cost an attempt two more, and no erasure needs it. The
 * SHA-256 of a file is none of them: it proves what was handed over.
 */
export const PERSONAL_DETAILS: ReadonlySet<string> = new Set(
  [
    ...['fileName', MAILED_TO, 'newShortCode', 'owner', 'requestMessage', 'targetSha256', 'team'],
    ...PLAIN_NAMES.filter(isPersonal).map(recordedName),
  ].sort(),
);

let lastAt = Number.NaN;
let lastTimestamp = '';

/** Formats a time once per millisecond: under load dozens of entries share one. */
export function toTimestamp(at: EpochMs): string {
  if (at !== lastAt) {
    lastTimestamp = new Date(at).toISOString();
    lastAt = at;
  }
  return lastTimestamp;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

let lastDay = '';
let lastDayAt = Number.NaN;

/**
 * Returns the time that `toTimestamp` formats as this text; NaN if there is none before the year 10000. Reads a date once for
 * all entries of a day, and leaves the text for `toTimestamp`.
 */
export function readTimestamp(text: string): EpochMs {
  if (!TIMESTAMP.test(text)) return Number.NaN;
  const day = text.slice(0, 10);
  if (day !== lastDay) {
    const at = Date.parse(day);
    lastDayAt = !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) ? at : Number.NaN;
    lastDay = day;
  }
  const [hours, minutes] = [Number(text.slice(11, 13)), Number(text.slice(14, 16))];
  const seconds = 60 * (60 * hours + minutes) + Number(text.slice(17, 19));
  lastAt = lastDayAt + 1000 * seconds + Number(text.slice(20, 23));
  lastTimestamp = text;
  return lastAt;
}

/**
 * Returns the text of an entry that its fingerprint covers, after the fingerprint of the entry before: JSON in the
 * canonical form of RFC 8785, whose members are sorted. `number` is 1 for the first entry of a link.
 */
export function toHashedText(entry: HistoryEntry, number: number, sha256: Sha256): string {
  const { id, kind, shortCode } = entry;
  const format = FORMAT;
  const at = toTimestamp(entry.at);
  switch (entry.kind) {
    case 'ATTEMPT': {
      const { count, result } = entry;
      const personalSha256 = toPersonalSha256(entry, sha256);
      return JSON.stringify({ at, count, format, id, kind, number, personalSha256, result, shortCode });
    }
    case 'DOWNLOAD': {
      const { attemptId, bytesSent, firstByte, isSentCompletely } = entry;
      return JSON.stringify({
        at,
        attemptId,
        bytesSent,
        firstByte,
        format,
        id,
        isSentCompletely,
        kind,
        number,
        shortCode,
      });
    }
    default: {
      const author = { kind: entry.author.kind };
      const details = selectDetails(entry.details, { arePersonal: false });
      const personalSha256 = toPersonalSha256(entry, sha256);
      return JSON.stringify({ at, author, details, format, id, kind, number, personalSha256, shortCode });
    }
  }
}

/** Returns the SHA-256 of the personal fields of an entry, also after they were erased. */
export function toPersonalSha256(entry: EventEntry, sha256: Sha256): string {
  return entry.personalSha256 ?? sha256(toPersonalText(entry));
}

/** Returns the personal fields of an entry and their salt, as JSON in the canonical form. */
function toPersonalText(entry: EventEntry): string {
  const { salt } = entry;
  if (entry.kind === 'ATTEMPT') {
    const { ipAddress, recipientAddress, referrer, userAgent } = entry;
    return JSON.stringify({ ipAddress, recipientAddress, referrer, salt, userAgent }); // without a value of the second and third, it has no such member
  }
  const { ipAddress, name } = entry.author;
  const details = selectDetails(entry.details, { arePersonal: true });
  return JSON.stringify({ author: { ipAddress, name }, details, salt });
}

export function selectDetails(
  details: ChangeDetails,
  { arePersonal }: { arePersonal: boolean },
): ChangeDetails {
  return Object.fromEntries(
    Object.entries(details).filter(([name]) => PERSONAL_DETAILS.has(name) === arePersonal),
  );
}

/** The personal fields and the salt of an attempt and of a change once they were erased, in the canonical form. */
export const ERASED_TEXTS = [
  '{"ipAddress":null,"salt":null,"userAgent":null}',
  '{"author":{"ipAddress":null,"name":null},"details":{},"salt":null}',
];

/** Returns whether an entry has personal fields although they were erased: nothing covers them then. */
export function isPartlyErased(entry: HistoryEntry): boolean {
  return (
    entry.kind !== 'DOWNLOAD' &&
    entry.personalSha256 !== undefined &&
    !ERASED_TEXTS.includes(toPersonalText(entry))
  );
}
