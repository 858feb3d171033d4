import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { openSqliteKeys } from '../../../src/stores/sqlite/open-keys.ts';
import { readSqliteStore } from '../../../src/stores/sqlite/read-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { apiKey, attemptOn, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { copyOfKilled, cutLog, logOf, openedStore, stateOf } from '../../support/killed-store.ts';
import { temporaryDirectory } from '../../support/service.ts';

const FILE_ID = '3f0f3c1e-8a3e-4c47-9d3a-0c1b2a394857';

/** Each kind of change as the last one before a kill. */
const CHANGES: Record<string, (store: Store) => Promise<unknown>> = {
  'an attempt': (store) => store.attempt(attemptOn(codeOf(1))),
  'a creation': (store) => store.create(redirectLink(codeOf(2)), newChange()),
  'a revocation': (store) => store.revoke(codeOf(1), newChange()),
  'an expiry': (store) => store.expireDue(START + 10_000, 10),
  'the begin of an upload': (store) => store.begin(FILE_ID, START),
  'a new key': (store) => store.keys.addKey(apiKey('other')),
  'the revocation of a key': (store) => store.keys.revokeKey('ci', START),
};

describe('a start of an embedded store after a kill', () => {
  test('finds which change a log without its last transaction lost, and nothing in a whole log', async (t) => {
    const { store, path } = await storeInUse(t);
    for (const [what, change] of Object.entries(CHANGES)) {
      const before = statSync(logOf(path)).size;
      await change(store);
      const copy = copyOfKilled(t, path);
      cutLog(copy, before);
      assert.deepEqual(await problemsOf(t, copy), ['database_commits_lost'], what);
    }
    assert.deepEqual(await problemsOf(t, copyOfKilled(t, path)), []);
  });

  test('counts what a removed log lost and refuses changes, until the administrator deletes the state file', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    const again = await openedStore(t, path);
    for (let count = 0; count < 3; count++) await again.attempt(attemptOn(codeOf(1)));
    const copy = copyOfKilled(t, path);
    rmSync(logOf(copy));

    for (const start of ['the first', 'the second']) {
      const damaged = await openedStore(t, copy);
      assert.deepEqual(await damaged.findProblems(), ['database_commits_lost'], start);
      assert.match(
        damaged.explainProblem?.('database_commits_lost') ?? '',
        /^committed attempts are missing; its newest audit record is of 2\d{3}-/,
      );
      for (const [what, change] of Object.entries(CHANGES))
        await assert.rejects(
          change(damaged),
          /takes no changes, because committed attempts are missing/,
          what,
        );
      await damaged.close();
      await assert.rejects(
        openSqliteKeys({ path: copy, isCreated: false }),
        /committed attempts are missing/,
      );
    }

    rmSync(stateOf(copy));
    assert.deepEqual(await problemsOf(t, copy), []);
  });

  test('loses nothing when the log is put back after a start without it', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    const again = await openedStore(t, path);
    for (let count = 0; count < 3; count++) await again.attempt(attemptOn(codeOf(1)));
    const copy = copyOfKilled(t, path);
    renameSync(logOf(copy), `${copy}-aside`);
    const damaged = await openedStore(t, copy);
    await assert.rejects(damaged.attempt(attemptOn(codeOf(1))));
    await damaged.close();
    renameSync(`${copy}-aside`, logOf(copy));
    const whole = await openedStore(t, copy);
    assert.deepEqual(await whole.findProblems(), []);
    assert.equal((await whole.attempt(attemptOn(codeOf(1)))).viewCount, 5);
    assert.deepEqual((await readSqliteStore(copy, recountStore)).differences, []);
  });

  test('does not happen on a file without tables, whose log was removed before the first checkpoint', async (t) => {
    const { path } = await storeInUse(t);
    const copy = copyOfKilled(t, path);
    rmSync(logOf(copy));
    await assert.rejects(openedStore(t, copy), /postern\.db-state/);
  });

  test('finds an older copy in the place of the database', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    const backup = join(temporaryDirectory(t), 'backup.db');
    cpSync(path, backup);
    const again = await openedStore(t, path);
    await again.attempt(attemptOn(codeOf(1)));
    await again.close();
    cpSync(backup, path);
    assert.deepEqual(await problemsOf(t, path), ['database_commits_lost']);
  });

  test('finds that a key is valid again that the command revoked', async (t) => {
    const { path } = await storeInUse(t);
    const before = statSync(logOf(path)).size;
    await revokeByCommand(path, 'ci');
    const copy = copyOfKilled(t, path);
    cutLog(copy, before);
    assert.deepEqual(await problemsOf(t, copy), ['database_commits_lost']);
  });

  test('finds an older copy without a revocation that the command made while the service ran', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    const backup = join(temporaryDirectory(t), 'backup.db');
    cpSync(path, backup);
    const again = await openedStore(t, path);
    await revokeByCommand(path, 'ci');
    await again.close();
    cpSync(backup, path);
    assert.deepEqual(await problemsOf(t, path), ['database_commits_lost']);
  });

  test('takes a missing state file, one that is cut off, and that of another store as none', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    const whole = readFileSync(stateOf(path), 'utf8');
    const other = JSON.stringify({ ...JSON.parse(whole), commits: 1_000_000, storeId: 'another' });
    for (const content of [null, '', whole.slice(0, 40), other]) {
      if (content === null) rmSync(stateOf(path));
      else writeFileSync(stateOf(path), content);
      assert.deepEqual(await problemsOf(t, path), []);
    }
    assert.equal(JSON.parse(readFileSync(stateOf(path), 'utf8')).storeId, JSON.parse(whole).storeId);
  });
});

describe('the state file of an embedded store', () => {
  test('has the witness of the last transaction before its promise resolves', async (t) => {
    const { store, path } = await storeInUse(t);
    const stateNow = () => JSON.parse(readFileSync(stateOf(path), 'utf8'));
    const before = Number(stateNow().commits);
    for (let count = 0; count < 3; count++) {
      const attempt = attemptOn(codeOf(1));
      await store.attempt(attempt);
      assert.equal(stateNow().record, attempt.id);
    }
    assert.equal(stateNow().commits, before, 'attempts are not counted');
    await store.create(redirectLink(codeOf(2)), newChange());
    assert.equal(stateNow().commits, before + 1);
    await store.revoke('nolink00', newChange());
    await store.expireDue(0, 10);
    assert.equal(stateNow().commits, before + 1, 'what changes nothing is not counted');
  });

  test('counts the transactions that attempts follow', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    const again = await openedStore(t, path);
    await again.create(redirectLink(codeOf(2)), newChange());
    await again.attempt(attemptOn(codeOf(2)));
    const copy = copyOfKilled(t, path);
    rmSync(logOf(copy));
    const damaged = await openedStore(t, copy);
    assert.match(
      damaged.explainProblem?.('database_commits_lost') ?? '',
      /^1 committed transaction and committed attempts are missing; /,
    );
  });

  test('of an earlier version has no record', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    const { record: _, ...others } = JSON.parse(readFileSync(stateOf(path), 'utf8'));
    writeFileSync(stateOf(path), JSON.stringify(others));
    assert.deepEqual(await problemsOf(t, path), []);
  });

  test('has the mode of the database, so that a group that may write the one may write the other', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    rmSync(stateOf(path));
    chmodSync(path, 0o660);
    await (await openedStore(t, path)).close();
    assert.equal(statSync(stateOf(path)).mode & 0o777, 0o660);
  });

  test('says that a service runs while one of two does, so that its kill is not taken as a clean stop', async (t) => {
    const { path } = await storeInUse(t);
    const other = await openedStore(t, path);
    await other.close();
    const isRunning = () => JSON.parse(readFileSync(stateOf(path), 'utf8')).isRunning;
    while (!isRunning()) await setTimeout(50, undefined, { signal: t.signal });
  });

  test('is not needed by the command, whose keys are valid also when it cannot be read or written', async (t) => {
    const { store, path } = await storeInUse(t);
    await store.close();
    rmSync(stateOf(path));
    mkdirSync(stateOf(path));
    await using keys = await openSqliteKeys({ path, isCreated: false });
    assert.equal(await keys.addKey(apiKey('other')), 'added');
    assert.equal(await keys.revokeKey('other', START), 'revoked');
  });
});

/** Opens a store with a link that has expired and one that has not, a key, and some attempts. */
async function storeInUse(t: TestContext): Promise<{ store: Store; path: string }> {
  const path = join(temporaryDirectory(t), 'postern.db');
  const store = await openedStore(t, path);
  await store.create(redirectLink(codeOf(1)), newChange());
  await store.create(redirectLink(codeOf(9), { expiresAt: START + 1 }), newChange());
  await store.keys.addKey(apiKey('ci'));
  await store.attempt(attemptOn(codeOf(1)));
  return { store, path };
}

async function revokeByCommand(path: string, name: string): Promise<void> {
  await using keys = await openSqliteKeys({ path, isCreated: false });
  assert.equal(await keys.revokeKey(name, START), 'revoked');
}

async function problemsOf(t: TestContext, path: string): Promise<readonly string[]> {
  const store = await openedStore(t, path);
  const found = await store.findProblems();
  await store.close();
  return found;
}
