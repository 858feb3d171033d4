import { CLOCK_TOLERANCE_MS } from '../../core/model/check-history.ts';
import { FORMAT } from '../../core/model/hashed-text.ts';
import { RESULTS_WITHOUT_LINK } from '../../core/model/verdict.ts';
import { toUuid } from '../log-rows.ts';
import type { Dialect, Query } from './query.ts';

/** After so many differences the check ends: then the store as a whole is not what the service wrote. */
export const MAX_HISTORY_FINDINGS = 10_000;
const IS_REQUEST = 'short_code IN (SELECT short_code FROM link_target WHERE file_request IS NOT NULL)';
const WITHOUT_LINK = RESULTS_WITHOUT_LINK.map((result) => `'${result}'`).join(', ');

/** Finds records that belong to a history and are not in it. Returns one sentence for each. */
export async function findOrphans(query: Query, dialect: Dialect): Promise<string[]> {
  const findings: string[] = [];
  for (const { text, meaning } of ORPHANS) {
    const rows = await query<{ id: string; short_code: string }>(
      `${text(dialect)} LIMIT ${MAX_HISTORY_FINDINGS + 1}`,
    );
    for (const { id, short_code } of rows)
      findings.push(`link ${short_code}: ${meaning.replace('<id>', toUuid(id))}`);
    if (findings.length > MAX_HISTORY_FINDINGS)
      return [
        ...findings,
        'the search for entries outside the histories ended here, because so much differs',
      ];
  }
  return findings;
}

type Orphan = { text: (dialect: Dialect) => string; meaning: string };

/** MATERIALIZED: else SQLite computes the text of each row of one side for each row of the other. */
const ORPHANS: Orphan[] = [
  {
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('entry.id')} AS id, entry.short_code
      FROM entry JOIN link ON link.short_code = entry.short_code
        LEFT JOIN (SELECT short_code AS code, at AS imported_at FROM entry
                   WHERE kind = 'CREATED' AND details LIKE '%"importedFrom":%') AS import ON code = link.short_code
      WHERE entry.number = 0
        AND (result NOT IN (${WITHOUT_LINK})
          OR entry.at > coalesce(import.imported_at, created_at) + ${CLOCK_TOLERANCE_MS})`,
    meaning:
      'attempt <id> has no place in the history although the link existed: it was inserted or renumbered',
  },
  {
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM entry WHERE number = 0 AND result NOT IN (${WITHOUT_LINK})
        AND NOT EXISTS (SELECT 1 FROM link WHERE link.short_code = entry.short_code)`,
    meaning:
      'attempt <id> has a result that only a link gives, but there is no such link: it was changed or inserted',
  },
  {
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM entry
      WHERE number < 0 OR number = 0 AND (prev IS NOT NULL OR fingerprint IS NOT NULL OR kind <> 'ATTEMPT')`,
    meaning: 'entry <id> has a number that no entry gets: it was renumbered',
  },
  {
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('ended.id')} AS id, ended.short_code
      FROM entry AS ended
        LEFT JOIN (SELECT id AS attempt, short_code AS code FROM entry WHERE result = 'SUCCESS') AS granted
          ON attempt = ended.attempt_id AND code = ended.short_code
      WHERE ended.kind = 'DOWNLOAD' AND attempt IS NULL`,
    meaning:
      'download <id> belongs to no granted attempt on the link: it was inserted, or the attempt was changed',
  },
  {
    // What the former link says of the new one may have been erased.
    text: ({ uuidToText, bytesToHex, jsonText }) => `
      WITH former AS MATERIALIZED (
        SELECT short_code AS code, details AS named, personal_hash AS erased, ${bytesToHex('fingerprint')} AS ended FROM entry
        WHERE kind = 'REVOKED')
      SELECT ${uuidToText('created.id')} AS id, created.short_code
      FROM entry AS created
        LEFT JOIN former
          ON ended = ${jsonText('created.details', 'formerFingerprint')}
            AND code = ${jsonText('created.details', 'formerShortCode')}
            AND (erased IS NOT NULL OR named = '{"newShortCode":"' || created.short_code || '"}')
      WHERE created.kind = 'CREATED' AND created.details LIKE '%"formerFingerprint":%' AND ended IS NULL`,
    meaning:
      'creation <id> continues a history that does not end with the fingerprint which it names: one of both was changed',
  },
  {
    text: ({ uuidToText, bytesToHex, jsonText }) => `
      WITH submitted AS MATERIALIZED (
        SELECT short_code AS code, ${bytesToHex('fingerprint')} AS print FROM entry
        WHERE kind = 'ATTEMPT' AND result = 'SUCCESS' AND ${IS_REQUEST})
      SELECT ${uuidToText('created.id')} AS id, created.short_code
      FROM entry AS created
        LEFT JOIN submitted
          ON print = ${jsonText('created.details', 'requestFingerprint')}
            AND code = ${jsonText('created.details', 'requestShortCode')}
      WHERE created.kind = 'CREATED' AND created.details LIKE '%"requestFingerprint":%' AND print IS NULL`,
    meaning:
      'creation <id> has no attempt in the history of the file request which it names: one of both was changed or removed',
  },
  {
    text: ({ uuidToText, bytesToHex, jsonText }) => `
      WITH created AS MATERIALIZED (
        SELECT ${jsonText('details', 'requestFingerprint')} AS print FROM entry
        WHERE kind = 'CREATED' AND details LIKE '%"requestFingerprint":%')
      SELECT ${uuidToText('submitted.id')} AS id, submitted.short_code
      FROM entry AS submitted LEFT JOIN created ON print = ${bytesToHex('submitted.fingerprint')}
      WHERE kind = 'ATTEMPT' AND result = 'SUCCESS' AND ${IS_REQUEST} AND print IS NULL`,
    meaning:
      'attempt <id> submitted files, and no link has them: the creation of that link was changed or removed',
  },
  {
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM entry WHERE agent_number IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM user_agent WHERE user_agent.number = entry.agent_number)`,
    meaning: 'the user agent of attempt <id> is missing: it was removed',
  },
  {
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM entry
      WHERE agent_number IS NOT NULL AND user_agent IS NOT NULL`,
    meaning: 'attempt <id> has two user agents: it was changed',
  },
  {
    // No fingerprint covers these: each kind of an entry has a text of its own.
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM entry
      WHERE number = 0 AND format <> ${FORMAT}
        OR (number = 0 OR kind = 'DOWNLOAD') AND (salt IS NOT NULL OR personal_hash IS NOT NULL)
        OR kind <> 'ATTEMPT' AND (result IS NOT NULL OR count IS NOT NULL OR agent_number IS NOT NULL
          OR user_agent IS NOT NULL OR referrer IS NOT NULL OR recipient_address IS NOT NULL)
        OR kind <> 'DOWNLOAD' AND (attempt_id IS NOT NULL OR first_byte IS NOT NULL OR bytes_sent IS NOT NULL OR is_sent_completely IS NOT NULL)
        OR kind IN ('ATTEMPT', 'DOWNLOAD') AND (author_kind IS NOT NULL OR author_name IS NOT NULL
          OR details IS NOT NULL)
        OR kind = 'DOWNLOAD' AND ip_address IS NOT NULL`,
    meaning:
      'entry <id> has a value or a format that the service does not write for its kind: it was changed, or a later release wrote it',
  },
];
