import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LogEntry } from '../../src/core/model/history.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import { ATTEMPT_COLUMNS, toAttemptValues } from '../../src/stores/log-rows.ts';
import { schemaOf } from '../../src/stores/schema.ts';
import { addEntries, ENTRIES_PER_JUMP } from '../../src/stores/sql/projections.ts';
import { SQLITE } from '../../src/stores/sql/query.ts';
import { rebuildTables } from '../../src/stores/sql/rebuild.ts';
import { prepareInsertRows, prepareQuery, prepareRun } from '../../src/stores/sqlite/query.ts';
import { attemptOn, codeOf, START } from '../support/attempts.ts';
import { SILENT } from '../support/moves.ts';

const RESULTS = ['SUCCESS', 'INVALID_PASSWORD', 'PREVIEW_INVALID_PASSWORD', 'PREVIEW', 'NOT_FOUND'] as const;
/** The entries from $1 to $2. */
const PART = '(SELECT * FROM entry WHERE seq >= $1 AND seq <= $2) AS entry';
type Attempt = LogEntry & { kind: 'ATTEMPT' };

/** Generates entries of three links in the order of the log, at times in any order. */
const anyEntries: fc.Arbitrary<Attempt[]> = fc
  .array(
    fc.record({
      link: fc.nat(2),
      day: fc.nat(4),
      ms: fc.nat(3 * HOUR_MS),
      result: fc.constantFrom(...RESULTS),
      count: fc.integer({ min: 1, max: 3 }),
      ipAddress: fc.constantFrom(null, '192.0.2.1', '192.0.2.2'),
      number: fc.integer({ min: 0, max: 3 * ENTRIES_PER_JUMP }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((wanted) =>
    wanted.map(({ link, day, ms, ...facts }, index) => {
      const { id, at, salt, shortCode, userAgent } = attemptOn(codeOf(link), {
        at: START + day * DAY_MS + ms,
      });
      const entry = { kind: 'ATTEMPT', id, at, salt, shortCode, userAgent, ...facts } as const;
      return { ...entry, seq: index + 1, prev: null, fingerprint: 'ff' };
    }),
  );

/** Returns what a database has of entries, the numbers of addresses apart. */
function readTables(db: DatabaseSync) {
  const read = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  return {
    hours: read('SELECT hour, first_seq, last_seq FROM log_hour ORDER BY hour'),
    jumps: read('SELECT seq FROM history_jump ORDER BY seq'),
    byHour: read('SELECT hour, result, count FROM attempts_by_hour ORDER BY 1, 2'),
    byDay: read('SELECT day, result, count FROM attempts_by_day ORDER BY 1, 2'),
    wrong: read('SELECT short_code, count FROM link_exception ORDER BY 1'),
    addresses:
      read(`SELECT hour, ip_address FROM origin_by_hour JOIN origin ON origin.number = origin_by_hour.number
                     ORDER BY 1, 2`),
    addressesByDay: read(
      'SELECT day, previous_day, count FROM origins_by_day WHERE count <> 0 ORDER BY 1, 2',
    ),
    numbers: read('SELECT number FROM origin ORDER BY 1'),
  };
}

/** Counts the same without SQL. */
function model(entries: readonly Attempt[]): ReturnType<typeof readTables> {
  const hourOf = ({ at }: Attempt) => Math.floor(at / HOUR_MS);
  const dayOf = ({ at }: Attempt) => Math.floor(at / DAY_MS);
  const sum = <Item>(
    keyOf: (item: Item) => unknown[],
    countOf: (item: Item) => number,
    some: readonly Item[],
  ) =>
    [...Map.groupBy(some, (item) => JSON.stringify(keyOf(item)))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [...JSON.parse(key), each.reduce((all, item) => all + countOf(item), 0)]);
  const addressed = entries.filter(
    (entry) => entry.ipAddress !== null && !entry.result.startsWith('PREVIEW'),
  );
  const wrong = entries.filter(({ result }) => result.endsWith('PASSWORD'));
  const seqs = [...Map.groupBy(entries, hourOf)].sort(([a], [b]) => a - b);
  return {
    hours: seqs.map(([hour, ofHour]) => [hour, ofHour[0]?.seq ?? 0, ofHour.at(-1)?.seq ?? 0]),
    jumps: entries.filter(({ number }) => number === 129 || number === 257).map(({ seq }) => [seq]),
    byHour: sum(
      (entry) => [hourOf(entry), entry.result],
      ({ count }) => count,
      entries,
    ),
    byDay: sum(
      (entry) => [dayOf(entry), entry.result],
      ({ count }) => count,
      entries,
    ),
    wrong: sum(
      ({ shortCode }) => [shortCode],
      () => 1,
      wrong,
    ),
    addresses: sum(
      (entry) => [hourOf(entry), entry.ipAddress],
      () => 1,
      addressed,
    ).map((row) => row.slice(0, 2)),
    addressesByDay: sum(
      ({ day, previousDay }) => [day, previousDay],
      () => 1,
      [...Map.groupBy(addressed, ({ ipAddress }) => ipAddress).values()].flatMap((ofAddress) =>
        [...new Set(ofAddress.map(dayOf))]
          .sort((a, b) => a - b)
          .map((day, index, days) => ({ day, previousDay: days[index - 1] ?? -1 })),
      ),
    ),
    numbers: [...new Set(addressed.map(({ ipAddress }) => ipAddress))].map((_, index) => [index + 1]),
  };
}

test('the projection of parts of the log, in any order, and a rebuild have what a model counts', async () => {
  await fc.assert(
    fc.asyncProperty(anyEntries, fc.nat(60), async (entries, length) => {
      using db = new DatabaseSync(':memory:');
      db.exec(schemaOf('sqlite'));
      prepareInsertRows(
        db,
        'entry',
        ATTEMPT_COLUMNS,
      )(entries.map((entry) => toAttemptValues(entry, () => null)));
      const run = prepareRun(db);
      for (const range of [[length + 1, 60] as const, [1, length] as const])
        for (const statement of addEntries(SQLITE, PART)) run(statement, range);
      assert.deepEqual(readTables(db), model(entries));
      await rebuildTables({ query: prepareQuery(db, run), dialect: SQLITE, last: 'SELECT 1' }, SILENT);
      assert.deepEqual(readTables(db), model(entries));
    }),
  );
});
