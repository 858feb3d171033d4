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
const otherId = `(SELECT id FROM link_change WHERE ${isOf(UNUSED)})`;
const idOfAttempt = `(SELECT id FROM audit WHERE ${isOf(UNKNOWN)})`;
/** 2^63 - 1. */
const MAX_INTEGER = '9223372036854775807';
const otherFingerprint = `(SELECT fingerprint FROM link WHERE ${isOf(UNUSED)})`;
const OTHER_CONTENT = /history of link L0000001: entries 1 to 6 do not give the fingerprint/;
const OTHER_FILE_CONTENT = /history of link L0000002: entries 1 to 4 do not give the fingerprint/;

type Tampering = readonly [what: string, sql: string, expected: RegExp];

/** Each value that is set is one that the row did not have. */
function changes(
  table: string,
  where: string,
  values: Record<string, string>,
  expected: RegExp,
): Tampering[] {
  return Object.entries(values).map(([column, value]) => [
    `another ${table}.${column}`,
    `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`,
    expected,
  ]);
}

export const CHANGED_ENTRIES: Tampering[] = [
  ...changes(
    'audit',
    entryOf(OPENED, 3),
    {
      result: `'EXPIRED'`,
      count: '2',
      ip_address: `'192.0.2.77'`,
      accessed_at: 'accessed_at + 1',
    },
    OTHER_CONTENT,
  ),
  ...changes('audit', entryOf(OPENED, 3), { ip_address: 'NULL', id: otherId }, OTHER_CONTENT),
  ...changes('audit', entryOf(OPENED, 4), { user_agent: `'other'` }, OTHER_CONTENT),
  ...changes('audit', entryOf(OPENED, 4), { user_agent: 'NULL' }, OTHER_CONTENT),
  ...changes('audit', entryOf(OPENED, 3), { user_agent: `'other'` }, /attempt [\w-]+ has two user agents/),
  ...changes('audit', entryOf(OPENED, 3), { agent_number: `${AGENT_NUMBER + 1}` }, OTHER_CONTENT),
  ...changes(
    'audit',
    entryOf(OPENED, 3),
    { agent_number: `${AGENT_NUMBER + 1_000}` },
    /user agent of attempt [\w-]+ is missing/,
  ),
  ...changes('audit', entryOf(OPENED, 3), { short_code: `'${UNUSED}'` }, /L0000001: entry 3 is missing/),
  ...changes(
    'audit',
    entryOf(OPENED, 3),
    { accessed_at: '9000000000000000' },
    /entry 3 has the time 9000000000000000/,
  ),
  ...changes(
    'link_change',
    entryOf(OPENED, 1),
    {
      kind: `'CHANGED'`,
      author_kind: `'KEY'`,
      author_name: `'ci'`,
      ip_address: 'NULL',
      details: `'{}'`,
      id: idOfAttempt,
    },
    OTHER_CONTENT,
  ),
  ...changes(
    'link_change',
    entryOf(OPENED, 1),
    { changed_at: 'changed_at + 1' },
    /was created at \d+ by its row/,
  ),
  ...changes('link_change', entryOf(OPENED, 1), { details: `'{'` }, /entry 1 has details that are no JSON/),
  ...changes(
    'link_change',
    entryOf(OPENED, 1),
    { details: `'{"viewCount":'` },
    /entry 1 has details that are no JSON/,
  ),
  ...changes(
    'link_change',
    entryOf(OPENED, 1),
    { details: `'null'` },
    /entry 1 has details that are no object/,
  ),
  ...changes(
    'audit',
    entryOf(OPENED, 6),
    { number: MAX_INTEGER },
    /L0000001: entries 6 to 922337203685477\d+ are missing/,
  ),
  ...changes(
    'link_change',
    entryOf(OPENED, 1),
    { short_code: `'${UNKNOWN}'` },
    /L0000001: entry 1 is missing/,
  ),
  ...changes(
    'download',
    isOf(FILE),
    {
      bytes_sent: 'bytes_sent + 1',
      is_sent_completely: 'NOT is_sent_completely',
      ended_at: 'ended_at + 1',
      id: 'attempt_id',
    },
    OTHER_FILE_CONTENT,
  ),
  ...changes(
    'download',
    isOf(FILE),
    { attempt_id: otherId },
    /download [\w-]+ belongs to no granted attempt/,
  ),
  ...changes(
    'link_change',
    entryOf(CHANGED, 2),
    {
      details: `replace(details, '"new":"b"', '"new":"x"')`,
      author_name: `'other'`,
      kind: `'CREATED'`,
    },
    /history of link L0000005: entries 1 to 3 do not give the fingerprint/,
  ),
  ...changes(
    'link_change',
    entryOf(CHANGED, 3),
    { details: `replace(details, '"label":', '"label":"first","label":')` },
    /entry 3 has details in another form than the service writes/,
  ),
  ...changes(
    'link_change',
    entryOf(CHANGED, 3),
    { details: `replace(details, '"old":"b"', '"old":"x"')` },
    /entry 3 changes label from "x", but it was "b"/,
  ),
  ...changes(
    'audit',
    entryOf(OPENED, 3),
    { prev: otherId },
    /L0000001: entry 3 names [\w-]{36} as the entry before, which is [\w-]{36}: its prev was changed/,
  ),
  ...changes('audit', entryOf(OPENED, 3), { prev: 'NULL' }, /L0000001: entry 3 names null as the entry/),
  ...changes('link_change', entryOf(OPENED, 1), { prev: otherId }, /entry 1 names .* which is null/),
  ...changes('download', isOf(FILE), { prev: otherId }, /L0000002: entry 3 names .* as the entry before/),
  ...changes('audit', isOf(UNKNOWN), { prev: otherId }, /has a number that no entry gets/),
  ...changes('user_agent', `number = ${AGENT_NUMBER}`, { text: `'other'` }, OTHER_CONTENT),
];

export const CHANGED_LINKS: Tampering[] = [
  ...changes('link', isOf(OPENED), { max_views: '9' }, /maxViews of the link is 9, but its history says 8/),
  ...changes(
    'link',
    isOf(OPENED),
    { expires_at: 'NULL' },
    /expiresAt of the link is null, but its history says "2026-/,
  ),
  ...changes('link', isOf(OPENED), { created_at: 'created_at + 1' }, /the link was created at/),
  ...changes('link', isOf(OPENED), { last_opened_at: 'last_opened_at + 1' }, /the link was last opened at/),
  ...changes(
    'link',
    isOf(OPENED),
    { last_opened_at: MAX_INTEGER },
    /link L0000001 cannot be read, because last_opened_at of its row/,
  ),
  ...changes(
    'link',
    isOf(OPENED),
    { expires_at: '9000000000000000' },
    /link L0000001 cannot be read, because expires_at of its row/,
  ),
  ...changes(
    'link',
    isOf(OPENED),
    { created_at: '9000000000000000' },
    /link L0000001 cannot be read, because created_at of its row/,
  ),
  ...changes(
    'link_target',
    isOf(OPENED),
    { tags: `'oops'` },
    /link L0000001 cannot be read, because tags of its row/,
  ),
  ...changes(
    'link',
    isOf(OPENED),
    { last_opened_at: 'NULL' },
    /was last opened at null by its row, but at \d+ by its history/,
  ),
  ...changes('link', isOf(OPENED), { status: `'REVOKED'` }, /is REVOKED, but its history has no revocation/),
  ...changes('link', isOf(REVOKED), { status: `'ACTIVE'` }, /is ACTIVE, but its history has a revocation/),
  ...changes('link', isOf(OPENED), { entry_count: 'entry_count - 1' }, /entry 6 is newer than the last/),
  ...changes(
    'link',
    isOf(OPENED),
    { entry_count: 'entry_count + 1' },
    /L0000001: entry 7 is missing at the end/,
  ),
  ...changes('link', isOf(OPENED), { fingerprint: otherFingerprint }, OTHER_CONTENT),
  ...changes(
    'link',
    isOf(OPENED),
    { last_id: otherId },
    /L0000001: the link's row names [\w-]{36} as the newest entry, which is [\w-]{36}: it was changed/,
  ),
  ...changes(
    'link_target',
    isOf(OPENED),
    { target_url: `'https://example.com/x'` },
    /targetSha256 of the link is/,
  ),
  ...changes('link_target', isOf(OPENED), { confirm: 'NOT confirm' }, /confirm of the link is true/),
  ...changes(
    'link_target',
    isOf(OPENED),
    { password_hash: `'hash'` },
    /passwordProtected of the link is true/,
  ),
  ...changes(
    'link_target',
    isOf(FILE),
    { file_name: `'x.exe'` },
    /fileName of the link is "x\.exe", but .* "report\.pdf"/,
  ),
  ...changes('link', isOf(CHANGED), { max_views: '5' }, /maxViews of the link is 5, but its history says 7/),
  ...changes('link', isOf(CHANGED), { starts_at: 'NULL' }, /startsAt of the link is null/),
  ...changes('link', isOf(CHANGED), { is_paused: 'NOT is_paused' }, /paused of the link is false/),
  ...changes('link', isOf(CHANGED), { version: '3' }, /version 3, but its history has 2 changes/),
  ...changes(
    'link_target',
    isOf(CHANGED),
    { definition_version: '1' },
    /definition version 2, but its target 1/,
  ),
  ...changes('link', isOf(CHANGED), { definition_version: '3' }, /definition version 3, but its target 2/),
  ...changes(
    'link_target',
    isOf(CHANGED),
    { password_hash: 'NULL' },
    /passwordProtected of the link is false/,
  ),
  ...changes('link_target', isOf(CHANGED), { label: `'b'` }, /label of the link is "b", but .* "c"/),
  ...changes('link_target', isOf(CHANGED), { tags: `'["y"]'` }, /tags of the link is "y"/),
  ...changes('link_target', isOf(CHANGED), { note: `'x'` }, /note of the link is "x", but .* null/),
  ...changes(
    'link_target',
    isOf(CHANGED),
    { notify_url: `'https://other.example'` },
    /notifyUrlSha256 of the link is/,
  ),
  ...changes(
    'link_target',
    isOf(OPENED),
    { notify_url: `'https://other.example'`, notify_email: `'other@example.com'` },
    /notify(Url|Email)Sha256 of the link is "\w+", but its history says null/,
  ),
  ...changes(
    'link_target',
    isOf(NOTIFYING),
    { notify_url: 'NULL', notify_email: `'other@example.com'` },
    /notify(Url|Email)Sha256 of the link is .*, but its history says "\w+"/,
  ),
  ...changes('link_target', isOf(FILE), { file_size_bytes: '6' }, /sizeBytes of the link is 6/),
  ...changes(
    'link_target',
    isOf(FILE),
    { file_sha256: `'00'` },
    /fileSha256 of the link is "00", but its history/,
  ),
];

const renumberFrom = (first: number, by: number) =>
  `UPDATE audit SET number = number + ${by} WHERE ${isOf(OPENED)} AND number >= ${first}`;
const recountEntries = (by: number) =>
  `UPDATE link SET entry_count = entry_count + ${by} WHERE ${isOf(OPENED)}`;
const insertAttempt = (number: string) =>
  `INSERT INTO audit (id, short_code, result, accessed_at, number)
   SELECT ${otherId}, short_code, 'EXPIRED', accessed_at, ${number} FROM audit WHERE ${entryOf(OPENED, 3)}`;

export const MOVED_ENTRIES: Tampering[] = [
  [
    'a first entry that was removed',
    `DELETE FROM link_change WHERE ${isOf(OPENED)}`,
    /L0000001: entry 1 is missing/,
  ],
  [
    'an entry that was removed',
    `DELETE FROM audit WHERE ${entryOf(OPENED, 3)}`,
    /L0000001: entry 3 is missing/,
  ],
  [
    'entries that were removed',
    `DELETE FROM audit WHERE ${isOf(OPENED)} AND number IN (3, 4)`,
    /L0000001: entries 3 to 4 are missing/,
  ],
  [
    'a last entry that was removed',
    `DELETE FROM audit WHERE ${entryOf(OPENED, 6)}`,
    /L0000001: entry 6 is missing at the end/,
  ],
  [
    'an entry that was removed, with the others renumbered',
    `DELETE FROM audit WHERE ${entryOf(OPENED, 3)}; ${renumberFrom(4, -1)}`,
    /L0000001: entry 6 is missing at the end/,
  ],
  [
    'an entry that was removed, with the others renumbered and counted',
    `DELETE FROM audit WHERE ${entryOf(OPENED, 3)}; ${renumberFrom(4, -1)}; ${recountEntries(-1)}`,
    /L0000001: entries 1 to 5 do not give the fingerprint/,
  ],
  [
    'a last entry that was removed and is not counted',
    `DELETE FROM audit WHERE ${entryOf(OPENED, 6)}; ${recountEntries(-1)}`,
    /L0000001: entries 1 to 5 do not give the fingerprint/,
  ],
  [
    'entries whose numbers were swapped',
    `UPDATE audit SET number = 7 - number WHERE ${isOf(OPENED)} AND number IN (3, 4)`,
    OTHER_CONTENT,
  ],
  [
    'entries whose addresses were swapped',
    `UPDATE audit SET ip_address = CASE number WHEN 3 THEN '192.0.2.3' ELSE '192.0.2.2' END
     WHERE ${isOf(OPENED)} AND number IN (3, 4)`,
    OTHER_CONTENT,
  ],
  ['an inserted entry', insertAttempt('3'), /L0000001: entry 3 is there twice/],
  ['an appended entry', insertAttempt('7'), /L0000001: entry 7 is newer than the last/],
  [
    'an inserted entry, with the others renumbered and counted',
    `${renumberFrom(4, 1)}; ${insertAttempt('4')}; ${recountEntries(1)}`,
    /L0000001: entries 1 to 7 do not give the fingerprint/,
  ],
  [
    'an inserted attempt outside the history',
    insertAttempt('0'),
    /link L0000001: attempt [\w-]+ has no place in the history although the link existed/,
  ],
  [
    'an attempt that was taken out of the history',
    `UPDATE audit SET number = 0 WHERE ${entryOf(OPENED, 6)}`,
    /link L0000001: attempt [\w-]+ has no place in the history/,
  ],
  [
    'a negative number',
    `UPDATE audit SET number = -2 WHERE ${entryOf(OPENED, 3)}`,
    /has a number that no entry gets/,
  ],
  [
    'a result of an unknown code that only a link gives',
    `UPDATE audit SET result = 'EXPIRED' WHERE ${isOf(UNKNOWN)}`,
    /link L0000009: attempt [\w-]+ has a result that only a link gives/,
  ],
  [
    'a download without its attempt',
    `DELETE FROM audit WHERE ${entryOf(FILE, 2)}`,
    /link L0000002: download [\w-]+ belongs to no granted attempt/,
  ],
  ['a removed download', 'DELETE FROM download', /L0000002: entry 3 is missing/],
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
    `DELETE FROM link_change WHERE ${isOf(UNUSED)}`,
    /L0000004: entry 1 is missing at the end/,
  ],
  [
    'a fingerprint without a count',
    `DELETE FROM link_change WHERE ${isOf(UNUSED)}; UPDATE link SET entry_count = 0 WHERE ${isOf(UNUSED)}`,
    /L0000004: the link's row counts no entries/,
  ],
  [
    'an inserted link',
    `INSERT INTO link (short_code, status, view_count, is_paused, created_at, entry_count, fingerprint, last_id)
     SELECT '${UNKNOWN}', status, view_count, is_paused, created_at, entry_count, fingerprint, last_id FROM link
     WHERE ${isOf(UNUSED)};
     INSERT INTO link_target (short_code, definition_version, target_url, confirm)
     SELECT '${UNKNOWN}', definition_version, target_url, confirm FROM link_target WHERE ${isOf(UNUSED)}`,
    /L0000009: its history has no creation: .* the link was inserted/,
  ],
];
