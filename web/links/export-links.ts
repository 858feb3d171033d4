import type { ListedLink } from '../service/contract.ts';

const COLUMNS = {
  shortCode: (link) => link.shortCode,
  accessUrl: (link) => link.accessUrl,
  label: (link) => link.label,
  recipient: (link) => link.recipient,
  target: (link) => link.targetUrl ?? link.file?.name,
  state: (link) => link.state,
  viewCount: (link) => String(link.viewCount),
  maxViews: (link) => link.maxViews?.toString(),
  createdAt: (link) => link.createdAt,
  startsAt: (link) => link.startsAt,
  expiresAt: (link) => link.expiresAt,
  lastOpenedAt: (link) => link.lastOpenedAt,
  creator: (link) => link.creator.name,
  tags: (link) => link.tags.join(', '),
  note: (link) => link.note,
} as const satisfies Record<string, (link: ListedLink) => string | null | undefined>;

/** Returns a CSV file of links. The code that formats it is loaded when it is needed. */
export async function exportLinks(links: ListedLink[]): Promise<Blob> {
  const { formatCsv } = await import('../../client/bulk-csv.ts');
  const rows = links.map((link) => Object.values(COLUMNS).map((read) => read(link) ?? ''));
  return new Blob([formatCsv([Object.keys(COLUMNS), ...rows], ',')], { type: 'text/csv' });
}
