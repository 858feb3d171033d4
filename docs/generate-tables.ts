import { readFileSync, writeFileSync } from 'node:fs';
import { configTable } from '../src/config.ts';
import { createMetrics } from '../src/observability/metrics.ts';

// Writes the tables that the code knows best into the documents, each between two markers.

/** A table of a document: its file from the root of the project, the name in its markers, and what it holds. */
export type GeneratedTable = { file: string; name: string; text: string };

export function generatedTables(): GeneratedTable[] {
  return [
    { file: 'README.md', name: 'properties', text: configTable() },
    { file: 'docs/operations.md', name: 'metrics', text: metricsTable() },
  ];
}

/** The text between the markers of a table; throws where a document lacks them. */
export function readTable(document: string, name: string): string {
  const text = new RegExp(`<!-- generated: ${name} -->\n\n(.*?)\n<!-- end of ${name} -->`, 's').exec(document)?.[1];
  if (text === undefined) throw new Error(`There are no markers of the generated table "${name}"`);
  return text;
}

/** The service's own metrics; those of the process are prom-client's. */
function metricsTable(): string {
  const { registry } = createMetrics({ process: false });
  const rows = registry.getMetricsAsArray().map((metric) => {
    const { name, help } = metric;
    const labels = labelsOf(metric).map((label) => `\`${label}\``);
    return [`\`${name}\``, String(metric.type), labels.join(', ') || 'none', help];
  });
  return [['metric', 'type', 'labels', 'meaning'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

/** prom-client keeps a metric's labels in a field that its types do not tell of. */
function labelsOf(metric: object): string[] {
  return 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [];
}

if (import.meta.main) {
  for (const { file, name, text } of generatedTables()) {
    const url = new URL(`../${file}`, import.meta.url);
    const document = readFileSync(url, 'utf8');
    writeFileSync(
      url,
      document.replace(readTable(document, name), () => text),
    );
  }
}
