import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import { assertAuditConsistent, assertAuditsConsistent } from '../support/audit-consistency.ts';
import { createLink } from '../support/links.ts';
import { startLoad } from '../support/load.ts';
import { linkRows, readAudit } from '../support/postgres-harness.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { logLines, type ServiceProcess, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const END_THREADS = ['--import', './test/support/end-threads.ts'];

describe('a service whose store loses a thread under load', { concurrency: true }, () => {
  for (const [thread, signal] of [
    ['the thread that writes', 'SIGUSR2'],
    ['the thread of the statistics', 'SIGHUP'],
  ] as const) {
    test(`a service ends with exit code 1, reports why, and loses nothing acknowledged: ${thread}`, async (t) => {
      const directory = temporaryDirectory(t);
      const service = await startServiceProcess(t, directory, { nodeFlags: END_THREADS });
      const granted = await endThreadUnderLoad(service, signal);
      assertAllAreRecorded(granted, await assertAuditConsistent(await startServiceProcess(t, directory)));
    });
  }

  test('a service ends with exit code 1, reports why, and loses nothing acknowledged: the thread of PostgreSQL', async (t) => {
    const directory = temporaryDirectory(t);
    const schema = await temporarySchema(t);
    const service = await startServiceProcess(t, directory, {
      nodeFlags: END_THREADS,
      databaseUrl: schema.url,
    });
    const granted = await endThreadUnderLoad(service, 'SIGUSR2');
    const again = await startServiceProcess(t, directory, { databaseUrl: schema.url });
    const audit = await readAudit(schema);
    await assertAuditsConsistent(again, { audit, links: await linkRows(schema) });
    assertAllAreRecorded(granted, audit);
  });
});

/** Returns the agents of the attempts that were granted before the thread ended. */
async function endThreadUnderLoad(service: ServiceProcess, signal: 'SIGUSR2' | 'SIGHUP'): Promise<string[]> {
  const shortCode = await createLink(service);
  const load = startLoad(service, 8, () => ({ shortCode }));
  await load.waitForResponses(100);
  service.signal(signal);
  const { code, stdout } = await service.exited;
  await load.ended;
  assert.equal(code, 1);
  const last = logLines(stdout).at(-1);
  assert.equal(last?.['msg'], 'unexpected_error');
  assert.equal(last?.['level'], 'fatal');
  const granted = load.sent.filter(({ response }) => response?.status === 302);
  assert.ok(granted.length >= 100);
  return granted.map(({ agent }) => agent);
}

function assertAllAreRecorded(granted: readonly string[], audit: readonly AuditRecord[]): void {
  const recorded = new Set(audit.map(({ userAgent }) => userAgent));
  for (const agent of granted) assert.ok(recorded.has(agent), agent);
}
