import { readFileSync, writeFileSync } from 'node:fs';
import { configTable } from '../src/config/config.ts';
import { createMetrics } from '../src/observability/metrics.ts';

// Writes the tables that are generated from the code into the documents, each between two markers.

/** Represents a table of a document: its file from the project's root, the name in its markers, its text. */
export type GeneratedTable = { file: string; name: string; text: string };

export function generatedTables(): GeneratedTable[] {
  return [
    { file: 'README.md', name: 'properties', text: configTable() },
    { file: 'docs/operations.md', name: 'metrics', text: metricsTable() },
  ];
}

/** Returns the text between the markers of a table. Throws where the document has no such markers. */
export function readTable(document: string, name: string): string {
  return split(document, name).table;
}

function split(document: string, name: string): { before: string; table: string; after: string } {
  const start = `<!-- generated: ${name} -->\n\n`;
  const end = `\n<!-- end of ${name} -->`;
  const startsAt = document.indexOf(start) + start.length;
  const endsAt = document.indexOf(end, startsAt - 1);
  if (!document.includes(start) || endsAt === -1) {
    throw new Error(`There are no markers of the generated table "${name}"`);
  }
  return {
    before: document.slice(0, startsAt),
    table: document.slice(startsAt, endsAt),
    after: document.slice(Math.max(startsAt, endsAt)),
  };
}

/** The metrics of the process are prom-client's, and documented there. */
const PROCESS_METRIC = /^(process|nodejs)_/;

/** Returns the table of the service's own metrics. */
function metricsTable(): string {
  const { registry } = createMetrics();
  const own = registry.getMetricsAsArray().filter(({ name }) => !PROCESS_METRIC.test(name));
  const rows = own.map((metric) => {
    const { name, help } = metric;
    const labels = labelsOf(metric).map((label) => `\`${label}\``);
    return [`\`${name}\``, String(metric.type), labels.join(', ') || 'none', help];
  });
  return [['metric', 'type', 'labels', 'meaning'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

/** prom-client keeps a metric's labels in a field that its types do not declare. */
function labelsOf(metric: object): string[] {
  return 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [];
}

if (import.meta.main) {
  for (const { file, name, text } of generatedTables()) {
    const url = new URL(`../${file}`, import.meta.url);
    const { before, after } = split(readFileSync(url, 'utf8'), name);
    writeFileSync(url, before + text + after);
  }
}
