import { codeOf } from '../support/attempts.ts';

// Changes that a service never makes itself, in the histories that tampering.ts makes.

export const OPENED = codeOf(1);
export const FILE = codeOf(2);
export const REVOKED = codeOf(3);
export const UNUSED = codeOf(4);
/** Its entries 2 and 3 are changes of its terms. */
export const CHANGED = codeOf(5);
/** An imported link with views, whose creation names receivers of notifications. */
export const NOTIFYING = codeOf(6);
/** A code without a link. */
export const UNKNOWN = codeOf(9);
export const AGENT = 'Mozilla/5.0';
/** Its number. A store gives out smaller ones. */
export const AGENT_NUMBER = 1_000;

export const isOf = (shortCode: string) => `short_code = '${shortCode}'`;
export const entryOf = (shortCode: string, number: number) => `${isOf(shortCode)} AND number = ${number}`;
const otherId = `(SELECT id FROM entry WHERE ${isOf(UNUSED)})`;
const idOfAttempt = `(SELECT id FROM entry WHERE ${isOf(UNKNOWN)})`;
const otherSeq = `(SELECT seq FROM entry WHERE ${isOf(UNUSED)})`;
/** 2^63 - 1. */
const MAX_INTEGER = '9223372036854775807';
const otherFingerprint = `(SELECT fingerprint FROM link WHERE ${isOf(UNUSED)})`;
const changedContent = (shortCode: string, number: number) =>
  RegExp(`history of link ${shortCode}: entry ${number} does not give its fingerprint: it was changed`);
const ANOTHER_KIND = /entry [\w-]{36} has a value or a format that the service does not write for its kind/;

const PARTLY_ERASED = /L0000001: entry \d has personal fields, although they were erased: it was changed/;

const OTHER_FILES = /link L0000002 has other files in its set than its history says/;

type Tampering = readonly [what: string, sql: string, expected: RegExp];

/** The files of the link FILE, which is a set. */
export const PARTS = ['a', 'b'].map((fileName) => ({ fileName, sizeBytes: 1, sha256: '00', crc32: 1 }));

/** Returns a change of each column to a value that its row did not have. */
const changesOf =
  (table: string) =>
  (where: string, values: Record<string, string>, expected: RegExp): Tampering[] =>
    Object.entries(values).map(([column, value]) => [
      `another ${table}.${column} where ${where}: ${value}`,
      `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`,
      expected,
    ]);
const changes = changesOf('entry');
const targetChanges = changesOf('link_target');
const entry = (code: string, number: number, column: string, value: string, expected: RegExp) =>
  changes(entryOf(code, number), { [column]: value }, expected);
const link = (code: string, column: string, value: string, expected: RegExp) =>
  changesOf('link')(isOf(code), { [column]: value }, expected);
const target = (code: string, column: string, value: string, expected: RegExp) =>
  targetChanges(isOf(code), { [column]: value }, expected);

export const CHANGED_ENTRIES: Tampering[] = [
  ...changes(
    entryOf(OPENED, 3),
    {
      ...{ id: otherId, at: 'at + 1', result: `'EXPIRED'`, count: '2', ip_address: `'192.0.2.77'` },
      ...{ agent_number: `${AGENT_NUMBER + 1}`, fingerprint: otherFingerprint, salt: otherFingerprint },
    },
    changedContent(OPENED, 3),
  ),
  ...changes(
    entryOf(OPENED, 3),
    { ip_address: 'NULL', fingerprint: 'NULL', salt: 'NULL' },
    changedContent(OPENED, 3),
  ),
  ...entry(OPENED, 3, 'personal_hash', otherFingerprint, PARTLY_ERASED),
  ...entry(OPENED, 3, 'format', '2', /^history of link L0000001: entry 3 has format 2, which is newer/),
  ...entry(OPENED, 1, 'format', '0', /entry 1 has format 0, which no program writes: it was changed/),
  ...entry(OPENED, 4, 'user_agent', `'other'`, changedContent(OPENED, 4)),
  ...entry(OPENED, 4, 'user_agent', 'NULL', changedContent(OPENED, 4)),
  ...entry(OPENED, 6, 'ip_address', 'NULL', changedContent(OPENED, 6)),
  ...entry(OPENED, 3, 'user_agent', `'other'`, /attempt [\w-]+ has two user agents/),
  ...entry(OPENED, 3, 'agent_number', `${AGENT_NUMBER + 1_000}`, /user agent of attempt [\w-]+ is missing/),
  ...changes(
    entryOf(OPENED, 3),
    {
      ...{ author_kind: `'KEY'`, author_name: `'ci'`, details: `'{}'`, attempt_id: otherId },
      ...{ bytes_sent: '1', is_sent_completely: 'true' },
    },
    ANOTHER_KIND,
  ),
  ...entry(OPENED, 3, 'kind', `'CHANGED'`, /entry 3 has details that are no object/),
  ...entry(OPENED, 3, 'short_code', `'${UNUSED}'`, /L0000001: entry 3 is missing/),
  ...entry(OPENED, 3, 'at', '9000000000000000', /entry 3 has the time 9000000000000000/),
  ...entry(OPENED, 3, 'prev', otherSeq, /L0000001: entry 3 names \d+ .* its prev was changed/),
  ...entry(OPENED, 3, 'prev', 'NULL', /L0000001: entry 3 names null as the entry/),
  ...entry(OPENED, 3, 'seq', '1000000', /L0000001: entry 4 names \d+ as the entry before, which is 1000000/),
  ...entry(OPENED, 6, 'number', MAX_INTEGER, /L0000001: entries 6 to 922337203685477\d+ are missing/),
  ...changes(
    entryOf(OPENED, 1),
    {
      ...{
        kind: `'CHANGED'`,
        author_kind: `'KEY'`,
        author_name: `'ci'`,
        ip_address: 'NULL',
        details: `'{}'`,
      },
      id: idOfAttempt,
    },
    changedContent(OPENED, 1),
  ),
  ...changes(
    entryOf(OPENED, 1),
    { result: `'SUCCESS'`, count: '1', agent_number: `${AGENT_NUMBER}`, user_agent: `'x'` },
    ANOTHER_KIND,
  ),
  ...entry(OPENED, 1, 'at', 'at + 1', /was created at \d+ by its row/),
  ...entry(OPENED, 1, 'details', `'{'`, /entry 1 has details that are no JSON/),
  ...entry(OPENED, 1, 'details', `'{"viewCount":'`, /entry 1 has details that are no JSON/),
  ...entry(OPENED, 1, 'details', `'null'`, /entry 1 has details that are no object/),
  ...entry(OPENED, 1, 'short_code', `'${UNKNOWN}'`, /L0000001: entry 1 is missing/),
  ...entry(OPENED, 1, 'prev', otherSeq, /entry 1 names .* which is null/),
  ...changes(
    entryOf(FILE, 3),
    {
      ...{ bytes_sent: 'bytes_sent + 1', is_sent_completely: 'NOT is_sent_completely', at: 'at + 1' },
      id: 'attempt_id',
    },
    changedContent(FILE, 3),
  ),
  ...entry(FILE, 3, 'attempt_id', otherId, /download [\w-]+ belongs to no granted attempt/),
  ...changes(
    entryOf(FILE, 3),
    { ip_address: `'192.0.2.1'`, salt: otherFingerprint, personal_hash: otherFingerprint },
    ANOTHER_KIND,
  ),
  ...changes(
    isOf(UNKNOWN),
    { format: '2', salt: otherFingerprint, personal_hash: otherFingerprint },
    ANOTHER_KIND,
  ),
  ...entry(FILE, 3, 'prev', otherSeq, /L0000002: entry 3 names .* as the entry before/),
  ...changes(
    entryOf(CHANGED, 2),
    { details: `replace(details, '"new":"b"', '"new":"x"')`, author_name: `'other'`, kind: `'CREATED'` },
    changedContent(CHANGED, 2),
  ),
  ...entry(CHANGED, 3, 'details', `replace(details, '"label":', '"label":"a","label":')`, /in another form/),
  ...entry(
    CHANGED,
    3,
    'details',
    `replace(details, '"old":"b"', '"old":"x"')`,
    /changes label from "x", but it was "b"/,
  ),
  ...changes(
    isOf(UNKNOWN),
    { prev: otherSeq, fingerprint: otherFingerprint, number: '-1' },
    /has a number that no entry gets/,
  ),
  [
    'another user_agent.text',
    `UPDATE user_agent SET text = 'other' WHERE number = ${AGENT_NUMBER}`,
    changedContent(OPENED, 3),
  ],
];

/** Changes after all personal fields were erased. */
export const ERASED_ENTRIES: Tampering[] = [
  ...changes(
    entryOf(OPENED, 4),
    {
      ...{ salt: otherFingerprint, ip_address: `'192.0.2.77'`, user_agent: `'x'` },
      agent_number: `${AGENT_NUMBER}`,
    },
    PARTLY_ERASED,
  ),
  ...changes(
    entryOf(OPENED, 1),
    {
      ...{ ip_address: `'192.0.2.77'`, author_name: `'x'` },
      details: `replace(details, '"maxViews"', '"label":"x","maxViews"')`,
    },
    PARTLY_ERASED,
  ),
  ...changes(
    entryOf(OPENED, 4),
    { personal_hash: otherFingerprint, result: `'EXPIRED'`, at: 'at + 1' },
    changedContent(OPENED, 4),
  ),
  ...entry(OPENED, 4, 'personal_hash', 'NULL', changedContent(OPENED, 4)),
  ...entry(CHANGED, 3, 'details', `'{}'`, changedContent(CHANGED, 3)),
];

export const CHANGED_LINKS: Tampering[] = [
  ...link(OPENED, 'max_views', '9', /maxViews of the link is 9, but its history says 8/),
  ...link(OPENED, 'expires_at', 'NULL', /expiresAt of the link is null, but its history says "2026-/),
  ...link(OPENED, 'created_at', 'created_at + 1', /the link was created at/),
  ...link(OPENED, 'last_opened_at', 'last_opened_at + 1', /the link was last opened at/),
  ...link(
    OPENED,
    'last_opened_at',
    MAX_INTEGER,
    /L0000001 cannot be read, because last_opened_at of its row/,
  ),
  ...link(OPENED, 'expires_at', '9000000000000000', /L0000001 cannot be read, because expires_at of/),
  ...link(OPENED, 'created_at', '9000000000000000', /L0000001 cannot be read, because created_at of/),
  ...target(OPENED, 'tags', `'oops'`, /link L0000001 cannot be read, because tags of its row/),
  ...link(OPENED, 'last_opened_at', 'NULL', /was last opened at null by its row, but at \d+/),
  ...link(OPENED, 'status', `'REVOKED'`, /is REVOKED, but its history has no revocation/),
  ...link(REVOKED, 'status', `'ACTIVE'`, /is ACTIVE, but its history has a revocation/),
  ...link(OPENED, 'entry_count', 'entry_count - 1', /entry 6 is newer than the last/),
  ...link(OPENED, 'entry_count', 'entry_count + 1', /L0000001: entry 7 is missing at the end/),
  ...link(OPENED, 'fingerprint', otherFingerprint, /fingerprint in the link's row is not that of entry 6/),
  ...link(OPENED, 'last_seq', otherSeq, /L0000001: the link's row names \d+ as the newest entry, which is/),
  ...target(OPENED, 'target_url', `'https://example.com/x'`, /targetSha256 of the link is/),
  ...target(OPENED, 'confirm', 'NOT confirm', /confirm of the link is true/),
  ...target(OPENED, 'password_hash', `'hash'`, /passwordProtected of the link is true/),
  ...target(FILE, 'file_name', `'x.exe'`, /fileName of the link is "x\.exe", but .* "report\.pdf"/),
  ...link(CHANGED, 'max_views', '5', /maxViews of the link is 5, but its history says 7/),
  ...link(CHANGED, 'starts_at', 'NULL', /startsAt of the link is null/),
  ...link(CHANGED, 'is_paused', 'NOT is_paused', /paused of the link is false/),
  ...link(CHANGED, 'version', '3', /version 3, but its history has 2 changes/),
  ...target(CHANGED, 'definition_version', '1', /definition version 2, but its target 1/),
  ...link(CHANGED, 'definition_version', '3', /definition version 3, but its target 2/),
  ...target(CHANGED, 'password_hash', 'NULL', /passwordProtected of the link is false/),
  ...target(CHANGED, 'label', `'b'`, /label of the link is "b", but .* "c"/),
  ...target(CHANGED, 'tags', `'["y"]'`, /tags of the link is "y"/),
  ...target(CHANGED, 'note', `'x'`, /note of the link is "x", but .* null/),
  ...target(CHANGED, 'notify_url', `'https://other.example'`, /notifyUrlSha256 of the link is/),
  ...targetChanges(
    isOf(OPENED),
    { notify_url: `'https://other.example'`, notify_email: `'other@example.com'` },
    /notify(Url|Email)Sha256 of the link is "\w+", but its history says null/,
  ),
  ...targetChanges(
    isOf(NOTIFYING),
    { notify_url: 'NULL', notify_email: `'other@example.com'` },
    /notify(Url|Email)Sha256 of the link is .*, but its history says "\w+"/,
  ),
  ...target(OPENED, 'owner', `'USER eve'`, /owner of the link is "USER eve", but its history/),
  ...target(CHANGED, 'owner', `'USER eve'`, /owner of the link is .*, but .* "USER bob"/),
  ...target(CHANGED, 'team', 'NULL', /team of the link is null, but .* "press"/),
  ...target(FILE, 'file_size_bytes', '6', /sizeBytes of the link is 6/),
  ...target(FILE, 'file_sha256', `'00'`, /fileSha256 of the link is "00", but its history/),
  ...target(FILE, 'file_traits', `'oops'`, /because file_traits of its row/),
  ...target(FILE, 'file_traits', 'NULL', /partsSha256 of the link is null, but its history/),
  ...changesOf('file_set')('true', { parts: `replace(parts, '"b"', '"c"')` }, OTHER_FILES),
  ['parts removed', 'DELETE FROM file_set', OTHER_FILES],
];

const removal = (code: string, number: number) => `DELETE FROM entry WHERE ${entryOf(code, number)}`;
const renumberFrom = (first: number, by: number) =>
  `UPDATE entry SET number = number + ${by} WHERE ${isOf(OPENED)} AND number >= ${first}`;
const recountEntries = (by: number) =>
  `UPDATE link SET entry_count = entry_count + ${by} WHERE ${isOf(OPENED)}`;
const insertAttempt = (number: string) =>
  `INSERT INTO entry (seq, format, id, at, kind, short_code, number, result, count)
   SELECT (SELECT max(seq) + 1 FROM entry), 1, ${otherId}, at, kind, short_code, ${number}, 'EXPIRED', 1
   FROM entry WHERE ${entryOf(OPENED, 3)}`;

export const MOVED_ENTRIES: Tampering[] = [
  ['a first entry that was removed', removal(OPENED, 1), /L0000001: entry 1 is missing/],
  ['an entry that was removed', removal(OPENED, 3), /L0000001: entry 3 is missing/],
  [
    'entries that were removed',
    `DELETE FROM entry WHERE ${isOf(OPENED)} AND number IN (3, 4)`,
    /L0000001: entries 3 to 4 are missing/,
  ],
  ['a last entry that was removed', removal(OPENED, 6), /L0000001: entry 6 is missing at the end/],
  [
    'an entry that was removed, with the others renumbered',
    `${removal(OPENED, 3)}; ${renumberFrom(4, -1)}`,
    changedContent(OPENED, 3),
  ],
  [
    'an entry that was removed, with the others renumbered and counted',
    `${removal(OPENED, 3)}; ${renumberFrom(4, -1)}; ${recountEntries(-1)}`,
    changedContent(OPENED, 3),
  ],
  [
    'a last entry that was removed and is not counted',
    `${removal(OPENED, 6)}; ${recountEntries(-1)}`,
    /L0000001: the fingerprint in the link's row is not that of entry 5/,
  ],
  [
    'entries whose numbers were swapped',
    `UPDATE entry SET number = 7 - number WHERE ${isOf(OPENED)} AND number IN (3, 4)`,
    changedContent(OPENED, 3),
  ],
  [
    'an entry that was changed with its fingerprint',
    `UPDATE entry SET ip_address = NULL, fingerprint = ${otherFingerprint} WHERE ${entryOf(OPENED, 6)}`,
    changedContent(OPENED, 6),
  ],
  [
    'entries whose addresses were swapped',
    `UPDATE entry SET ip_address = CASE number WHEN 3 THEN '192.0.2.3' ELSE '192.0.2.2' END
     WHERE ${isOf(OPENED)} AND number IN (3, 4)`,
    changedContent(OPENED, 3),
  ],
  ['an inserted entry', insertAttempt('3'), /L0000001: entry 3 is there twice/],
  ['an appended entry', insertAttempt('7'), /L0000001: entry 7 is newer than the last/],
  [
    'an inserted entry, with the others renumbered and counted',
    `${renumberFrom(4, 1)}; ${insertAttempt('4')}; ${recountEntries(1)}`,
    changedContent(OPENED, 4),
  ],
  [
    'an inserted attempt outside the history',
    insertAttempt('0'),
    /link L0000001: attempt [\w-]+ has no place in the history although the link existed/,
  ],
  [
    'an attempt that was taken out of the history',
    `UPDATE entry SET number = 0 WHERE ${entryOf(OPENED, 6)}`,
    /link L0000001: attempt [\w-]+ has no place in the history/,
  ],
  [
    'a negative number',
    `UPDATE entry SET number = -2 WHERE ${entryOf(OPENED, 3)}`,
    /has a number that no entry gets/,
  ],
  [
    'a result of an unknown code that only a link gives',
    `UPDATE entry SET result = 'EXPIRED' WHERE ${isOf(UNKNOWN)}`,
    /link L0000009: attempt [\w-]+ has a result that only a link gives/,
  ],
  [
    'a download without its attempt',
    removal(FILE, 2),
    /link L0000002: download [\w-]+ belongs to no granted attempt/,
  ],
  ['a removed download', removal(FILE, 3), /L0000002: entry 3 is missing/],
  [
    'a removed user agent',
    `DELETE FROM user_agent WHERE number = ${AGENT_NUMBER}`,
    /user agent of attempt [\w-]+ is missing/,
  ],
  [
    'a removed link',
    `DELETE FROM link_target WHERE ${isOf(REVOKED)}; DELETE FROM link WHERE ${isOf(REVOKED)}`,
    /history of link L0000003: there is no such link, but entries \(2\)/,
  ],
  [
    'an end without entries',
    `DELETE FROM entry WHERE ${isOf(UNUSED)}`,
    /L0000004: entry 1 is missing at the end/,
  ],
  [
    'a fingerprint without a count',
    `DELETE FROM entry WHERE ${isOf(UNUSED)}; UPDATE link SET entry_count = 0 WHERE ${isOf(UNUSED)}`,
    /L0000004: the link's row counts no entries/,
  ],
  [
    'an inserted link',
    `INSERT INTO link (short_code, status, view_count, is_paused, created_at, entry_count, fingerprint, last_seq)
     SELECT '${UNKNOWN}', status, view_count, is_paused, created_at, entry_count, fingerprint, last_seq FROM link
     WHERE ${isOf(UNUSED)};
     INSERT INTO link_target (short_code, definition_version, target_url, confirm, owner)
     SELECT '${UNKNOWN}', definition_version, target_url, confirm, owner FROM link_target WHERE ${isOf(UNUSED)}`,
    /L0000009: its history has no creation: .* the link was inserted/,
  ],
];
