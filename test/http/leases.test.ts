import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import test, { describe } from 'node:test';
import { assertErrorRecord, send, type TestResponse, until } from '../support/http-client.ts';
import { auditedResults, linkState, openLink, revokeLink, uploadFile } from '../support/links.ts';
import type { TestService } from '../support/service.ts';
import { ON_DIRECTORY, startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const CONTENT = '0123456789';
/** The S3 server of the tests sends the whole file for 0-0. */
const FIRST_BYTE = ON_DIRECTORY.skip ? 'bytes=1-1' : 'bytes=0-0';
const ONE_VIEW = { fields: { maxViews: '1' } };
const DAY_MS = 24 * 3_600_000;

/** Returns the path of the lease that a response names. */
function leasePathIn({ headers }: TestResponse): string {
  const { 'content-location': address, location } = headers;
  return new URL(String(address ?? location), 'http://host/l/').pathname;
}

/** Uploads a file, opens its link, and returns the path of the lease. */
async function openFile(service: TestService): Promise<{ code: string; path: string; tag: string }> {
  const code = await uploadFile(service, CONTENT, { fileName: 'a b.txt', ...ONE_VIEW });
  const response = await openLink(service, code);
  assert.equal(response.text, CONTENT);
  assert.equal(response.headers['accept-ranges'], 'bytes');
  return { code, path: leasePathIn(response), tag: String(response.headers.etag) };
}

const continueAt = (service: TestService, path: string, headers: Record<string, string>, method = 'GET') =>
  send(service, path, { method, headers });

describe('the lease of a granted download', () => {
  test('the lease sends the ranges of RFC 9110 under the same view', async () => {
    const service = await sharedService();
    const { code, path, tag } = await openFile(service);
    assert.match(path, new RegExp(`^/l/${code}/lease_[\\w-]{32}/a%20b.txt$`));
    const cases: [headers: Record<string, string>, status: number, text: string, range?: string][] = [
      [{ range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
      [{ range: 'bytes=2-3' }, 206, '23', 'bytes 2-3/10'],
      [{ range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
      [{ range: 'bytes=-2' }, 206, '89', 'bytes 8-9/10'],
      [{ range: 'bytes=9-', 'if-range': tag }, 206, '9', 'bytes 9-9/10'],
    ];
    for (const [headers, status, text, range] of cases) {
      const response = await continueAt(service, path, headers);
      assert.deepEqual([response.status, response.text], [status, text], JSON.stringify(headers));
      assert.equal(response.headers['content-range'], range);
      assert.equal(response.headers.etag, tag);
    }
    assert.deepEqual(linkState(service, code), { status: 'ACTIVE', viewCount: 1 });
    assert.deepEqual(auditedResults(service, code), ['SUCCESS']);
  });

  test('a request that obeys no range gets the whole file', async () => {
    const service = await sharedService();
    for (const headers of [{}, { range: 'bytes=0-1,3-4' }, { range: 'bytes=5-4' }, { range: 'pages=1-' }]) {
      const { path } = await openFile(service);
      const { status, text } = await continueAt(service, path, { ...headers });
      assert.deepEqual([status, text], [200, CONTENT], JSON.stringify(headers));
    }
    const { path } = await openFile(service);
    const changed = await continueAt(service, path, { range: 'bytes=5-', 'if-range': '"other"' });
    assert.deepEqual([changed.status, changed.text], [200, CONTENT]);
  });

  test('a complete file gets 416 with its size, and HEAD the headers of GET, which send nothing', async () => {
    const service = await sharedService();
    const { path } = await openFile(service);
    for (let tries = 0; tries < 5; tries++) {
      const complete = await continueAt(service, path, { range: 'bytes=10-' });
      assertErrorRecord(complete, { status: 416, path, message: /none of these bytes/ });
      assert.equal(complete.headers['content-range'], 'bytes */10');
      const head = await continueAt(service, path, { range: 'bytes=4-' }, 'HEAD');
      assert.deepEqual([head.status, head.headers['content-length']], [206, '6']);
    }
    assert.equal((await continueAt(service, path, {})).text, CONTENT);
  });

  test('a lease sends a file in a bounded number of parts', async () => {
    const service = await sharedService();
    const code = await uploadFile(service, Buffer.alloc(250_000), ONE_VIEW);
    const path = leasePathIn(await openLink(service, code));
    const agent = new Agent({ keepAlive: true });
    const statusOf = async () =>
      (await send(service, path, { headers: { range: FIRST_BYTE }, agent })).status;
    for (let parts = 0; parts < 1_000; parts++) assert.equal(await statusOf(), 206);
    assert.equal(await statusOf(), 410);
    agent.destroy();
  });

  test('the name of a file may look like the token of a lease', async () => {
    const service = await sharedService();
    for (const name of ['lease_agreement.pdf', `lease_${'x'.repeat(32)}`]) {
      const code = await uploadFile(service, CONTENT, { fileName: name, ...ONE_VIEW });
      const path = leasePathIn(await openLink(service, code));
      assert.ok(path.endsWith(`/${name}`));
      assert.equal((await continueAt(service, path, { range: 'bytes=5-' })).text, '56789');
    }
  });

  test('a lease sends three copies of a file at most', async () => {
    const service = await sharedService();
    const { path } = await openFile(service);
    for (let copies = 2; copies <= 3; copies++)
      assert.equal((await continueAt(service, path, {})).text, CONTENT);
    const used = await continueAt(service, path, { range: 'bytes=9-' });
    assertErrorRecord(used, { status: 410, path, message: /repeated too often/ });
  });

  test('a lease ends after its time, and with the revocation of its link', async (t) => {
    const service = await startService(t, { flags: ['--app.files.lease=P1D'] });
    const { code, path, tag } = await openFile(service);
    service.clock.now += DAY_MS - 1;
    assert.equal((await continueAt(service, path, { range: 'bytes=9-' })).text, '9');
    const later = await openFile(service);
    service.clock.now += 1;
    assertErrorRecord(await continueAt(service, path, {}), { status: 410, path, message: /is over/ });
    const link = `/l/${code}`;
    const inTag = await continueAt(service, link, { range: 'bytes=9-', 'if-range': tag });
    assertErrorRecord(inTag, { status: 410, path: link, message: /is over/ });
    const page = await continueAt(service, path, { accept: 'text/html' });
    assert.deepEqual([page.status, page.text.includes('cannot be continued')], [410, true]);
    await revokeLink(service, later.code);
    assertErrorRecord(await continueAt(service, later.path, {}), {
      ...{ status: 410, path: later.path, message: /^Link has been revoked$/ },
    });
    assert.equal(linkState(service, code).viewCount, 1);
  });

  test('an unknown lease, and one of another link, are recorded as an unknown code', async () => {
    const service = await sharedService();
    const [one, other] = [await openFile(service), await openFile(service)];
    const token = other.path.split('/')[3] ?? '';
    for (const sent of [token, `lease_${'x'.repeat(32)}`]) {
      const path = `/l/${one.code}/${sent}/file`;
      assertErrorRecord(await continueAt(service, path, {}), {
        status: 404,
        path,
        message: /^Link not found$/,
      });
    }
    assert.deepEqual(auditedResults(service, `${one.code}/${token}`.slice(0, 19).concat('…')), ['NOT_FOUND']);
  });
});

describe('a request for the rest of a file at the address of its link', () => {
  test('the request spends no view without a lease, and says where to continue', async () => {
    const service = await sharedService();
    const code = await uploadFile(service, CONTENT, ONE_VIEW);
    const path = `/l/${code}`;
    const rest = { range: 'bytes=5-' };
    for (const range of ['Bytes=5-', 'bytes=-3', 'bytes=5-6,8-9'])
      assert.equal((await openLink(service, code, { range })).status, 428, range);
    const first = await openLink(service, code, rest);
    assertErrorRecord(first, { status: 428, path, message: /Content-Location.* spent no view$/ });
    assert.equal(first.headers['content-range'], undefined, 'curl would take it for a range');
    assert.equal(linkState(service, code).viewCount, 0);
    assert.equal((await openLink(service, code, { range: 'bytes=0-' })).status, 200);
    assertErrorRecord(await openLink(service, code, rest), {
      status: 428,
      path,
      message: /Content-Location.* spent no view$/,
    });
    assert.deepEqual(auditedResults(service, code), [
      ...Array(4).fill('PREVIEW'),
      'SUCCESS',
      'VIEW_LIMIT_REACHED',
    ]);
  });

  test('the tag of the lease in If-Range continues, as browsers do', async () => {
    const service = await sharedService();
    const { code, tag } = await openFile(service);
    const response = await openLink(service, code, { range: 'bytes=6-', 'if-range': tag });
    assert.deepEqual([response.status, response.text], [206, '6789']);
    assert.equal(linkState(service, code).viewCount, 1);
  });

  const OTHER = `lease_${'x'.repeat(32)}`;
  for (const [name, matchOf, status, text] of [
    ['the tag in If-Match continues, as Firefox does', (tag: string) => tag, 206, '6789'],
    ['one of several tags is enough', (tag: string) => `"a,b", W/"c" ,${tag}`, 206, '6789'],
    [
      'the tag of an unknown lease before it is passed over',
      (tag: string) => `"${OTHER}",${tag}`,
      206,
      '6789',
    ],
  ] as const)
    test(name, async () => {
      const service = await sharedService();
      const { code, tag } = await openFile(service);
      const headers = { range: 'bytes=6-', 'if-match': matchOf(tag) };
      const response = await openLink(service, code, headers);
      assert.deepEqual([response.status, response.text], [status, text]);
      const whole = await openLink(service, code, { 'if-match': tag });
      assert.deepEqual([whole.status, whole.text], [200, CONTENT]);
      assert.equal(linkState(service, code).viewCount, 1);
    });

  test('If-Match without the tag of the download is 412, and costs neither a view nor bytes of the lease', async () => {
    const service = await sharedService();
    const { path, tag } = await openFile(service);
    const fresh = await uploadFile(service, CONTENT, ONE_VIEW);
    const refused = [`W/${tag}`, '"other"', `"${OTHER}"`, '""', 'lease'];
    for (const ifMatch of refused)
      for (const [method, range] of [
        ['GET', 'bytes=6-'],
        ['GET', 'bytes=99-'],
        ['HEAD', 'bytes=0-'],
      ] as const) {
        const { status, text } = await continueAt(service, path, { range, 'if-match': ifMatch }, method);
        assert.deepEqual([status, text.includes('LEASE_MISMATCH')], [412, method === 'GET'], ifMatch);
      }
    for (const ifMatch of [`W/${tag}`, '"other"', `"${OTHER}"`, tag])
      assert.equal((await openLink(service, fresh, { 'if-match': ifMatch })).status, 412, ifMatch);
    assert.equal((await openLink(service, fresh, { range: 'bytes=6-', 'if-match': '*' })).status, 428);
    assert.equal((await openLink(service, fresh, { range: 'bytes=6-', 'if-range': tag })).status, 428);
    assert.deepEqual(auditedResults(service, fresh), Array(6).fill('PREVIEW'));
    assert.deepEqual(
      auditedResults(service, `${fresh}/lease_${'x'.repeat(32)}`.slice(0, 19).concat('…')),
      [],
    );
    assert.equal(linkState(service, fresh).viewCount, 0);
    for (const ifMatch of ['*', tag])
      assert.equal((await continueAt(service, path, { 'if-match': ifMatch })).text, CONTENT);
    const ended = await continueAt(service, path, { 'if-match': '"other"' });
    assert.equal(ended.status, 412, 'a condition that fails takes nothing of a lease that is used up');
    assert.equal((await openLink(service, fresh, { 'if-match': '*' })).status, 200);
  });

  test('a browser that sends a form is led to the lease, with the view spent', async () => {
    const service = await sharedService();
    const code = await uploadFile(service, CONTENT, { fields: { maxViews: '1', password: 'open sesame' } });
    const form = {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'password=open+sesame',
    };
    const response = await send(service, `/l/${code}`, form);
    assert.equal(response.status, 303);
    assert.equal(linkState(service, code).viewCount, 1);
    const path = leasePathIn(response);
    assert.equal((await continueAt(service, path, {})).text, CONTENT);
    const { history } = service.stores.store;
    const query = { shortCode: code, head: null, range: { start: null, end: null }, results: null };
    const read = () => history.readPage({ ...query, ipAddress: null, before: null, limit: 1 });
    await until(async () => Object((await read()).items[0]).downloads.length === 1);
    assert.equal((await send(service, `/l/${code}`, form)).status, 410);
  });
});
