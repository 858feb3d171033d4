import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { headerBytes, send, sendJson } from '../support/http-client.ts';
import { auditRecords, createLink, openLink, readRows, revokeLink, uploadFile } from '../support/links.ts';
import { startService, type TestService, withoutResponse } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ID = { 'x-correlation-id': 'trace-1' };

type Line = Record<string, unknown>;

/** Returns the log lines of an action, but no `request_finished`, time, level and field of a response. */
async function linesOf(service: TestService, action: () => Promise<unknown>): Promise<Line[]> {
  const lines = await allLinesOf(service, action);
  return lines.filter(({ msg }) => msg !== 'request_finished').map(withoutResponse);
}

/** Returns all log lines of an action. */
async function allLinesOf(service: TestService, action: () => Promise<unknown>): Promise<Line[]> {
  const before = service.logged().length;
  await action();
  return service
    .logged()
    .slice(before)
    .map(({ time, level, ...line }) => {
      assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.ok(['info', 'warn', 'error'].includes(String(level)));
      return line;
    });
}

test('the log has the events of the specification with their fields', async (t) => {
  const service = await startService(t);
  const correlationId = 'trace-1';

  await t.test('secure_link_resolve_attempt and secure_link_resolve_success are logged', async () => {
    const shortCode = await createLink(service);
    for (const viewCount of [1, 2]) {
      assert.deepEqual(await linesOf(service, () => openLink(service, shortCode, ID)), [
        { msg: 'secure_link_resolve_attempt', correlationId, shortCode },
        { msg: 'secure_link_resolve_success', correlationId, shortCode, viewCount },
      ]);
    }
  });

  const locked = await createLink(service, { password: 'secret' });
  const usedUp = await createLink(service, { maxViews: 1 });
  const expired = await createLink(service, { expiresAt: '2026-06-15T12:00:01Z' });
  const revoked = await createLink(service);
  await openLink(service, usedUp);
  await revokeLink(service, revoked);
  service.clock.now += 2_000;
  const denials: [shortCode: string, reason: string, headers?: Record<string, string>][] = [
    ['unknown1', 'not_found'],
    [revoked, 'revoked'],
    [expired, 'expired'],
    [usedUp, 'view_limit_reached'],
    [locked, 'password_required'],
    [locked, 'invalid_password', { 'x-link-password': 'wrong' }],
  ];
  for (const [shortCode, reason, headers] of denials) {
    await t.test(`secure_link_resolve_denied is logged with ${reason}`, async () => {
      assert.deepEqual(await linesOf(service, () => openLink(service, shortCode, { ...ID, ...headers })), [
        { msg: 'secure_link_resolve_attempt', correlationId, shortCode },
        { msg: 'secure_link_resolve_denied', correlationId, shortCode, reason },
      ]);
    });
  }

  await t.test('secure_link_revoked is logged once for each link', async () => {
    const shortCode = await createLink(service);
    const revoke = () => send(service, `/l/${shortCode}`, { method: 'DELETE', headers: ID });
    assert.deepEqual(await linesOf(service, revoke), [
      { msg: 'secure_link_revoked', correlationId, shortCode },
    ]);
    assert.deepEqual(await linesOf(service, revoke), []);
  });
  await t.test('a preview logs no attempt, no success and no denial', async () => {
    const shortCode = await createLink(service);
    const lines = await linesOf(service, () =>
      send(service, `/l/${shortCode}`, { method: 'HEAD', headers: ID }),
    );
    assert.doesNotMatch(lines.map(({ msg }) => msg).join(), /resolve_/);
    for (const line of lines) assert.equal(line['correlationId'], correlationId);
  });
});

test('X-Correlation-Id is returned, and is in every log line of its request', async (t) => {
  const service = await sharedService();
  const shortCode = await createLink(service);

  for (const headers of [{}, { 'x-correlation-id': '' }, { 'x-correlation-id': '   ' }]) {
    await t.test(`a new UUID replaces ${JSON.stringify(headers)}`, async () => {
      const ids = new Set<string>();
      for (const _ of ['first', 'second']) {
        let id = '';
        const lines = await allLinesOf(service, async () => {
          id = String((await openLink(service, shortCode, headers)).headers['x-correlation-id']);
        });
        assert.match(id, UUID);
        assert.deepEqual(
          lines.map(({ correlationId }) => correlationId),
          [id, id],
        );
        ids.add(id);
      }
      assert.equal(ids.size, 2);
    });
  }

  const ids: [name: string, sent: string, logged: string][] = [
    ['plain text', 'a b c', 'a b c'],
    ['a long text is cut', 'x'.repeat(2_000), 'x'.repeat(200)],
    ['markup', '"\\" {"msg":"forged"}<script>', '"\\" {"msg":"forged"}<script>'],
    ['UTF-8', headerBytes('grün-€-😀'), 'grün-€-😀'],
    ['Latin-1', 'gr\u00fcn-\u00ff', 'grün-ÿ'],
    ['a last byte that is white space in Latin-1', headerBytes('voilà'), 'voilà'],
  ];
  for (const [name, sent, logged] of ids) {
    await t.test(`X-Correlation-Id has its bytes returned and its text logged: ${name}`, async () => {
      const lines = await allLinesOf(service, async () => {
        const response = await openLink(service, shortCode, { 'x-correlation-id': sent });
        assert.equal(response.headers['x-correlation-id'], sent);
      });
      assert.deepEqual(
        lines.map(({ correlationId, msg }) => [correlationId, msg]),
        [
          [logged, 'secure_link_resolve_attempt'],
          [logged, 'secure_link_resolve_success'],
        ],
      );
    });
  }
});

test('no text of a client makes the log large or unsafe to print', async (t) => {
  const lines: string[] = [];
  const service = await startService(t, { onLogLine: (line) => lines.push(line) });
  const unsafe = '\u009b31m\u0085\u2028\u202e\u200f\u2066\u061c';
  const headers = { 'x-correlation-id': headerBytes(`id ${unsafe}${'x'.repeat(15_000)}`) };
  const path = `/l/${encodeURIComponent(`code ${unsafe}`)}${'y'.repeat(15_000)}`;
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const { status } = await send(service, path, {
      method,
      headers: { ...headers, 'user-agent': headerBytes(unsafe) },
    });
    assert.equal(status, 404);
  }
  assert.equal(lines.length, 5);
  for (const line of lines) {
    assert.ok(line.length < 1_000, `a line of ${line.length} characters`);
    assert.doesNotMatch(line.trimEnd(), /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  }
  const [logged = {}] = service.logged();
  assert.equal(String(logged['correlationId']), `id ${unsafe}`.padEnd(200, 'x'));
  const [record] = auditRecords(service);
  const safe = `code ${unsafe}`.replace(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/gu, '\ufffd');
  for (const code of [logged['shortCode'], record?.shortCode]) assert.equal(code, `${safe.padEnd(19, 'y')}…`);
  assert.doesNotMatch(String(record?.userAgent), /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
});

test('a user agent is audited as UTF-8 when its bytes are valid, else as Latin-1', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  const agents: [sent: string, recorded: string][] = [
    ['curl/8.17.0', 'curl/8.17.0'],
    [headerBytes('Bücher-😀'), 'Bücher-😀'],
    ['B\u00fccher', 'Bücher'],
    [headerBytes('é'.repeat(600)), 'é'.repeat(500)],
    ['"><svg onload=alert(1)> x', '"><svg onload=alert(1)> x'],
  ];
  for (const [sent, recorded] of agents) {
    await openLink(service, shortCode, { 'user-agent': sent });
    assert.equal(auditRecords(service).at(-1)?.userAgent, recorded);
    service.clock.now += 1;
  }
});

test('the log contains no password, no hash and no target after requests of every kind', async (t) => {
  const service = await startService(t, { flags: ['--app.log.level=trace'] });
  const password = 'secret-pässword';
  const targetUrl =
    'https://secret-user:secret-credentials@secret-target.example/secret-path?token=secret-token';
  const right = { 'x-link-password': headerBytes(password) };
  const wrong = { 'x-link-password': 'secret-wrong-password' };

  const link = await createLink(service, { targetUrl, password, maxViews: 2 });
  const file = await uploadFile(service, 'secret-content', { fields: { password } });
  await sendJson(service, '/api/links', { targetUrl: `${targetUrl} `, password });
  await sendJson(service, '/api/links', { targetUrl, password: ` ${password}` });
  await sendJson(service, '/api/links', `${targetUrl}${password}`);
  for (const code of [link, file]) {
    for (const headers of [{}, wrong, right, right, right]) {
      await openLink(service, code, headers);
      await send(service, `/l/${code}?password=secret-query`, { method: 'HEAD', headers });
    }
  }
  await openLink(service, link, { ...right, accept: 'application/json' });
  const db = new DatabaseSync(service.databasePath, { timeout: 5_000 });
  db.exec(`CREATE TRIGGER broken BEFORE INSERT ON entry WHEN new.kind = 'ATTEMPT' BEGIN SELECT RAISE(ABORT, 'broken'); END;
    CREATE TRIGGER broken_too BEFORE INSERT ON link_target BEGIN SELECT RAISE(ABORT, 'broken'); END`);
  db.close();
  assert.equal((await openLink(service, file, right)).status, 500);
  assert.equal((await sendJson(service, '/api/links', { targetUrl, password })).status, 500);
  await revokeLink(service, link);
  await service.startJobs();
  await service.stop();

  const log = service
    .logged()
    .map((line) => JSON.stringify(line))
    .join('\n');
  assert.match(log, /secure_link_created/);
  assert.match(log, /unexpected_error/);
  assert.doesNotMatch(log, /secret|argon2|p%C3%A4ssword/);
  assert.doesNotMatch(log, /link_[A-Za-z0-9_-]{43}/);
  const hashes = readRows(service, 'SELECT password_hash, token_hash FROM link_target', []);
  for (const { password_hash, token_hash } of hashes) {
    assert.ok(!log.includes(String(password_hash)) && !log.includes(String(token_hash)));
  }
});
