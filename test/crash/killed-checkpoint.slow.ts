import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hashHex, verifyEd25519 } from '../../src/core/model/ed25519.ts';
import { isConsistent } from '../../src/core/model/merkle-tree.ts';
import {
  type Checkpoint,
  parseCheckpoint,
  parseConsistency,
  parseVerifierKey,
  verifyNote,
} from '../../src/core/model/signed-note.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import { send, until } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { type ServiceProcess, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { holdLock } from '../support/sqlite-lock.ts';

const KEY = 'initial-'.repeat(5);
const HEADERS = { accept: 'application/x-ndjson', authorization: `Bearer ${KEY}` };

const textOf = async (service: ServiceProcess, path: string): Promise<string> =>
  (await send(service, path, { headers: HEADERS })).text;

/** Returns the checkpoint of so many entries, once the service has signed it. */
async function signed(service: ServiceProcess, size: number): Promise<Checkpoint> {
  let checkpoint: Checkpoint | undefined;
  await until(async () => {
    checkpoint = parseCheckpoint(await textOf(service, '/checkpoint'));
    return checkpoint?.size === size;
  });
  const key = parseVerifierKey(hashHex, (await textOf(service, '/checkpoint/key')).trim());
  assert.ok(key && checkpoint);
  assert.equal(verifyNote(checkpoint.note, key, verifyEd25519).result, 'VALID');
  return checkpoint;
}

async function assertContinues(service: ServiceProcess, from: Checkpoint, to: Checkpoint): Promise<void> {
  const text = await textOf(service, `/checkpoint?from=${from.size}&to=${to.size}`);
  const proof = parseConsistency(text.trimEnd().split('\n'));
  assert.ok(proof && isConsistent(hashHex, { from, to }, proof.hashes), `${from.size} to ${to.size}`);
}

/** Asserts that the export of a link has no difference, and a checkpoint with so many of its entries. */
async function assertCovered(service: ServiceProcess, shortCode: string, number: number): Promise<void> {
  const text = await textOf(service, `/api/links/${shortCode}/history`);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const { findings, proved } = await checkExport(chunks(), null);
  assert.deepEqual(findings.shown, []);
  assert.match(
    proved.join('\n'),
    new RegExp(`Up to entry ${number}, the history is in the signed checkpoint`),
  );
}

test('a log continues after the service was killed before a checkpoint, and while one was saved', async (t) => {
  const directory = temporaryDirectory(t);
  const start = () => startServiceProcess(t, directory, { flags: [`--app.access.initial-key=${KEY}`] });
  const newestPath = `${directory}/postern.db-evidence-key.newest`;
  const newest = (): Checkpoint | undefined =>
    existsSync(newestPath) ? parseCheckpoint(readFileSync(newestPath, 'utf8')) : undefined;

  const first = await start();
  const shortCode = await createLink(first);
  for (let view = 0; view < 3; view++) await openLink(first, shortCode);
  first.signal('SIGKILL');
  await first.exited;

  const second = await start(); // the first run of the job signs
  const afterKill = await signed(second, 4);
  await assertCovered(second, shortCode, 4);
  for (let view = 0; view < 2; view++) await openLink(second, shortCode);
  // The last checkpoint of a stop is noted beside the key, and cannot be saved in the database.
  const lock = await holdLock(t, second.databasePath);
  second.signal('SIGTERM');
  await until(() => newest()?.size === 6);
  second.signal('SIGKILL');
  assert.equal((await second.exited).signal, 'SIGKILL');
  await lock.release();
  const noted = newest();
  assert.ok(noted);

  const third = await start();
  const again = await signed(third, 6);
  assert.equal(again.root, noted.root);
  await assertContinues(third, afterKill, again);
  await assertCovered(third, shortCode, 6);
  await openLink(third, shortCode);
  third.signal('SIGTERM');
  await third.exited;
  const fourth = await start();
  const last = await signed(fourth, 7);
  for (const before of [afterKill, noted]) await assertContinues(fourth, before, last);
  assert.doesNotMatch(fourth.output.stdout + fourth.output.stderr, /checkpoint_refused/);
});
