import type { FaultReport } from './run-fault.ts';

const HEAD = ['fault', 'store', 'clients saw', 'health', 'lost', 'first response', 'health UP', 'last error'];

/** A fault that cannot be injected on this machine. */
export type Skipped = { fault: string; store: string; whyNot: string };

/** Returns the reports as a Markdown table, and what was found below it. */
export function toMarkdown(reports: readonly FaultReport[], skipped: readonly Skipped[] = []): string {
  const skippedCells = skipped.map(({ fault, store, whyNot }) => [
    ...[fault, store, `skipped: ${whyNot}`],
    ...HEAD.slice(3).map(() => ''),
  ]);
  const rows = [HEAD, HEAD.map(() => '---'), ...reports.map(toCells), ...skippedCells];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  const findings = reports.flatMap(({ fault, store, findings, notes }) =>
    [...findings, ...notes].map((text) => `- ${fault} on ${store}: ${text.replaceAll('\n', ' ')}\n`),
  );
  return findings.length === 0 ? table : `${table}\n${findings.join('')}`;
}

function toCells({ fault, store, seen, health, lost, recovery, findings }: FaultReport): string[] {
  const { firstResponseMs, healthUpMs, lastErrorMs } = recovery;
  const counts = Object.entries(seen).map(([label, count]) => `${label}: ${count}`);
  return [
    findings.length === 0 ? fault : `**${fault}**`,
    store,
    counts.join(', '),
    [...new Set(health)].join(', '),
    String(lost),
    ...[firstResponseMs, healthUpMs, lastErrorMs ?? 'none'].map(showMs),
  ];
}

const showMs = (ms: number | string): string => (typeof ms === 'number' ? `${ms} ms` : ms);
