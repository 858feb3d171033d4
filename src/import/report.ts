import Papa from 'papaparse';
import { SKIP_REASONS, type SkipReason } from './plan-link.ts';

/** The result of a line of a file. */
export type ImportedLine = { line: number; shortCode: string } & (
  | { result: 'imported'; isPaused: boolean; remarks: readonly string[] }
  | { result: 'already-there' }
  | { result: 'skipped'; reason: SkipReason; detail: string }
);

/** The number of lines that are shown for each reason. */
const MAX_SHOWN = 5;
const SKIPPED = 'Skipped: ';

const NO_COUNTS = { imported: 0, paused: 0, changed: 0, alreadyThere: 0, skipped: 0 };
/** The number of lines of a reason, and the texts of the first ones. */
type Groups = Map<string, { count: number; shown: string[] }>;

/** Collects counts, and the first lines of each reason. */
export function createReport() {
  const counts = { ...NO_COUNTS };
  const groups: Groups = new Map();

  function show(group: string, { line, shortCode }: ImportedLine, detail: string): void {
    const found = groups.get(group) ?? { count: 0, shown: [] };
    groups.set(group, found);
    found.count += 1;
    const place =
      shortCode === '' ? `line ${line}` : `line ${line}, ${JSON.stringify(shortCode.slice(0, 40))}`;
    if (found.shown.length < MAX_SHOWN) found.shown.push(`    ${place}: ${detail}`);
  }

  return {
    counts,
    add(line: ImportedLine): void {
      switch (line.result) {
        case 'imported':
          counts.imported += 1;
          if (line.isPaused) counts.paused += 1;
          if (line.remarks.length === 0) return;
          counts.changed += 1;
          show('Imported with differences', line, line.remarks.join('; '));
          return;
        case 'already-there':
          counts.alreadyThere += 1;
          return;
        case 'skipped':
          counts.skipped += 1;
          show(SKIPPED + SKIP_REASONS[line.reason], line, line.detail);
      }
    },
    /** Returns the table of counts, and the first lines of each reason. */
    format: (isDryRun: boolean): string => formatReport(counts, groups, isDryRun),
  };
}

function formatReport(counts: typeof NO_COUNTS, groups: Groups, isDryRun: boolean): string {
  const rows: [string, number][] = [
    [isDryRun ? 'Would be imported' : 'Imported', counts.imported],
    ['  of them paused', counts.paused],
    ['  of them with differences', counts.changed],
    ['Already there', counts.alreadyThere],
    ['Skipped', counts.skipped],
  ];
  for (const [group, { count }] of groups)
    if (group.startsWith(SKIPPED)) rows.push([group.replace(SKIPPED, '  '), count]);
  const table = rows.filter(([name, count]) => count > 0 || !name.startsWith(' '));
  const width = Math.max(...table.map(([name]) => name.length));
  const lines = [...groups].flatMap(([group, { count, shown }]) => {
    const more = count - shown.length;
    return ['', `${group}:`, ...shown, ...(more > 0 ? [`    and ${formatCount(more)} more`] : [])];
  });
  return [
    ...table.map(([name, count]) => `${name.padEnd(width)} ${formatCount(count).padStart(11)}`),
    ...lines,
    '',
  ].join('\n');
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

export const REPORT_HEADER = formatRow(['line', 'shortCode', 'result', 'reason', 'detail']);

/** Returns a line of the report as CSV. */
export function formatReportLine(line: ImportedLine): string {
  const reason = line.result === 'skipped' ? SKIP_REASONS[line.reason] : '';
  return formatRow([String(line.line), line.shortCode, line.result, reason, detailOf(line)]);
}

function detailOf(line: ImportedLine): string {
  if (line.result === 'imported') return line.remarks.join('; ');
  return line.result === 'skipped' ? line.detail : '';
}

/** Puts a quote before a text that a spreadsheet would compute. */
function formatRow(cells: string[]): string {
  return `${Papa.unparse([cells], { escapeFormulae: true })}\r\n`;
}
