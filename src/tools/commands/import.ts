import { once } from 'node:events';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createArgon2idHasher } from '../../adapters/argon2id.ts';
import { codeOf, messageOf } from '../../common/error-details.ts';
import { newIdAndSalt } from '../../service/compose-use-cases.ts';
import { openBlockedHostsFile } from '../../service/config/blocked-hosts-file.ts';
import { type Config, describeDatabase } from '../../service/config/config.ts';
import { hasDatabase, openLinkStore, readDatabase, withErrorPrefix } from '../../service/open-stores.ts';
import { prepareFindTargets } from '../../stores/sql/read-link.ts';
import { openPlannedLinks } from '../../stores/sqlite/open-planned-links.ts';
import type { Store } from '../../stores/store.ts';
import { type ImportEnd, type ImportTarget, importLinks } from '../import/import-links.ts';
import { IMPORT_OPTIONS, type ImportSettings, loadImport } from '../import/load-import.ts';
import { IMPORT_AUTHOR, preparePlanLink } from '../import/plan-link.ts';
import { readRecords } from '../import/read-records.ts';
import { createReport, formatReportLine, type ImportedLine, REPORT_HEADER } from '../import/report.ts';
import { announceDatabase, defineCommand, refuse } from './command.ts';
import { createProgressBar } from './progress-bar.ts';
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

/** Imports into the store. A dry run only determines the results. */
async function run(running: Import): Promise<ImportEnd> {
  const { settings, config } = running;
  const size = sizeOf(settings.file); // first, so that a wrong file name does not create the database
  if (!settings.isDryRun) {
    const store = await openLinkStore(config, announceDatabase(config));
    try {
      return await importInto(toTarget(store), size, running);
    } finally {
      await store.close();
    }
  }
  if (!(await hasDatabase(config))) {
    printNote(`${describeDatabase(config.database)} does not exist yet: all short codes are free there.\n`);
    using planned = openPlannedLinks(async () => new Map());
    return await importInto(planned, size, running);
  }
  // An error of the file must not name the database as its cause.
  const outcome = await readDatabase(config, async ({ query, dialect }) => {
    using planned = openPlannedLinks(prepareFindTargets(query, dialect));
    return await importInto(planned, size, running).then(
      (end) => ({ end }),
      (error: unknown) => ({ error }),
    );
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.end;
}

function sizeOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new Error(`${file}: there is no such file; name the file to import`);
  if (!stats.isFile()) throw new Error(`${file}: this is not a file; name the file to import`);
  return stats.size;
}

function toTarget(store: Store): ImportTarget {
  return {
    create: (links) =>
      Promise.all(
        links.map((link) => {
          const at = Date.now();
          return store.create(link, { ...newIdAndSalt(at), author: IMPORT_AUTHOR, at });
        }),
      ),
    async findTargets(shortCodes) {
      const found = await Promise.all(shortCodes.map((shortCode) => store.find(shortCode)));
      return new Map(
        found.flatMap((link) =>
          link ? [[link.shortCode, link.target.type === 'REDIRECT' ? link.target.url : null]] : [],
        ),
      );
    },
  };
}

async function importInto(target: ImportTarget, size: number, running: Import): Promise<ImportEnd> {
  const { settings, config, report, isStopped } = running;
  const { from, file, timeZone, withRefusal, onConflict, reportPath } = settings;
  const step = createProgressBar(process.stderr, process.stderr.isTTY).begin({
    label: settings.isDryRun ? 'Checking links' : 'Importing links',
    unit: 'bytes',
    total: size,
  });
  await using lines = await openReportFile(reportPath);
  const passwords = createArgon2idHasher();
  const plan = preparePlanLink({
    ...{ from, timeZone, withRefusal, shortPath: config.shortPath },
    targets: { baseUrl: config.baseUrl, hosts: config.hosts, blockedHosts: await readBlockedHosts(running) },
    now: Date.now(),
    // A dry run creates nothing that could be opened.
    hashPassword: settings.isDryRun ? async () => '' : passwords.hash,
  });
  try {
    const records = readRecords(createReadStream(file), from, step.update, reportIgnored);
    return await withErrorPrefix(
      file,
      importLinks({
        ...{ records, target, plan, onConflict },
        report: async (line) => {
          report.add(line);
          await lines.write(line);
        },
        isStopped,
      }),
    );
  } finally {
    step.end();
  }
}

function reportIgnored(columns: readonly string[]): void {
  printNote(`Fields that are not imported: ${columns.join(', ')}\n`);
}

async function readBlockedHosts({ settings, config }: Loaded) {
  const { blockedHostsPath: path } = config;
  if (path === null || settings.allowsBlocked) return () => new Set<string>();
  return (await withErrorPrefix(`app.links.blocked-hosts ${path}`, openBlockedHostsFile(path))).current;
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
    '  csv     CSV with the columns shortCode (or a short URL) and targetUrl, and any of createdAt, startsAt, expiresAt,\n' +
    '          maxViews, views, label, note, tags, recipient, password, or names of other services for these\n\n' +
    'After an import that failed or was stopped, what was imported stays, and the same command continues. Exit code 4:\n' +
    'some links were skipped, see the report.',
  options: IMPORT_OPTIONS,
  examples: ['postern import shlink links.json --dry-run'],
  failure: 'The import failed:',
  load: loadImport,
  run: importFile,
});
