import type { ListedLink } from '../service/contract.ts';

/** Returns a CSV file of links. The code that formats it is loaded when it is needed. */
export async function exportLinks(links: ListedLink[]): Promise<Blob> {
  const { formatCsv } = await import('../../client/bulk-csv.ts');
  const rows = links.map(toRow);
  const texts = rows.map((row) => Object.values(row).map((value) => String(value ?? '')));
  return new Blob([formatCsv([Object.keys(rows[0] ?? {}), ...texts], ',')], { type: 'text/csv' });
}

/** Returns what a link has in each column, in the order of the columns. */
function toRow({
  shortCode,
  accessUrl,
  label,
  recipient,
  targetUrl,
  file,
  owner,
  tags,
  ...others
}: ListedLink) {
  const target = targetUrl ?? file?.name;
  return {
    shortCode,
    accessUrl,
    label,
    recipient,
    target,
    ...others,
    owner: owner.name,
    tags: tags.join(', '),
  };
}
