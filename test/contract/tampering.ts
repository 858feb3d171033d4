import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EMPTY_CHAIN } from '../../src/core/model/chain.ts';
import { toSet } from '../../src/core/model/files-digest.ts';
import type { HistoryItem } from '../../src/core/model/history.ts';
import type { ChainHead } from '../../src/core/model/link.ts';
import { newPerson } from '../../src/core/model/people/person.ts';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import { toHeadRecord, toItemRecord } from '../../src/http/history-items.ts';
import type { Store } from '../../src/stores/store.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import {
  attemptOn,
  downloadLink,
  downloadOf,
  fileIdOf,
  newChange,
  redirectLink,
  START,
} from '../support/attempts.ts';
import { eraseSql } from '../support/erase.ts';
import { toNdjson } from '../support/exported-history.ts';
import { pluck } from '../support/pluck.ts';
import { readHistory } from '../support/queries.ts';
import {
  AGENT,
  AGENT_NUMBER,
  CHANGED,
  CHANGED_ENTRIES,
  CHANGED_LINKS,
  ERASED_ENTRIES,
  entryOf,
  FILE,
  isOf,
  MOVED_ENTRIES,
  NOTIFYING,
  OPENED,
  PARTS,
  REVOKED,
  UNKNOWN,
  UNUSED,
} from './tampering-table.ts';

/** A store on empty data of its own, whose rows can be changed without the store. */
export type TamperingHarness = AsyncDisposable & {
  readonly store: Store;
  reopen(): Promise<void>;
  /** Runs SQL for good. */
  run(sql: string): Promise<void>;
  /** Returns what verifying finds within a transaction that runs `sql` first and is rolled back. */
  findAfter(sql: string): Promise<string[]>;
  /** Returns the SQL of bytes. */
  bytes(hex: string): string;
};

/** Tests that verifying finds every change of a history that no service made. */
export function tamperingContract(name: string, openHarness: () => Promise<TamperingHarness>): void {
  describe(`verifying ${name}`, () => {
    let harness: TamperingHarness;
    let earlier: ChainHead;
    before(async () => {
      harness = await openHarness();
      earlier = await fill(harness);
      await harness.reopen(); // so that the rows of links have all of their entries
    });
    after(() => harness[Symbol.asyncDispose]());

    test('verifying finds nothing in histories that only services wrote', async () => {
      assert.deepEqual(await harness.findAfter(''), []);
    });

    const tamperings = [...CHANGED_ENTRIES, ...CHANGED_LINKS, ...MOVED_ENTRIES];
    for (const [what, sql, expected] of tamperings) {
      test(`verifying finds ${what}`, async () => {
        assert.match((await harness.findAfter(sql)).join('\n'), expected);
      });
    }

    for (const [what, sql, expected] of ERASED_ENTRIES) {
      test(`verifying finds ${what} of an entry whose personal fields were erased`, async () => {
        const erase = eraseAll(await readItems(harness.store), harness);
        assert.match((await harness.findAfter(`${erase} ${sql}`)).join('\n'), expected);
      });
    }

    test('verifying does not find an end that was replaced by an earlier one: only a known fingerprint does', async () => {
      const findings = await harness.findAfter(
        `DELETE FROM entry WHERE ${entryOf(OPENED, 6)};
         UPDATE link SET view_count = 4, entry_count = 5, fingerprint = ${harness.bytes(earlier.fingerprint)},
           last_seq = (SELECT seq FROM entry WHERE ${entryOf(OPENED, 5)})
         WHERE ${isOf(OPENED)}`,
      );
      assert.doesNotMatch(findings.join('\n'), /history of link/);
      assert.match(findings.join('\n'), /attempts by hour/);
    });

    test('verifying finds nothing where personal fields were erased, and confirms exports of it', async () => {
      const { store, run, findAfter } = harness;
      await run(eraseAll(await readItems(store), harness));
      assert.deepEqual(await findAfter(''), []);
      const items = await readItems(store);
      const personal = /192\.0\.2|agent|report|"ci"|"(label|tags|target\w+|notify\w+)"/;
      assert.doesNotMatch(
        JSON.stringify(items.map(toItemRecord)).replaceAll('"userAgent":null', ''),
        personal,
      );
      for (const shortCode of [OPENED, FILE, REVOKED, CHANGED, NOTIFYING]) {
        const ofLink = items.filter((item) => item.shortCode === shortCode).map(toItemRecord);
        const head = toHeadRecord((await store.read(shortCode))?.history ?? EMPTY_CHAIN);
        const first = {
          kind: 'HEAD',
          shortCode,
          ...head,
          at: new Date(START).toISOString(),
          filtered: false,
        };
        const { findings, proved } = await checkExport(toChunks([first, ...ofLink]), null);
        assert.deepEqual(findings.shown, []);
        assert.match(
          proved.join('\n'),
          RegExp(`^${ofLink.length} (entry is|entries are) without personal fields`, 'm'),
        );
      }
    });

    test('a change whose details are damaged is named, and the other entries of events are read', async () => {
      const { store, run } = harness;
      const outbox = await store.notifications.readOutbox(null, 100);
      const events = outbox.flatMap(({ links }) => links.flatMap((link) => link.events));
      const seqs = events.flatMap((event) => ('seq' in event ? [event.seq] : []));
      await run(`UPDATE entry SET details = '{broken' WHERE ${entryOf(CHANGED, 2)}`);
      const { entries, unreadable } = await store.notifications.readEntries(seqs);
      assert.deepEqual(pluck(unreadable, 'shortCode'), [CHANGED]);
      assert.deepEqual(entries.map(({ kind }) => kind).sort(), ['CHANGED', 'CREATED']);
    });
  });
}

/** Reads every entry, with its personal fields. */
async function readItems(store: Store): Promise<HistoryItem[]> {
  return (await readHistory(store)).items;
}

/** Returns SQL that erases every person, also from what follows from the entries. */
function eraseAll(items: readonly HistoryItem[], { bytes }: TamperingHarness): string {
  const entries = items.map((item) => eraseSql(item, bytes)).join('\n');
  const count = items.filter(({ number }) => number > 0).length;
  return `${entries} INSERT INTO erasure (at, kind, author, entry_count) VALUES (1, 'IP', 'root', ${count});
    DELETE FROM origins_by_day; DELETE FROM origin_by_hour; DELETE FROM origin;`;
}

async function* toChunks(lines: readonly unknown[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(toNdjson(lines));
}

/**
 * Makes a history of 6 entries with a user agent of its own table, one with a download, one with a revocation, one with
 * changes. Returns the
 * end of the first as it was at its entry 5.
 */
async function fill(harness: TamperingHarness): Promise<ChainHead> {
  const { store, run } = harness;
  let earlier = EMPTY_CHAIN;
  await store.create(redirectLink(OPENED, { maxViews: 8, expiresAt: START + DAY_MS }), newChange());
  for (let last = 1; last <= 5; last++) {
    earlier = (await store.read(OPENED))?.history ?? earlier;
    // No agent is seen twice: a store may give those a number.
    const userAgent = last === 2 ? AGENT : `agent ${last}`;
    await store.attempt(attemptOn(OPENED, { ipAddress: `192.0.2.${last}`, userAgent }));
  }
  await run(`INSERT INTO user_agent (number, text) VALUES (${AGENT_NUMBER}, '${AGENT}'), (${AGENT_NUMBER + 1}, 'another');
    UPDATE entry SET user_agent = NULL, agent_number = ${AGENT_NUMBER} WHERE ${entryOf(OPENED, 3)}`);

  await store.begin(fileIdOf(1), START);
  await store.create(downloadLink(FILE, { fileId: fileIdOf(1), ...toSet(PARTS) }), newChange());
  const attempt = attemptOn(FILE);
  await store.attempt(attempt);
  await store.recordDownload(downloadOf(attempt, { at: START + 1 }));
  await store.attempt(attemptOn(FILE));

  const author = { kind: 'KEY', name: 'ci', ipAddress: null } as const;
  await store.create(redirectLink(REVOKED), newChange({ author }));
  await store.revoke(REVOKED, newChange());
  const notifiedLinks = 'ALL'; // whose entries notifications read
  await store.create(redirectLink(CHANGED, { maxViews: 5 }), newChange({ notifiedLinks }));
  const held = { owner: 'USER bob', team: 'press' };
  await store.people.addPerson(newPerson({ name: 'bob', scopes: [], createdAt: START }));
  await run(`INSERT INTO team (name, created_at) VALUES ('press', 1)`);
  const patches = [
    { maxViews: 7, passwordHash: 'a hash', terms: { label: 'b', tags: ['x'] }, startsAt: START },
    { terms: { label: 'c', notifyUrl: 'https://hooks.example' }, isPaused: true, ...held },
  ];
  for (const patch of patches)
    await store.change(CHANGED, { patch, versions: null }, newChange({ notifiedLinks }));
  await store.create(redirectLink(UNUSED), newChange());
  const terms = { notifyUrl: 'https://hooks.example', notifyEmail: 'jane@example.com' };
  const imported = { from: 'kutt', viewCount: 2, isPaused: false, status: 'ACTIVE' } as const;
  await store.create(redirectLink(NOTIFYING, { imported, terms }), newChange());
  await store.attempt(attemptOn(UNKNOWN));
  return earlier;
}
