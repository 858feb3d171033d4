import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { createFilesystemStore } from '../../src/files/filesystem.ts';
import { createS3Store } from '../../src/files/s3.ts';
import { endedLinksJob } from '../../src/jobs/jobs.ts';
import { compareFiles } from '../../src/links/compare-files.ts';
import { toDescription } from '../../src/links/describe-link.ts';
import type { EndedPart } from '../../src/links/erase.ts';
import type { EpochMs, ImportedState, NewLink } from '../../src/links/link.ts';
import type { FileStore } from '../../src/links/ports.ts';
import { eraseEndedLinks } from '../../src/links/retention.ts';
import { digestOf } from '../../src/links/stored-file.ts';
import { prepareSweepUploads, STALE_UPLOAD_MS } from '../../src/links/sweep-uploads.ts';
import { DAY_MS, HOUR_MS } from '../../src/links/time-units.ts';
import { readPostgresStore } from '../../src/stores/postgres/read-store.ts';
import { readKnownFiles } from '../../src/stores/sql/linked-files.ts';
import type { StoreRead } from '../../src/stores/sql/query.ts';
import { recountParts } from '../../src/stores/sql/recount.ts';
import { readSqliteStore } from '../../src/stores/sqlite/read-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { type ErasureHarness, findTraces, partsOf, readStatistics } from '../contract/erasures.ts';
import { attemptOn, codeOf, downloadLink, newChange, redirectLink, START } from '../support/attempts.ts';
import { openPostgresHarness } from '../support/postgres-harness.ts';
import { BUCKET, type S3Server, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';
import { openSqliteHarness } from '../support/sqlite-harness.ts';

const ENGINES: [name: string, open: () => Promise<ErasureHarness>][] = [
  [
    'SQLite',
    async () => {
      const harness = await openSqliteHarness();
      return Object.assign(harness, { read: <T>(read: StoreRead<T>) => readSqliteStore(harness.path, read) });
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const harness = await openPostgresHarness();
      return Object.assign(harness, {
        read: <T>(read: StoreRead<T>) => readPostgresStore(harness.options, read),
      });
    },
  ],
];

const BEFORE = START + 20 * HOUR_MS;
const LABELS = { label: 'Offer for Jane', note: 'met in Bonn', tags: ['vip'], recipient: 'Jane Doe' };
const PERSONAL = {
  url: 'https://jane.example/cv',
  labels: LABELS,
  passwordHash: 'hash of jane',
  tokenHash: 'token of jane',
  notify: { url: 'https://hooks.example/jane', email: 'jane@mail.example', language: 'de' },
};
const JANE = /jane|Jane|Bonn|vip|203\.0\.113/;
const IMPORTED: ImportedState = { from: 'csv', viewCount: 2, isPaused: false, status: 'ACTIVE' };

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.stop());

type Parts = Parameters<typeof eraseEndedLinks>[0];
const retentionParts = (store: Store): Parts => ({ ...partsOf(store), history: store.history });
const eraseBefore = (parts: Parts, part: EndedPart, isStopped = () => false) =>
  eraseEndedLinks(parts, part, { before: BEFORE, author: 'a property', isStopped });

async function change(store: Store, code: string, patch: object, at: EpochMs): Promise<string> {
  return (await store.change(code, { patch, versions: null }, newChange({ at }))).result;
}

const open = (store: Store, code: string, at: EpochMs, version = 0) =>
  store.attempt(attemptOn(code, { at, version, ipAddress: '203.0.113.7' }));

type End = (store: Store, code: string, at: EpochMs, terms: typeof PERSONAL) => Promise<unknown>;
const create = (store: Store, code: string, terms: Parameters<typeof redirectLink>[1]) =>
  store.create(redirectLink(code, terms), newChange());

/** The ways in which a link ends at a time. Later attempts and changes that do not matter follow some. */
const ENDS: Record<string, End> = {
  expired: (store, code, at, terms) => create(store, code, { ...terms, expiresAt: at }),
  async 'revoked, and visited since'(store, code, at, terms) {
    await create(store, code, terms);
    await store.revoke(code, newChange({ at }));
    for (let visits = 0; visits < 120; visits++) await open(store, code, BEFORE + HOUR_MS);
  },
  async 'used up, and revoked since'(store, code, at, terms) {
    await create(store, code, { ...terms, maxViews: 1 });
    await open(store, code, at);
    await open(store, code, BEFORE + HOUR_MS);
    await change(store, code, { labels: { label: 'Jane was here' } }, BEFORE + HOUR_MS);
    await store.revoke(code, newChange({ at: BEFORE + HOUR_MS }));
  },
  async 'used up by a lower limit'(store, code, at, terms) {
    await create(store, code, terms);
    await open(store, code, START);
    await change(store, code, { maxViews: 1 }, at);
  },
  async 'imported without views left'(store, code, at, terms) {
    const link = redirectLink(code, { ...terms, maxViews: 2, createdAt: START - DAY_MS });
    await store.create({ ...link, imported: IMPORTED }, newChange({ at }));
  },
};

async function assertWhole({ read }: ErasureHarness): Promise<void> {
  const { derived, records } = await read(recountParts);
  assert.deepEqual([...derived, ...records], []);
}

/** Runs a retention as if the service was killed after each of its steps, until it ends. `check`: after each kill. */
async function eraseWithKills(store: Store, part: EndedPart, check: () => Promise<void>): Promise<number> {
  for (let kills = 0; ; kills++) {
    let steps = 0;
    const killed = <Port extends object>(port: Port): Port =>
      new Proxy(port, {
        get(target, name) {
          if (steps++ === kills) throw new Error('killed');
          const operation: unknown = Reflect.get(target, name);
          return typeof operation === 'function' ? operation.bind(target) : operation;
        },
      });
    const parts = retentionParts(store);
    const { links, erasures, history } = parts;
    const wrapped = { links: killed(links), erasures: killed(erasures), history: killed(history) };
    const error = await eraseBefore({ ...parts, ...wrapped }, part).then(
      () => undefined,
      (error: unknown) => error,
    );
    await check();
    if (error === undefined) return kills;
    assert.match(String(error), /killed/);
  }
}

for (const [engine, openHarness] of ENGINES) {
  describe(`links that have ended, on ${engine}`, () => {
    for (const [name, end] of Object.entries(ENDS))
      test(`a link that was ${name} loses its terms, and one that ended a millisecond later keeps them`, async () => {
        await using harness = await openHarness();
        const { store } = harness;
        const [old, late] = [codeOf(1), codeOf(2)];
        await end(store, old, BEFORE - 1, PERSONAL);
        await end(store, late, BEFORE, { ...PERSONAL, url: 'https://other.example/', labels: { ...LABELS } });
        await create(store, codeOf(3), { maxViews: 2 });
        await open(store, codeOf(3), START);
        const before = await readStatistics(store);
        assert.equal(await eraseBefore(retentionParts(store), 'TERMS'), 1);

        const traces = await findTraces(harness, JANE);
        assert.deepEqual(
          traces.filter((trace) => trace.includes('jane.example')),
          [],
        );
        const [link, kept] = [await store.read(old), await store.read(late)];
        assert.deepEqual(
          [link?.status, link?.passwordHash, link?.tokenHash, link?.labels.label, link?.notify],
          ['REVOKED', null, null, null, undefined],
        );
        assert.deepEqual([kept?.passwordHash, kept?.labels.recipient], ['hash of jane', 'Jane Doe']);
        assert.equal(link && toDescription(link, BEFORE).forChangers.targetUrl, null);
        const entries = (await historyOf(store, old)).filter((item) => item.salt !== null);
        assert.deepEqual(entries, []);
        const after = await readStatistics(store);
        assert.deepEqual({ ...after, links: null, totals: null }, { ...before, links: null, totals: null });
        await assertWhole(harness);

        const future = BEFORE + 100 * DAY_MS;
        const patch = { expiresAt: future, maxViews: 9 };
        assert.equal(await change(store, old, patch, BEFORE + 2 * HOUR_MS), 'revoked');
        const { definitionVersion } = link ?? assert.fail();
        assert.equal((await open(store, old, BEFORE, definitionVersion)).verdict, 'REVOKED');
        assert.notEqual(await create(store, old, {}), 'created');
        assert.equal(await eraseBefore(retentionParts(store), 'TERMS'), 0);
      });

    test('a link that is open again is kept, also if it is changed at the last moment', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      await create(store, codeOf(1), { expiresAt: START + 1 });
      await change(store, codeOf(1), { expiresAt: BEFORE + DAY_MS }, START + 2);
      await create(store, codeOf(2), { expiresAt: START + 1 });
      const parts = retentionParts(store);
      const read: Store['read'] = async (code) => {
        const link = await store.read(code);
        await change(store, code, { expiresAt: null }, BEFORE);
        return link;
      };
      assert.equal(await eraseBefore({ ...parts, links: { ...parts.links, read } }, 'TERMS'), 0);
      for (const code of [codeOf(1), codeOf(2)]) assert.equal((await store.read(code))?.status, 'ACTIVE');
      assert.equal((await open(store, codeOf(2), BEFORE)).verdict, 'SUCCESS');
    });

    test('an erasure of terms is completed after a kill at any step, with one change of the link', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      await create(store, codeOf(1), { ...PERSONAL, expiresAt: START + 1 });
      await open(store, codeOf(1), START);
      const kills = await eraseWithKills(store, 'TERMS', async () =>
        assert.deepEqual((await harness.read(recountParts)).records, []),
      );
      assert.ok(kills > 8, `${kills} steps`);
      assert.deepEqual(await findTraces(harness, JANE), []);
      await assertWhole(harness);
      const changed = (await historyOf(store, codeOf(1))).flatMap((item) =>
        item.kind === 'CHANGED' ? Object.keys(item.details) : [],
      );
      assert.deepEqual(changed, ['passwordProtected', 'status'], 'the others are personal');
    });

    test('an erasure that is stopped goes on in the next run', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      for (const index of [1, 2]) await create(store, codeOf(index), { ...PERSONAL, expiresAt: START + 1 });
      for (let stops = 0, erased = 0; erased === 0; stops++) {
        let calls = 0;
        erased = await eraseBefore(retentionParts(store), 'TERMS', () => calls++ >= stops);
        assert.ok(stops < 20);
      }
      assert.deepEqual(await findTraces(harness, JANE), []);
    });

    test('the job erases once a day what ended on days before, and logs how many links', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      const midnight = START + 10 * 60_000;
      await create(store, codeOf(1), { expiresAt: midnight - 1 });
      await create(store, codeOf(2), { expiresAt: midnight });
      const lines: unknown[] = [];
      const log = {
        write: (_: string, event: string, fields: object | string) =>
          lines.push([event, { ...Object(fields), durationMs: 0 }]),
        ...{ flush() {}, droppedLines: () => 0 },
      };
      let now = midnight + 30 * DAY_MS - 1;
      const parts = { ...retentionParts(store), log, clock: () => now };
      const job = endedLinksJob(parts, 'TERMS', Temporal.Duration.from('P30D'));
      for (const step of [0, 1, HOUR_MS, DAY_MS]) {
        now += step;
        await job.run(new AbortController().signal);
      }
      assert.deepEqual(
        lines,
        [0, 1, 1].map((links) => ['ended_links_erased', { part: 'TERMS', links, durationMs: 0 }]),
      );
    });
  });

  for (const [storage, openFiles] of [
    ['a directory', (t) => createFilesystemStore({ directory: temporaryDirectory(t) })],
    ['S3', () => openS3()],
  ] satisfies [string, (t: import('node:test').TestContext) => FileStore][]) {
    describe(`files of links that have ended, on ${engine} and ${storage}`, () => {
      for (const parts of [['FILE'], ['FILE', 'TERMS'], ['TERMS', 'FILE']] as const)
        test(`the file is deleted, and nothing misses it: ${parts.join(', then ')}`, async (t) => {
          await using harness = await openHarness();
          const { store, read } = harness;
          const files = openFiles(t);
          const gone = await upload(store, files, { shortCode: codeOf(1), expiresAt: BEFORE - 1 });
          const kept = await upload(store, files, { shortCode: codeOf(2), expiresAt: BEFORE });
          const sweep = prepareSweepUploads({ files, uploads: store, elapsedMs: () => 0 });
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
          const { verdict } = await open(store, codeOf(1), BEFORE, definitionVersion);
          assert.equal(verdict, 'REVOKED');
          const now = START + 3 * DAY_MS;
          assert.equal(await sweep(now), 1);
          assert.deepEqual([await ids(), await findLosses()], [[kept], []]);
          assert.equal(await sweep(now + STALE_UPLOAD_MS), 0);
          assert.equal((await read(recountParts)).erasedFiles, 1);
          await assertWhole(harness);
        });
    });
  }

  test(`on ${engine}, only a revoked link can lack its file without a difference`, async (t) => {
    await using harness = await openHarness();
    const { store, read, execute } = harness;
    const files = createFilesystemStore({ directory: temporaryDirectory(t) });
    const fileId = await upload(store, files, { shortCode: codeOf(1), expiresAt: null });
    assert.equal(await store.erasures.erasePart('FILE', [codeOf(1)], START), 0);
    await execute(`UPDATE link_target SET file_id = 'erased-' || file_id`);
    const { findings } = await compareFiles(files, () => read(({ query }) => readKnownFiles(query)));
    assert.deepEqual(findings, [
      `file "erased-${fileId}" of link ${codeOf(1)} is no id of a file: it was changed`,
    ]);
  });
}

async function historyOf(store: Store, shortCode: string) {
  const { history: head } = (await store.read(shortCode)) ?? assert.fail();
  const range = { start: null, end: null };
  const filter = { shortCode, head, range, results: null, ipAddress: null };
  return (await store.history.readPage({ ...filter, before: null, limit: 1_000 })).items;
}

function openS3(): FileStore {
  const { endpoint } = server;
  const location = { bucket: BUCKET, prefix: `files/${randomUUID()}`, endpoint, region: null };
  return createS3Store({ ...location, pathStyle: true, timeoutMs: 10_000 });
}

/** Uploads a file, and creates its link. Returns the id of the file. */
async function upload(
  store: Store,
  files: FileStore,
  wanted: Pick<NewLink, 'shortCode' | 'expiresAt'>,
): Promise<string> {
  const fileId = randomUUID();
  const bytes = () => Readable.from([Buffer.from(fileId)]);
  await store.begin(fileId, START);
  await files.save(fileId, bytes());
  const link = downloadLink(wanted.shortCode, { fileId, ...(await digestOf(bytes())) });
  await store.create({ ...link, ...wanted }, newChange());
  return fileId;
}
