import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../support/documents.ts';
import { pluck } from '../support/pluck.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startServiceProcess } from '../support/process.ts';
import { startService, type TestService, temporaryDirectory, testClock } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

type Verdict = { check: string; verdict: string; message: string };
type Examined = { code: number | null; verdicts: Verdict[]; stdout: string };

/** Runs `postern doctor --json`. */
async function examine(flags: string[], env: Record<string, string> = {}): Promise<Examined> {
  const { code, stdout, stderr } = await runServiceCommand(['doctor', '--json', ...flags], env);
  assert.equal(stderr, '');
  const verdicts = stdout
    .trimEnd()
    .split('\n')
    .map((line): Verdict => JSON.parse(line));
  return { code, verdicts, stdout };
}

/** The flags of a service on the loopback, which is reached through `baseUrl`. */
const flagsOf = (
  { url, databasePath, storagePath }: Pick<TestService, 'url' | 'databasePath' | 'storagePath'>,
  baseUrl = url,
) => [
  '--server.host=127.0.0.1',
  `--server.port=${new URL(url).port}`,
  `--app.database.url=sqlite:${databasePath}`,
  `--app.storage.path=${storagePath}`,
  `--app.base-url=${baseUrl}`,
];

/** Asserts that the messages of a check with a verdict, such as `store error`, match a pattern. */
function assertSays({ verdicts }: Examined, what: string, expected: RegExp): void {
  const said = verdicts.filter(({ check, verdict }) => `${check} ${verdict}` === what);
  assert.match(said.map(({ message }) => message).join('\n'), expected);
}

/** What a proxy does with the address of the client. `from`: its own address. */
type ProxyKind = { address: 'replaces' | 'keeps'; from?: string };

/** Starts a proxy in front of a service. Returns its URL. */
async function startProxy(t: TestContext, target: string, { address, from }: ProxyKind) {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers };
    if (address === 'replaces') headers['x-forwarded-for'] = incoming.socket.remoteAddress;
    const path = incoming.url ?? '/';
    const passed = request(
      new URL(path, target),
      { method: incoming.method, headers, localAddress: from },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers).flushHeaders();
        outgoing.on('close', () => response.destroy());
        response.pipe(outgoing);
      },
    );
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('postern doctor', { concurrency: 2 }, () => {
  test('every host name of links is checked', async (t) => {
    const service = await startService(t, { flags: ['--app.short-path=/'] });
    const proxy = await startProxy(t, service.url, { address: 'replaces' });
    const flags = ['--app.short-path=/', '--app.hosts=localhost,links.invalid'];
    const examined = await examine([...flagsOf(service, proxy), ...flags]);
    assertSays(examined, 'service ok', /^links open under localhost$/m);
    assertSays(examined, 'service error', /^app\.hosts: links\.invalid cannot be reached \(ENOTFOUND/m);
  });

  test('a whole installation gets ok for every check, beside the running service, and no secret is shown', async (t) => {
    const smtp = await startSmtpServer(t);
    const key = 'sesame-'.repeat(6);
    const service = await startService(t, { flags: [`--app.access.initial-key=${key}`] });
    const proxy = await startProxy(t, service.url, { address: 'replaces' });
    const mail = [
      `--app.mail.url=smtp://127.0.0.1:${smtp.port}?tls=none`,
      '--app.mail.from=postern@example.com',
    ];
    const env = { APP_ACCESS_INITIAL_KEY: key };
    const scan = '--app.upload.scan=cat';
    const examined = await examine([...flagsOf(service, proxy), ...mail, scan], env);
    const { code, verdicts, stdout } = examined;
    assert.deepEqual(
      verdicts.filter(({ verdict }) => verdict === 'error'),
      [],
    );
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /sesame/);
    assertSays(
      examined,
      'configuration ok',
      /app\.access\.initial-key is .*not shown.*APP_ACCESS_INITIAL_KEY/,
    );
    assertSays(examined, 'versions ok', /^Postern \S+, Node \S+, SQLite 3\.\S+, schema \d+$/);
    assertSays(examined, 'store ok', /^sqlite:\S+ opens/);
    assertSays(examined, 'backup warning', /^postern backup has made none; run it/);
    assertSays(examined, 'files ok', /can be written/);
    assertSays(examined, 'disk ok', /MB are free for the database\n\d+ MB are free for app\.storage\.path/);
    assertSays(examined, 'clock ok', /no entry is in the future/);
    assertSays(examined, 'scan ok', /finds nothing in a harmless text/);
    assertSays(examined, 'mail ok', /^127\.0\.0\.1:\d+ accepts a connection$/);
    assertSays(examined, 'service ok', /sees the client as 127\.0\.0\.1, which a proxy/);
    const denied = service.logged().filter(({ msg }) => msg === 'secure_link_resolve_denied');
    assert.deepEqual([smtp.mails.length, denied.length], [0, 1]);
  });

  test('a pipe that its reader has closed is no error', async (t) => {
    const service = await startService(t);
    const script = 'set -o pipefail; bin/postern doctor "$@" | true';
    const run = promisify(execFile)('bash', ['-c', script, 'bash', ...flagsOf(service)], { cwd: ROOT });
    assert.equal((await run).stderr, '');
  });

  test('a proxy that passes a forged address on gets a warning', async (t) => {
    const service = await startService(t);
    const proxy = await startProxy(t, service.url, { address: 'keeps' });
    const examined = await examine(flagsOf(service, proxy));
    assertSays(examined, 'service warning', /^a client can choose its address: .*app\.trusted-proxies/);
    assert.equal(examined.code, 0);
  });

  test('a proxy whose address is taken for that of the client gets a warning', async (t) => {
    const service = await startService(t, { flags: ['--app.trusted-proxies=none'] });
    const proxy = await startProxy(t, service.url, { address: 'replaces', from: '127.0.0.2' });
    const examined = await examine(flagsOf(service, proxy));
    assertSays(
      examined,
      'service warning',
      /sees the client as 127\.0\.0\.2, while this machine connected from 127\.0\.0\.1/,
    );
  });

  test('an address that leads to another service is an error, as is one that leads to none', async (t) => {
    const [service, other] = [await startService(t), await startService(t)];
    const examined = await examine(flagsOf(service, other.url));
    assertSays(examined, 'service error', /leads to another service/);
    const none = await examine(flagsOf(service, 'http://127.0.0.1:1'));
    assertSays(none, 'service error', /cannot be reached \(ECONNREFUSED\)/);
    const foreign = await startProxy(t, `${service.url}/actuator`, { address: 'replaces' });
    const wrong = await examine(flagsOf(service, `${foreign}/api`));
    assertSays(wrong, 'service error', /responds with HTTP 404, and not as Postern does/);
    assert.deepEqual([examined.code, none.code, wrong.code], [1, 1, 1]);
  });

  test('a stopped service, a clock that is behind, a full disk, a scanner that fails and a mail server out of reach are reported', async (t) => {
    const service = await startService(t, { clock: testClock(Date.now() + 3_600_000) });
    await (await fetch(`${service.url}/l/nothing`)).text();
    await service.stop();
    const examined = await examine([
      ...flagsOf(service),
      '--app.storage.min-free=999999GB',
      '--app.mail.url=smtp://127.0.0.1:1',
      '--app.upload.scan=ls no-signatures',
      '--app.mail.from=postern@example.com',
    ]);
    assert.equal(examined.code, 1);
    assertSays(
      examined,
      'service error',
      /^nothing responds at http:\S+ \(ECONNREFUSED\); start the service/,
    );
    assertSays(examined, 'clock error', /the newest entry is 3\d{3}\S* s in the future .*NTP/);
    assertSays(examined, 'disk warning', /^only \d+ MB are free for app\.storage\.path, .*make room/);
    assertSays(examined, 'scan error', /NOT_SCANNED \(ls: .*no-signatures.*\); check app\.upload\.scan$/);
    assertSays(examined, 'mail error', /^127\.0\.0\.1:1: .*ECONNREFUSED.*; check app\.mail\.url/);
  });

  test('wrong settings are errors, and a missing database is one error', async (t) => {
    const wrong = await examine(['--server.port=x', '--app.access=x']);
    assert.deepEqual(pluck(wrong.verdicts, 'check', 'verdict'), Array(2).fill(['configuration', 'error']));
    const directory = temporaryDirectory(t);
    const missing = await examine([`--app.database.url=sqlite:${directory}/none.db`]);
    assertSays(missing, 'store error', /there is no store at .*: start the service once/);
    assert.equal(missing.verdicts.filter(({ verdict }) => verdict === 'error').length, 1, missing.stdout);
    assert.deepEqual([wrong.code, missing.code], [1, 1]);
  });

  test('root gets a warning that the permissions of the service were not checked', {
    skip: process.getuid?.() !== 0,
  }, async (t) => {
    const service = await startService(t);
    chownSync(service.databasePath, 65_534, 65_534);
    const examined = await examine(flagsOf(service));
    assertSays(examined, 'files warning', /run it as the user of the service \(uid 65534\)/);
  });

  test('on PostgreSQL, its version and its clock are checked, and text is printed for a person', async (t) => {
    const { url } = await temporarySchema(t);
    const service = await startServiceProcess(t, temporaryDirectory(t), { databaseUrl: url });
    const flags = flagsOf(service).map((flag) =>
      flag.startsWith('--app.database.url') ? `--app.database.url=${url}` : flag,
    );
    const { code, stdout } = await runServiceCommand(['doctor', ...flags]);
    service.signal('SIGTERM');
    await service.exited;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok {7}versions: .* PostgreSQL \d+\.\d+, schema \d+$/m);
    assert.match(stdout, /^ok {7}clock: that of the database differs by \d+ ms$/m);
    assert.doesNotMatch(stdout, /^error/m);
  });
});
