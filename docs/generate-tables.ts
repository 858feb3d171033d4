import { readFileSync, writeFileSync } from 'node:fs';
import { COMMANDS } from '../cli/commands.ts';
import { SERVICE_COMMANDS } from '../cli/service-commands.ts';
import { PROPERTIES_BY_TASK } from '../src/core/config/properties.ts';
import { ERASED_TEXTS, FORMAT, PERSONAL_DETAILS } from '../src/core/model/hashed-text.ts';
import { PROBLEMS } from '../src/core/model/problem.ts';
import { ERASED_NAMES } from '../src/core/use-cases/erase/erase.ts';
import { createMetrics } from '../src/observability/metrics.ts';
import type { JobName } from '../src/service/jobs/jobs.ts';
import { toTable } from './markdown.ts';

// Writes generated tables and lists into the documents, each between two markers.

/**
 * A generated table: the path of its document, the name in its markers, and its Markdown.
 * `comment`: what begins and ends its markers; by default those of HTML.
 */
export type GeneratedTable = { file: string; name: string; text: string; comment?: Comment };
type Comment = readonly [begin: string, end: string];
const HTML: Comment = ['<!-- ', ' -->'];

export function generatedTables(): GeneratedTable[] {
  return [
    { file: 'docs/operations/configuration.md', name: 'properties', text: propertiesList() },
    { file: 'docs/operations/monitoring.md', name: 'metrics', text: metricsList() },
    { file: 'docs/operations/monitoring.md', name: 'problems', text: problemsTable() },
    { file: 'docs/operations/monitoring.md', name: 'jobs', text: jobsTable() },
    { file: 'docs/operations/audit.md', name: 'personal terms', text: personalTerms() },
    { file: 'docs/command-line.md', name: 'commands', text: commandsTable() },
    { file: 'docs/history-format.md', name: 'constants', text: historyConstants(), comment: ['# ', ''] },
  ];
}

/** Returns the text between the markers of a table. Throws if the document lacks them. */
export function readTable(document: string, table: Pick<GeneratedTable, 'name' | 'comment'>): string {
  return split(document, table).table;
}

function split(
  document: string,
  { name, comment = HTML }: Pick<GeneratedTable, 'name' | 'comment'>,
): { before: string; table: string; after: string } {
  const toMarker = (text: string) => comment.join(`${text} ${name}`);
  const start = `${toMarker('generated:')}\n\n`;
  const end = `\n${toMarker('end of')}`;
  const startsAt = document.indexOf(start) + start.length;
  const endsAt = document.indexOf(end, startsAt - 1);
  if (!document.includes(start) || endsAt === -1) {
    throw new Error(`The document has no markers for the generated table "${name}"`);
  }
  return {
    before: document.slice(0, startsAt),
    table: document.slice(startsAt, endsAt),
    after: document.slice(Math.max(startsAt, endsAt)),
  };
}

/** Returns a list of properties for each task, in Markdown. One that is unset by default shows no default. */
export function propertiesList(): string {
  return PROPERTIES_BY_TASK.map(({ title, properties }) => {
    const items = properties.map(({ name, shown, meaning, alias }) => {
      const byDefault = shown.startsWith('(') ? escapeMarkdown(shown) : `(\`${shown}\`)`;
      const parts = [`\`${name}\``, ...(shown === '(unset)' ? [] : [byDefault])];
      const also = alias ? `; also set by \`${alias}\`` : '';
      return `- ${parts.join(' ')}: ${escapeMarkdown(meaning)}${also}\n`;
    });
    return `### ${title}\n\n${items.join('')}`;
  }).join('\n');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll(/[|*]/g, '\\$&');
}

/** Returns the commands with what they take, in the order of the help. */
function commandsTable(): string {
  const rows = [...SERVICE_COMMANDS, ...COMMANDS].map(({ name, words, summary }) => [
    `\`${`${name} ${words.replaceAll('|', '\\|')}`.trim()}\``,
    summary,
  ]);
  return toTable(['command', 'what it does'], rows);
}

function problemsTable(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([problem, explanation]) => `| \`${problem}\` | ${explanation} |\n`,
  );
  return ['| problem | meaning and remedy |\n| --- | --- |\n', ...rows].join('');
}

const JOB_EFFECTS: Readonly<Record<JobName, string>> = {
  expiration: 'marks expired links',
  problems: 'looks for [problems](#problems)',
  times: 'corrects stored times of a [clock that was ahead](#the-clock-jumped)',
  'limit sweep': 'removes ended counts of [limits](configuration.md#limits-of-clients)',
  'upload sweep':
    'removes uploads that got neither bytes nor a link for a day, and files that were [replaced or erased](audit.md#erase-links-and-files-after-their-end) a day before',
  leases: 'removes [leases](../guide.md#continue-a-download) that ended a day before',
  'recipient codes': 'removes ended codes of [recipients](../guide.md#let-recipients-prove-their-address)',
  'idempotency keys': 'removes stored responses after a day',
  'notification count': 'counts them, and deletes failed ones after 30 days',
  'discard notifications': 'gives up those that wait, if the service sends none',
  'blocked hosts': 'reads `app.links.blocked-hosts` again after a change',
  retention: '[erases by age](audit.md#erase-by-age)',
  'ended links': 'erases links [after their end](audit.md#erase-links-and-files-after-their-end)',
  'files of ended links': 'deletes their files',
  checkpoint: 'signs a [checkpoint](../history-format.md#checkpoints) of new entries',
};

function jobsTable(): string {
  return toTable(
    ['job', 'effect'],
    Object.entries(JOB_EFFECTS).map(([job, effect]) => [`\`${job}\``, effect]),
  );
}

/** Returns the terms of a link that an erasure of a person empties. */
function personalTerms(): string {
  return `${ERASED_NAMES.map((name) => `\`${name}\``).join(', ')}\n`;
}

const NAMES_IN_LINE = 5;

/** Returns the constants of the Python program that checks an exported history. */
function historyConstants(): string {
  const quoted = [...PERSONAL_DETAILS].map((name) => `"${name}"`);
  const lines = quoted.flatMap((_, index) =>
    index % NAMES_IN_LINE === 0 ? [`    ${quoted.slice(index, index + NAMES_IN_LINE).join(', ')},\n`] : [],
  );
  const erased = ERASED_TEXTS.map((text) => `    json.loads('${text}'),\n`);
  return `FORMAT = ${FORMAT}\nPERSONAL = [\n${lines.join('')}]\nERASED = [\n${erased.join('')}]\n`;
}

/** Metrics of the process belong to prom-client, which documents them. */
const PROCESS_METRIC = /^(process|nodejs)_/;

/** Returns a list of the service's own metrics with their labels. */
function metricsList(): string {
  const { registry } = createMetrics();
  const own = registry.getMetricsAsArray().filter(({ name }) => !PROCESS_METRIC.test(name));
  return own
    .map((metric) => {
      const labels = labelsOf(metric).map((label) => `\`${label}\``);
      const byLabels = labels.length === 0 ? '' : ` (${labels.join(', ')})`;
      return `- \`${metric.name}\`${byLabels}: ${metric.help}\n`;
    })
    .join('');
}

/** Returns the labels of a metric, from a field that prom-client's types omit. */
function labelsOf(metric: object): string[] {
  return 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [];
}

if (import.meta.main) {
  for (const table of generatedTables()) {
    const url = new URL(`../${table.file}`, import.meta.url);
    const { before, after } = split(readFileSync(url, 'utf8'), table);
    writeFileSync(url, before + table.text + after);
  }
}
