import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkMailServer } from '../../adapters/delivery/mails.ts';
import { codeOf, messageOf } from '../../common/error-details.ts';
import { countOf } from '../../common/format.ts';
import { describeDatabase, noStoreAt } from '../../common/locations.ts';
import { VERSION } from '../../common/version.ts';
import type { Config } from '../../core/config/config.ts';
import { formatInstant } from '../../core/model/instant.ts';
import type { OpenFile } from '../../core/ports/file-store.ts';
import { CONFIG_FLAGS, forCommand, type LoadedConfig, loadConfig } from '../../service/config/load-config.ts';
import type { Options } from '../../service/config/options.ts';
import { readFlags } from '../../service/config/read-flags.ts';
import { showSetting } from '../../service/config/read-property.ts';
import {
  composeFiles,
  composeVerification,
  findStorageWarnings,
  openFileStore,
  openScanner,
  readDatabase,
} from '../../service/open-stores.ts';
import { SCHEMA_VERSION } from '../../stores/schema.ts';
import { readLastBackup } from '../../stores/sql/last-backup.ts';
import { checkService, type Report, readValue, SELECT_NEWEST } from './check-service.ts';
import { defineCommand } from './command.ts';
import { print, toPrintableJson } from './terminal.ts';

type Check = (config: Config, report: Report) => Promise<void>;

const OPTIONS = {
  json: { type: 'boolean', help: 'Prints JSON, a verdict in a line' },
} as const satisfies Options;

/** A clock that differs by less needs no attention: links begin and expire to the second. */
const CLOCK_TOLERANCE_MS = 1_000;
/** The write-ahead log of SQLite takes a part of it, and a full disk stops the service. */
const LOW_DISK_BYTES = 1024 ** 3;

/** The checks after that of the configuration, in the order of the output. One that fails does not stop the others. */
const CHECKS: Record<string, Check> = {
  versions: checkVersions,
  store: checkStore,
  backup: checkBackup,
  files: checkFiles,
  disk: checkDisk,
  clock: checkClock,
  mail: checkMail,
  scan: checkScanner,
  service: checkService,
};

type Settings = { ok: true; loaded: LoadedConfig; isJson: boolean };

/** Accepts that `postern doctor | head -1` closes the pipe early. The checks go on, so that none leaves its probe. */
function acceptClosedPipe(error: Error): void {
  if (codeOf(error) !== 'EPIPE') throw error;
}

async function examine({ loaded, isJson }: Settings): Promise<number> {
  process.stdout.off('error', acceptClosedPipe).on('error', acceptClosedPipe); // once, also if it runs again
  let errors = 0;
  const reportOf = (check: string): Report => {
    const reporting = (verdict: keyof Report) => (text: string) => {
      const message = text.split('\n').join(' ');
      const line = `${verdict.padEnd('warning'.length)}  ${check}: ${message}`;
      print(`${isJson ? toPrintableJson({ check, verdict, message }) : line}\n`);
      if (verdict === 'error') errors += 1;
    };
    return { ok: reporting('ok'), warning: reporting('warning'), error: reporting('error') };
  };
  reportConfiguration(loaded, reportOf('configuration'));
  if (!loaded.ok) return 1;
  const { database } = loaded.config;
  if (database.kind === 'sqlite' && !existsSync(database.path)) {
    reportOf('store').error(noStoreAt(database));
    return 1;
  }
  for (const [name, check] of Object.entries(CHECKS)) {
    const report = reportOf(name);
    await check(loaded.config, report).catch((error: unknown) => report.error(messageOf(error)));
  }
  return errors > 0 ? 1 : 0;
}

function reportConfiguration(loaded: LoadedConfig, report: Report): void {
  if (!loaded.ok) {
    loaded.errors.forEach(report.error);
    return;
  }
  const set = [...loaded.settings].map(
    ([property, setting]) => `${property.name} is ${showSetting(property, setting)}, from ${setting.origin}`,
  );
  report.ok(set.length === 0 ? 'every property has its default' : set.join('; '));
  loaded.warnings.forEach(report.warning);
}

async function checkVersions(config: Config, report: Report): Promise<void> {
  const isSqlite = config.database.kind === 'sqlite';
  const statement = isSqlite
    ? "SELECT 'SQLite ' || sqlite_version() AS value"
    : "SELECT 'PostgreSQL ' || current_setting('server_version') AS value";
  const version = await readValue(config, statement);
  report.ok(`Postern ${VERSION}, Node ${process.versions.node}, ${version}, schema ${SCHEMA_VERSION}`);
}

async function checkStore(config: Config, report: Report): Promise<void> {
  await composeVerification(config).assertNoUnfinishedMove();
  const newest = await readValue(config, SELECT_NEWEST);
  report.ok(
    `${describeDatabase(config.database)} opens, and has ${newest ? countOf(Number(newest), 'entry', 'entries') : 'no entries'}; postern verify checks them`,
  );
}

/** The alert about old backups needs a first one. */
async function checkBackup(config: Config, report: Report): Promise<void> {
  const lastAt = await readDatabase(config, ({ query }) => readLastBackup(query));
  if (lastAt !== null) report.ok(`the last one was begun at ${formatInstant(lastAt)}`);
  else report.warning('postern backup has made none; run it each night, unless you back up in another way');
}

/** Checks that the user of this process may write where the service does. */
async function checkFiles(config: Config, report: Report): Promise<void> {
  const { database, storage } = config;
  const places = [
    ...(database.kind === 'sqlite' ? [database.path, dirname(resolve(database.path))] : []),
    ...(storage.kind === 'directory' ? [storage.path] : []),
  ];
  const [owner] = places.filter(existsSync).map((place) => statSync(place).uid);
  if (process.getuid?.() === 0 && owner !== undefined && owner !== 0) {
    report.warning(
      `permissions were not checked, because root has them all; run it as the user of the service (uid ${owner})`,
    );
    return;
  }
  for (const place of places) {
    try {
      accessSync(place, constants.R_OK | constants.W_OK);
    } catch (error) {
      report.error(`${messageOf(error)}; let the user of the service read and write ${place}`);
      return;
    }
  }
  if (storage.kind === 's3') await openFileStore(config);
  else await (await composeFiles(config)).checkWritable();
  (await findStorageWarnings(config)).forEach(report.warning);
  report.ok('files can be written');
}

async function checkDisk({ database, storage }: Config, report: Report): Promise<void> {
  const places: [name: string, path: string, leastBytes: number][] = [];
  if (database.kind === 'sqlite')
    places.push(['the database', dirname(resolve(database.path)), LOW_DISK_BYTES]);
  if (storage.kind === 'directory') places.push(['app.storage.path', storage.path, storage.minFreeBytes]);
  for (const [name, path, leastBytes] of places) {
    const { bavail, bsize } = await statfs(path);
    const freeMb = Math.floor((bavail * bsize) / 1024 ** 2);
    if (bavail * bsize >= leastBytes) report.ok(`${freeMb} MB are free for ${name}`);
    else
      report.warning(
        `only ${freeMb} MB are free for ${name}, in ${path}; make room, or move it to a larger disk`,
      );
  }
}

/** Compares the clock of this machine with those of the database and of the newest entry. */
async function checkClock(config: Config, report: Report): Promise<void> {
  const { database } = config;
  const newest = await readValue(config, 'SELECT at AS value FROM entry ORDER BY seq DESC LIMIT 1');
  const behindMs = Number(newest ?? 0) - Date.now();
  const NOW = 'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS value';
  const now = database.kind === 'postgres' ? Number(await readValue(config, NOW)) : undefined;
  const differenceMs = now === undefined ? 0 : Math.abs(now - Date.now());
  const remedy = 'let NTP set the clocks; links begin and expire by that of the service';
  if (behindMs > CLOCK_TOLERANCE_MS)
    report.error(`the newest entry is ${behindMs / 1_000} s in the future of this machine: ${remedy}`);
  else if (differenceMs > CLOCK_TOLERANCE_MS)
    report.warning(
      `the clock of the database differs by ${differenceMs / 1_000} s from that of this machine: ${remedy}`,
    );
  else
    report.ok(
      now === undefined ? 'no entry is in the future' : `that of the database differs by ${differenceMs} ms`,
    );
}

async function checkMail({ mail: { server } }: Config, report: Report): Promise<void> {
  if (!server) return report.ok('app.mail.url is not set, so no mails are sent');
  const place = `${server.host}:${server.port}`;
  const error = await checkMailServer(server);
  if (error === undefined)
    report.ok(`${place} accepts a connection${server.credentials ? ' and the password' : ''}`);
  else report.error(`${place}: ${error}; check app.mail.url, and that the network lets this machine connect`);
}

/** Gives the scanner of uploads a harmless text. */
async function checkScanner(config: Config, report: Report): Promise<void> {
  const scanner = await openScanner(config);
  if (!scanner) return report.ok('app.upload.scan is not set, so uploads are not scanned');
  const text = Buffer.from('harmless\n');
  const file: OpenFile = {
    sizeBytes: text.length,
    sentBytes: 0,
    sendTo: (sink) => pipeline([text], sink),
    close: () => Promise.resolve(),
  };
  const { scan, scanNote = '' } = await scanner.scan(file, AbortSignal.timeout(scanner.timeoutMs));
  if (scan === 'CLEAN') report.ok('the scanner finds nothing in a harmless text');
  else report.error(`the scanner reports a harmless text as ${scan} (${scanNote}); check app.upload.scan`);
}

export const command = defineCommand({
  details:
    'Reads the configuration as serve does, with the same properties, and prints a verdict in a line: ok, warning or\n' +
    'error, with the remedy. Run it as the user of the service, beside it. It opens the store for reading; where files\n' +
    'go, it writes and removes a probe, as each start does. It requests short codes that no link has through\n' +
    'the public addresses, which are in the audit as NOT_FOUND. Exit code 1 after an error.',
  options: OPTIONS,
  examples: [
    'postern doctor --config=/etc/postern/postern.conf',
    'postern doctor --json | jq \'select(.verdict != "ok")\'',
  ],
  failure: 'The installation could not be examined:',
  load(sources): Settings {
    const args = readFlags(sources.argv, { own: OPTIONS, properties: CONFIG_FLAGS });
    return { ok: true, loaded: forCommand(loadConfig(sources, args)), isJson: args.flags.has('json') };
  },
  run: examine,
});
