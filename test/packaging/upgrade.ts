import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { SCHEMA_VERSION } from '../../src/stores/schema.ts';
import {
  assertAuditsConsistent,
  assertResponsesAreRecorded,
  type LinkRow,
  linkRows as sqliteLinkRows,
} from '../support/audit-consistency.ts';
import { ROOT } from '../support/documents.ts';
import type { Server } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { type Load, startLoad } from '../support/load.ts';
import { SYSTEM_PATH, serveWith } from '../support/packages.ts';
import { linkRows as postgresLinkRows } from '../support/postgres-harness.ts';
import { type Running, startCommand } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../support/store-places.ts';

const CLIENTS = 4;
/** What the clients get of each version before they go on to the next. */
const RESPONSES = 400;
/** The number of links that the clients open in turn. */
const OPENED = 6;
/** A limit that the clients reach. */
const MAX_VIEWS = RESPONSES / 4;
const NEWER = SCHEMA_VERSION + 1;

/** A store for both versions. `setVersion`: SQL that changes the version of its schema. */
type Upgraded = {
  place: StorePlace;
  databaseUrl: string;
  readLinks(): Promise<LinkRow[]>;
  setVersion(version: number): string;
};

const STORES: Record<string, (t: TestContext) => Promise<Upgraded>> = {
  async SQLite(t) {
    const place = sqlitePlace(t);
    return {
      place,
      databaseUrl: `sqlite:${place.path}`,
      readLinks: async () => sqliteLinkRows(place.path),
      setVersion: (version) => `PRAGMA user_version = ${version}`,
    };
  },
  async PostgreSQL(t) {
    const place = await postgresPlace(t);
    return {
      place,
      databaseUrl: place.url,
      readLinks: () => postgresLinkRows(place.schema),
      setVersion: (version) => `UPDATE schema_version SET version = ${version}`,
    };
  },
};

/** Replaces the last release by this package under load, on both stores, and then refuses a newer database. */
export async function tryUpgrade(t: TestContext, path: string): Promise<void> {
  const after = install(t, path);
  const before = install(t, packLastRelease(t) ?? path);
  for (const [name, makeStore] of Object.entries(STORES)) {
    await t.test(`an upgrade under load on ${name} loses nothing that was acknowledged`, async (t) => {
      const store = await makeStore(t);
      const directory = temporaryDirectory(t);
      const options = {
        cwd: directory,
        env: {
          PATH: [dirname(process.execPath), SYSTEM_PATH].join(delimiter),
          APP_DATABASE_URL: store.databaseUrl,
          APP_STORAGE_PATH: join(directory, 'files'),
        },
      };
      await upgrade(store, (version) => serveWith(t, [version, 'serve'], options), { before, after });
      const run = (command: string) => startCommand(t, [after, command], options).exited;
      const verified = await run('verify');
      assert.deepEqual([verified.code, verified.stderr], [0, '']);
      await t.test('a database of a newer version is refused, and unchanged', () =>
        assertNewerRefused(store, run),
      );
    });
  }
}

/**
 * Packs the last release that this checkout comes after. Without any, returns undefined: until the first release, the
 * package of this checkout takes its place, so that only the stop and the start are tested.
 */
function packLastRelease(t: TestContext): string | undefined {
  const run = (cwd: string, program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd, encoding: 'utf8' }).trim();
  const tags = ['tag', '--list', 'v*', '--sort=-version:refname', '--merged=HEAD', '--no-contains=HEAD'];
  const [tag = ''] = run(ROOT, 'git', '-c', 'versionsort.suffix=-', ...tags).split('\n');
  if (tag === '') return undefined;
  const checkout = join(temporaryDirectory(t), 'postern');
  run(
    ROOT,
    'git',
    'clone',
    '--quiet',
    '--shared',
    '--config=advice.detachedHead=false',
    `--branch=${tag}`,
    ROOT,
    checkout,
  );
  run(
    checkout,
    'npm',
    'ci',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  );
  run(checkout, 'npm', 'run', '--silent', 'package', '--', 'npm');
  const packages = join(checkout, 'packages');
  return join(packages, readdirSync(packages).find((name) => name.endsWith('.tgz')) ?? '');
}

/** Installs an npm package into a folder of its own, without Node. Returns the path of the program. */
function install(t: TestContext, path: string): string {
  const prefix = temporaryDirectory(t);
  const flags = ['--omit=optional', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--global', `--prefix=${prefix}`, ...flags, path]);
  return join(prefix, 'bin/postern');
}

/** Serves one store with both versions, one after the other, while clients open and create links. */
async function upgrade(
  { place, readLinks }: Upgraded,
  serve: (version: string) => Promise<Running & Server>,
  versions: { before: string; after: string },
): Promise<void> {
  const first = await serve(versions.before);
  const exact = await createLink(first, { maxViews: 3 });
  const codes = [
    ...(await Promise.all([10, MAX_VIEWS, undefined].map((maxViews) => createLink(first, { maxViews })))),
    await uploadFile(first, 'content', { fields: { maxViews: String(MAX_VIEWS) } }),
  ];
  for (let views = 1; views <= 2; views++) assert.equal((await openLink(first, exact)).status, 302);
  const ofFirst = await loadAndStop(first, codes);

  const second = await serve(versions.after);
  assert.equal((await openLink(second, exact)).status, 302);
  assert.equal((await openLink(second, exact)).status, 410);
  const ofSecond = await loadAndStop(second, codes);

  const again = await serve(versions.after);
  const [audit, links] = [await place.readAudit(), await readLinks()];
  await assertAuditsConsistent(again, { audit, links });
  assertResponsesAreRecorded([...ofFirst.sent, ...ofSecond.sent], audit);
  const stored = new Set(links.map(({ shortCode }) => shortCode));
  assert.deepEqual(
    codes.filter((shortCode) => !stored.has(shortCode)),
    [],
  );
  const used = links.filter(({ maxViews }) => maxViews === MAX_VIEWS).map(({ viewCount }) => viewCount);
  assert.deepEqual(used, [MAX_VIEWS, MAX_VIEWS], 'the limits were reached');
  await stop(again);
  assert.equal(await place.schemaVersion(), SCHEMA_VERSION);
}

/** Opens these links and creates others, which it adds to them, and stops the service meanwhile. */
async function loadAndStop(service: Running & Server, codes: string[]): Promise<Load> {
  let requests = 0;
  const choose = () => ({ shortCode: codes[requests++ % Math.min(codes.length, OPENED)] ?? '' });
  const load = startLoad(service, CLIENTS, choose);
  const creating = createUntilStopped(service, codes);
  await load.waitForResponses(RESPONSES);
  await stop(service);
  await Promise.all([load.ended, creating]);
  assert.ok(load.sent.length >= RESPONSES, `only ${load.sent.length} requests were sent`);
  return load;
}

/** Creates links until the service takes no more connections. */
async function createUntilStopped(service: Running & Server, codes: string[]): Promise<void> {
  for (;;) {
    try {
      codes.push(await createLink(service, { maxViews: 2 }));
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error; // another response
      return;
    }
  }
}

async function stop(service: Running): Promise<void> {
  service.signal('SIGTERM');
  const { code, stdout } = await service.exited;
  assert.equal(code, 0);
  assert.match(stdout, /"msg":"service_stopped"/);
}

/** Checks that neither the service nor a command uses a store of a newer version. */
async function assertNewerRefused(
  { place, setVersion }: Upgraded,
  run: (command: string) => Promise<{ code: number | null; stderr: string }>,
): Promise<void> {
  await place.run(setVersion(NEWER));
  const contents = await place.dump();
  for (const command of ['serve', 'verify']) {
    const { code, stderr } = await run(command);
    assert.equal(code, 1, command);
    assert.match(
      stderr,
      new RegExp(
        `has schema version ${NEWER}, this program ${SCHEMA_VERSION}: a newer version .* start that one, or restore a backup`,
      ),
    );
  }
  assert.equal(await place.schemaVersion(), NEWER);
  assert.deepEqual(await place.dump(), contents);
}
