import Papa from 'papaparse';
import { type ImportResult, type Remark, SKIP_REASONS } from '../../core/model/import-record.ts';

/** The result of a line of a file. */
export type ImportedLine = { line: number; shortCode: string; host: string | null } & ImportResult;

/** The number of lines that are shown for each reason. */
const MAX_SHOWN = 5;
const NO_COUNTS = { imported: 0, paused: 0, changed: 0, alreadyThere: 0, skipped: 0, views: 0 };
/** The number of lines of a reason, and the texts of the first ones. */
type Groups = Map<string, { count: number; shown: string[] }>;
type Collected = { counts: typeof NO_COUNTS; changed: Groups; skipped: Groups; hosts: Map<string, number> };

/** Collects counts, and the first lines of each reason. `ownHosts`: the host names of the links of this service. */
export function createReport(ownHosts: readonly string[]) {
  const counts = { ...NO_COUNTS };
  const [changed, skipped]: [Groups, Groups] = [new Map(), new Map()];
  const hosts = new Map<string, number>();

  function show(groups: Groups, group: string, { line, shortCode }: ImportedLine, detail = ''): void {
    const found = groups.get(group) ?? { count: 0, shown: [] };
    groups.set(group, found);
    found.count += 1;
    const place =
      shortCode === '' ? `line ${line}` : `line ${line}, ${JSON.stringify(shortCode.slice(0, 40))}`;
    if (found.shown.length < MAX_SHOWN) found.shown.push(`    ${place}${detail && `: ${detail}`}`);
  }

  return {
    counts,
    add(line: ImportedLine): void {
      if (line.result !== 'SKIPPED' && line.host !== null && !ownHosts.includes(line.host))
        hosts.set(line.host, (hosts.get(line.host) ?? 0) + 1);
      switch (line.result) {
        case 'IMPORTED':
          counts.imported += 1;
          counts.views += line.views;
          if (line.isPaused) counts.paused += 1;
          if (line.remarks.length > 0) counts.changed += 1;
          for (const { what, detail } of line.remarks) show(changed, what, line, detail);
          return;
        case 'ALREADY_THERE':
          counts.alreadyThere += 1;
          return;
        case 'SKIPPED':
          counts.skipped += 1;
          show(skipped, SKIP_REASONS[line.reason], line, line.detail);
      }
    },
    /** Returns the table of counts, and the first lines of each reason. */
    format: (isDryRun: boolean): string => formatReport({ counts, changed, skipped, hosts }, isDryRun),
  };
}

function formatReport({ counts, changed, skipped, hosts }: Collected, isDryRun: boolean): string {
  const countsOf = (groups: Groups) =>
    [...groups].map(([group, { count }]): [string, number] => [`    ${group}`, count]);
  const rows: [string, number][] = [
    [isDryRun ? 'Would be imported' : 'Imported', counts.imported],
    ['  of them paused', counts.paused],
    ['  of them with differences', counts.changed],
    ...countsOf(changed),
    ['Already there', counts.alreadyThere],
    ['Skipped', counts.skipped],
    ...countsOf(skipped),
    ['  Earlier views, kept as numbers without the visits', counts.views],
    ...[...hosts].map(([host, count]): [string, number] => [`  Without their host ${host}`, count]),
  ];
  const table = rows.filter(([name, count]) => count > 0 || !name.startsWith(' '));
  const width = Math.max(...table.map(([name]) => name.length));
  const lines = [
    ...listGroups(isDryRun ? 'Would be imported' : 'Imported', changed),
    ...listGroups('Skipped', skipped),
  ];
  return [
    ...table.map(([name, count]) => `${name.padEnd(width)} ${formatCount(count).padStart(11)}`),
    ...lines,
    '',
  ].join('\n');
}

function listGroups(title: string, groups: Groups): string[] {
  return [...groups].flatMap(([group, { count, shown }]) => {
    const more = count - shown.length;
    return ['', `${title}, ${group}:`, ...shown, ...(more > 0 ? [`    and ${formatCount(more)} more`] : [])];
  });
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

export const REPORT_HEADER = formatRow(['line', 'shortCode', 'result', 'reason', 'detail']);

const RESULT_TEXTS = { IMPORTED: 'imported', ALREADY_THERE: 'already-there', SKIPPED: 'skipped' };

/** Returns a line of the report as CSV. */
export function formatReportLine(line: ImportedLine): string {
  const reason = line.result === 'SKIPPED' ? SKIP_REASONS[line.reason] : '';
  return formatRow([String(line.line), line.shortCode, RESULT_TEXTS[line.result], reason, detailOf(line)]);
}

function detailOf(line: ImportedLine): string {
  if (line.result === 'IMPORTED') return line.remarks.map(describeRemark).join('; ');
  return line.result === 'SKIPPED' ? line.detail : '';
}

const describeRemark = ({ what, detail }: Remark): string =>
  detail === undefined ? what : `${what}: ${detail}`;

/** Puts a quote before a text that a spreadsheet would compute. */
function formatRow(cells: string[]): string {
  return `${Papa.unparse([cells], { escapeFormulae: true })}\r\n`;
}
