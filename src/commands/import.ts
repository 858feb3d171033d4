import { once } from 'node:events';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { newIdAndSalt } from '../compose-use-cases.ts';
import { openBlockedHostsFile } from '../config/blocked-hosts-file.ts';
import { type Config, describeDatabase } from '../config/config.ts';
import { IMPORT_HELP, type ImportSettings, loadImport } from '../config/load-import.ts';
import { codeOf, messageOf } from '../error-details.ts';
import { type ImportEnd, type ImportTarget, importLinks } from '../import/import-links.ts';
import { preparePlanLink } from '../import/plan-link.ts';
import { readRecords } from '../import/read-records.ts';
import { createReport, formatReportLine, type ImportedLine, REPORT_HEADER } from '../import/report.ts';
import { hasDatabase, openLinkStore, readDatabase, withErrorPrefix } from '../open-stores.ts';
import { createArgon2idHasher } from '../passwords/argon2id.ts';
import { prepareFindTargets } from '../stores/sql/read-link.ts';
import { openPlannedLinks } from '../stores/sqlite/open-planned-links.ts';
import type { Store } from '../stores/store.ts';
import { announceDatabase, readArguments, readFile, refuse } from './command.ts';
import { createProgressBar } from './progress-bar.ts';
import { onStopSignal } from './stop-signals.ts';

const COMMAND = {
  usage: 'npm run import',
  parameters: 'shlink|yourls|kutt|csv FILE',
  purpose: `Imports links of another service, with their short codes, dates and view counts. Takes the properties of the
service, which may be running, and must use the same database. The content of the file says in which format it is.`,
};
const HEADLINE = 'The import failed:';
const AUTHOR = { kind: 'COMMAND', name: 'import', ipAddress: null } as const;

const argv = readArguments(
  COMMAND,
  `Sources and flags, besides the properties of the service:\n${IMPORT_HELP}`,
);
const loaded = loadImport({ argv, env: process.env, readFile });
if (!loaded.ok) refuse(HEADLINE, loaded.errors);
const { settings, config } = loaded;

let isStopped = false;
onStopSignal(() => {
  isStopped = true;
});

const report = createReport();
try {
  const end = await run(settings, config);
  process.stdout.write(report.format(settings.isDryRun));
  finish(end);
} catch (error) {
  if (report.counts.imported > 0 && !settings.isDryRun) process.stdout.write(report.format(false));
  refuse(HEADLINE, [messageOf(error)]);
}

function finish(end: ImportEnd): void {
  if (end === 'stopped')
    refuse('The import was stopped:', [
      `run the same command again; it continues there${settings.reportPath === null ? '' : ', and needs a new name for --report'}`,
    ]);
  if (end === 'conflict')
    refuse('The import stopped at a short code that is taken:', [
      'see the report; free the code, or run the command again without --on-conflict=fail',
    ]);
  process.exitCode = report.counts.skipped > 0 ? 2 : 0;
}

/** Imports into the store. A dry run only determines the results. */
async function run(settings: ImportSettings, config: Config): Promise<ImportEnd> {
  const size = sizeOf(settings.file); // first, so that a wrong file name does not create the database
  if (!settings.isDryRun) {
    const store = await openLinkStore(config, announceDatabase(config));
    try {
      return await importInto(toTarget(store), size);
    } finally {
      await store.close();
    }
  }
  if (!(await hasDatabase(config))) {
    process.stderr.write(
      `${describeDatabase(config.database)} does not exist yet: all short codes are free there.\n`,
    );
    using planned = openPlannedLinks(async () => new Map());
    return await importInto(planned, size);
  }
  // An error of the file must not name the database as its cause.
  const outcome = await readDatabase(config, async ({ query, dialect }) => {
    using planned = openPlannedLinks(prepareFindTargets(query, dialect));
    return await importInto(planned, size).then(
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
          return store.create(link, { ...newIdAndSalt(at), author: AUTHOR, at });
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

async function importInto(target: ImportTarget, size: number): Promise<ImportEnd> {
  const { from, file, timeZone, withRefusal, onConflict, reportPath } = settings;
  const step = createProgressBar(process.stderr, process.stderr.isTTY).begin({
    label: settings.isDryRun ? 'Checking links' : 'Importing links',
    unit: 'bytes',
    total: size,
  });
  await using lines = await openReportFile(reportPath);
  const passwords = createArgon2idHasher();
  const plan = preparePlanLink({
    ...{ from, timeZone, withRefusal },
    targets: { baseUrl: config.baseUrl, blockedHosts: await readBlockedHosts() },
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
        isStopped: () => isStopped,
      }),
    );
  } finally {
    step.end();
  }
}

function reportIgnored(columns: readonly string[]): void {
  process.stderr.write(`Columns that are not imported: ${columns.join(', ')}\n`);
}

async function readBlockedHosts() {
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
