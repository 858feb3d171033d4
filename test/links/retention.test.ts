import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, type TestContext, test } from 'node:test';
import { createFilesystemStore } from '../../src/adapters/files/filesystem.ts';
import { createS3Store } from '../../src/adapters/files/s3.ts';
import type { LinkPatch } from '../../src/core/model/decide-change.ts';
import type { EpochMs, ImportedState, NewLink } from '../../src/core/model/link.ts';
import { digestOf } from '../../src/core/model/stored-file.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import type { EndedPart } from '../../src/core/ports/erasures.ts';
import type { FileStore } from '../../src/core/ports/file-store.ts';
import { erase } from '../../src/core/use-cases/erase/erase.ts';
import { eraseEndedLinks, type RetentionParts } from '../../src/core/use-cases/erase/retention.ts';
import { compareFiles } from '../../src/core/use-cases/files/compare-files.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { prepareSweepUploads } from '../../src/core/use-cases/files/sweep-uploads.ts';
import { createLog } from '../../src/observability/log.ts';
import { endedLinksJob } from '../../src/service/jobs/jobs.ts';
import { readPostgresStore } from '../../src/stores/postgres/read-store.ts';
import { readKnownFiles } from '../../src/stores/sql/linked-files.ts';
import type { StoreRead } from '../../src/stores/sql/query.ts';
import { recountParts } from '../../src/stores/sql/recount.ts';
import { readSqliteStore } from '../../src/stores/sqlite/read-store.ts';
import type { Store } from '../../src/stores/store.ts';
import {
  type ErasureHarness,
  findTraces,
  killEachStep,
  partsOf,
  readStatistics,
} from '../contract/erasures.ts';
import { attemptOn, codeOf, downloadLink, newChange, redirectLink, START } from '../support/attempts.ts';
import { pluck } from '../support/pluck.ts';
import { openPostgresHarness } from '../support/postgres-harness.ts';
import { EVERY_LINK, historyOf } from '../support/queries.ts';
import { BUCKET, type S3Server, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';
import { openSqliteHarness } from '../support/sqlite-harness.ts';

async function openSqlite(): Promise<ErasureHarness> {
  const harness = await openSqliteHarness();
  return Object.assign(harness, { read: <T>(read: StoreRead<T>) => readSqliteStore(harness.path, read) });
}

async function openPostgres(): Promise<ErasureHarness> {
  const harness = await openPostgresHarness();
  const { options } = harness;
  return Object.assign(harness, { read: <T>(read: StoreRead<T>) => readPostgresStore(options, read) });
}

const BEFORE = START + 20 * HOUR_MS;
const termsOf = (name: string) => ({
  url: `https://${name}.example/cv`,
  terms: {
    message: `Dear ${name}`,
    ...{ label: `For ${name}`, note: `Met ${name}`, tags: [name], recipient: name },
    fallbackUrl: `https://${name}.example/ended`,
    ...{
      notifyUrl: `https://hooks.example/${name}`,
      notifyEmail: `${name}@mail.example`,
      notifyLanguage: 'de',
    },
  },
  passwordHash: `hash of ${name}`,
  tokenHash: `token of ${name}`,
  owner: `USER ${name}`,
});
const IMPORTED: ImportedState = { from: 'csv', viewCount: 2, isPaused: false, status: 'ACTIVE' };

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.stop());

const retentionParts = (store: Store): RetentionParts => ({ ...partsOf(store), history: store.history });
const eraseBefore = (parts: RetentionParts, part: EndedPart, isStopped = () => false) =>
  eraseEndedLinks(parts, part, { before: BEFORE, isStopped });

type Terms = Partial<ReturnType<typeof termsOf>> & Partial<Pick<NewLink, 'expiresAt' | 'maxViews'>>;
function create(store: Store, code: string, terms: Terms) {
  const name = terms.owner?.slice('USER '.length);
  const author = name ? ({ kind: 'USER', name, ipAddress: null } as const) : undefined;
  return store.create(redirectLink(code, terms), newChange(author && { author }));
}
const open = (store: Store, code: string, at: EpochMs, version = 0) =>
  store.attempt(attemptOn(code, { at, version, ipAddress: '203.0.113.7', referrer: '203.0.113.8' }));

async function change(store: Store, code: string, patch: LinkPatch, at: EpochMs): Promise<string> {
  return (await store.change(code, { patch, versions: null }, newChange({ at }))).result;
}

/** The ways in which a link ends at a time. Attempts and changes that do not matter follow some. */
const ENDS: ((store: Store, code: string, at: EpochMs, terms: Terms) => Promise<unknown>)[] = [
  (store, code, at, terms) => create(store, code, { ...terms, expiresAt: at }),
  async function revoked(store, code, at, terms) {
    await create(store, code, terms);
    await store.revoke(code, newChange({ at }));
    for (let visits = 0; visits < 120; visits++) await open(store, code, BEFORE + HOUR_MS);
  },
  async function usedUp(store, code, at, terms) {
    await create(store, code, { ...terms, maxViews: 1 });
    for (const openedAt of [at, BEFORE + HOUR_MS]) await open(store, code, openedAt);
    await change(store, code, { terms: { note: `Again ${terms.terms?.note}` } }, BEFORE + HOUR_MS);
    await store.revoke(code, newChange({ at: BEFORE + HOUR_MS }));
  },
  async function limitedLater(store, code, at, terms) {
    await create(store, code, terms);
    await open(store, code, START);
    await change(store, code, { maxViews: 1 }, at);
  },
  async function importedUsedUp(store, code, at, terms) {
    const link = redirectLink(code, {
      ...terms,
      owner: 'COMMAND import',
      maxViews: 2,
      createdAt: START - DAY_MS,
    });
    await store.create({ ...link, imported: IMPORTED }, newChange({ at }));
  },
];

async function assertWhole({ read }: ErasureHarness): Promise<void> {
  const { derived, records } = await read(recountParts);
  assert.deepEqual([...derived, ...records], []);
}

/** Runs a retention as if the service was killed before each of its steps, until it ends. `check`: after each kill. */
const eraseWithKills = (store: Store, part: EndedPart, check: () => Promise<void>): Promise<number> =>
  killEachStep(retentionParts(store), (parts) => eraseBefore(parts, part), check);

for (const [engine, openHarness] of [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const) {
  describe(`links that have ended, on ${engine}`, () => {
    test('links lose their terms, unless they ended a millisecond later, and stay closed', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      const ended = ENDS.map((_, index) => codeOf(index));
      for (const [index, end] of ENDS.entries()) {
        await end(store, codeOf(index), BEFORE - 1, termsOf('jane'));
        await end(store, codeOf(100 + index), BEFORE, termsOf('bob'));
      }
      const before = await readStatistics(store);
      assert.equal(await eraseBefore(retentionParts(store), 'TERMS'), ENDS.length);

      assert.deepEqual(await findTraces(harness, /jane/), []);
      await assertWhole(harness);
      const after = await readStatistics(store);
      assert.deepEqual({ ...after, links: null, totals: null }, { ...before, links: null, totals: null });
      for (const code of ended) {
        const { status, definitionVersion } = (await store.read(code)) ?? assert.fail();
        assert.equal(status, 'REVOKED');
        const unerased = (await historyOf(store, code)).filter(({ salt }) => salt !== null);
        assert.deepEqual(unerased, []);
        const patch = { expiresAt: BEFORE + 9 * DAY_MS, maxViews: 9 };
        assert.equal(await change(store, code, patch, BEFORE + 2 * HOUR_MS), 'revoked');
        assert.equal((await open(store, code, BEFORE, definitionVersion)).verdict, 'REVOKED');
        assert.notEqual(await create(store, code, {}), 'created');
        const link = await store.read(`L0000${100 + Number(code.slice(1))}`);
        assert.deepEqual([link?.passwordHash, link?.terms.recipient], ['hash of bob', 'bob']);
      }
      assert.equal(await eraseBefore(retentionParts(store), 'TERMS'), 0);
    });

    test('a link that is open again is kept, also if it is changed at the last moment', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      const codes = [codeOf(1), codeOf(2), codeOf(3)];
      for (const code of codes) await create(store, code, { expiresAt: START + 1 });
      await change(store, codeOf(1), { expiresAt: BEFORE + DAY_MS }, START + 2);
      const openAgain = (code: string) => change(store, code, { expiresAt: null }, BEFORE);
      const read: Store['read'] = async (code) => {
        if (code === codeOf(3)) await openAgain(code); // after it was found, before it is read
        const link = await store.read(code);
        await openAgain(code);
        return link;
      };
      assert.equal(await eraseBefore({ ...retentionParts(store), links: { ...store, read } }, 'TERMS'), 0);
      for (const code of codes) assert.equal((await open(store, code, BEFORE)).verdict, 'SUCCESS');
    });

    test('an erasure of terms is completed after a kill at any step, with one change of the link', async () => {
      await using harness = await openHarness();
      const { store, read } = harness;
      await create(store, codeOf(1), { ...termsOf('jane'), expiresAt: START + 1 });
      await open(store, codeOf(1), START);
      const kills = await eraseWithKills(store, 'TERMS', async () =>
        assert.deepEqual((await read(recountParts)).records, []),
      );
      assert.ok(kills > 8);
      assert.deepEqual(await findTraces(harness, /jane|203\.0\.113/), []);
      await assertWhole(harness);
      const changes = (await historyOf(store, codeOf(1))).filter(({ kind }) => kind === 'CHANGED');
      assert.equal(changes.length, 2, 'the revocation, and the erasure of the terms for people');
    });

    test('an erasure that is stopped goes on in the next run', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      await create(store, codeOf(1), { ...termsOf('jane'), expiresAt: START + 1 });
      for (let stops = 0, calls = 0, erased = 0; erased === 0; stops++, calls = 0)
        erased = await eraseBefore(retentionParts(store), 'TERMS', () => calls++ >= stops);
      assert.deepEqual(await findTraces(harness, /jane/), []);
    });

    test('an erasure of many links stops between two of them', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      for (let index = 0; index < 3; index++)
        await create(store, codeOf(index), { ...termsOf('jane'), expiresAt: START + 1 });
      const { links, ...parts } = retentionParts(store);
      let changes = 0;
      const change: Store['change'] = (...request) => {
        changes++;
        return links.change(...request);
      };
      await eraseBefore({ ...parts, links: { ...links, change } }, 'TERMS', () => changes > 3);
      assert.equal(changes, 4, 'three revocations, and one erasure of terms');
    });

    test('a link stays in the list of its owner after the entry of its creation was erased', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      await create(store, codeOf(1), termsOf('jane'));
      await erase(retentionParts(store), { kind: 'RETENTION', before: BEFORE }, { author: 'test' });
      const reader = { listsAll: false, seesAll: false, owner: 'USER jane', teams: [] };
      const page = await store.list.readPage({ ...EVERY_LINK, isMine: true, now: BEFORE, reader });
      assert.deepEqual(pluck(page.items, 'shortCode', 'owner'), [[codeOf(1), 'USER jane']]);
      await assertWhole(harness);
    });

    test('the job erases once a day what ended on days before', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      const midnight = START + 10 * 60_000;
      for (const [index, expiresAt] of [midnight - 1, midnight].entries())
        await create(store, codeOf(index), { expiresAt });
      const lines: string[] = [];
      const log = createLog('info', { write: (line) => void lines.push(line) });
      let now = midnight + 30 * DAY_MS - 1;
      const parts = { ...retentionParts(store), log, clock: () => now };
      const job = endedLinksJob(parts, 'TERMS', Temporal.Duration.from('P30D'));
      for (const step of [0, 1, HOUR_MS, DAY_MS]) {
        now += step;
        await job.run(new AbortController().signal);
      }
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).links),
        [0, 1, 1],
      );
    });

    for (const [storage, ...parts] of [
      ['a directory', 'FILE', 'TERMS'],
      ['S3', 'TERMS', 'FILE'],
    ] as const)
      test(`the file in ${storage} is deleted, and nothing misses it: ${parts.join(', then ')}`, async (t) => {
        await using harness = await openHarness();
        const { store, read } = harness;
        const files = storage === 'S3' ? openS3() : openDirectory(t);
        const gone = await upload(store, files, codeOf(1), BEFORE - 1);
        const kept = await upload(store, files, codeOf(2), BEFORE);
        const sweep = prepareSweepUploads({ files, uploads: store, links: store, elapsedMs: () => 0 });
        const ids = async () => (await Array.fromAsync(files.list())).map(({ fileId }) => fileId).sort();
        const findLosses = async () =>
          (await compareFiles(files, () => read(({ query }) => readKnownFiles(query)))).findings;
        for (const part of parts)
          await eraseWithKills(store, part, async () => {
            await assertWhole(harness);
            assert.deepEqual([await ids(), await findLosses()], [[gone, kept].sort(), []]);
          });

        assert.equal(await sweep(START + 2 * DAY_MS), 0, 'a backup that runs has a day to copy the file');
        const { definitionVersion } = (await store.read(codeOf(1))) ?? assert.fail();
        assert.equal((await open(store, codeOf(1), BEFORE, definitionVersion)).verdict, 'REVOKED');
        assert.equal(await sweep(START + 3 * DAY_MS), 1);
        assert.deepEqual([await ids(), await findLosses()], [[kept], []]);
        const { records, erased } = await read(recountParts);
        assert.deepEqual([records, erased.files], [[], 1]);
      });

    test('only a revoked link can lack its file without a difference', async (t) => {
      await using harness = await openHarness();
      const { store, read, execute } = harness;
      const files = openDirectory(t);
      const fileId = await upload(store, files, codeOf(1), null);
      assert.equal(await store.erasures.erasePart('FILE', [codeOf(1)], START), 0);
      await execute(`UPDATE link_target SET file_id = 'erased-' || file_id`);
      const { findings } = await compareFiles(files, () => read(({ query }) => readKnownFiles(query)));
      assert.match(findings.join(), new RegExp(`^file "erased-${fileId}" of link .* is no id of a file`));
    });
  });
}

function openDirectory(t: TestContext): FileStore {
  return createFilesystemStore({ directory: temporaryDirectory(t) });
}

function openS3(): FileStore {
  const { endpoint } = server;
  const location = { bucket: BUCKET, prefix: `files/${randomUUID()}`, endpoint, region: null };
  return createS3Store({ ...location, pathStyle: true, timeoutMs: 10_000 });
}

/** Uploads a file, and creates its link. Returns the id of the file. */
async function upload(store: Store, files: FileStore, shortCode: string, expiresAt: EpochMs | null) {
  const fileId = randomUUID();
  const bytes = () => Readable.from([Buffer.from(fileId)]);
  await store.begin(fileId, START);
  await storeFile(files, fileId, bytes());
  const link = downloadLink(shortCode, { fileId, ...(await digestOf(bytes())) });
  await store.create({ ...link, expiresAt }, newChange());
  return fileId;
}
