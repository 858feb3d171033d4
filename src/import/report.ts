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

/** Collects counts, and the first lines of each reason. */
export function createReport() {
  const counts = { imported: 0, paused: 0, changed: 0, alreadyThere: 0, skipped: 0 };
  const groups = new Map<string, { count: number; shown: string[] }>();

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
          show(`Skipped: ${SKIP_REASONS[line.reason]}`, line, line.detail);
      }
    },
    /** Returns the table of counts, and the first lines of each reason. */
    format(isDryRun: boolean): string {
      const skipped = [...groups].filter(([group]) => group.startsWith('Skipped'));
      const rows: [string, number][] = [
        [isDryRun ? 'Would be imported' : 'Imported', counts.imported],
        ...(counts.paused > 0 ? [['  of them paused', counts.paused] as [string, number]] : []),
        ...(counts.changed > 0 ? [['  of them with differences', counts.changed] as [string, number]] : []),
        ['Already there', counts.alreadyThere],
        ['Skipped', counts.skipped],
        ...skipped.map(([group, { count }]): [string, number] => [
          `  ${group.replace('Skipped: ', '')}`,
          count,
        ]),
      ];
      const width = Math.max(...rows.map(([name]) => name.length));
      const table = rows.map(
        ([name, count]) => `${name.padEnd(width)} ${count.toLocaleString('en-US').padStart(11)}`,
      );
      const lines = [...groups].flatMap(([group, { count, shown }]) => {
        const more = count - shown.length;
        return [
          '',
          `${group}:`,
          ...shown,
          ...(more > 0 ? [`    and ${more.toLocaleString('en-US')} more`] : []),
        ];
      });
      return `${[...table, ...lines].join('\n')}\n`;
    },
  };
}

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
