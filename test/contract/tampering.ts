import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { appendEntry } from '../../src/links/chain.ts';
import { DAY_MS } from '../../src/links/time-units.ts';
import { uuidV7 } from '../../src/links/uuid-v7.ts';
import type { Store } from '../../src/stores/store.ts';
import { attemptOn, downloadLink, fileIdOf, newChange, redirectLink, START } from '../support/attempts.ts';
import {
  AGENT,
  CHANGED_ENTRIES,
  CHANGED_LINKS,
  entryOf,
  FILE,
  isOf,
  MOVED_ENTRIES,
  OPENED,
  REVOKED,
  UNKNOWN,
  UNUSED,
} from './tamperings.ts';

/** A store on empty data of its own, whose rows can be changed behind its back. */
export type TamperingHarness = AsyncDisposable & {
  store: Store;
  /** Runs SQL for good. */
  run(sql: string): Promise<void>;
  /** Returns what verifying finds within a transaction that runs `sql` first and is rolled back. */
  findAfter(sql: string): Promise<string[]>;
  /** SQL literals. */
  uuid(id: string): string;
  bytes(hex: string): string;
};

/** Tests that verifying finds every change of a history that no service made. */
export function tamperingContract(name: string, openHarness: () => Promise<TamperingHarness>): void {
  describe(`verifying ${name}`, () => {
    let harness: TamperingHarness;
    before(async () => {
      harness = await openHarness();
      await fill(harness);
    });
    after(() => harness[Symbol.asyncDispose]());

    test('finds nothing in histories that only services wrote', async () => {
      assert.deepEqual(await harness.findAfter(''), []);
    });

    for (const [what, sql, expected] of [...CHANGED_ENTRIES, ...CHANGED_LINKS, ...MOVED_ENTRIES]) {
      test(`finds ${what}`, async () => {
        assert.match((await harness.findAfter(sql)).join('\n'), expected);
      });
    }

    test('does not find an end that was replaced by an earlier one: only a witness does', async () => {
      const { store, bytes } = harness;
      const { history } = (await store.read(UNUSED)) ?? assert.fail();
      await store.attempt(attemptOn(UNUSED));
      const findings = await harness.findAfter(
        `DELETE FROM audit WHERE ${entryOf(UNUSED, 2)};
         UPDATE link SET view_count = 0, entry_count = 1, fingerprint = ${bytes(history.fingerprint)}
         WHERE ${isOf(UNUSED)}`,
      );
      assert.doesNotMatch(findings.join('\n'), /history of link/);
      assert.match(findings.join('\n'), /attempts by hour/);
    });
  });
}

/** Makes a history of 6 entries with a user agent of its own table, one with a download, one with a revocation. */
async function fill(harness: TamperingHarness): Promise<void> {
  const { store, run } = harness;
  await store.create(redirectLink(OPENED, { maxViews: 8, expiresAt: START + DAY_MS }), newChange());
  for (let last = 1; last <= 5; last++)
    await store.attempt(attemptOn(OPENED, { ipAddress: `192.0.2.${last}`, userAgent: AGENT }));
  await run(`INSERT INTO user_agent (number, text) VALUES (1, '${AGENT}'), (2, 'another');
    UPDATE audit SET user_agent = NULL, agent_number = 1 WHERE ${entryOf(OPENED, 3)}`);

  await store.begin(fileIdOf(1), START);
  await store.create(downloadLink(FILE, { fileId: fileIdOf(1) }), newChange());
  const attempt = attemptOn(FILE);
  await store.attempt(attempt);
  await addDownload(harness, attempt.id);
  await store.attempt(attemptOn(FILE));

  await store.create(redirectLink(REVOKED), newChange());
  await store.revoke(REVOKED, newChange());
  await store.create(redirectLink(UNUSED), newChange());
  await store.attempt(attemptOn(UNKNOWN));
}

/** Adds the entry of a download as a service does. */
async function addDownload({ store, run, uuid, bytes }: TamperingHarness, attemptId: string): Promise<void> {
  const { history } = (await store.read(FILE)) ?? assert.fail();
  const id = uuidV7(START + 1, randomUUID());
  const download = { id, at: START + 1, shortCode: FILE, attemptId, bytesSent: 5, isComplete: true };
  const head = appendEntry(history, { kind: 'DOWNLOAD', ...download });
  await run(`INSERT INTO download (attempt_id, id, short_code, number, bytes_sent, is_complete, ended_at)
      VALUES (${uuid(attemptId)}, ${uuid(id)}, '${FILE}', ${head.entryCount}, 5, NOT FALSE, ${download.at});
    UPDATE link SET entry_count = ${head.entryCount}, fingerprint = ${bytes(head.fingerprint)}
    WHERE ${isOf(FILE)}`);
}
