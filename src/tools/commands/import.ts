import { once } from 'node:events';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { codeOf, messageOf } from '../../common/error-details.ts';
import { describeDatabase } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import type { ImportResult } from '../../core/model/import-record.ts';
import { hasDatabase, withErrorPrefix } from '../../service/open-stores.ts';
import { IMPORT_OPTIONS, type ImportSettings, loadImport } from '../import/load-import.ts';
import { openPlannedLinks } from '../import/planned-links.ts';
import { readRecords } from '../import/read-records.ts';
import { createReport, formatReportLine, type ImportedLine, REPORT_HEADER } from '../import/report.ts';
import { type ImportEnd, sendRecords } from '../import/send-records.ts';
import { announceDatabase, defineCommand, refuse } from './command.ts';
import { createProgressBar } from './progress-bar.ts';
import { administrate } from './send-to-service.ts';
import { onStopSignal } from './stop-signals.ts';
import { print, printNote } from './terminal.ts';

/** The exit code of an import that skipped links. */
const SKIPPED = 4;

type Loaded = { settings: ImportSettings; config: Config };
/** An import that runs. */
type Import = Loaded & { report: ReturnType<typeof createReport>; isStopped(): boolean };

async function importFile({ settings, config }: Loaded): Promise<number> {
  let isStopped = false;
  onStopSignal(() => {
    isStopped = true;
  });
  const report = createReport([new URL(config.baseUrl).host, ...config.hosts.keys()]);
  const end = await run({ settings, config, report, isStopped: () => isStopped }).catch((error: unknown) => {
    if (report.counts.imported > 0 && !settings.isDryRun) print(report.format(false));
    throw error;
  });
  print(report.format(settings.isDryRun));
  assertComplete(end, settings);
  return report.counts.skipped > 0 ? SKIPPED : 0;
}

function assertComplete(end: ImportEnd, { reportPath }: ImportSettings): void {
  if (end === 'stopped')
    refuse('The import was stopped:', [
      `run the same command again; it continues there${reportPath === null ? '' : ', and needs a new name for --report'}`,
    ]);
  if (end === 'conflict')
    refuse('The import stopped at a short code that is taken:', [
      'see the report; free the code, or run the command again without --on-conflict=fail',
    ]);
}

/** Sends the links to the service. A dry run only determines the results. */
async function run(running: Import): Promise<ImportEnd> {
  const { settings, config } = running;
  const size = sizeOf(settings.file); // first, so that a wrong file name does not create the database
  if (!settings.isDryRun || (await hasDatabase(config))) return importInto(config, size, running);
  printNote(`${describeDatabase(config.database)} does not exist yet: all short codes are free there.\n`);
  const directory = await mkdtemp(join(tmpdir(), 'postern-'));
  const database = { kind: 'sqlite', path: join(directory, 'empty.db') } as const;
  try {
    return await importInto({ ...config, database, databaseMustExist: false }, size, running);
  } finally {
    await rm(directory, { recursive: true });
  }
}

function sizeOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new Error(`${file}: there is no such file; name the file to import`);
  if (!stats.isFile()) throw new Error(`${file}: this is not a file; name the file to import`);
  return stats.size;
}

async function importInto(config: Config, size: number, running: Import): Promise<ImportEnd> {
  const { settings, report, isStopped } = running;
  const { file, onConflict, reportPath, isDryRun } = settings;
  await using lines = await openReportFile(reportPath);
  using planned = openPlannedLinks();
  return await administrate(config, { command: 'import', creates: true }, async ({ send, isDatabaseNew }) => {
    if (isDatabaseNew && !isDryRun) announceDatabase(config);
    const step = createProgressBar(process.stderr, process.stderr.isTTY).begin({
      ...{ label: isDryRun ? 'Checking links' : 'Importing links', unit: 'bytes', total: size },
    });
    const { from, timeZone, withRefusal, allowsBlocked } = settings;
    const records = readRecords(createReadStream(file), from, step.update, reportIgnored);
    const sending = sendRecords({
      ...{ records, onConflict, isStopped, ...(isDryRun && { planned }) },
      async send(batch) {
        const items = batch.map(({ line: _, ...record }) => record);
        const request = { from, timeZone, withRefusal, allowsBlocked, isDryRun, items };
        return (
          await send<{ results: ImportResult[] }>('POST', '/api/links/import', request, { isLong: true })
        ).results;
      },
      report: async (line) => {
        report.add(line);
        await lines.write(line);
      },
    });
    return withErrorPrefix(file, sending).finally(step.end);
  });
}

function reportIgnored(columns: readonly string[]): void {
  printNote(`Fields that are not imported: ${columns.join(', ')}\n`);
}

/** Creates the report file, with a line for each link. Never overwrites a file. */
async function openReportFile(path: string | null) {
  if (path === null) return { write: async () => {}, [Symbol.asyncDispose]: async () => {} };
  const stream = createWriteStream(path, { flags: 'wx' });
  await once(stream, 'open').catch((cause: unknown) => {
    const remedy = codeOf(cause) === 'EEXIST' ? 'this file exists already' : messageOf(cause);
    throw new Error(`--report ${path}: ${remedy}; name a new file`, { cause });
  });
  stream.write(REPORT_HEADER);
  return {
    async write(line: ImportedLine): Promise<void> {
      if (!stream.write(formatReportLine(line))) await once(stream, 'drain');
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stream.end();
      await finished(stream);
    },
  };
}

export const command = defineCommand({
  details:
    'With their short codes, dates and view counts. The service may be running. The content of the file says in which\n' +
    'format it is:\n' +
    '  shlink  the JSON of GET /rest/v3/short-urls, one page or several, or the CSV of the web client\n' +
    '  yourls  a CSV export of the table yourls_url, or the JSON of the API action stats\n' +
    '  kutt    the JSON of GET /api/v2/links, one page or several, or a CSV export of the table links\n' +
    '  bitly   the JSON of GET /v4/groups/GROUP/bitlinks, one page or several, or the CSV of Bitly\n' +
    '  csv     CSV with the columns shortCode (or a short URL) and targetUrl, and any of createdAt,\n' +
    '          startsAt, expiresAt, maxViews, views, label, note, tags, host, recipient, password,\n' +
    '          forwardPath, forwardQuery, or names of other services for these\n\n' +
    'After an import that failed or was stopped, what was imported stays, and the same command\n' +
    'continues, with a new --report. Exit code 4:\n' +
    'some links were skipped, see the report.',
  options: IMPORT_OPTIONS,
  examples: ['postern import shlink links.json --dry-run'],
  failure: 'The import failed:',
  load: loadImport,
  run: importFile,
});
