import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFilesystemStore } from '../../src/files/filesystem.ts';
import { STALE_UPLOAD_MS } from '../../src/links/sweep-uploads.ts';
import type { AuditResult } from '../../src/links/verdict.ts';
import { assertAuditConsistent, type LinkRow, linkRows, resultOf } from '../support/audit-consistency.ts';
import { beginUpload, incomingFiles } from '../support/begun-requests.ts';
import { type Server, send } from '../support/http-client.ts';
import { createLink, openLink, TARGET, uploadFile } from '../support/links.ts';
import { type Choice, type Sent, startLoad } from '../support/load.ts';
import {
  NO_GUESS_LIMITS,
  type ServiceProcess,
  serviceFlags,
  startProgram,
  startServiceProcess,
} from '../support/process.ts';
import { pick, seededInt } from '../support/random.ts';
import { sentBytes } from '../support/sent-bytes.ts';
import { startService, temporaryDirectory, testClock } from '../support/service.ts';
import { readChanges, readDatabase } from '../support/sqlite-harness.ts';

const ROUNDS = 4;
const CLIENTS = 24;
const PASSWORD = 'open sesame';
/** Reached in the first round, in a later one, and never. */
const LIMITS = [1, 5, 150, 400, 900, 1_000_000];
const random = seededInt(20_260_615);
/** The number of responses after which each round ends. */
const KILLS = Array.from({ length: ROUNDS }, () => 200 + random(1200));

/** The acknowledged changes of links, which must last. */
type Acknowledged = { created: string[]; revoked: string[]; uploaded: Map<string, string> };

/** Tests what a kill at any moment leaves behind. */
export function whenKilled(): void {
  describe('a service that is killed under load', { concurrency: true }, () => {
    test('has counted everything acknowledged, and exceeds no limit, after each restart', async (t) => {
      const directory = temporaryDirectory(t);
      const acknowledged: Acknowledged = { created: [], revoked: [], uploaded: new Map() };
      const sent: Sent[] = [];
      let codes: string[] = [];
      for (const [round, responses] of KILLS.entries()) {
        const flags = ['--app.log.level=warn', ...NO_GUESS_LIMITS];
        const service = await startServiceProcess(t, directory, { flags });
        if (round === 0) codes = await createTargets(service);
        else await assertNothingIsLost(service, sent, acknowledged);
        const load = startLoad(service, CLIENTS, () => chooseRequest(codes));
        const creating = makeLinks(service, acknowledged);
        await beginUpload(t, service);
        await load.waitForResponses(responses);
        service.signal('SIGKILL');
        assert.equal((await service.exited).signal, 'SIGKILL');
        await Promise.all([load.ended, creating]);
        sent.push(...load.sent);
      }
      await assertNothingIsLost(await startServiceProcess(t, directory), sent, acknowledged);
      const verified = startProgram(t, ['src/commands/verify.ts', ...serviceFlags(directory, 8080)]);
      const { code, stderr } = await verified.exited;
      assert.equal(code, 0, stderr);
      assert.ok(
        acknowledged.created.length > 0 && acknowledged.revoked.length > 0 && acknowledged.uploaded.size > 0,
      );
    });

    test('leaves no link to half a file, and nothing of such a file after a sweep', async (t) => {
      const directory = temporaryDirectory(t);
      const first = await startServiceProcess(t, directory);
      const whole = await uploadFile(first, 'whole');
      for (let uploads = 0; uploads < 4; uploads++) await beginUpload(t, first);
      first.signal('SIGKILL');
      await first.exited;
      assert.equal(incomingFiles(first).length, 4);

      const second = await startServiceProcess(t, directory);
      assert.deepEqual(
        linkRows(second.databasePath).map(({ shortCode }) => shortCode),
        [whole],
      );
      second.signal('SIGTERM');
      await second.exited;

      const clock = testClock(Date.now() + STALE_UPLOAD_MS + 60_000);
      const later = await startService(t, { directory, clock });
      await later.startJobs();
      assert.equal((await openLink(later, whole)).text, 'whole');
      await later.stop(); // waits for the running jobs
      assert.equal(later.storedFiles().length, 1);
      assert.equal(
        readDatabase(later.databasePath, (db) => db.prepare('SELECT * FROM upload').all()).length,
        0,
      );
    });
  });
}

async function createTargets(service: Server): Promise<string[]> {
  const limited = LIMITS.map((maxViews) => createLink(service, { maxViews }));
  const others = [
    createLink(service),
    createLink(service, { password: PASSWORD }),
    uploadFile(service, 'content', { fields: { maxViews: '300' } }),
    uploadFile(service, 'content'),
  ];
  const revoked = await createLink(service);
  await send(service, `/l/${revoked}`, { method: 'DELETE' });
  return [...(await Promise.all([...limited, ...others])), revoked, 'nolink00'];
}

function chooseRequest(codes: readonly string[]): Choice {
  const shortCode = pick(random, codes);
  const luck = random(200);
  if (luck < 1) return { shortCode, headers: { 'x-link-password': PASSWORD } };
  if (luck < 2) return { shortCode, headers: { 'x-link-password': 'guess' } };
  if (luck < 10) return { shortCode, method: 'HEAD' };
  if (luck < 40) return { shortCode, headers: { accept: 'application/json' } };
  return { shortCode };
}

/** Creates, uploads and revokes until the service is gone, and notes what was acknowledged. */
async function makeLinks(service: Server, acknowledged: Acknowledged): Promise<void> {
  try {
    for (let made = 0; ; made++) {
      acknowledged.created.push(await createLink(service, { targetUrl: `${TARGET}-${made}` }));
      const content = String(made).repeat(1 + random(50_000));
      acknowledged.uploaded.set(await uploadFile(service, content), content);
      const revoked = await createLink(service);
      await send(service, `/l/${revoked}`, { method: 'DELETE' });
      acknowledged.revoked.push(revoked);
    }
  } catch {
    // The service was killed.
  }
}

/** Checks that everything acknowledged in all rounds is there. */
async function assertNothingIsLost(
  service: ServiceProcess,
  sent: readonly Sent[],
  acknowledged: Acknowledged,
): Promise<void> {
  const { database } = JSON.parse((await send(service, '/actuator/health')).text).components;
  assert.equal(database.status, 'UP', JSON.stringify(database));
  const audit = await assertAuditConsistent(service);
  const recorded = Map.groupBy(audit, ({ userAgent }) => userAgent);
  for (const { agent, method, shortCode, response } of sent) {
    const records = recorded.get(agent) ?? [];
    recorded.delete(agent);
    if (!response) {
      assert.ok(records.length <= 1, `${agent} was recorded twice`);
      continue;
    }
    const expected: AuditResult | undefined = method === 'HEAD' ? 'PREVIEW' : resultOf(response);
    assert.ok(expected, `${agent} got ${response.status} ${response.text}`);
    assert.deepEqual(
      records.map((record) => [record.shortCode, record.result]),
      [[shortCode, expected]],
      agent,
    );
  }
  assert.deepEqual([...recorded.keys()], [], 'every record belongs to a request');

  const links = new Map(linkRows(service.databasePath).map((link) => [link.shortCode, link]));
  for (const shortCode of acknowledged.created) assert.equal(links.get(shortCode)?.status, 'ACTIVE');
  for (const shortCode of acknowledged.uploaded.keys()) assert.ok(links.has(shortCode));
  for (const shortCode of acknowledged.revoked) assert.equal(links.get(shortCode)?.status, 'REVOKED');
  assertChangesAreRecorded(service, [...links.values()]);
  await assertFilesAreWhole(service, acknowledged.uploaded);
}

/** Checks that each link has the record of its creation, and of its revocation if it is revoked, and nothing else has. */
function assertChangesAreRecorded({ databasePath }: ServiceProcess, links: readonly LinkRow[]): void {
  const expected = links.flatMap(({ shortCode, status }) =>
    status === 'REVOKED' ? [`${shortCode} CREATED`, `${shortCode} REVOKED`] : [`${shortCode} CREATED`],
  );
  const recorded = readChanges(databasePath).map(({ shortCode, kind }) => `${shortCode} ${kind}`);
  assert.deepEqual(recorded.sort(), expected.sort());
}

/** Checks that each link to a file has all its bytes, also when its creation was never acknowledged. */
async function assertFilesAreWhole(
  service: ServiceProcess,
  uploaded: Acknowledged['uploaded'],
): Promise<void> {
  const files = createFilesystemStore({ directory: service.storagePath });
  const rows = readDatabase(service.databasePath, (db) =>
    db.prepare('SELECT * FROM link_target WHERE file_id IS NOT NULL').all(),
  );
  for (const row of rows) {
    const opened = await files.open(String(row['file_id']));
    assert.ok(opened);
    assert.equal(opened.sizeBytes, Number(row['file_size_bytes']));
    const stored = (await sentBytes(opened)).toString();
    const content = uploaded.get(String(row['short_code']));
    if (content !== undefined) assert.equal(stored, content);
  }
}
