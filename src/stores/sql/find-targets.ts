import type { Dialect, Query } from './query.ts';

type TargetRow = { short_code: string; target_url: string | null };

/** Prepares reading the URLs to which links lead, by short code; null for a file. */
export function prepareFindTargets(
  query: Query,
  { texts }: Dialect,
): (shortCodes: readonly string[]) => Promise<Map<string, string | null>> {
  const statement = {
    name: 'find-targets',
    text: `SELECT short_code, target_url FROM link_target WHERE short_code IN (SELECT value FROM ${texts('$1')})`,
  };
  return async (shortCodes) => {
    const rows = await query<TargetRow>(statement, [JSON.stringify(shortCodes)]);
    return new Map(rows.map((row) => [row.short_code, row.target_url]));
  };
}
