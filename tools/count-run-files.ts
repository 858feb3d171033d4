// Prints which files of src/ run for a redirect and for a change of terms, in all threads of a service on SQLite:
// node --preserve-symlinks --import ./tools/count-run-files.ts --eval ''
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { send } from '../test/support/http-client.ts';
import { startService } from '../test/support/service.ts';

const SOURCES = new URL('../src', import.meta.url).href;
/** Longer than the projector needs for what a request leaves to it. */
const SETTLED_MS = 1_500;
/** Longer than a thread needs for its report. */
const REPORT_MS = 500;
const CHANNEL = 'files that ran';
const channel = new BroadcastChannel(CHANNEL);
const TAKE = 'take';

/** Reports the files that ran in this thread since the last report, each time when `TAKE` is sent. */
async function watchThread(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  channel.unref();
  const report = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = result.filter(({ functions }) =>
      functions.some(({ ranges }) => Number(ranges[0]?.count) > 0),
    );
    return ran.filter(({ url }) => url.startsWith(SOURCES)).map(({ url }) => url.slice(SOURCES.length));
  };
  channel.addEventListener('message', async ({ data }) => {
    if (data === TAKE) channel.postMessage(await report());
  });
}

await watchThread();
if (isMainThread)
  test('files that run', async (t) => {
    const service = await startService(t);
    const reports = new BroadcastChannel(CHANNEL);
    t.after(() => reports.close());
    let ran = new Set<string>();
    reports.addEventListener('message', ({ data }) => {
      if (Array.isArray(data)) ran = ran.union(new Set(data.map(String)));
    });
    const take = async (): Promise<string[]> => {
      ran = new Set();
      reports.postMessage(TAKE);
      await setTimeout(REPORT_MS);
      return [...ran].sort();
    };
    /** Prints the files that `request` runs, without those that run by themselves. */
    const count = async (what: string, request: () => Promise<unknown>) => {
      await setTimeout(SETTLED_MS);
      await take();
      await setTimeout(REPORT_MS);
      const idle = await take();
      await request();
      const files = (await take()).filter((file) => !idle.includes(file));
      t.diagnostic(`${files.length} files run for ${what}:\n${files.join('\n')}`);
    };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ targetUrl: 'https://example.com/' });
    const created = await send(service, '/api/links', { method: 'POST', headers, body });
    const path = new URL(String(JSON.parse(created.text).accessUrl)).pathname;
    await count('a redirect', () => send(service, path));
    const token = { ...headers, 'x-link-token': String(created.headers['x-link-token']) };
    const patch = { method: 'PATCH', headers: token, body: '{"maxViews":7}' };
    await count('a change of terms', () => send(service, path.replace('/l/', '/api/links/'), patch));
  });
