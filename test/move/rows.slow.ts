import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { hashHex } from '../../src/core/model/ed25519.ts';
import { isConsistent } from '../../src/core/model/merkle-tree.ts';
import { MAX_RANKED_LINKS } from '../../src/core/model/ranges.ts';
import { parseCheckpoint, parseConsistency } from '../../src/core/model/signed-note.ts';
import { proveConsistency } from '../../src/core/use-cases/evidence/prove-entry.ts';
import { openConnections } from '../../src/stores/postgres/connection.ts';
import { beginMonth } from '../../src/stores/postgres/partitions.ts';
import { MOVED_TABLES, readState } from '../../src/stores/sql/moved-tables.ts';
import { assertUnchanged, copyAll, verifyAll } from '../../src/tools/copy/move.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../support/attempts.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { assertProved, openTestLog } from '../support/evidence.ts';
import { copyOfKilled } from '../support/killed-store.ts';
import { fillTile, moveBetween, planBetween, stock, stocked } from '../support/moves.ts';
import { pluck } from '../support/pluck.ts';
import { postgresOptions } from '../support/postgres-options.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../support/store-places.ts';

type MakePlace = (t: Cleanup) => StorePlace | Promise<StorePlace>;
const DIRECTIONS: [string, MakePlace, MakePlace][] = [
  ['from SQLite to PostgreSQL', sqlitePlace, postgresPlace],
  ['from PostgreSQL to SQLite', postgresPlace, sqlitePlace],
];

/** For each table one other value in one row, or one row more or less. */
const CHANGES: Record<string, string> = {
  link: `UPDATE link SET view_count = view_count + 1 WHERE short_code = 'L0000005'`,
  link_target: `UPDATE link_target SET password_hash = replace(password_hash, '19', '18') WHERE short_code = 'L0000004'`,
  file_set: `UPDATE file_set SET parts = replace(parts, 'pdf', 'pdg') WHERE file_id = (SELECT min(file_id) FROM file_set)`,
  entry: `UPDATE entry SET user_agent = 'NULK' WHERE user_agent = 'NULL'`,
  erasure: `UPDATE erasure SET kind = 'IQ'`,
  api_key: `UPDATE api_key SET last_used_at = last_used_at + 1 WHERE name = 'Grüße 日本'`,
  person: `UPDATE person SET email = 'ada@example.con' WHERE name = 'ada'`,
  team: `UPDATE team SET created_at = created_at + 1 WHERE name = 'press'`,
  team_member: `DELETE FROM team_member WHERE person_id = (SELECT min(person_id) FROM team_member)`,
  session: 'UPDATE session SET stays_signed_in = NOT stays_signed_in',
  user_agent: `INSERT INTO user_agent VALUES (1000, 'more')`,
  upload: 'UPDATE upload SET taken = NOT taken WHERE file_id = (SELECT min(file_id) FROM upload)',
  lease: 'UPDATE lease SET rest_bytes = rest_bytes - 1',
  recipient_code: 'UPDATE recipient_code SET tries_left = tries_left - 1',
  log_tile: 'UPDATE log_tile SET last_seq = last_seq - 1',
  log_tree: `UPDATE log_tree SET signed = replace(signed, 'links.example', 'links.exampla')`,
  idempotent_request: `UPDATE idempotent_request SET fingerprint = 'sens' WHERE id = 'request 0'`,
  idempotent_response: `UPDATE idempotent_response SET response = 'NULK' WHERE response = 'NULL'`,
  outbox: `INSERT INTO outbox VALUES ('more', '[]')`,
  delivery_queue: `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until, set_at)
                   VALUES ('more', 'more', 0, 0, 0, 0, 0)`,
  notification: `INSERT INTO notification (id, queue, kind, address, short_code, created_at, due_at, set_at, tries, payload)
                 VALUES ('more', '', '', '', '', 0, 0, 0, 0, '')`,
};
const [MORE, FEWER] = [['user_agent', 'outbox', 'delivery_queue', 'notification'], ['team_member']];

const EMPTY_TABLES = ['user_agent', 'outbox', 'delivery_queue', 'notification'];

for (const [direction, makeFrom, makeTo] of DIRECTIONS) {
  describe(`a move ${direction}`, () => {
    const cleanup = new AsyncDisposableStack();
    after(() => cleanup.disposeAsync());
    let source: Promise<StorePlace> | undefined;
    /** Returns the source of the tests that leave it as it was. */
    const stockedSource = (): Promise<StorePlace> => {
      source ??= (async () =>
        stocked(await makeFrom({ after: (hook) => cleanup.defer(async () => hook()) })))();
      return source;
    };

    test('a move copies every row, and back again', async (t) => {
      const from = await stockedSource();
      const [to, back] = [await makeTo(t), await makeFrom(t)];
      const before = await from.dump();
      for (const [table, rows] of Object.entries(before))
        assert.ok(rows.length > 0 || EMPTY_TABLES.includes(table), `${table} has rows`);
      const outcome = await moveBetween(from, to);
      assert.equal(outcome.kind, 'moved');
      for (const [name, { rows }] of outcome.tables) assert.equal(rows, before[name]?.length, name);
      const { auditRecords } = await from.recount();
      assert.deepEqual(await to.recount(), { differences: [], auditRecords });
      assert.equal((await moveBetween(to, back)).kind, 'moved');
      assert.deepEqual(await back.dump(), before);
      assert.deepEqual(await from.dump(), before, 'the source is unchanged');
    });

    test('a move copies an empty store', async (t) => {
      const [from, to] = [await makeFrom(t), await makeTo(t)];
      await (await from.openStore()).close();
      assert.equal((await moveBetween(from, to)).kind, 'moved');
      assert.deepEqual(await to.recount(), { differences: [], auditRecords: 0 });
    });

    test('a move that breaks off at any commit copies everything after a restart', async (t) => {
      const from = await stockedSource();
      const [whole, broken] = [await makeTo(t), await makeTo(t)];
      await moveBetween(from, whole);
      for (const commits of [0, 1, 8, 16, 1_000]) {
        await using plan = await planBetween(from, broken, { restart: commits > 0 });
        const target = { ...plan.target };
        let writes = 0;
        target.writeRows = async (...args) => {
          if (writes === commits) throw new Error('broken off');
          writes += 1;
          await plan.target.writeRows(...args);
        };
        await copyAll({ ...plan, target }).catch(({ message }) => assert.equal(message, 'broken off'));
        await assert.rejects(broken.openStore(), /postern move/, 'no service opens it');
      }
      await assert.rejects(moveBetween(from, broken), /an unfinished move from the source.* --restart/);
      assert.equal((await moveBetween(from, broken, { restart: true })).kind, 'moved');
      assert.deepEqual(await broken.dump(), await whole.dump());
      const store = await broken.openStore();
      await store.create(redirectLink('strange1'), newChange());
      await store.attempt(attemptOn('strange1'));
      await store.close();
      assert.deepEqual((await broken.recount()).differences, []);
    });

    test('a move is refused where one was finished, with --restart too', async (t) => {
      const [from, to] = [await stockedSource(), await makeTo(t)];
      await moveBetween(from, to);
      const before = await to.dump();
      for (const restart of [false, true]) {
        const moving = moveBetween(from, to, { restart });
        await assert.rejects(moving, /the target is not empty: a move from the source was finished there/);
        assert.deepEqual(await to.dump(), before);
      }
    });

    test('a move is refused where the target has rows that no move brought, with --restart too', async (t) => {
      const from = await stockedSource();
      for (const fill of [stock, addLink, addUpload, addAttempt]) {
        const to = await makeTo(t);
        const store = await to.openStore();
        await fill(store);
        await store.close();
        const before = await to.dump();
        await assert.rejects(moveBetween(from, to, { restart: true }), /the target is not empty/);
        assert.deepEqual(await to.dump(), before);
        await (await to.openStore()).close(); // it bears no mark
      }
    });

    test('a move fails when another move into the same target starts meanwhile', async (t) => {
      const [from, to] = [await stockedSource(), await makeTo(t)];
      await using first = await planBetween(from, to);
      const copied = await copyAll(first);
      await using second = await planBetween(from, to, { restart: true });
      await copyAll(second);
      const [table = assert.fail()] = MOVED_TABLES;
      await assert.rejects(first.target.writeRows(table, []), /another move into this store has started/);
      await assert.rejects(verifyAll(first, copied), /another move into this store has started/);
      await assert.rejects(to.openStore(), /postern move/);
    });

    test('a move fails when the source is used meanwhile', async (t) => {
      const [from, to] = [await stocked(await makeFrom(t)), await makeTo(t)];
      await using plan = await planBetween(from, to);
      const copied = await copyAll(plan);
      const store = await from.openStore();
      for (const use of [addLink, addUpload, addAttempt, revokeOne, renameTeam]) {
        const state = await plan.source.read(readState);
        await assertUnchanged(plan.source, state);
        await use(store);
        await assert.rejects(assertUnchanged(plan.source, state), /the source was used/);
      }
      await store.close();
      await assert.rejects(verifyAll(plan, copied), /the source was used since the move began/);
      await assert.rejects(to.openStore(), /postern move/);
    });

    test('a move names each table in which one value or one row differs', async (t) => {
      const [from, to] = [await stockedSource(), await makeTo(t)];
      await using plan = await planBetween(from, to);
      const copied = await copyAll(plan);
      /** Returns the tables that the move names. */
      async function differing(): Promise<(string | undefined)[]> {
        const outcome = await verifyAll(plan, copied);
        if (outcome.kind === 'moved') return [];
        assert.ok(!outcome.isCopyExact);
        assert.doesNotMatch(
          outcome.differences.join(),
          /argon2id|https:|@/,
          'no target, hash or address is shown',
        );
        return outcome.differences.flatMap((text) => {
          const found =
            /^table (\w+): (\d+) rows in the source, (\d+) in the target(, with other values)?$/.exec(text);
          if (!found) return [];
          const [, name = '', rows, copies, others] = found;
          const more = MORE.includes(name) ? 1 : FEWER.includes(name) ? -1 : 0;
          assert.deepEqual([Number(copies) - Number(rows), others === undefined], [more, more !== 0], text);
          return [name];
        });
      }
      const names = MOVED_TABLES.map(({ name }) => name);
      assert.deepEqual(Object.keys(CHANGES), names);
      await to.run(CHANGES['entry'] ?? '');
      assert.deepEqual(await differing(), ['entry']);
      for (const [name, sql] of Object.entries(CHANGES)) if (name !== 'entry') await to.run(sql);
      assert.deepEqual(await differing(), names);
      await assert.rejects(to.openStore(), /postern move/);
    });

    test('a move keeps the tree of the log, whose checkpoints go on with the same key', async (t) => {
      const [from, to] = [await makeFrom(t), await makeTo(t)];
      const store = await from.openStore();
      await store.create(redirectLink(codeOf(1)), newChange());
      await fillTile(store, codeOf(1));
      const { sign, keeper } = openTestLog(store);
      const before = parseCheckpoint((await sign())?.note ?? '');
      await store.close();
      assert.equal((await moveBetween(from, to)).kind, 'moved');
      const moved = await to.openStore();
      await moved.attempt(attemptOn(codeOf(1)));
      const after = parseCheckpoint((await openTestLog(moved, keeper).sign())?.note ?? '');
      assert.equal(after?.size, (before?.size ?? 0) + 1);
      const proved = await proveConsistency(moved.evidence, before?.size ?? 0, null);
      const proof = typeof proved !== 'string' && parseConsistency(proved.text.trimEnd().split('\n'));
      assert.ok(before && after && proof && isConsistent(hashHex, { from: before, to: after }, proof.hashes));
      await assertProved(moved, codeOf(1));
      await moved.close();
    });

    test('a move refuses an integer that it cannot copy exactly', async (t) => {
      const [from, to] = [await stocked(await makeFrom(t)), await makeTo(t)];
      await from.run('UPDATE lease SET rest_bytes = 9007199254740993');
      await assert.rejects(moveBetween(from, to), /a row of table lease has an integer beyond \d+,/);
      await assert.rejects(to.openStore(), /postern move/);
    });

    test('a move leaves limits, ranks and statistics exact', async (t) => {
      const [from, to] = [await makeFrom(t), await makeTo(t)];
      const store = await from.openStore();
      const codes = Array.from({ length: MAX_RANKED_LINKS + 100 }, (_, index) => codeOf(index));
      await Promise.all(codes.map((code) => store.create(redirectLink(code, { maxViews: 5 }), newChange())));
      await Promise.all([...codes, ...codes.slice(50)].map((code) => store.attempt(attemptOn(code))));
      await store.close();
      await moveBetween(from, to);
      const moved = await to.openStore();
      const [late = '', early = ''] = [codes.at(-1), codes[0]];
      const tries = Array.from({ length: 20 }, () => [early, late]).flat();
      const outcomes = await Promise.all(tries.map((code) => moved.attempt(attemptOn(code))));
      assert.equal(outcomes.filter(({ verdict }) => verdict === 'SUCCESS').length, 4 + 3);
      assert.deepEqual(pluck(await moved.statistics.topLinks(3), 'count'), [5, 5, 2]);
      assert.equal((await moved.statistics.topLinks(MAX_RANKED_LINKS)).length, MAX_RANKED_LINKS);
      await moved.close();
      assert.deepEqual((await to.recount()).differences, []);
    });
  });
}

test('a move between two stores of one kind copies every row, and the target goes on', async (t) => {
  for (const makePlace of [sqlitePlace, postgresPlace]) {
    const [from, to] = [await stocked(await makePlace(t)), await makePlace(t)];
    assert.equal((await moveBetween(from, to)).kind, 'moved');
    assert.deepEqual(await to.dump(), await from.dump());
    await assertGoesOn(to);
  }
});

test('a move keeps the places of entries in a log that has several months', async (t) => {
  const from = await stocked(await postgresPlace(t));
  await using connections = openConnections(postgresOptions(from.url), 1);
  await beginMonth(connections, START);
  await addMore(from);
  const places = (await from.dump())['entry'];
  for (const makePlace of [sqlitePlace, postgresPlace]) {
    const [to, back] = [await makePlace(t), await postgresPlace(t)];
    assert.equal((await moveBetween(from, to)).kind, 'moved');
    assert.equal((await moveBetween(to, back)).kind, 'moved');
    assert.deepEqual((await back.dump())['entry'], places);
    for (const place of [to, back]) await assertGoesOn(place);
  }
});

/** Appends to the log of a store, which a restart of the service then reads. */
async function addMore(place: StorePlace): Promise<void> {
  for (const code of ['strange1', 'strange2']) {
    const store = await place.openStore();
    assert.equal(await store.create(redirectLink(code), newChange()), 'created');
    for (const each of [code, codeOf(5)]) await store.attempt(attemptOn(each));
    await store.close();
  }
}

async function assertGoesOn(place: StorePlace): Promise<void> {
  const store = await place.openStore();
  for (const code of ['further1', codeOf(6)]) {
    await store.create(redirectLink(code), newChange());
    await store.attempt(attemptOn(code));
  }
  await store.close();
  assert.deepEqual((await place.recount()).differences, []);
}

test('a move from a killed service has the attempts that the rows of links lack', async (t) => {
  const { path, openStore } = sqlitePlace(t);
  const store = await openStore();
  await store.create(redirectLink(codeOf(1), { maxViews: 3 }), newChange());
  for (let count = 0; count < 2; count++) await store.attempt(attemptOn(codeOf(1)));
  const expected = await store.read(codeOf(1));
  const [from, to] = [sqlitePlace(t, copyOfKilled(t, path)), sqlitePlace(t)];
  assert.equal((await moveBetween(from, to)).kind, 'moved');
  const moved = await to.openStore();
  assert.deepEqual(await moved.read(codeOf(1)), expected);
  assert.equal(expected?.viewCount, 2);
});

type Store = Awaited<ReturnType<StorePlace['openStore']>>;
const addLink = (store: Store) => store.create(redirectLink('strange1'), newChange());
const addUpload = (store: Store) => store.begin('00000000-0000-4000-8000-000000000000', START);
const addAttempt = (store: Store) => store.attempt(attemptOn('nowhere1'));
const revokeOne = (store: Store) => store.revoke(codeOf(8), newChange());
const renameTeam = ({ teams }: Store) => teams.changeTeam('press', { name: 'media' }, newChange());
