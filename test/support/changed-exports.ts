import { FILE_SHA256, makeExport } from './exported-history.ts';

/** Returns the lines of an export of which one was changed. */
export function withLine(index: number, change: object, { lines } = makeExport()): Record<string, unknown>[] {
  return lines.map((line, at) => (at === index ? { ...line, ...change } : line));
}

/** Returns an export without some of its lines. */
export const without = (...indexes: number[]) =>
  makeExport().lines.filter((_, index) => !indexes.includes(index));
/** The lines of an export. */
export const [HEAD, REVOKED, PREVIEW, DENIED, OPENED, CREATED] = [0, 1, 2, 3, 4, 5] as const;
/** An export of which some personal fields were erased. */
export const ERASED = makeExport({ withoutVisitor: true });
const PARTLY_ERASED = /^line \d has personal fields, although they were erased: it was changed/;
const OTHER_CONTENT = /^line 1 has the fingerprint \w{64}, but entries 1 to 6 give \w{64}/;

/** Changed exports, with what the check reports. */
export const CHANGED_EXPORTS: [what: string, lines: readonly unknown[], expected: RegExp][] = [
  ['a changed address', withLine(DENIED, { ipAddress: '192.0.2.7' }), OTHER_CONTENT],
  ['a changed user agent', withLine(OPENED, { userAgent: null }), OTHER_CONTENT],
  ['a changed result', withLine(DENIED, { result: 'EXPIRED' }), OTHER_CONTENT],
  ['a changed salt', withLine(DENIED, { salt: 'a'.repeat(32) }), OTHER_CONTENT],
  ['a removed salt', withLine(DENIED, { salt: null }), OTHER_CONTENT],
  [
    'a format that is newer',
    withLine(DENIED, { format: 2, note: 'x' }),
    /^line 4 has format 2, which is newer/,
  ],
  [
    'a format of a download that is newer',
    withLine(OPENED, { downloads: [{ format: 7 }] }),
    /^line 5 has format 7/,
  ],
  [
    'a format that no program writes',
    withLine(DENIED, { format: 0 }),
    /^line 4 has the member format, which/,
  ],
  ['another hash of erased fields', withLine(OPENED, { personalSha256: FILE_SHA256 }, ERASED), OTHER_CONTENT],
  ['a hash beside the fields', withLine(DENIED, { personalSha256: FILE_SHA256 }), PARTLY_ERASED],
  ['a salt of erased fields', withLine(OPENED, { salt: 'a'.repeat(32) }, ERASED), PARTLY_ERASED],
  ['an address after the erasure', withLine(OPENED, { ipAddress: '192.0.2.1' }, ERASED), PARTLY_ERASED],
  [
    'a detail after the erasure',
    withLine(CREATED, { details: { ...Object(ERASED.lines[CREATED]?.['details']), label: 'x' } }, ERASED),
    PARTLY_ERASED,
  ],
  ['a removed download', withLine(OPENED, { downloads: [] }), /^line 2: entry 5 is missing/],
  ['changed terms', withLine(CREATED, { details: { maxViews: 9 } }), OTHER_CONTENT],
  [
    'another author',
    withLine(REVOKED, { author: { ipAddress: null, kind: 'USER', name: 'x' } }),
    OTHER_CONTENT,
  ],
  [
    'a changed time',
    withLine(DENIED, { at: '2026-06-15T23:53:00.001Z' }),
    /^line 4 has another time than its id/,
  ],
  [
    'a time that is no date',
    withLine(DENIED, { at: '2026-13-15T23:53:00.001Z' }),
    /^line 4 has a time in another form than the service writes/,
  ],
  [
    'a day that its month does not have',
    withLine(DENIED, { at: '2026-02-30T23:53:00.000Z' }),
    /^line 4 has a time in another form than the service writes/,
  ],
  [
    'a time in another form',
    withLine(DENIED, { at: '2026-06-15T23:53:00.0Z' }),
    /^line 4 has a time in another form/,
  ],
  [
    'an export at a time that is no date',
    withLine(HEAD, { at: '2026-11-33T00:00:00.000Z' }),
    /^line 1 has .* it is not the first line/,
  ],
  [
    'a preview that counts',
    withLine(PREVIEW, { preview: false }),
    /^line 3 has the result PREVIEW and preview false/,
  ],
  [
    'an unknown result',
    withLine(DENIED, { result: 'OPENED' }),
    /^line 4 has the member result, which must be one of SUCCESS/,
  ],
  ['an unknown kind', withLine(DENIED, { kind: 'VIEW' }), /^line 4 has the kind "VIEW", which no entry has/],
  [
    'a missing member',
    withLine(DENIED, { ipAddress: undefined }),
    /^line 4 must have required properties ip/,
  ],
  ['another short code', withLine(DENIED, { shortCode: 'L0000002' }), /^line 4 is of link L0000002/],
  ['an unknown member', withLine(DENIED, { note: 'x' }), /^line 4 has the member note, which the service/],
  [
    'an unknown member of the first line',
    withLine(HEAD, { note: 'x' }),
    /^line 1 has the member note, which/,
  ],
  [
    'an unknown member of an author',
    withLine(REVOKED, { author: { ipAddress: null, kind: 'USER', name: 'x', note: 'x' } }),
    /^line 2 has the member author.note/,
  ],
  ['the number 0 of a change', withLine(REVOKED, { number: 0 }), /^line 2 has the number 0, which no entry/],
  [
    'a download without a number',
    withLine(OPENED, {
      downloads: [{ ...Object(makeExport().lines[OPENED]?.['downloads'])[0], number: null }],
    }),
    /^line 5 has the member downloads/,
  ],
  ['a removed first entry', without(CREATED), /^line 5: entry 1 is missing/],
  ['a removed entry', without(DENIED), /^line 3: entry 3 is missing/],
  ['a removed last entry', without(REVOKED), /^entry 6 is missing at the end/],
  [
    'an entry that is there twice',
    [...makeExport().lines, makeExport().lines[DENIED]],
    /^line 7: entry 3 is there twice/,
  ],
  [
    'swapped numbers',
    withLine(DENIED, { number: 4 }).map((line, index) => (index === PREVIEW ? { ...line, number: 3 } : line)),
    OTHER_CONTENT,
  ],
  ['a changed fingerprint', withLine(HEAD, { fingerprint: 'a'.repeat(64) }), OTHER_CONTENT],
  [
    'a changed count',
    withLine(HEAD, { entryCount: 5 }),
    /^entry 6 is newer than the last that line 1 counts/,
  ],
  [
    'a number that was removed',
    withLine(REVOKED, { number: null }),
    /^line 2 has the member number, which must be .*\nentry 6 is missing/,
  ],
  [
    'an attempt without a place in the chain',
    withLine(PREVIEW, { number: 0 }),
    /^line 3 has the number 0, which no .*\nline \d: entry 4 is missing/,
  ],
  [
    'no lines',
    [],
    /^the export is empty: it is not the first line of an exported history; export one link: GET \/api\/links\/CODE\/history with .*ndjson$/,
  ],
  ['no head', without(HEAD), /^line 1 .*: it is not the first line of an exported/],
  ['a page of the API', [{ items: [], next: null }], /^line 1 .*: it is not the first line of an exported/],
];
