import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { Upload } from 'tus-js-client';
import { startBreakingProxy } from '../support/breaking-proxy.ts';
import { json, member, type Server, send } from '../support/http-client.ts';
import { shortCodeOf, uploadFile } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { logLines, type ServiceProcess, startProgram, startServiceProcess } from '../support/process.ts';
import { residentMemory } from '../support/process-figures.ts';
import { downloadWith, WITH_CURL } from '../support/resumed-download.ts';
import { COMPOSED_HAPROXY, startHaproxy, withoutProxy } from '../support/reverse-proxies.ts';
import { CREDENTIALS } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';
import { beginUpload, linkTo } from '../support/uploads.ts';

const MIB = 1024 ** 2;
const SIZE_BYTES = Number(process.env['TEST_LARGE_FILE_MIB'] ?? 300) * MIB;
const LINE_BREAKS_AFTER_BYTES = Math.min(100 * MIB, SIZE_BYTES / 10);
/** How much a file of any size may add to the memory of an instance. */
const MAX_GROWTH_MIB = 200;
/** The client sends the next chunk over the same connection, which breaks within it. */
const CHUNK_BYTES = Math.round(LINE_BREAKS_AFTER_BYTES * 0.6);
/** A second copy is made, and read, before the last chunk is answered. */
const MAX_RETRIES = 300;
const RETRY_AFTER_MS = 1_000;
const LEASES = 1_000;

test('two instances behind HAProxy, on PostgreSQL and a bucket', {
  skip: withoutProxy(COMPOSED_HAPROXY),
}, async (t) => {
  const { instances, proxy, start } = await startInstances(t);

  await t.test(
    'a large file passes a line that breaks whole, under one view and in flat memory',
    async (t) => {
      const source = join(temporaryDirectory(t), 'source');
      await pipeline(randomChunks(), createWriteStream(source));
      const line = { url: await startBreakingProxy(t, proxy.url, LINE_BREAKS_AFTER_BYTES) };
      const sent: ServiceProcess[] = [...instances];
      const before = instances.map(({ pid }) => residentMemory(pid).peakBytes);
      const code = await upload(line, source, async () => {
        const killed = instances.findIndex(({ output }) => countRequests(output, { method: 'PATCH' }) > 0);
        const { url } = instances[killed] ?? proxy;
        instances[killed]?.signal('SIGKILL');
        const started = await start(Number(new URL(url).port));
        instances[killed] = started;
        sent.push(started);
        before[killed] = residentMemory(started.pid).peakBytes;
      });
      assert.equal(sent.filter(({ output }) => countRequests(output, { method: 'PATCH' }) > 0).length, 2);
      const path = await downloadWith(t, new URL(`/l/${code}`, line.url), WITH_CURL);
      assert.equal(await digestOf(path), await digestOf(source));
      assert.equal(await viewCountOf(proxy, code), 1);
      for (const [index, { pid, output }] of instances.entries()) {
        const parts = countRequests(output, { status: 206 });
        assert.ok(parts > 0, 'both instances continue the download');
        const peaks = [before[index] ?? 0, residentMemory(pid).peakBytes];
        const [first = 0, last = 0] = peaks.map((bytes) => Math.round(bytes / MIB));
        t.diagnostic(`instance ${index}: ${parts} parts; peak memory ${first}, then ${last} MiB`);
        assert.ok(last < first + MAX_GROWTH_MIB);
      }
    },
  );

  await t.test('1,000 leases that are continued at once are exact', async () => {
    const code = await uploadFile(proxy, '0123456789', { fields: { maxViews: String(LEASES) } });
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    const times = <T>(count: number, run: () => Promise<T>) =>
      Promise.all(Array.from({ length: count }, run));
    const opened = await times(LEASES + 10, () => send(proxy, `/l/${code}`, { agent }));
    const granted = opened.filter(({ status }) => status === 200);
    assert.equal(granted.length, LEASES);
    const statuses = await Promise.all(
      granted.map(async ({ headers }) => {
        const { pathname } = new URL(String(headers['content-location']), `${proxy.url}/l/`);
        const sent = await times(4, () => send(proxy, pathname, { agent, headers: { range: 'bytes=1-7' } }));
        return sent.map(({ status }) => status).sort();
      }),
    );
    agent.destroy();
    assert.deepEqual([...new Set(statuses.map((each) => each.join()))], ['206,206,410,410']);
    assert.equal(await viewCountOf(proxy, code), LEASES);
  });
});

async function startInstances(t: TestContext) {
  // In a process of its own: it copies the file when an upload is complete.
  const settings = { UV_THREADPOOL_SIZE: '16', TMPDIR: temporaryDirectory(t) };
  const bucket = startProgram(t, ['bench/s3-server.ts'], settings);
  await bucket.waitForOutput(({ stderr }) => stderr.endsWith('ready\n'));
  const schema = await temporarySchema(t);
  const size = '--app.upload.max-size=8GB';
  const flags = [...bucket.output.stderr.split('\n').slice(0, -2), size];
  const start = (port?: number) =>
    startServiceProcess(t, temporaryDirectory(t), {
      ...{ flags, env: CREDENTIALS, databaseUrl: schema.url },
      ...(port !== undefined && { port }),
    });
  const instances = await Promise.all([start(), start()]);
  const urls = instances.map(({ url }) => url);
  return { instances, start, proxy: await startHaproxy(t, urls) };
}

/** Returns how many requests an instance has answered that have a member of the log. */
function countRequests({ stdout }: { stdout: string }, wanted: Record<string, unknown>): number {
  const [[name = '', value] = []] = Object.entries(wanted);
  return logLines(stdout).filter((line) => line['msg'] === 'request_finished' && line[name] === value).length;
}

function* randomChunks(): Generator<Buffer> {
  for (let left = SIZE_BYTES; left > 0; left -= CHUNK_BYTES) yield randomBytes(Math.min(CHUNK_BYTES, left));
}

/** Uploads a file for one view, and calls `onHalf` once half of it has arrived. Returns the code of its link. */
async function upload(line: Server, path: string, onHalf: () => Promise<void>): Promise<string> {
  const address = await beginUpload(line, SIZE_BYTES);
  const { promise: sent, resolve, reject } = Promise.withResolvers<void>();
  let half: Promise<void> | undefined;
  new Upload(createReadStream(path), {
    uploadUrl: `${line.url}${address}`,
    chunkSize: CHUNK_BYTES,
    retryDelays: Array<number>(MAX_RETRIES).fill(RETRY_AFTER_MS), // begins anew with each progress
    onShouldRetry: () => true,
    onChunkComplete(_, acceptedBytes) {
      if (acceptedBytes > SIZE_BYTES / 2) half ??= onHalf().catch(reject);
    },
    onSuccess: () => resolve(),
    onError: reject,
  }).start();
  await sent;
  await half;
  return shortCodeOf(await linkTo(line, address, { sha256: await digestOf(path), maxViews: 1 }));
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}

async function viewCountOf(server: Server, code: string): Promise<unknown> {
  return member(json(await send(server, `/api/links/${code}`)), 'viewCount');
}
