import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import {
  assertErrorRecord,
  json,
  member,
  openSocket,
  send,
  type TestResponse,
  until,
} from '../support/http-client.ts';
import { auditedResults, countRows, linkState, openLink, uploadFile } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS, sendForm } from '../support/multipart.ts';
import type { Failure } from '../support/s3-failures.ts';
import { type Operation, type S3Server, startS3Server } from '../support/s3-server.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

const PATH = '/api/links/upload';
const SERVER_ERROR = /^An unexpected error occurred\. Reference ID: [0-9a-f-]{36}$/;
/** The content of a file that is uploaded in two parts. */
const LARGE = randomBytes(9 * 1024 ** 2);
const FAILURE: Failure = { kind: 'status', status: 500, code: 'InternalError' };
const FORBIDDEN: Failure = { kind: 'status', status: 403, code: 'AccessDenied' };

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.stop());

let services = 0;

type Options = Parameters<typeof startService>[1] & { prefix?: string };

/** Starts a service with its files in the bucket, below its own prefix. */
async function startOnBucket(t: TestContext, options: Options = {}) {
  const { prefix = `service-${services++}`, flags = [], ...others } = options;
  const [url, endpoint] = server.flags;
  const service = await startService(t, {
    ...others,
    flags: [`${url}/${prefix}`, `${endpoint}`, ...flags],
  });
  return { ...service, prefix, remains: () => server.remains(prefix) };
}

/** Asserts a 500 without details, and a log line that names what object storage failed to do. */
function assertServerError(service: TestService, response: TestResponse, path: string, logged: RegExp): void {
  assertErrorRecord(response, { status: 500, message: SERVER_ERROR, path });
  const line = service.logged().findLast(({ msg }) => msg === 'unexpected_error');
  assert.match(String(member(line?.['err'], 'message')), logged);
}

test('a file in a bucket is uploaded and downloaded like one in a directory', async (t) => {
  const service = await startOnBucket(t);
  for (const content of [Buffer.from('content'), LARGE]) {
    const shortCode = await uploadFile(service, content, { fields: { maxViews: '1' } });
    const response = await openLink(service, shortCode);
    assert.equal(response.status, 200);
    assert.equal(response.headers['content-length'], String(content.length));
    assert.ok(response.body.equals(content));
    assert.equal((await openLink(service, shortCode)).status, 410);
    assert.deepEqual(linkState(service, shortCode), { status: 'EXPIRED', viewCount: 1 });
  }
  assert.equal(countRows(service, 'upload'), 0);
  await until(() => server.sending() === 0);
});

test('a storage that fails during an upload is a 500, leaves nothing, and recovers', async (t) => {
  const service = await startOnBucket(t);
  const cases: [name: Operation, fault: Failure, logged: RegExp][] = [
    ['HeadObject', FAILURE, /failed to look for a file/],
    ['CreateMultipartUpload', FORBIDDEN, /failed to begin an upload: AccessDenied/],
    ['UploadPart', FAILURE, /failed to take part 1: InternalError/],
    ['UploadPart', { kind: 'cut-request' }, /failed to take part 1: /],
    ['UploadPart', { kind: 'corrupt' }, /does not confirm the \d+ bytes sent/],
    ['CompleteMultipartUpload', { kind: 'lose-response' }, /failed to complete an upload/],
  ];
  for (const [operation, fault, logged] of cases) {
    await t.test(`${operation}: ${fault.kind}`, async () => {
      const heal = server.failAll(operation, fault);
      assertServerError(service, await sendForm(service, [file(LARGE)]), PATH, logged);
      heal();
      assert.deepEqual(service.remains(), []);
      assert.equal(countRows(service, 'link'), 0);
    });
  }
  assert.equal(countRows(service, 'upload'), cases.length, 'the sweep checks each again');
  service.clock.now += 25 * 3_600_000;
  await service.startJobs();
  assert.equal(countRows(service, 'upload'), 0);
  assert.ok((await openLink(service, await uploadFile(service, LARGE))).body.equals(LARGE));
});

test('an upload that is too large or interrupted leaves no part', async (t) => {
  const service = await startOnBucket(t, { flags: ['--spring.servlet.multipart.max-file-size=8500KB'] });

  await t.test('an upload that is too large leaves none', async () => {
    const response = await sendForm(service, [file(LARGE)]);
    assertErrorRecord(response, { status: 413, message: 'file: must be at most 8500KB', path: PATH });
    assert.deepEqual(service.remains(), []);
  });
  await t.test('an interrupted upload leaves none', async () => {
    const form = encodeForm([file(LARGE.subarray(0, 8_600_000))]);
    const socket = await openSocket(service);
    const type = `Content-Type: ${MULTIPART_HEADERS['content-type']}`;
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${form.length}\r\n\r\n`);
    socket.write(form.subarray(0, form.length - 100));
    await until(() => service.remains().length === 1);
    socket.destroy();
    await until(() => service.remains().length + countRows(service, 'upload') === 0);
  });
  assert.equal(countRows(service, 'link'), 0);
});

test('a storage that fails before the first byte is a 500 and spends no view', async (t) => {
  const service = await startOnBucket(t, { flags: ['--app.storage.timeout=PT0.3S'] });
  const shortCode = await uploadFile(service, 'content', { fields: { maxViews: '1' } });
  const path = `/l/${shortCode}`;
  const cases: [fault: Failure, logged: RegExp][] = [
    [FAILURE, /failed to send a file: InternalError, HTTP 500/],
    [FORBIDDEN, /failed to send a file: AccessDenied, HTTP 403/],
    [{ kind: 'cut-request' }, /failed to send a file: /],
    [{ kind: 'hang' }, /failed to send a file: TimeoutError/],
    [{ kind: 'cut-response', afterBytes: 0 }, /failed in the middle of a file/],
    [{ kind: 'stall-response', afterBytes: 0 }, /failed in the middle of a file: no bytes for 300 ms/],
  ];
  for (const [fault, logged] of cases) {
    await t.test(fault.kind === 'status' ? `${fault.status}` : fault.kind, async () => {
      const heal = server.failAll('GetObject', fault);
      assertServerError(service, await openLink(service, shortCode), path, logged);
      heal();
      assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
    });
  }
  assert.deepEqual(auditedResults(service, shortCode), Array(cases.length).fill('NOT_FOUND'));
  assert.equal((await openLink(service, shortCode)).text, 'content', 'the one view is still there');
});

test('a storage that fails in the middle of a file ends the connection', async (t) => {
  const service = await startOnBucket(t, { flags: ['--app.storage.timeout=PT0.5S'] });
  const shortCode = await uploadFile(service, LARGE);
  const faults: Failure[] = [
    { kind: 'cut-response', afterBytes: 5_000_000 },
    { kind: 'stall-response', afterBytes: 5_000_000 },
  ];
  for (const fault of faults) {
    await t.test(fault.kind, async () => {
      server.failNext('GetObject', fault);
      await assert.rejects(openLink(service, shortCode), { code: 'ECONNRESET' });
    });
  }
  assert.equal(linkState(service, shortCode).viewCount, 2, 'bytes of it were sent');
  const logged = service.logged().filter(({ msg }) => msg === 'download_broken_off');
  assert.equal(logged.length, 2);
  for (const { reason } of logged)
    assert.match(String(reason), /object storage failed in the middle of a file/);
  await until(() => server.sending() === 0);
});

test('a missing file spends no view, and a preview or a denied attempt leaves no download open', async (t) => {
  const service = await startOnBucket(t);
  const shortCode = await uploadFile(service, 'content', { fields: { maxViews: '1' } });
  const other = await uploadFile(service, LARGE, { fields: { maxViews: '1' } });
  const missing = server.failAll('GetObject', { kind: 'status', status: 404, code: 'NoSuchKey' });
  const response = await openLink(service, shortCode);
  missing();
  assertErrorRecord(response, { status: 404, message: 'File not found', path: `/l/${shortCode}` });
  assert.equal(linkState(service, shortCode).viewCount, 0);

  assert.equal((await send(service, `/l/${other}`, { method: 'HEAD' })).status, 200);
  assert.equal((await openLink(service, other)).status, 200);
  assert.equal((await openLink(service, other)).status, 410);
  await until(() => server.sending() === 0);
});

test('files and parts that a failing storage did not delete are swept once it works', async (t) => {
  const directory = temporaryDirectory(t);
  const service = await startOnBucket(t, { directory });
  const heals = (['UploadPart', 'AbortMultipartUpload'] as const).map((each) =>
    server.failAll(each, FORBIDDEN),
  );
  assert.equal((await sendForm(service, [file(LARGE)])).status, 500);
  assert.equal(service.remains().length, 1, 'an open upload');
  assert.equal(countRows(service, 'upload'), 1, 'which the ledger knows');
  service.clock.now += 25 * 3_600_000;
  await service.startJobs();
  assert.equal(service.remains().length, 1);
  const failed = service.logged().find(({ msg }) => msg === 'job_failed');
  assert.match(JSON.stringify(failed), /upload sweep.*1 of 1 stale uploads could not be removed/);
  await service.stop();

  for (const heal of heals) heal();
  const again = await startOnBucket(t, { directory, clock: service.clock, prefix: service.prefix });
  await again.startJobs();
  assert.deepEqual(again.remains(), []);
  assert.equal(countRows(again, 'upload'), 0);
});

test('a file that the storage finishes after the timeout is swept', async (t) => {
  const service = await startOnBucket(t, { flags: ['--app.storage.timeout=PT0.3S'] });
  const after = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const late: Failure = { kind: 'late', after: after.promise, done: done.resolve };
  server.failNext('PutObject', late, FAILURE, FAILURE);
  assertServerError(service, await sendForm(service, [file('content')]), PATH, /failed to store a file/);
  assert.deepEqual(service.remains(), []);
  after.resolve();
  await done.promise;
  assert.notDeepEqual(service.remains(), [], 'the storage finished it late');
  service.clock.now += 25 * 3_600_000;
  await service.startJobs();
  assert.deepEqual(service.remains(), []);
  assert.equal(countRows(service, 'upload'), 0);
});

test('health is DOWN while the bucket is missing or does not respond, and UP afterwards', async (t) => {
  const service = await startOnBucket(t, { flags: ['--app.storage.timeout=PT0.3S'] });
  await service.startJobs();
  const storageOf = async () => {
    const response = await send(service, '/actuator/health');
    return [response.status, member(member(json(response), 'components'), 'storage')];
  };
  const up = [200, { status: 'UP', details: {} }];
  const down = [503, { status: 'DOWN', details: { storage: 'Not writable' } }];
  assert.deepEqual(await storageOf(), up);
  const faults: Failure[] = [
    { kind: 'status', status: 404, code: 'NoSuchBucket' },
    FORBIDDEN,
    { kind: 'cut-request' },
    { kind: 'hang' },
  ];
  for (const fault of faults) {
    const heal = server.failAll('HeadBucket', fault);
    assert.deepEqual(await storageOf(), down, fault.kind);
    assert.equal((await send(service, '/actuator/health/liveness')).status, 200, 'a restart would not help');
    heal();
    assert.deepEqual(await storageOf(), up);
  }
});
