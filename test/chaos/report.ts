import type { FaultReport } from './run-fault.ts';

const HEAD = ['fault', 'store', 'clients saw', 'health', 'lost', 'first response', 'health UP', 'last error'];

/** Returns the reports as a Markdown table, and what was found below it. */
export function toMarkdown(reports: readonly FaultReport[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...reports.map(toCells)];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  const findings = reports.flatMap(({ fault, store, findings }) =>
    findings.map((text) => `- ${fault} on ${store}: ${text.replaceAll('\n', ' ')}\n`),
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
    health.join(', '),
    String(lost),
    `${firstResponseMs} ms`,
    `${healthUpMs} ms`,
    lastErrorMs === null ? 'none' : `${lastErrorMs} ms`,
  ];
}
