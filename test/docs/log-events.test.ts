import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createLog, createLogWriter } from '../../src/observability/log.ts';
import { codeIn, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { createLink, openLink, storedFileOf, uploadFile } from '../support/links.ts';
import { personHeaders, sendFromPage } from '../support/people.ts';
import { logLines, startServiceProcess } from '../support/process.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';
import { respondWith, SECRET, startReceiver } from '../support/webhook-receiver.ts';

type Line = Record<string, unknown>;

/** The levels and fields that monitoring.md documents for each event, without `level`, `time` and `msg`. */
const DOCUMENTED = new Map(
  tableRows(sectionOf(readProjectFile('docs/operations/monitoring.md'), 'Log')).map(
    ([event = '', levels = '', names = '']) => {
      const [fields = '', optional = ''] = names.split('; optional ');
      return [
        codeIn(event)[0],
        { levels: levels.split(', '), fields: codeIn(fields), optional: codeIn(optional) },
      ];
    },
  ),
);

test('each log line has the level and the fields that monitoring.md lists for its event', async (t) => {
  const lines = [
    ...(await linesOfRequests(t)),
    ...(await linesOfDenials(t)),
    ...(await linesOfPeople(t)),
    ...(await linesOfRefusals(t)),
    ...(await linesOfNotifications(t)),
    ...(await linesOfCodes(t)),
    ...(await linesOfJobs(t, '0a0b0c0d-0000-4000-8000-000000000000')),
    ...(await linesOfJobs(t, 'no id of a file')),
    ...(await linesOfBlockedHosts(t, 'evil.example')),
    ...(await linesOfBlockedHosts(t, 'no host')),
    ...(await linesOfProcess(t)),
    ...linesOfLostLog(),
  ];
  for (const line of lines) {
    const { level, time, msg, ...fields } = line;
    const documented = DOCUMENTED.get(String(msg));
    assert.ok(documented, `monitoring.md does not list ${msg}`);
    assert.ok(documented.levels.includes(String(level)), `${msg} is not of level ${level}`);
    assert.match(String(time), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    const required = Object.keys(fields).filter((name) => !documented.optional.includes(name));
    assert.deepEqual(required.sort(), documented.fields.sort(), String(msg));
  }
  assert.deepEqual(new Set(lines.map(({ msg }) => msg)), new Set(DOCUMENTED.keys()));
});

/** Returns the log of a service whose reader was gone for a while. */
function linesOfLostLog(): Line[] {
  let isGone = true;
  let received = '';
  const writer = createLogWriter((bytes) => {
    if (isGone) throw new Error('EPIPE');
    received += Buffer.from(bytes).toString();
    return bytes.length;
  });
  const log = createLog('info', writer);
  log.write('info', 'service_stopping', { signal: 'SIGTERM' });
  log.flush();
  isGone = false;
  log.flush();
  return logLines(received);
}

/** Returns log lines with every event that a request can cause. */
async function linesOfRequests(t: TestContext): Promise<Line[]> {
  const service = await startService(t);
  const { url } = service;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ targetUrl: 'https://example.com/' });
  const created = await fetch(`${url}/api/links`, { method: 'POST', headers, body });
  const { shortCode } = (await created.json()) as { shortCode: string };
  await fetch(`${url}/api/links/${shortCode}`, {
    method: 'PATCH',
    headers: { ...headers, 'x-link-token': created.headers.get('x-link-token') ?? '' },
    body: JSON.stringify({ maxViews: 9 }),
  });
  for (const method of ['GET', 'HEAD', 'DELETE', 'GET']) {
    await fetch(`${url}/l/${shortCode}`, { method, redirect: 'manual' });
  }
  await fetch(`${url}/l/nosuchcd`, { method: 'DELETE' });
  await failToUpload(service);
  await breakOffDownload(t, service);
  await downloadDamaged(t, service);
  return service.logged();
}

/** Returns the log of a request without credentials. */
async function linesOfDenials(t: TestContext): Promise<Line[]> {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  await fetch(`${service.url}/api/stats/links`);
  return service.logged();
}

/** Returns the log of changes of people. */
async function linesOfPeople(t: TestContext): Promise<Line[]> {
  const service = await startService(t);
  const headers = await personHeaders(service, 'admin');
  await sendFromPage(service, 'POST', '/api/teams', { name: 'press' }, headers);
  await sendFromPage(service, 'POST', '/api/people', { name: 'ada', scopes: ['read'] }, headers);
  return service.logged();
}

/** Returns the log of more attempts that a limit refuses than are logged in a second. */
async function linesOfRefusals(t: TestContext): Promise<Line[]> {
  const service = await startService(t, { flags: ['--app.limits.unknown-codes=1/PT1M'] });
  for (let visits = 0; visits < 12; visits++) await fetch(`${service.url}/l/nosuchcd`);
  await service.stop();
  return service.logged();
}

/** Returns the log of webhooks that are retried, that fail, and that are given up after three days. */
async function linesOfNotifications(t: TestContext): Promise<Line[]> {
  const receiver = await startReceiver(t);
  const service = await startService(t, {
    flags: [
      ...[`--app.webhooks.secret=${SECRET}`, `--app.webhooks.url=${receiver.url}`],
      '--app.webhooks.allowed-networks=127.0.0.1',
    ],
  });
  const statuses = [410, 503, 503];
  receiver.respond = (response, webhook) => respondWith(statuses.shift() ?? 503)(response, webhook);
  const { dispatcher = assert.fail(), clock } = service;
  const pausesMs = [0, 0, 3 * 24 * 3_600_000];
  for (const pauseMs of pausesMs) {
    clock.now += pauseMs + 1_000;
    for (let links = 0; links < 2 && pauseMs === 0; links++) await createLink(service);
    const db = new DatabaseSync(service.databasePath, { timeout: 5_000 });
    db.exec(`UPDATE entry SET details = '{broken' WHERE details IS NOT NULL`);
    db.close();
    await dispatcher.tick();
    await dispatcher.settled();
  }
  return service.logged();
}

/** Returns log lines of a code that cannot be mailed: nothing listens at the port. */
async function linesOfCodes(t: TestContext): Promise<Line[]> {
  const service = await startService(t, {
    flags: [
      ...['--app.mail.url=smtp://127.0.0.1:9?tls=none', '--app.mail.from=links@example.com'],
      '--app.mail.per-link=everyone',
    ],
  });
  const address = 'ann@example.com';
  const shortCode = await createLink(service, { verifiedRecipients: [address] });
  await fetch(`${service.url}/l/${shortCode}`, {
    method: 'POST',
    body: new URLSearchParams({ recipientAddress: address }),
  });
  await service.codesSettled();
  return service.logged();
}

/** Makes an upload fail with 500 by removing the storage directory. */
async function failToUpload({ url, storagePath }: TestService): Promise<void> {
  renameSync(storagePath, `${storagePath}.gone`);
  const form = new FormData();
  form.append('file', new Blob(['a']), 'a.txt');
  const response = await fetch(`${url}/api/links/upload`, { method: 'POST', body: form });
  assert.equal(response.status, 500);
  await fetch(`${url}/actuator/prometheus`);
  renameSync(`${storagePath}.gone`, storagePath);
  await fetch(`${url}/actuator/prometheus`);
}

/** Requests a file whose stored bytes were changed. */
async function downloadDamaged(t: TestContext, service: TestService): Promise<void> {
  const shortCode = await uploadFile(service, 'content');
  writeFileSync(storedFileOf(service, shortCode), 'Content');
  await assert.rejects(openLink(service, shortCode), { code: 'ECONNRESET' });
  const isLogged = () => assert.ok(service.logged().some(({ msg }) => msg === 'file_damaged'));
  await t.waitFor(isLogged, { timeout: 120_000 });
}

/** Disconnects after the first bytes of a download. */
async function breakOffDownload(t: TestContext, { url, logged }: TestService): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(32 * 1024 ** 2)]), 'a.bin');
  const uploaded = await fetch(`${url}/api/links/upload`, { method: 'POST', body: form });
  const { shortCode } = (await uploaded.json()) as { shortCode: string };
  const leaving = new AbortController();
  const { body } = await fetch(`${url}/l/${shortCode}`, { signal: leaving.signal });
  await body?.getReader().read();
  leaving.abort();
  const isLogged = () => assert.ok(logged().some(({ msg }) => msg === 'download_broken_off'));
  await t.waitFor(isLogged, { timeout: 120_000 });
}

/** Runs the jobs on a store with an upload of 1970 that has no link; an invalid file id makes the sweep fail. */
async function linesOfJobs(t: TestContext, fileId: string): Promise<Line[]> {
  const service = await startService(t, { flags: ['--app.links.retention-after-end=P1Y'] });
  const db = new DatabaseSync(service.databasePath, { timeout: 5_000 });
  db.prepare('INSERT INTO upload (file_id, active_at) VALUES (?, 1)').run(fileId);
  db.close();
  await service.startJobs();
  const isLogged = () => assert.ok(service.logged().some(({ msg }) => msg === 'ended_links_erased'));
  await t.waitFor(isLogged, { timeout: 120_000 });
  return service.logged();
}

/** Runs the jobs after the list of blocked hosts changed. */
async function linesOfBlockedHosts(t: TestContext, list: string): Promise<Line[]> {
  const path = join(temporaryDirectory(t), 'blocked-hosts.txt');
  writeFileSync(path, '');
  const service = await startService(t, { flags: [`--app.links.blocked-hosts=${path}`] });
  writeFileSync(path, list);
  await service.startJobs();
  return service.logged();
}

/** Returns the log of a process that starts with a warning and is stopped by a signal. */
async function linesOfProcess(t: TestContext): Promise<Line[]> {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'postern.conf');
  writeFileSync(file, '');
  const service = await startServiceProcess(t, directory, {
    env: { TMPDIR: tmpdir(), POSTERN_CONFIG: file }, // storage in a temporary directory causes a warning
  });
  for (const [line, event] of [
    ['app.log.level=debug', 'settings_reread'],
    ['app.log.level=loud', 'settings_refused'],
  ] as const) {
    writeFileSync(file, line);
    service.signal('SIGHUP');
    await service.waitForOutput(({ stdout }) => stdout.includes(event));
  }
  service.signal('SIGTERM');
  const { code, stdout } = await service.exited;
  assert.equal(code, 0);
  return logLines(stdout);
}
