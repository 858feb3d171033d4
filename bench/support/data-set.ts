import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseUnavailableError } from '../../src/core/model/unavailable.ts';
import { PAGE_BYTES } from '../../src/stores/sqlite/connection.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import type { Store } from '../../src/stores/store.ts';
import {
  LINK_KINDS,
  type LinkCounts,
  type LinkKind,
  madeUpCreation,
  madeUpLink,
  managedCreation,
  managedLink,
  prepareAttempts,
  prepareManagedAttempts,
  shortCodeOf,
  viewOf,
  YEAR_MS,
} from './made-up-data.ts';
import { startProgress } from './progress.ts';
import { type Effort, shortCount } from './scenario.ts';

/** A store of a size, with the paths of its links without restrictions (at most 100,000). */
export type DataSet = { databasePath: string; paths: string[] };

/**
 * The size of a store: links without restrictions, audit records of a year, and links that are due
 * but not yet expired. `onOneLink` of the records are on the first link. A store with records also has, for every 50 links, one that expired and one with a
 * password.
 */
export type DataSetSize = { links: number; records?: number; due?: number; onOneLink?: number };

/**
 * Builds or returns a store of links that are labelled and listed, with a view of every thousandth, and other
 * attempts.
 */
export async function managedDataSet(links: number, records = 0): Promise<DataSet> {
  const built = await cached(`${links}-managed-${records}-records`, (databasePath) =>
    buildStore(databasePath, (store) => fillManaged(store, links, records)),
  );
  return { ...built, paths: managedPathsIn(links) };
}

/** Returns the paths of such links that have no restrictions, at most 100,000. */
export function managedPathsIn(links: number): string[] {
  const unrestricted = Math.floor(links / MANAGED_PERIOD);
  const sample = Math.min(unrestricted, SAMPLE);
  return Array.from({ length: sample }, (_, index) => {
    const period = Math.floor((index * unrestricted) / sample);
    const link = managedLink(period * MANAGED_PERIOD + UNRESTRICTED_INDEX, { count: links, yearStart: 0 });
    return `/l/${link.shortCode}`;
  });
}

/** Fills an empty store with such links. */
export async function fillManaged(store: Store, count: number, records = 0): Promise<void> {
  const data = { count, yearStart: Date.now() - YEAR_MS };
  await addAll(`${shortCount(count)} managed links`, count, (index) => {
    const link = managedLink(index, data);
    return store.create(link, managedCreation(index, link));
  });
  const codeOf = (index: number) => managedLink(index * VIEWED_EVERY, data).shortCode;
  await addAll('views', Math.floor(count / VIEWED_EVERY), (index) => store.attempt(viewOf(codeOf(index))));
  const attemptOf = prepareManagedAttempts({ ...data, records });
  // On PostgreSQL, many at once on the same links would wait for each other.
  const atOnce = Math.min(AT_ONCE, Math.ceil(count / 10));
  await addAll(`${shortCount(records)} records`, records, (index) => store.attempt(attemptOf(index)), atOnce);
  await expireAll(store);
  await waitUntilProjected(store);
}

const HOME = join(tmpdir(), 'postern-bench-data');
const SAMPLE = 100_000;
const LINKS_PER_RESTRICTED = 50;
/** Fills the largest batch that the store commits, with another one waiting. */
const AT_ONCE = 4_096;
const EXPIRED_AT_ONCE = 10_000;
const VIEWED_EVERY = 1_000;
/** The restrictions of managed links repeat after so many. This one of them has none. */
const MANAGED_PERIOD = 20;
const UNRESTRICTED_INDEX = 2;

/**
 * Builds a store through its own code paths, or returns the one that an earlier run built in the system's
 * temporary directory. Copy it before writing to it.
 */
export async function dataSet(size: DataSetSize): Promise<DataSet> {
  const { links, records = 0, due = 0, onOneLink = 0 } = size;
  const counts = countsOf(size);
  const built = await cached(
    `${links}-links-${records}-records-${due}-due-${onOneLink}-on-one`,
    (databasePath) => buildStore(databasePath, (store) => fill(store, counts, { records, onOneLink })),
  );
  return { ...built, paths: pathsIn(counts) };
}

/** Returns the store of a name, which `build` writes unless an earlier run has. */
async function cached(name: string, build: (databasePath: string) => Promise<void>): Promise<DataSet> {
  const directory = join(HOME, `${name}-${formatVersion()}`);
  if (!existsSync(directory)) {
    removeSets(`${name}-`); // of earlier formats
    const unfinished = `${directory}.unfinished`;
    await build(join(unfinished, 'postern.db'));
    renameSync(unfinished, directory);
  }
  return { databasePath: join(directory, 'postern.db'), paths: [] };
}

/**
 * Returns a store that both services of a comparison can open: the other checkout builds it, because this service reads
 * the data of earlier releases.
 */
export async function sharedDataSet(
  { against }: Pick<Effort, 'against'>,
  size: DataSetSize,
): Promise<DataSet> {
  if (against === undefined) return dataSet(size);
  const module = pathToFileURL(join(against, 'bench/support/data-set.ts'));
  const other = (await import(module.href)) as { dataSet: typeof dataSet }; // the same file of an earlier version
  return other.dataSet(size);
}

/** Fills another, empty store in the same way, and returns the paths. */
export async function fillStore(store: Store, size: DataSetSize): Promise<string[]> {
  const { records = 0, onOneLink = 0 } = size;
  await fill(store, countsOf(size), { records, onOneLink });
  return pathsIn(countsOf(size));
}

/** Fills an empty store with links that are due. */
export async function fillDue(store: Store, due: number): Promise<void> {
  await fill(store, countsOf({ links: 1, due }), { records: 0, onOneLink: 0 });
}

function countsOf({ links, records = 0, due = 0 }: DataSetSize): LinkCounts {
  const restricted = records > 0 ? Math.ceil(links / LINKS_PER_RESTRICTED) : 0;
  return { PLAIN: links, EXPIRED: restricted, PROTECTED: restricted, DUE: due };
}

function pathsIn(counts: LinkCounts): string[] {
  const sample = Math.min(counts.PLAIN, SAMPLE);
  return Array.from(
    { length: sample },
    (_, index) => `/l/${shortCodeOf('PLAIN', Math.floor((index * counts.PLAIN) / sample), counts)}`,
  );
}

/** Returns a hash of the shared tables, the page size and the source of the data. */
function formatVersion(): string {
  const files = ['../../src/stores/schema.sql', 'made-up-data.ts'].map(
    (path) => new URL(path, import.meta.url),
  );
  const hash = createHash('sha256').update(String(PAGE_BYTES));
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

function removeSets(prefix: string): void {
  mkdirSync(HOME, { recursive: true });
  for (const name of readdirSync(HOME).filter((found) => found.startsWith(prefix))) {
    rmSync(join(HOME, name), { recursive: true, force: true });
  }
}

type Records = { records: number; onOneLink: number };

async function buildStore(databasePath: string, fillStore: (store: Store) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const store = await openSqliteStore({ path: databasePath });
  await fillStore(store);
  await store.close();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const sizeMb = Math.round(statSync(databasePath).size / 1e6);
  process.stderr.write(`  built ${sizeMb} MB in ${seconds} s, cached in ${HOME}\n`);
}

/** Fills an empty store with links and the records of a year. */
async function fill(store: Store, counts: LinkCounts, { records, onOneLink }: Records): Promise<void> {
  const data = { counts, records, onOneLink, yearStart: Date.now() - YEAR_MS };
  const addLinks = (kind: LinkKind) =>
    addAll(`${shortCount(counts[kind])} links, ${kind}`, counts[kind], (index) => {
      const link = madeUpLink(kind, index, data);
      return store.create(link, madeUpCreation(link));
    });
  for (const kind of LINK_KINDS.filter((each) => each !== 'DUE')) await addLinks(kind);
  const attemptOf = prepareAttempts(data);
  await addAll(`${shortCount(records)} records`, records, (index) => store.attempt(attemptOf(index)));
  await expireAll(store);
  await addLinks('DUE'); // last, so that they stay due
  await assertComplete(store, counts, records);
}

/** Adds `count` items, with so many of them in flight. */
async function addAll(
  what: string,
  count: number,
  add: (index: number) => Promise<unknown>,
  atOnce = AT_ONCE,
): Promise<void> {
  const progress = startProgress(what, count);
  let next = 0;
  async function addNext(): Promise<void> {
    while (next < count) {
      await add(next++);
      progress.at(next);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, addNext));
  progress.end();
}

async function expireAll(store: Store): Promise<void> {
  while ((await store.expireDue(Date.now(), EXPIRED_AT_ONCE)) === EXPIRED_AT_ONCE);
}

/** Throws where the store is smaller than requested, because a code was taken or a record was lost. */
async function assertComplete(store: Store, counts: LinkCounts, records: number): Promise<void> {
  await waitUntilProjected(store);
  const links = sum(Object.values(await store.statistics.linkCounts()));
  const { countsByResult } = await store.statistics.accessTotals({ start: null, end: null });
  const attempts = sum(Object.values(countsByResult));
  if (links === sum(Object.values(counts)) && attempts === records) return;
  throw new Error(`The built store has ${links} links and ${attempts} records`);
}

/** Reads give up after two seconds, and a store that was filled without pause has more to project. */
async function waitUntilProjected(store: Store): Promise<void> {
  for (;;) {
    try {
      await store.statistics.linkCounts();
      return;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
    }
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
