import assert from 'node:assert/strict';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, type TestContext, test } from 'node:test';
import { ERRORS } from '../../src/http/errors.ts';
import { assertErrorRecord, json, member, send, type TestResponse, until } from '../support/http-client.ts';
import { countRows, linkState, openLink, shortCodeOf, uploadFile } from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import type { Failure } from '../support/s3-failures.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';
import { addBytes, beginUpload, linkTo, offsetOf } from '../support/uploads.ts';

const PATH = '/api/links/upload';
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

/** Asserts a 503 without details, and that the log has what object storage failed to do, without a stack. */
async function assertUnavailable(
  service: TestService,
  response: TestResponse,
  path: string,
  details: RegExp,
): Promise<void> {
  assertErrorRecord(response, { status: 503, message: ERRORS.storageUnavailable().message, path });
  assert.equal(member(json(response), 'code'), 'STORAGE_UNAVAILABLE');
  assert.equal(response.headers['retry-after'], '5');
  const isFound = ({ msg, problem }: Record<string, unknown>) =>
    msg === 'problem_found' && problem === 'storage_unavailable';
  await until(() => service.logged().some(isFound));
  assert.match(String(service.logged().findLast(isFound)?.['details']), details);
  assert.ok(service.logged().every(({ msg }) => msg !== 'unexpected_error'));
}

test('a storage that fails during an upload is a 503, leaves nothing, and recovers', async (t) => {
  const service = await startOnBucket(t);
  const heal = server.failAll('UploadPart', FORBIDDEN);
  const response = await sendForm(service, [file(LARGE)]);
  await assertUnavailable(service, response, PATH, /failed to take part 1: AccessDenied/);
  heal();
  assert.deepEqual(service.remains(), []);
  assert.equal(countRows(service, 'link'), 0);
  assert.equal(countRows(service, 'upload'), 1, 'the sweep checks it again');
  service.clock.now += 25 * 3_600_000;
  await service.startJobs();
  assert.equal(countRows(service, 'upload'), 0);
  assert.ok((await openLink(service, await uploadFile(service, LARGE))).body.equals(LARGE));
});

test('an outage of the storage is one problem in the log, whatever the number of its downloads', async (t) => {
  const service = await startOnBucket(t);
  const shortCode = await uploadFile(service, 'content', { fields: { maxViews: '1' } });
  const heal = server.failAll('GetObject', FORBIDDEN);
  for (let count = 0; count < 3; count++) {
    const response = await openLink(service, shortCode);
    await assertUnavailable(service, response, `/l/${shortCode}`, /failed to send a file: AccessDenied/);
  }
  heal();
  const logged = (name: string) => service.logged().filter(({ msg }) => msg === name);
  await until(() => logged('problem_solved').length > 0);
  assert.equal(logged('problem_found').length, 1);
  assert.equal(logged('problem_solved')[0]?.['refusedRequests'], 3);
  assert.equal((await openLink(service, shortCode)).status, 200, 'no view was spent');
});

test('a storage that fails in the middle of a file ends the connection', async (t) => {
  const service = await startOnBucket(t);
  const shortCode = await uploadFile(service, LARGE);
  server.failNext('GetObject', { kind: 'cut-response', afterBytes: 5_000_000 });
  await assert.rejects(openLink(service, shortCode), { code: 'ECONNRESET' });
  assert.equal(linkState(service, shortCode).viewCount, 1, 'bytes of it were sent');
  const logged = service.logged().find(({ msg }) => msg === 'download_broken_off');
  assert.match(String(logged?.['reason']), /object storage failed in the middle of a file/);
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
  assert.equal((await sendForm(service, [file(LARGE)])).status, 503);
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

test('a stop does not wait for a sweep of a storage that does not respond', async (t) => {
  const service = await startOnBucket(t);
  const fileIds = Array.from({ length: 3 }, () => randomUUID()).sort();
  for (const fileId of fileIds) await service.stores.store.begin(fileId, service.clock.now);
  service.clock.now += 25 * 3_600_000;
  const before = server.requests().length;
  t.after(server.failAll('ListMultipartUploads', { kind: 'hang' }));
  const swept = service.startJobs();
  const isSweeping = () => server.requests().indexOf('ListMultipartUploads', before) >= 0;
  await until(isSweeping);
  const startedAt = performance.now();
  await service.stop();
  assert.ok(performance.now() - startedAt < 10_000, 'three tries take 30 s');
  await swept;
  assert.ok(service.logged().every(({ msg }) => msg !== 'job_failed'));
  assert.equal(countRows(service, 'upload'), fileIds.length, 'a later sweep removes them');
});

test('a file that the storage finishes after the timeout is swept', async (t) => {
  const service = await startOnBucket(t, { flags: ['--app.storage.timeout=PT3S'] });
  const after = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const late: Failure = { kind: 'late', after: after.promise, done: done.resolve };
  server.failNext('PutObject', late, FAILURE, FAILURE);
  await assertUnavailable(
    service,
    await sendForm(service, [file('content')]),
    PATH,
    /failed to store a file/,
  );
  assert.deepEqual(service.remains(), []);
  after.resolve();
  await done.promise;
  assert.notDeepEqual(service.remains(), [], 'the storage finished it late');
  service.clock.now += 25 * 3_600_000;
  await service.startJobs();
  assert.deepEqual(service.remains(), []);
  assert.equal(countRows(service, 'upload'), 0);
});

test('health is DOWN while the bucket cannot be used, and UP afterwards', async (t) => {
  const service = await startOnBucket(t);
  await service.startJobs();
  const storageOf = async () => {
    const response = await send(service, '/actuator/health');
    return [response.status, member(member(json(response), 'components'), 'storage')];
  };
  const up = [200, { status: 'UP', details: {} }];
  assert.deepEqual(await storageOf(), up);
  const heal = server.failAll('HeadBucket', FORBIDDEN);
  assert.deepEqual(await storageOf(), [503, { status: 'DOWN', details: { storage: 'Not writable' } }]);
  assert.equal((await send(service, '/actuator/health/liveness')).status, 200, 'a restart would not help');
  heal();
  assert.deepEqual(await storageOf(), up);
});

test('an upload continues after the last part when the storage has lost what came after it', async (t) => {
  const service = await startOnBucket(t);
  const partBytes = 8 * 1024 ** 2;
  const address = await beginUpload(service, LARGE.length);
  await addBytes(service, address, { offset: 0, bytes: LARGE.subarray(0, partBytes + 1_000) });
  const [rest = assert.fail(), ...others] = server.objectFiles(service.prefix);
  assert.deepEqual(others, []);
  rmSync(rest);
  const lost = { offset: partBytes + 1_000, bytes: LARGE.subarray(partBytes + 1_000) };
  assert.equal((await addBytes(service, address, lost)).status, 409);
  const offset = await offsetOf(service, address);
  assert.equal(offset, partBytes);
  await addBytes(service, address, { offset, bytes: LARGE.subarray(offset) });
  const code = shortCodeOf(await linkTo(service, address, { sha256: hash('sha256', LARGE) }));
  assert.ok((await openLink(service, code)).body.equals(LARGE));
});
