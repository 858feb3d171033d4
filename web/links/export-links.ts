import { toTermDraft } from '../form/term-draft.ts';
import type { LinkDescription } from '../service/contract.ts';

/** Returns a CSV file of links. The code that formats it is loaded when it is needed. */
export async function exportLinks(links: LinkDescription[]): Promise<Blob> {
  const { formatCsv } = await import('../../client/bulk-csv.ts');
  const rows = links.map(toRow);
  const texts = rows.map((row) => Object.values(row).map((value) => String(value ?? '')));
  return new Blob([formatCsv([Object.keys(rows[0] ?? {}), ...texts], ',')], { type: 'text/csv' });
}

/** Returns what a link has in each column, in the order of the columns. What the user may not see is undefined. */
function toRow(link: LinkDescription): Record<string, unknown> {
  const { shortCode, accessUrl, label, recipient, targetUrl, file, owner, team } = link;
  const values = Object.entries(toTermDraft(link)).map(
    ([name, value]): [string, string | boolean | undefined] => [name, name in link ? value : undefined],
  );
  const { tags, host: _, ...terms } = Object.fromEntries<string | boolean | undefined>(values);
  const { type, status, state, requestCode, createdAt, startsAt, expiresAt, lastOpenedAt } = link;
  return {
    ...{ shortCode, accessUrl, label, recipient, target: targetUrl ?? file?.name, type, status, state },
    ...{ requestCode, createdAt, startsAt, expiresAt, maxViews: link.maxViews, viewCount: link.viewCount },
    ...{ lastOpenedAt, passwordProtected: link.passwordProtected },
    ...{ ...terms, owner: owner?.name, team, tags },
  };
}
