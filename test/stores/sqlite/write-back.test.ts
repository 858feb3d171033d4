import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { appendEntry, EMPTY_CHAIN, toCreationEntry, toRevocationEntry } from '../../../src/links/chain.ts';
import { decide } from '../../../src/links/decide-attempt.ts';
import type { ChainHead } from '../../../src/links/history.ts';
import type { LinkState } from '../../../src/links/link.ts';
import { DAY_MS } from '../../../src/links/time-units.ts';
import { uuidV7 } from '../../../src/links/uuid-v7.ts';
import { toAttemptRow } from '../../../src/stores/attempt-row.ts';
import { createHistory } from '../../../src/stores/sql/history.ts';
import { SQLITE } from '../../../src/stores/sql/query.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { prepareCommitAttempts } from '../../../src/stores/sqlite/commit-attempts.ts';
import { prepareCountCommits } from '../../../src/stores/sqlite/commit-counter.ts';
import { inTransaction, openForWriting } from '../../../src/stores/sqlite/connection.ts';
import { prepareCreateLinks } from '../../../src/stores/sqlite/create-links.ts';
import { prepareExpireDue } from '../../../src/stores/sqlite/expire-due.ts';
import { prepareOnLinks } from '../../../src/stores/sqlite/on-links.ts';
import { prepareQuery } from '../../../src/stores/sqlite/query.ts';
import { prepareReadLink } from '../../../src/stores/sqlite/read-link.ts';
import { readSqliteStore } from '../../../src/stores/sqlite/read-store.ts';
import { prepareRevokeLinks } from '../../../src/stores/sqlite/revoke-link.ts';
import { createSchema } from '../../../src/stores/sqlite/schema.ts';
import { prepareWriteBack, type WriteBackOptions } from '../../../src/stores/sqlite/write-back.ts';
import { attemptOn, codeOf, linkState, newChange, redirectLink, START } from '../../support/attempts.ts';
import { storeRuns } from '../../support/histories.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { readDatabase } from '../../support/sqlite-harness.ts';

const LINKS = 4;
/** So small that a few attempts fill the memory, and several batches write it. */
const SMALL: WriteBackOptions = { maxEntries: 6, minWritten: 2, sharedTransactions: 3 };

/** The operations of one process on a database, each in its transaction, without threads. */
function openProcess(path: string, options: WriteBackOptions = {}) {
  const db = openForWriting(path);
  db.exec('PRAGMA synchronous = OFF'); // it is killed, but the machine is not
  createSchema(db);
  const writeBack = prepareWriteBack(db, options);
  const onLinks =
    <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
    (...inputs: Inputs): Result => {
      try {
        return inTransaction(db, () => {
          writeBack.begin();
          return operation(...inputs);
        });
      } catch (error) {
        writeBack.forget();
        throw error;
      }
    };
  const commit = prepareCommitAttempts(db, writeBack);
  return {
    db,
    writeBack,
    attempt: onLinks(commit),
    attemptAndFail: onLinks((...inputs: Parameters<typeof commit>) => {
      commit(...inputs);
      throw new Error('the disk is full');
    }),
    create: onLinks(prepareCreateLinks(db, writeBack)),
    revoke: onLinks(prepareRevokeLinks(db, writeBack)),
    expireDue: onLinks(prepareExpireDue(db, writeBack)),
    writeLeft: onLinks(writeBack.writeLeft),
    finish: onLinks(writeBack.finish),
    findInserted: writeBack.findInserted,
    hasUnwritten: writeBack.hasUnwritten,
    readLink: prepareReadLink(db, writeBack.readUnwritten),
  };
}
type Process = ReturnType<typeof openProcess>;

type Expected = { state: LinkState; head: ChainHead; ids: string[] };

/** What the links must be: each attempt is decided alone, in the order of the commits. */
function createModel() {
  const links = new Map<string, Expected>();
  const of = (shortCode: string): Expected => {
    const link = links.get(shortCode);
    if (!link) throw new Error(`no link ${shortCode}`);
    return link;
  };
  return {
    links,
    create({ link, change }: ReturnType<typeof creationOf>): void {
      const { maxViews, expiresAt, shortCode } = link;
      const state = linkState({ maxViews, expiresAt });
      const head = appendEntry(EMPTY_CHAIN, toCreationEntry(link, change));
      links.set(shortCode, { state, head, ids: [change.id] });
    },
    attempt(attempt: ReturnType<typeof attemptOn>): string {
      const link = of(attempt.shortCode);
      const { verdict, link: state = link.state } = decide(link.state, attempt, attempt.at);
      const { id, at, shortCode, ipAddress, userAgent } = attempt;
      const result = attempt.purpose === 'PREVIEW' ? 'PREVIEW' : verdict;
      assert.ok(result !== 'CONFIRMATION_REQUIRED' && result !== 'FILE_NOT_FOUND');
      const head = appendEntry(link.head, {
        kind: 'ATTEMPT',
        id,
        at,
        shortCode,
        result,
        count: 1,
        ipAddress,
        userAgent,
      });
      links.set(shortCode, { state, head, ids: [...link.ids, id] });
      return verdict;
    },
    revoke(shortCode: string, change: ReturnType<typeof newChange>): void {
      const link = of(shortCode);
      if (link.state.status === 'REVOKED') return;
      const head = appendEntry(link.head, toRevocationEntry(shortCode, change));
      links.set(shortCode, {
        state: { ...link.state, status: 'REVOKED' },
        head,
        ids: [...link.ids, change.id],
      });
    },
    expireDue(now: number): void {
      for (const [shortCode, link] of links) {
        const { status, expiresAt } = link.state;
        if (status === 'ACTIVE' && expiresAt !== null && expiresAt < now)
          links.set(shortCode, { ...link, state: { ...link.state, status: 'EXPIRED' } });
      }
    },
  };
}
type Model = ReturnType<typeof createModel>;

function creationOf(index: number) {
  const wanted = {
    maxViews: [null, 3, 7][index % 3] ?? null,
    expiresAt: index % 2 === 0 ? START + 4_000 : null,
  };
  return { link: redirectLink(codeOf(index), wanted), change: newChange() };
}

/** Attempts whose clock may jump: up to 3 s before or 5 s after the start. */
const attempts = fc.array(
  fc.record({
    link: fc.nat(LINKS - 1),
    offset: fc.integer({ min: -3_000, max: 5_000 }),
    purpose: fc.constantFrom('OPEN', 'OPEN', 'OPEN', 'PREVIEW'),
  }),
  { minLength: 1, maxLength: 5 },
);
const operation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('attempt'), attempts, process: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail'), attempts, process: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('revoke'), link: fc.nat(LINKS - 1), process: fc.nat(9) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('expire'), offset: fc.nat(6_000), process: fc.nat(9) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('write'), limit: fc.nat(5), process: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill'), process: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop'), process: fc.nat(9) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function apply(model: Model, processes: Map<number, Process>, path: string, operation: Operation): void {
  // Most operations are of one process, so that it keeps links in its memory.
  const number = operation.process === 9 ? 1 : 0;
  const process = processes.get(number) ?? openProcess(path, SMALL);
  processes.set(number, process);
  switch (operation.kind) {
    case 'attempt': {
      const batch = toAttempts(operation.attempts);
      const { result: found } = process.attempt(batch.map(toAttemptRow), () => false);
      const verdicts = found.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.verdict));
      assert.deepEqual(verdicts, batch.map(model.attempt));
      break;
    }
    case 'fail': {
      const rows = toAttempts(operation.attempts).map(toAttemptRow);
      assert.throws(() => process.attemptAndFail(rows, () => false), /disk is full/);
      break;
    }
    case 'revoke': {
      const change = newChange();
      process.revoke([{ shortCode: codeOf(operation.link), change }]);
      model.revoke(codeOf(operation.link), change);
      break;
    }
    case 'expire':
      process.expireDue(START + operation.offset, 100);
      model.expireDue(START + operation.offset);
      break;
    case 'write':
      process.writeLeft(operation.limit);
      break;
    case 'stop':
      process.finish();
      process.db.close();
      processes.delete(number);
      break;
    case 'kill':
      process.db.close(); // its memory is lost
      processes.delete(number);
      break;
  }
}

const toAttempts = (wanted: { link: number; offset: number; purpose: 'OPEN' | 'PREVIEW' }[]) =>
  wanted.map(({ link, offset, purpose }) => attemptOn(codeOf(link), { at: START + offset, purpose }));

/** Checks a database against the model, as a process that starts now finds it, and as each open one does. */
async function check(model: Model, path: string, processes: Iterable<Process>): Promise<void> {
  const { differences } = await readSqliteStore(path, recountStore);
  assert.deepEqual(differences, []);
  for (const [shortCode, { state, head, ids }] of model.links) {
    const stored = readDatabase(path, (db) => rowOf(db, shortCode));
    assert.deepEqual(stored, {
      status: state.status,
      view_count: state.viewCount,
      entry_count: head.entryCount,
      fingerprint: head.fingerprint,
    });
    for (const { readLink, db } of processes) {
      const link = readLink(shortCode);
      assert.ok(link);
      assert.deepEqual({ ...link, ...state, history: head }, link);
      assert.deepEqual(await idsOf(db, shortCode, link.history), ids.toReversed());
    }
  }
}

const rowOf = (db: DatabaseSync, shortCode: string) => ({
  ...db
    .prepare(
      'SELECT status, view_count, entry_count, lower(hex(fingerprint)) AS fingerprint FROM link WHERE short_code = ?',
    )
    .get(shortCode),
});
/** Returns the ids of a link's history, newest first. */
async function idsOf(db: DatabaseSync, shortCode: string, head: ChainHead): Promise<string[]> {
  const all = { range: { start: null, end: null }, results: null, ipAddress: null, before: null };
  const { readPage } = createHistory(prepareQuery(db), SQLITE);
  const { items, next } = await readPage({ ...all, shortCode, head, limit: 1_000 });
  assert.equal(next, null);
  return items.map(({ id }) => id);
}

describe('links that are written later', () => {
  test('are as if each attempt was decided alone, whatever fails, is killed, or runs on the same database', async (t) => {
    const directory = temporaryDirectory(t);
    let databases = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 60 }), async (operations) => {
        const path = join(directory, `${databases++}.db`);
        const model = createModel();
        const processes = new Map<number, Process>([[0, openProcess(path, SMALL)]]);
        try {
          for (let index = 0; index < LINKS; index++) {
            const creation = creationOf(index);
            processes.get(0)?.create([creation]);
            model.create(creation);
          }
          for (const [index, each] of operations.entries()) {
            apply(model, processes, path, each);
            if (each.kind !== 'attempt' || index % 5 === 0) await check(model, path, processes.values());
          }
          await check(model, path, processes.values());
        } finally {
          for (const { db } of processes.values()) db.close();
        }
      }),
      storeRuns(8),
    );
  });

  /** Opens a process with a model, and gives each link some attempts, a second apart. */
  function filledProcess(t: TestContext, attemptCount: number) {
    const path = join(temporaryDirectory(t), 'postern.db');
    const model = createModel();
    const processes = new Map<number, Process>();
    t.after(() => {
      for (const { db } of processes.values()) db.close();
    });
    const run = (operation: Operation) => apply(model, processes, path, operation);
    for (let index = 0; index < LINKS; index++) {
      apply(model, processes, path, { kind: 'write', limit: 9, process: 0 });
      const creation = creationOf(index);
      processes.get(0)?.create([creation]);
      model.create(creation);
    }
    run({ kind: 'stop', process: 0 });
    for (let index = 0; index < attemptCount; index++) {
      const attempts = [{ link: index % LINKS, offset: (index + 1) * 1_000, purpose: 'OPEN' as const }];
      run({ kind: 'attempt', process: 0, attempts });
    }
    return { model, path, processes, run };
  }

  test('get a status that is written to their rows meanwhile', async (t) => {
    const { model, path, processes, run } = filledProcess(t, 2);
    run({ kind: 'expire', process: 0, offset: 5_000 });
    await check(model, path, processes.values());
    run({ kind: 'attempt', process: 0, attempts: [{ link: 0, offset: 100, purpose: 'OPEN' }] });
    await check(model, path, processes.values());
  });

  test('are found again after each kill while they are written', async (t) => {
    for (let attemptCount = 1; attemptCount < 12; attemptCount++) {
      const { model, path, processes, run } = filledProcess(t, attemptCount);
      run({ kind: 'kill', process: 0 });
      run({ kind: 'write', limit: 0, process: 0 });
      await check(model, path, processes.values());
    }
  });

  test('have a row behind their attempts until they are written', async (t) => {
    const { path, run } = filledProcess(t, 2);
    const countsOf = (db: DatabaseSync) => db.prepare('SELECT sum(view_count) AS count FROM main.link').get();
    assert.deepEqual({ ...readDatabase(path, countsOf) }, { count: 0 });
    run({ kind: 'stop', process: 0 });
    assert.deepEqual({ ...readDatabase(path, countsOf) }, { count: 2 });
  });

  /** Inserts an attempt on the first link behind the service's back. Returns its id. */
  function insertAttempt(path: string, { at, number }: { at: number; number: number }): string {
    using db = new DatabaseSync(path);
    const id = uuidV7(at, randomUUID());
    db.prepare(
      `INSERT INTO audit (id, short_code, result, accessed_at, number, prev)
       SELECT unhex($id, '-'), $code, 'SUCCESS', $at, $number, max(id) FROM audit
       WHERE short_code = $code AND number = $number - 1`,
    ).run({ id, code: codeOf(0), at, number });
    return id;
  }
  const findingsIn = async (path: string): Promise<string> => {
    const { differences } = await readSqliteStore(path, recountStore);
    return differences.join('\n');
  };
  const NEWER = /L0000000: entry 3 is newer than the last that the link's row counts \(2\)/;

  for (const [what, at] of [
    ['an attempt', START + 2_500],
    ['an attempt of a year later', START + 365 * DAY_MS],
  ] as const) {
    test(`do not get ${what} that was inserted while the service was stopped, nor after a later kill`, async (t) => {
      const { model, path, processes, run } = filledProcess(t, 2);
      run({ kind: 'stop', process: 0 });
      const id = insertAttempt(path, { at, number: 3 });
      assert.match(await findingsIn(path), NEWER);

      for (let start = 0; start < 3; start++) {
        const process = openProcess(path);
        processes.set(0, process);
        if (start === 0) assert.deepEqual(process.findInserted(), [{ shortCode: codeOf(0), id }]);
        run({ kind: 'attempt', process: 0, attempts: [{ link: 1, offset: 9_000 + start, purpose: 'OPEN' }] });
        for (const [shortCode, { state, head, ids }] of model.links) {
          const link = process.readLink(shortCode);
          assert.deepEqual({ ...link, ...state, history: head }, link);
          assert.deepEqual(await idsOf(process.db, shortCode, head), ids.toReversed());
        }
        assert.match(await findingsIn(path), NEWER);
        run({ kind: start === 1 ? 'stop' : 'kill', process: 0 });
      }
    });
  }

  test('show an attempt that was inserted after a kill, unless it has the next number', async (t) => {
    for (const [number, expected] of [
      [2, /L0000000: entry 2 is there twice/],
      [4, /L0000000: entry 3 is missing/],
      [3, /^(?!.*history of link)/s], // history-format.md says so
    ] as const) {
      const { path, run } = filledProcess(t, 2);
      run({ kind: 'attempt', process: 0, attempts: [{ link: 0, offset: 2_000, purpose: 'PREVIEW' }] });
      run({ kind: 'kill', process: 0 });
      insertAttempt(path, { at: START + 3_000, number: number + 1 });
      const found = await findingsIn(path);
      assert.match(
        found.replaceAll(/entry (\d)/g, (_, digit) => `entry ${Number(digit) - 1}`),
        expected,
      );
    }
  });

  const recordsFromMark = (db: DatabaseSync): number => {
    const count = db.prepare('SELECT count(*) AS n FROM audit WHERE id >= (SELECT mark FROM write_back)');
    return Number(count.get()?.['n']);
  };

  test('are few from the mark on while two processes take turns', (t) => {
    const path = join(temporaryDirectory(t), 'postern.db');
    const processes = [openProcess(path), openProcess(path)] as const;
    t.after(() => {
      for (const { db } of processes) db.close();
    });
    processes[0].create([creationOf(0)]);
    for (let turn = 0; turn < 40; turn++) {
      const row = toAttemptRow(attemptOn(codeOf(0), { at: START + turn * 10_000 }));
      processes[turn % 2 === 0 ? 0 : 1].attempt([row, toAttemptRow(attemptOn(codeOf(9)))], () => false);
    }
    assert.ok(recordsFromMark(processes[0].db) <= 4, `${recordsFromMark(processes[0].db)} records`);
  });

  test('do not wait for a clock that was ahead', (t) => {
    const path = join(temporaryDirectory(t), 'postern.db');
    let now = START + 365 * DAY_MS;
    const process = openProcess(path, { maxEntries: 20, minWritten: 2, clock: () => now });
    t.after(() => process.db.close());
    const attemptAt = (at: number) =>
      process.attempt([toAttemptRow(attemptOn(codeOf(0), { at }))], () => false);
    process.create([creationOf(0)]);
    for (const back of [0, 364 * DAY_MS]) {
      attemptAt(now);
      attemptAt(now + DAY_MS); // of a process whose clock is ahead
      now += 2_000;
      attemptAt(now);
      while (process.hasUnwritten()) process.writeLeft(100);
      now -= back;
    }
    attemptAt(now);
    assert.ok(process.hasUnwritten(), 'an attempt on time is written later');
  });

  test('are still known after a transaction could not begin', (t) => {
    const path = join(temporaryDirectory(t), 'postern.db');
    const process = openProcess(path);
    t.after(() => process.db.close());
    const guard = <T>(operation: T): T => operation;
    const counted = prepareCountCommits(process.db, { noteCommit() {}, noteRecord() {} });
    const { onLinks } = prepareOnLinks(process.writeBack, { ...counted, guard });
    process.db.exec('PRAGMA busy_timeout = 0');
    process.create([creationOf(0)]);
    process.attempt([toAttemptRow(attemptOn(codeOf(0)))], () => false);
    assert.ok(process.hasUnwritten());
    using other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    assert.throws(() => onLinks(() => assert.fail('it began'))(), /locked/);
    assert.ok(process.hasUnwritten());
  });
});
