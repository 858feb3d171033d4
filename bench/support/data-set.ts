import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newAttemptId } from '../../src/links/attempt-id.ts';
import type { SqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';

/** A store of a size, and the short codes of links in it to ask for (at most 100,000). */
export type DataSet = { databasePath: string; shortCodes: string[] };

const SAMPLE = 100_000;
const AT_ONCE = 2_048;
const YEAR_MS = 365 * 24 * 3_600_000;
const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/**
 * Makes a store of so many links and audit records through the store's own code paths, or finds the one that an
 * earlier run made. Records spread over a year and over the sampled links. To be copied before it is written to.
 */
export async function dataSet(links: number, records: number): Promise<DataSet> {
  const directory = join(tmpdir(), `postern-bench-data-${links}-${records}`);
  const databasePath = join(directory, 'postern.db');
  const codesPath = join(directory, 'short-codes.txt');
  if (!existsSync(codesPath)) {
    process.stderr.write(`  making ${links} links and ${records} records, once …\n`);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const store = await openSqliteStore({ path: databasePath });
    const shortCodes = await addLinks(store, links);
    await addRecords(store, shortCodes, records);
    await store.close();
    writeFileSync(`${codesPath}.new`, shortCodes.join('\n'));
    renameSync(`${codesPath}.new`, codesPath);
  }
  return { databasePath, shortCodes: readFileSync(codesPath, 'utf8').split('\n') };
}

async function addLinks(store: SqliteStore, count: number): Promise<string[]> {
  const sampleEvery = Math.max(1, Math.floor(count / SAMPLE));
  const sample: string[] = [];
  const createdAt = Date.now() - YEAR_MS;
  await inGroups(count, (index) => {
    const shortCode = shortCodeOf(index);
    if (index % sampleEvery === 0 && sample.length < SAMPLE) sample.push(shortCode);
    return store.create({
      shortCode,
      target: {
        type: 'REDIRECT',
        url: `https://example.com/campaigns/2026/autumn/${shortCode}?utm_source=mail`,
      },
      createdAt,
      expiresAt: null,
      maxViews: null,
      passwordHash: null,
    });
  });
  return sample;
}

async function addRecords(store: SqliteStore, shortCodes: string[], count: number): Promise<void> {
  const startedAt = Date.now() - YEAR_MS;
  await inGroups(count, (index) => {
    const at = startedAt + Math.floor((index / count) * YEAR_MS);
    return store.attempt({
      id: newAttemptId(at, crypto.randomUUID()),
      at,
      shortCode: shortCodes[scatter(index) % shortCodes.length] ?? '',
      ipAddress: `10.${scatter(index) % 4}.${scatter(index) % 251}.${scatter(index) % 241}`,
      userAgent: AGENT,
      purpose: 'OPEN',
      evidence: { password: 'NOT_NEEDED', file: 'NOT_NEEDED' },
    });
  });
}

async function inGroups(count: number, add: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - start);
    await Promise.all(Array.from({ length: size }, (_, offset) => add(start + offset)));
  }
}

/** Codes that lie as far apart in the index as random ones, each once: the index in base 36, scattered. */
function shortCodeOf(index: number): string {
  return ((BigInt(index + 1) * 1_500_450_271n) % 2_821_109_907_456n).toString(36).padStart(8, '0');
}

function scatter(index: number): number {
  return (Math.imul(index + 1, 2_654_435_761) ^ (index >>> 7)) >>> 0;
}
