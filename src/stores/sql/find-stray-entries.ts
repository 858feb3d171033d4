import { CLOCK_TOLERANCE_MS } from '../../links/check-history.ts';
import { RESULTS_WITHOUT_LINK } from '../../links/verdict.ts';
import { toUuid } from './history-rows.ts';
import type { Dialect, Query } from './query.ts';

/** After so many differences the check ends: then the store as a whole is not what the service wrote. */
export const MAX_HISTORY_FINDINGS = 10_000;
const WITHOUT_LINK = RESULTS_WITHOUT_LINK.map((result) => `'${result}'`).join(', ');

/** Finds records that belong to a history and are not in it. Returns one sentence for each. */
export async function findStrayEntries(query: Query, dialect: Dialect): Promise<string[]> {
  const findings: string[] = [];
  for (const { name, text, meaning } of STRAYS) {
    const rows = await query<{ id: string; short_code: string }>({
      name,
      text: `${text(dialect)} LIMIT ${MAX_HISTORY_FINDINGS + 1}`,
    });
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

type Stray = { name: string; text: (dialect: Dialect) => string; meaning: string };

const STRAYS: Stray[] = [
  {
    name: 'attempts-outside-chains',
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('audit.id')} AS id, audit.short_code
      FROM audit JOIN link ON link.short_code = audit.short_code
        LEFT JOIN (SELECT short_code AS code, changed_at FROM link_change
                   WHERE kind = 'CREATED' AND details LIKE '%"importedFrom":%') AS import ON code = link.short_code
      WHERE audit.number = 0
        AND (result NOT IN (${WITHOUT_LINK})
          OR accessed_at > coalesce(import.changed_at, created_at) + ${CLOCK_TOLERANCE_MS})`,
    meaning:
      'attempt <id> has no place in the history although the link existed: it was inserted or renumbered',
  },
  {
    name: 'results-without-link',
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM audit WHERE number = 0 AND result NOT IN (${WITHOUT_LINK})
        AND NOT EXISTS (SELECT 1 FROM link WHERE link.short_code = audit.short_code)`,
    meaning:
      'attempt <id> has a result that only a link gives, but there is no such link: it was changed or inserted',
  },
  {
    name: 'impossible-numbers',
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM audit WHERE number < 0 OR number = 0 AND prev IS NOT NULL
      UNION ALL SELECT ${uuidToText('id')}, short_code FROM link_change WHERE number <= 0
      UNION ALL SELECT ${uuidToText('id')}, short_code FROM download WHERE number <= 0`,
    meaning: 'entry <id> has a number that no entry gets: it was renumbered',
  },
  {
    name: 'downloads-without-attempt',
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('download.id')} AS id, download.short_code
      FROM download LEFT JOIN audit ON audit.id = download.attempt_id
      WHERE audit.id IS NULL OR audit.short_code <> download.short_code OR audit.result <> 'SUCCESS'`,
    meaning:
      'download <id> belongs to no granted attempt on the link: it was inserted, or the attempt was changed',
  },
  {
    name: 'unknown-user-agents',
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM audit WHERE agent_number IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM user_agent WHERE user_agent.number = audit.agent_number)`,
    meaning: 'the user agent of attempt <id> is missing: it was removed',
  },
  {
    name: 'two-user-agents',
    text: ({ uuidToText }) => `
      SELECT ${uuidToText('id')} AS id, short_code FROM audit
      WHERE agent_number IS NOT NULL AND user_agent IS NOT NULL`,
    meaning: 'attempt <id> has two user agents: it was changed',
  },
];
