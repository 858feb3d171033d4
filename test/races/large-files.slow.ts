import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { startBreakingProxy } from '../support/breaking-proxy.ts';
import { json, member, type Server, send } from '../support/http-client.ts';
import { uploadFile } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { logLines, type ServiceProcess, startCommand, startServiceProcess } from '../support/process.ts';
import { residentMemory } from '../support/process-figures.ts';
import { downloadWith, WITH_CURL } from '../support/resumed-download.ts';
import { COMPOSED_HAPROXY, startHaproxy, withoutProxy } from '../support/reverse-proxies.ts';
import { CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';

const MIB = 1024 ** 2;
const SIZE_BYTES = Number(process.env['TEST_LARGE_FILE_MIB'] ?? 300) * MIB;
const LINE_BREAKS_AFTER_BYTES = Math.min(100 * MIB, SIZE_BYTES / 10);
/** How much the memory of an instance may exceed that of its first transfers, at any size of the file. */
const MAX_GROWTH_BYTES = 100 * MIB;
const CHUNK_BYTES = 16 * MIB;
const LEASES = 1_000;

test('two instances behind HAProxy, on PostgreSQL and a bucket', {
  skip: withoutProxy(COMPOSED_HAPROXY),
}, async (t) => {
  const { instances, proxy } = await startInstances(t);

  await t.test(
    'a large file passes a line that breaks whole, under one view and in flat memory',
    async (t) => {
      const source = join(temporaryDirectory(t), 'source');
      await pipeline(randomChunks(), createWriteStream(source));
      const line = await startBreakingProxy(t, proxy.url, LINE_BREAKS_AFTER_BYTES);
      const code = await upload(t, proxy, source);
      const before = instances.map(({ pid }) => residentMemory(pid).peakBytes);
      const path = await downloadWith(t, new URL(`/l/${code}`, line), WITH_CURL);
      assert.equal(await digestOf(path), await digestOf(source));
      assert.equal(await viewCountOf(proxy, code), 1);
      for (const [index, { pid, output }] of instances.entries()) {
        const parts = logLines(output.stdout).filter(({ status }) => status === 206).length;
        assert.ok(parts > 0, 'both instances continued the download');
        const { peakBytes } = residentMemory(pid);
        const [first, last] = [before[index] ?? 0, peakBytes].map((bytes) => Math.round(bytes / MIB));
        t.diagnostic(`instance ${index}: ${parts} parts; peak memory ${first} MiB, at the end ${last} MiB`);
        assert.ok(peakBytes < (before[index] ?? 0) + MAX_GROWTH_BYTES);
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
    assert.equal(statuses.filter((each) => each.join() === '206,206,410,410').length, LEASES);
    assert.equal(await viewCountOf(proxy, code), LEASES);
  });
});

async function startInstances(t: TestContext): Promise<{ instances: ServiceProcess[]; proxy: Server }> {
  const [bucket, schema] = [await startS3Server(), await temporarySchema(t)];
  t.after(() => bucket.stop());
  const sizes = ['file', 'request'].map((what) => `--spring.servlet.multipart.max-${what}-size=8GB`);
  const options = { flags: [...bucket.flags, ...sizes], env: CREDENTIALS, databaseUrl: schema.url };
  const start = () => startServiceProcess(t, temporaryDirectory(t), options);
  const instances = await Promise.all([start(), start()]);
  return {
    instances,
    proxy: await startHaproxy(
      t,
      instances.map(({ url }) => url),
    ),
  };
}

function* randomChunks(): Generator<Buffer> {
  for (let left = SIZE_BYTES; left > 0; left -= CHUNK_BYTES) yield randomBytes(Math.min(CHUNK_BYTES, left));
}

/** Uploads a file for one view. Returns the code of its link. */
async function upload(t: TestContext, { url }: Server, path: string): Promise<string> {
  const form = ['--form', 'maxViews=1', '--form', `file=@${path}`];
  const command = ['curl', '--silent', '--show-error', ...form, `${url}/api/links/upload`];
  const { stdout } = await startCommand(t, command, {}).exited;
  return String(member(JSON.parse(stdout), 'shortCode'));
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}

async function viewCountOf(server: Server, code: string): Promise<unknown> {
  return member(json(await send(server, `/api/links/${code}`)), 'viewCount');
}
