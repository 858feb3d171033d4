import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type RequestOptions, send } from '../support/http-client.ts';
import { auditRecords, createLink, TARGET } from '../support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const PASSWORD = 'open sesame';

/** The headers in which proxies name a client, with another address for each request. */
const FORGERIES: Record<string, (index: number) => Record<string, string>> = {
  'X-Forwarded-For': (index) => ({ 'x-forwarded-for': `198.51.100.${index}` }),
  'X-Real-IP': (index) => ({ 'x-real-ip': `198.51.100.${index}` }),
  Forwarded: (index) => ({ forwarded: `for=198.51.100.${index};proto=https` }),
  'CF-Connecting-IP': (index) => ({ 'cf-connecting-ip': `198.51.100.${index}` }),
  'all of them': (index) => ({
    'x-forwarded-for': `2001:db8:${index}::1`,
    'x-real-ip': `198.51.100.${index}`,
    forwarded: `for="[2001:db8:${index}::1]"`,
    'cf-connecting-ip': `198.51.100.${index}`,
    'true-client-ip': `198.51.100.${index}`,
    'x-client-ip': `198.51.100.${index}`,
  }),
};

/** Each limited request, with the status of one that is allowed. */
const REQUESTS: { name: string; path: string; allowed: number; options?: RequestOptions }[] = [
  {
    name: 'a creation',
    path: '/api/links',
    allowed: 201,
    options: {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ targetUrl: TARGET }),
    },
  },
  {
    name: 'an upload',
    path: '/api/links/upload',
    allowed: 201,
    options: {
      method: 'POST',
      headers: MULTIPART_HEADERS,
      body: encodeForm([...fields({}), file('content')]),
    },
  },
  { name: 'the description of an unknown link', path: '/api/links/unknown1', allowed: 404 },
  {
    name: 'the revocation of an unknown link',
    path: '/l/unknown1',
    allowed: 404,
    options: { method: 'DELETE' },
  },
  { name: 'a visit of an unknown link', path: '/l/unknown1', allowed: 404 },
  {
    name: 'a wrong password',
    path: '/l/CODE',
    allowed: 401,
    options: { headers: { 'x-link-password': 'guess' } },
  },
];

/** Starts a service whose limits allow two requests of a client, and creates a protected link. */
async function startLimited(t: TestContext, ...flags: string[]) {
  const limits = ['creations', 'uploads', 'unknown-codes', 'wrong-passwords'];
  const service = await startService(t, {
    flags: [...flags, ...limits.map((limit) => `--app.limits.${limit}=2/PT1H`)],
  });
  const shortCode = await createLink(service, { password: PASSWORD });
  service.clock.now += 3_600_000; // the creation no longer counts
  return { service, shortCode };
}

/** Sends a request four times, each with other forged headers, and returns the statuses. */
async function statusesOf(
  service: TestService,
  path: string,
  { headers, ...options }: RequestOptions,
  forge: (index: number) => Record<string, string>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 1; index <= 4; index++) {
    const response = await send(service, path, { ...options, headers: { ...headers, ...forge(index) } });
    statuses.push(response.status);
  }
  return statuses;
}

test('forged addresses, without a proxy', async (t) => {
  const { service, shortCode } = await startLimited(t, '--app.trusted-proxies=none');
  for (const { name, path, allowed, options = {} } of REQUESTS) {
    await t.test(`${name} counts for the address of the connection, whatever headers say`, async () => {
      for (const [header, forge] of Object.entries(FORGERIES)) {
        const statuses = await statusesOf(service, path.replace('CODE', shortCode), options, forge);
        assert.deepEqual(statuses, [allowed, allowed, 429, 429], header);
        service.clock.now += 3_600_000;
      }
      for (const { ipAddress } of auditRecords(service)) assert.equal(ipAddress, '127.0.0.1');
    });
  }
});
