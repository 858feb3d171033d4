import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createArgon2idHasher } from '../../src/adapters/password-hasher.ts';
import type { Config } from '../../src/core/config/config.ts';
import type { PasswordHasher, StartTimer } from '../../src/core/ports/ports.ts';
import { createLog } from '../../src/observability/log.ts';
import { composeService, type Service } from '../../src/service/compose.ts';
import { loadConfig } from '../../src/service/config/load-config.ts';
import { openStores, type Stores } from '../../src/service/open-stores.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildPages } from './build-pages.ts';
import type { Cleanup } from './cleanup.ts';
import { assertNoSecrets } from './log-secrets.ts';

/** A clock that stands still until a test moves it. */
export type TestClock = { now: number; (): number };

export function testClock(start = Date.parse('2026-06-15T12:00:00Z')): TestClock {
  const clock = Object.assign(() => clock.now, { now: start });
  return clock;
}

/** Hashes at the lowest cost of Argon2: 0.1 ms instead of 25 ms. */
const CHEAP_PASSWORDS = createArgon2idHasher({ cost: { memoryKiB: 8, passes: 1, parallelism: 1 } });

/** The service as a whole, in this process, on real files and a real port of the loopback. */
export type TestService = Service & {
  stores: Stores;
  url: string;
  /** The address of `app.management.port`, which each test gets a free one for; the first address without it. */
  managementUrl: string;
  clock: TestClock;
  databasePath: string;
  storagePath: string;
  /** The log so far, one parsed line each. */
  logged(): Record<string, unknown>[];
  /** The log so far without the lines of finished requests. */
  events(): Record<string, unknown>[];
  /** Every file below the storage directory, temporary ones too. */
  storedFiles(): string[];
};

/** An empty directory that is removed when the test is over. */
export function temporaryDirectory(t: Cleanup): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-test-'));
  // Hooks of a test run in their order, so that its service may still add files to the directory.
  t.after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return directory;
}

/** The configuration of a service with all its data in `directory`; `flags` as on the command line. */
export function testConfig(directory: string, ...flags: string[]): Config {
  const defaults = [
    '--server.host=127.0.0.1',
    `--app.database.url=sqlite:${join(directory, 'postern.db')}`,
    `--app.storage.path=${join(directory, 'files')}`,
  ];
  const nameOf = (flag: string) => flag.split('=')[0];
  const loaded = loadConfig({
    argv: [...defaults.filter((each) => !flags.some((flag) => nameOf(flag) === nameOf(each))), ...flags],
    env: {},
    readFile: (path) => readFileSync(path),
  });
  if (!loaded.ok) throw new Error(loaded.errors.join('; '));
  return loaded.config;
}

/**
 * Starts a service for one test and stops it after. Its jobs have not run unless the test starts them. The test
 * fails if the log holds a secret.
 */
export async function startService(
  t: Cleanup,
  options: {
    flags?: string[];
    clock?: TestClock;
    directory?: string;
    buildsDirectory?: string;
    startTimer?: StartTimer;
    /** Replaces a hasher at the lowest cost. */
    passwords?: PasswordHasher;
    onLogLine?: (line: string) => void;
    /** Replaces the measurement of the storage's free space. */
    freeBytes?: () => Promise<number | null>;
    /** Returns the store that the service gets instead of its own. */
    wrapStore?: (store: Store) => Store;
  } = {},
): Promise<TestService> {
  const { flags = [], clock = testClock(), directory = temporaryDirectory(t) } = options;
  const bucket = bucketFor(flags);
  const config = testConfig(directory, ...flags, ...(bucket?.flags ?? []));
  const storagePath = join(directory, 'files');
  const lines: string[] = [];
  const log = createLog(config.log.level, {
    write(line: string) {
      lines.push(line);
      options.onLogLine?.(line);
    },
  });
  buildPages();
  const { buildsDirectory, freeBytes, wrapStore, startTimer, passwords = CHEAP_PASSWORDS } = options;
  const stores = await openStores(config);
  if (freeBytes) stores.files = { ...stores.files, freeBytes };
  if (wrapStore) stores.store = wrapStore(stores.store);
  const service = await composeService(config, log, {
    clock,
    stores,
    passwords,
    ...(buildsDirectory && { buildsDirectory }),
    ...(startTimer && { startTimer }),
  }).catch(async (error: unknown) => {
    await stores.store.close();
    throw error;
  });
  const logged = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line));
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= service.stop();
    return stopping;
  };
  t.after(async () => {
    await stop();
    assertNoSecrets(lines.join(''));
  });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  await service.listenLocally();
  const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { managementServer = service.app.server } = service;
  if (!managementServer.listening) await once(managementServer.listen(0, '127.0.0.1'), 'listening');
  return {
    ...service,
    stop,
    clock,
    stores,
    url: urlOf(service.app.server),
    managementUrl: urlOf(managementServer),
    databasePath: join(directory, 'postern.db'),
    storagePath,
    logged,
    events: () =>
      logged()
        .filter(({ msg }) => msg !== 'request_finished')
        .map(withoutResponse),
    storedFiles: () =>
      bucket?.storedFiles() ??
      readdirSync(storagePath, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
  };
}

/** The server of TEST_FILE_STORE=s3, with which services keep their files in a bucket unless their test names a storage. */
const s3 =
  process.env['TEST_FILE_STORE'] === 's3'
    ? await (await import('./s3-server.ts')).startS3Server()
    : undefined;
if (s3) after(s3.stop);
/** Of tests that need a directory for files. */
export const ON_DIRECTORY = { skip: s3 && 'of a directory' };
let prefixes = 0;

function bucketFor(flags: readonly string[]) {
  if (!s3 || flags.some((flag) => flag.startsWith('--app.storage'))) return undefined;
  const {
    flags: [bucket, ...rest],
    objectFiles,
  } = s3;
  const prefix = `service-${prefixes++}`;
  return { flags: [`${bucket}/${prefix}`, ...rest], storedFiles: () => objectFiles(prefix) };
}

/** Returns a line of the log without the fields of the response. */
export function withoutResponse({ ...line }: Record<string, unknown>): Record<string, unknown> {
  for (const field of ['method', 'route', 'status', 'result', 'ms', 'size']) delete line[field];
  return line;
}
