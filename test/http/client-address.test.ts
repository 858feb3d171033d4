import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  exchange,
  json,
  member,
  type Server,
  send,
  sendJson,
  type TestResponse,
} from '../support/http-client.ts';
import { auditRecords, createLink, openLink, TARGET } from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** Returns the address in the audit record of one attempt. */
async function addressOf(
  service: TestService,
  headers: Record<string, string>,
): Promise<string | null | undefined> {
  service.clock.now += 1;
  await openLink(service, 'unknown1', headers);
  return auditRecords(service).at(-1)?.ipAddress;
}

const forwarded = (addresses: string) => ({ 'x-forwarded-for': addresses });

type Headers = Record<string, string>;
type Row = [sent: string, recorded: string];

async function assertRows(service: TestService, rows: Row[]): Promise<void> {
  for (const [sent, recorded] of rows) {
    assert.equal(await addressOf(service, forwarded(sent)), recorded, JSON.stringify(sent));
  }
}

test('behind a trusted proxy, the address comes from X-Forwarded-For', async (t) => {
  const service = await sharedService(); // loopback and private ranges are trusted

  await t.test('without the header, the address is that of the connection', async () => {
    assert.equal(await addressOf(service, {}), '127.0.0.1');
    assert.equal(await addressOf(service, forwarded('')), '127.0.0.1');
  });
  await t.test('the address is the last one that belongs to no trusted proxy', () =>
    assertRows(service, [
      ['203.0.113.7', '203.0.113.7'],
      [' 203.0.113.7 ', '203.0.113.7'],
      ['203.0.113.7, 10.0.0.5', '203.0.113.7'],
      ['203.0.113.7, 10.0.0.5, 192.168.1.1, 172.16.0.9, 127.0.0.1', '203.0.113.7'],
      ['203.0.113.7,10.0.0.5', '203.0.113.7'],
      ['10.0.0.7, 10.0.0.5', '10.0.0.7'],
      ['2001:db8::7, fd00::1', '2001:db8::7'],
      ['2001:db8::7, ::1, fe80::1', '2001:db8::7'],
    ]),
  );
  await t.test('addresses before that one are ignored', () =>
    assertRows(service, [
      ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
      ['198.51.100.1, 203.0.113.7, 10.0.0.5', '203.0.113.7'],
      ['127.0.0.1, 203.0.113.7', '203.0.113.7'],
      ['nonsense, 203.0.113.7', '203.0.113.7'],
      [`${'198.51.100.1, '.repeat(500)}203.0.113.7`, '203.0.113.7'],
      ['"><script>alert(1)</script>, 203.0.113.7', '203.0.113.7'],
    ]),
  );
  await t.test('only the last 32 entries are read', () =>
    assertRows(service, [
      [`203.0.113.7, 10.0.0.8, ${'10.0.0.5, '.repeat(29)}10.0.0.6`, '203.0.113.7'],
      [`203.0.113.7, 10.0.0.8, ${'10.0.0.5, '.repeat(30)}10.0.0.6`, '10.0.0.8'],
      ['10.0.0.5, '.repeat(3_000), '10.0.0.5'],
    ]),
  );
  await t.test('a client has one address in every notation', () =>
    assertRows(service, [
      ['2001:DB8::7', '2001:db8::7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::FFFF:203.0.113.7', '203.0.113.7'],
    ]),
  );
  await t.test('an entry with a port is its address', () =>
    assertRows(service, [
      ['203.0.113.7:4711', '203.0.113.7'],
      ['[2001:db8::1]:4711', '2001:db8::1'],
      ['[2001:DB8::1]', '2001:db8::1'],
      ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
      ['203.0.113.7:4711, 10.0.0.5:80', '203.0.113.7'],
      ['2001:db8::7, [fd00::1]:443, 10.0.0.5:80', '2001:db8::7'],
      ['198.51.100.1:1, 203.0.113.7:2', '203.0.113.7'],
      ['203.0.113.7:4711:1', '127.0.0.1'],
      ['203.0.113.7:port', '127.0.0.1'],
      ['[203.0.113.7', '127.0.0.1'],
      ['[nonsense]:4711', '127.0.0.1'],
    ]),
  );
  await t.test('an entry that is no address is ignored', async () => {
    const texts = ['nonsense', '203.0.113.256', '203.0.113', '0x7f.1', '1234567890', 'localhost', '::g', ','];
    for (const sent of [...texts, 'x'.repeat(5000), "'; DROP TABLE audit; --", '203.0.113.7;x']) {
      assert.equal(await addressOf(service, forwarded(sent)), '127.0.0.1', sent.slice(0, 40));
    }
  });
});

/** Headers in which clients, proxies and attackers send an address. */
const ADDRESS_HEADERS: Record<string, string>[] = [
  forwarded('203.0.113.7'),
  forwarded('203.0.113.8, 10.0.0.1'),
  { 'x-real-ip': '203.0.113.9' },
  { 'true-client-ip': '203.0.113.10' },
  { 'cf-connecting-ip': '203.0.113.11' },
  { forwarded: 'for=203.0.113.12;proto=https' },
  {
    'x-client-ip': '203.0.113.13',
    'x-cluster-client-ip': '203.0.113.14',
    'x-originating-ip': '203.0.113.15',
  },
  { 'X-FORWARDED-FOR': '203.0.113.16', via: '1.1 203.0.113.17', 'x-forwarded-host': '203.0.113.18' },
];

test('without a trusted proxy, the address is always that of the connection', async (t) => {
  for (const flag of ['--app.trusted-proxies=none', '--app.trusted-proxies=192.0.2.0/24,2001:db8::/32']) {
    await t.test(flag, async () => {
      const service = await sharedService(flag);
      for (const headers of ADDRESS_HEADERS) {
        assert.equal(await addressOf(service, headers), '127.0.0.1', JSON.stringify(headers));
      }
      const summary = json(await send(service, '/api/stats/access/summary'));
      assert.equal(member(summary, 'total'), ADDRESS_HEADERS.length);
      assert.equal(member(summary, 'uniqueOrigins'), 1, 'one client is one origin');
    });
  }
});

test("no header but a trusted proxy's X-Forwarded-For is read", async () => {
  const service = await sharedService();
  for (const headers of ADDRESS_HEADERS.filter(
    (candidate) => !Object.keys(candidate).some((name) => /^x-forwarded-for$/i.test(name)),
  )) {
    assert.equal(await addressOf(service, headers), '127.0.0.1', JSON.stringify(headers));
  }
  const both = { 'x-real-ip': '203.0.113.9', ...forwarded('203.0.113.7'), forwarded: 'for=203.0.113.12' };
  assert.equal(await addressOf(service, both), '203.0.113.7');
});

test('only the configured proxies are trusted', async () => {
  const service = await sharedService('--app.trusted-proxies=127.0.0.1,198.51.100.0/24');
  await assertRows(service, [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 198.51.100.9', '203.0.113.7'],
    ['203.0.113.7, 10.0.0.1', '10.0.0.1'],
    ['203.0.113.7, 198.51.101.9', '198.51.101.9'],
  ]);
});

test('two X-Forwarded-For headers are one list', async () => {
  const service = await sharedService();
  await exchange(
    service,
    'GET /l/unknown1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n' +
      'X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n',
  );
  assert.equal(auditRecords(service).at(-1)?.ipAddress, '203.0.113.7');
});

test('a forwarded address is warned about for any request', async (t) => {
  for (const path of ['/api/settings', '/nothing']) {
    const service = await startService(t);
    await send(service, path, { headers: forwarded('203.0.113.7') });
    assert.equal(service.logged().filter(({ msg }) => msg === 'service_warning').length, 1, path);
  }
});

test('a proxy that is believed but not configured is warned about once', async (t) => {
  const warningsOf = (service: TestService) =>
    service.logged().filter(({ msg }) => msg === 'service_warning');
  const service = await startService(t);
  await addressOf(service, {});
  assert.deepEqual(warningsOf(service), []);
  for (const client of ['203.0.113.7', '203.0.113.8']) {
    assert.equal(await addressOf(service, forwarded(client)), client);
  }
  const [{ level, warning } = {}, ...more] = warningsOf(service);
  assert.equal(level, 'warn');
  assert.match(
    String(warning),
    /^app\.trusted-proxies is not set: .* from 127\.0\.0\.1 is believed.* Set app\./,
  );
  assert.deepEqual(more, []);

  for (const proxies of ['127.0.0.1', '10.0.0.0/8', 'none']) {
    const configured = await startService(t, { flags: [`--app.trusted-proxies=${proxies}`] });
    await addressOf(configured, forwarded('203.0.113.7'));
    assert.deepEqual(warningsOf(configured), [], proxies);
  }
});

describe('a proxy that is missing from app.trusted-proxies', () => {
  const warningsOf = (service: TestService) =>
    service.logged().filter(({ msg }) => msg === 'service_warning');
  const limit = '--app.limits.unknown-codes=1/PT1M';
  const flags = ['--app.trusted-proxies=10.9.9.9', limit];

  test('a proxy is warned about once, when one of its visitors is refused by a limit', async (t) => {
    const service = await startService(t, { flags });
    const shortCode = await createLink(service);
    await openLink(service, 'unknown1', forwarded('203.0.113.7'));
    assert.deepEqual(warningsOf(service), []);
    for (const client of ['203.0.113.8', '203.0.113.9']) {
      assert.equal((await openLink(service, shortCode, forwarded(client))).status, 429);
    }
    const [{ level, warning } = {}, ...more] = warningsOf(service);
    assert.equal(level, 'warn');
    assert.match(
      String(warning),
      /from 127\.0\.0\.1 is not believed.* add 127\.0\.0\.1 to app\.trusted-proxies/,
    );
    assert.deepEqual(more, []);
  });

  test('a proxy is warned about when a creation or a revocation is refused', async (t) => {
    for (const path of ['/api/links', '/l/unknown2']) {
      const service = await startService(t, { flags: [...flags, '--app.limits.creations=1/PT1M'] });
      await createLink(service);
      await openLink(service, 'unknown1');
      const method = path === '/api/links' ? 'POST' : 'DELETE';
      const headers = { 'content-type': 'application/json', ...forwarded('203.0.113.7') };
      const body = method === 'POST' ? { body: '{"targetUrl":"https://example.com/"}' } : {};
      assert.equal((await send(service, path, { method, headers, ...body })).status, 429);
      assert.equal(warningsOf(service).length, 1, path);
    }
  });

  test('a proxy is not warned about without the header, nor is a trusted one', async (t) => {
    const direct = await startService(t, { flags });
    const behindProxy = await startService(t, { flags: ['--app.trusted-proxies=127.0.0.1', limit] });
    for (const visit of [1, 2]) {
      assert.equal((await openLink(direct, 'unknown1')).status, visit === 1 ? 404 : 429);
      const { status } = await openLink(behindProxy, 'unknown1', forwarded('203.0.113.7'));
      assert.equal(status, visit === 1 ? 404 : 429);
    }
    assert.deepEqual([...warningsOf(direct), ...warningsOf(behindProxy)], []);
  });
});

const PASSWORD = 'open sesame';

/** Each limited request, with the status of one that is allowed. */
const REQUESTS: [
  name: string,
  allowed: number,
  send: (to: Server, headers: Headers) => Promise<TestResponse>,
][] = [
  ['a creation', 201, (to, headers) => sendJson(to, '/api/links', { targetUrl: TARGET }, { headers })],
  ['an upload', 201, (to, headers) => sendForm(to, [file('content')], { headers })],
  ['the description of an unknown link', 404, (to, headers) => send(to, '/api/links/unknown1', { headers })],
  [
    'the revocation of an unknown link',
    404,
    (to, headers) => send(to, '/l/unknown1', { method: 'DELETE', headers }),
  ],
  ['a visit of an unknown link', 404, (to, headers) => send(to, '/l/unknown1', { headers })],
  [
    'a wrong password',
    401,
    (to, headers) => send(to, '/l/protected', { headers: { ...headers, 'x-link-password': 'guess' } }),
  ],
];

test('forged addresses, without a proxy', async (t) => {
  const limits = ['creations', 'uploads', 'unknown-codes', 'wrong-passwords'];
  const service = await startService(t, {
    flags: ['--app.trusted-proxies=none', ...limits.map((limit) => `--app.limits.${limit}=2/PT1H`)],
  });
  await createLink(service, { password: PASSWORD, customCode: 'protected' });
  for (const [name, allowed, sendTo] of REQUESTS) {
    await t.test(`${name} counts for the address of the connection, with any headers`, async () => {
      service.clock.now += 3_600_000;
      const statuses: number[] = [];
      for (const forged of ADDRESS_HEADERS) statuses.push((await sendTo(service, forged)).status);
      assert.deepEqual(statuses, [allowed, allowed, ...Array(ADDRESS_HEADERS.length - 2).fill(429)]);
      for (const { ipAddress } of auditRecords(service)) assert.equal(ipAddress, '127.0.0.1');
    });
  }
});
