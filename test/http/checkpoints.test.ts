import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { hashHex, verifyEd25519 } from '../../src/core/model/ed25519.ts';
import { isConsistent } from '../../src/core/model/merkle-tree.ts';
import {
  parseCheckpoint,
  parseConsistency,
  parseVerifierKey,
  verifyNote,
} from '../../src/core/model/signed-note.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import { json, member, send, sendJson } from '../support/http-client.ts';
import { createLink } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';
import { mailFlags, readMailedCode, startSmtpServer } from '../support/smtp-server.ts';

const KEY = 'initial-'.repeat(5);
const ADMIN = { authorization: `Bearer ${KEY}` };
const FLAGS = [`--app.access.initial-key=${KEY}`, '--app.base-url=https://links.example/to'];
const NDJSON = { accept: 'application/x-ndjson' };

/** The first line of an export. */
type Exported = { checkpoint: { proof: string } };

const get = (service: TestService, path: string, headers = {}) => send(service, path, { headers });

async function exportOf(service: TestService, shortCode: string): Promise<string> {
  const { status, text } = await get(service, `/api/links/${shortCode}/history`, { ...NDJSON, ...ADMIN });
  assert.equal(status, 200);
  return text;
}

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function verified(text: string, kept?: string): Promise<string> {
  const { findings, proved } = await checkExport(toChunks(text), null, undefined, kept);
  assert.deepEqual(findings.shown, []);
  return proved.join('\n');
}

/** Starts a service whose log has a link with two attempts, and a checkpoint. */
async function startLog(t: Parameters<typeof startService>[0], directory = temporaryDirectory(t)) {
  const service = await startService(t, { flags: FLAGS, directory });
  const shortCode = await createLink(service);
  for (let view = 0; view < 2; view++) await get(service, `/l/${shortCode}`);
  await service.signCheckpoint?.();
  return { service, shortCode, directory };
}

describe('checkpoints of the log', () => {
  test('an export carries the newest checkpoint, which everyone can read', async (t) => {
    const { service, shortCode } = await startLog(t);
    const [note, key] = [
      (await get(service, '/checkpoint')).text,
      (await get(service, '/checkpoint/key')).text.trim(),
    ];
    const checkpoint = parseCheckpoint(note);
    const known = parseVerifierKey(hashHex, key);
    assert.ok(checkpoint && known);
    assert.match(checkpoint.origin, /^links\.example\/to\/log\/[0-9a-f]{12}$/);
    assert.equal(checkpoint.size, 3);
    assert.equal(verifyNote(checkpoint.note, known, verifyEd25519).result, 'VALID');
    const proved = await verified(await exportOf(service, shortCode), `${key}\n\n${note}`);
    assert.match(proved, /Up to entry 3, the history is in the signed checkpoint of 3 entries/);

    await get(service, `/l/${shortCode}`);
    assert.match(await verified(await exportOf(service, shortCode), key), /Entries 4 to 4 are newer/);
    await service.signCheckpoint?.();
    const newer = parseCheckpoint((await get(service, '/checkpoint')).text);
    const { text } = await get(service, '/checkpoint?from=3&to=4');
    const proof = parseConsistency(text.trimEnd().split('\n'));
    assert.ok(newer && proof && isConsistent(hashHex, { from: checkpoint, to: newer }, proof.hashes));
    assert.match(
      await verified(await exportOf(service, shortCode), `${key}\n\n${note}\n\n${text}`),
      /Up to entry 4/,
    );
    for (const [query, status, code] of [
      ...(['from=3&to=5', 'from=4&to=3'] as const).map((each) => [each, 404, 'NO_CHECKPOINT'] as const),
      ...(['from=x', 'from=-1', 'from=3&to=', 'to=3', 'from=&to=3'] as const).map(
        (each) => [each, 400, 'NOT_AN_INTEGER'] as const,
      ),
    ]) {
      const refused = await get(service, `/checkpoint?${query}`);
      assert.deepEqual([refused.status, member(json(refused), 'code')], [status, code], query);
    }
  });

  test('a proof from entries that are detached is refused by name', async (t) => {
    const { service, shortCode, directory } = await startLog(t);
    await get(service, `/l/${shortCode}`);
    await service.signCheckpoint?.();
    const db = new DatabaseSync(`${directory}/postern.db`, { timeout: 5_000 });
    db.exec(
      `WITH RECURSIVE number (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM number WHERE n < 1300)
       INSERT INTO entry (seq, format, id, kind, short_code, result, count, at, number, fingerprint)
       SELECT n, 1, randomblob(16), 'ATTEMPT', 'unknown1', 'NOT_FOUND', 1, 1781524800000, 1, randomblob(32) FROM number`,
    );
    await service.signCheckpoint?.();
    assert.equal((await get(service, '/checkpoint?from=3')).status, 200);
    db.exec('DELETE FROM entry WHERE seq BETWEEN 1000 AND 1100');
    db.close();
    const refused = await get(service, '/checkpoint?from=3');
    assert.deepEqual([refused.status, member(json(refused), 'code')], [409, 'ENTRIES_DETACHED']);
    assert.equal((await get(service, '/checkpoint?from=256')).status, 200, 'from the end of the tile');
  });

  test('an export lacks the checkpoint where the log has other entries, or none', async (t) => {
    const { service, shortCode, directory } = await startLog(t);
    const change = (sql: string) => {
      const db = new DatabaseSync(`${directory}/postern.db`, { timeout: 5_000 });
      db.exec(sql);
      db.close();
    };
    const tree = `UPDATE log_tree SET open_leaves = replace(open_leaves, substr(open_leaves, 1, 64), '${'0'.repeat(64)}')`;
    change(tree);
    assert.ok(!(await exportOf(service, shortCode)).includes('checkpoint'));
    change(`UPDATE log_tree SET signed = 'damaged'`);
    assert.ok(!(await exportOf(service, shortCode)).includes('checkpoint'));
    assert.match(JSON.stringify(service.logged()), /"job":"prove_entry"/);
  });

  test('a service does not start where its key cannot be written', async (t) => {
    const path = `${temporaryDirectory(t)}/missing/key`;
    await assert.rejects(
      startService(t, { flags: [...FLAGS, `--app.evidence.key-file=${path}`] }),
      /app\.evidence\.key-file .*\/missing must exist/,
    );
  });

  test('a browser gets a page with the checkpoint and the key', async (t) => {
    const { service } = await startLog(t);
    const { text, headers } = await get(service, '/checkpoint', {
      accept: 'text/html',
      'accept-language': 'de',
    });
    assert.match(String(headers['content-type']), /^text\/html/);
    assert.match(text, /Prüfpunkt des Protokolls/);
    assert.match(text, /links\.example\/to\/log\//);
  });

  test('an export without a checkpoint has none, and a filtered one neither', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const shortCode = await createLink(service);
    assert.ok(!(await exportOf(service, shortCode)).includes('checkpoint'));
    assert.equal((await get(service, '/checkpoint')).status, 404);
    await service.signCheckpoint?.();
    const filtered = await get(service, `/api/links/${shortCode}/history?result=SUCCESS`, {
      ...NDJSON,
      ...ADMIN,
    });
    assert.ok(!filtered.text.includes('checkpoint'));
  });

  test('the history of a link that names recipients is covered, also after one of them is erased', async (t) => {
    const smtp = await startSmtpServer(t);
    const service = await startService(t, { flags: [...FLAGS, ...mailFlags(smtp)] });
    const recipientAddress = 'ann@example.com';
    const shortCode = await createLink(service, { verifiedRecipients: [recipientAddress] });
    const visit = (headers: Record<string, string>, form: Record<string, string>) => {
      const sent = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers };
      return send(service, `/l/${shortCode}`, {
        method: 'POST',
        headers: sent,
        body: new URLSearchParams(form).toString(),
      });
    };
    const asked = await visit({}, { recipientAddress });
    const [cookie = ''] = String(asked.headers['set-cookie']).split(';');
    const recipientCode = await readMailedCode(smtp, 1);
    assert.equal((await visit({ cookie }, { recipientAddress, recipientCode })).status, 303);
    await service.signCheckpoint?.();
    const before = await exportOf(service, shortCode);
    assert.match(before, /"result":"SUCCESS".*"recipientAddress":"ann@example\.com"/);
    const { proof } = (JSON.parse(before.slice(0, before.indexOf('\n'))) as Exported).checkpoint;
    assert.match(await verified(before), /Up to entry 3, the history is in the signed checkpoint/);

    const erased = await sendJson(
      service,
      '/api/erasures',
      { recipient: recipientAddress },
      { headers: ADMIN },
    );
    assert.equal(erased.status, 200, erased.text);
    await service.signCheckpoint?.();
    const after = await exportOf(service, shortCode);
    assert.doesNotMatch(after, /ann@example/);
    const proved = await verified(after, proof);
    assert.match(proved, /Up to entry 3, the history is the one of the proof that you kept/);
    assert.match(proved, /Up to entry 4, the history is in the signed checkpoint/);
  });

  test('only the user of the service can read the key, and a new one is signed by the old', async (t) => {
    const { service, shortCode, directory } = await startLog(t);
    const path = `${directory}/postern.db-evidence-key`;
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const former = (await get(service, '/checkpoint/key')).text.trim();
    const rotated = json(
      await send(service, '/api/checkpoint-key', {
        method: 'POST',
        headers: { ...ADMIN, 'content-type': 'application/json' },
        body: '{}',
      }),
    );
    assert.equal(member(rotated, 'formerKey'), former);
    await service.signCheckpoint?.();
    const key = (await get(service, '/checkpoint/key')).text.trim();
    assert.notEqual(key, former);
    for (const kept of [former, key]) await verified(await exportOf(service, shortCode), kept);
    assert.ok(!service.logged().some((line) => JSON.stringify(line).includes('PRIVATE')));
  });

  test('of two instances on PostgreSQL, the one with the key signs, and both show what it signed', async (t) => {
    const flags = [...FLAGS, `--app.database.url=${(await temporarySchema(t)).url}`];
    const keyFile = `${temporaryDirectory(t)}/key`;
    const signing = await startService(t, { flags: [...flags, `--app.evidence.key-file=${keyFile}`] });
    const other = await startService(t, { flags });
    assert.equal(other.signCheckpoint, undefined);
    assert.deepEqual(await other.findWarnings(), [], 'no checkpoint yet');
    const shortCode = await createLink(other);
    for (const service of [signing, other]) await get(service, `/l/${shortCode}`);
    await signing.signCheckpoint?.();
    const [note, key] = [
      (await get(other, '/checkpoint')).text,
      (await get(other, '/checkpoint/key')).text.trim(),
    ];
    assert.equal((await get(signing, '/checkpoint')).text, note);
    assert.match(
      (await other.findWarnings()).join(),
      /^This instance signs no checkpoints.*app\.evidence\.key-file/,
    );
    assert.deepEqual(await signing.findWarnings(), []);
    for (const service of [signing, other])
      assert.match(
        await verified(await exportOf(service, shortCode), `${key}\n\n${note}`),
        /Up to entry 3, the history is in the signed checkpoint of 3 entries/,
      );
    const refused = await sendJson(other, '/api/checkpoint-key', {}, { headers: ADMIN });
    assert.deepEqual([refused.status, member(json(refused), 'code')], [409, 'SIGNS_NO_CHECKPOINTS']);
  });

  test('a database that is older than the newest checkpoint is refused, and health says so, until a new log begins', async (t) => {
    const { service, shortCode, directory } = await startLog(t);
    await service.stop();
    const database = `${directory}/postern.db`;
    const older = readFileSync(database);
    const again = await startService(t, { flags: FLAGS, directory });
    for (let view = 0; view < 3; view++) await get(again, `/l/${shortCode}`);
    await again.signCheckpoint?.();
    const kept = (await get(again, '/checkpoint')).text;
    await again.stop();
    for (const ending of ['', '-wal', '-shm']) if (existsSync(database + ending)) rmSync(database + ending);
    writeFileSync(database, older);

    const restored = await startService(t, { flags: FLAGS, directory });
    await restored.signCheckpoint?.();
    const health = await get(restored, '/actuator/health', ADMIN);
    assert.match(health.text, /checkpoint_refused.*the log has 3 entries, and the newest checkpoint is of 6/);
    assert.equal(parseCheckpoint((await get(restored, '/checkpoint')).text)?.size, 3);
    await send(restored, '/api/checkpoint-key', {
      method: 'POST',
      headers: { ...ADMIN, 'content-type': 'application/json' },
      body: '{"isNewLog":true}',
    });
    await restored.signCheckpoint?.();
    assert.doesNotMatch((await get(restored, '/actuator/health', ADMIN)).text, /checkpoint_refused/);
    const { findings } = await checkExport(
      toChunks(await exportOf(restored, shortCode)),
      null,
      undefined,
      kept,
    );
    assert.match(findings.shown.join('\n'), /newer than the 3 entries from which the log was continued/);
  });
});
