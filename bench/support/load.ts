import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

/** The measurements of a load generator. */
export type LoadResult = { requests: number; rate: number; p50Ms: number; p99Ms: number };

/** One request that is repeated, or requests for random ones of `paths`. */
export type Load = {
  paths: readonly string[];
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  connections?: number;
  /** The status that each response must have: a fast error is not a result. */
  status: number;
};

/** The server under load, and a directory for the generator's own files. */
export type LoadTarget = { url: string; directory: string };

/** The default number of connections. */
export const CONNECTIONS = 64;
const TIMEOUT_SECONDS = 30;

const wrkVersion = /^wrk \S+/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[0];

/** `wrk` where it is installed (it needs far less CPU), else `autocannon`. */
export const GENERATOR = wrkVersion ?? 'autocannon';

/**
 * Puts a load on a server for this many seconds. Neither generator distinguishes statuses of one class at
 * full speed, so one response is checked beforehand.
 */
export async function runLoad(target: LoadTarget, load: Load, seconds: number): Promise<LoadResult> {
  await assertStatus(target.url, load);
  return wrkVersion ? runWrk(target, load, seconds) : runAutocannon(target, load, seconds);
}

async function assertStatus(url: string, { paths, method = 'GET', headers = {}, body, status }: Load) {
  const init: RequestInit = { method, headers, redirect: 'manual', ...(body !== undefined && { body }) };
  const response = await fetch(`${url}${paths[0]}`, init);
  const text = await response.text();
  if (response.status !== status) throw new Error(`Status ${response.status} instead of ${status}: ${text}`);
}

async function runWrk({ url, directory }: LoadTarget, load: Load, seconds: number): Promise<LoadResult> {
  const script = join(directory, 'load.lua');
  writeFileSync(script, wrkScript(load, directory));
  const connections = load.connections ?? CONNECTIONS;
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}`,
    `--timeout=${TIMEOUT_SECONDS}`,
    `--script=${script}`,
    `${url}${load.paths[0]}`,
  ]);
  const line = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (!line) throw new Error(`wrk gave no result:\n${stdout}`);
  const [requests = 0, durationUs = 0, p50Us = 0, p99Us = 0, errors = 0, failures = 0] = line
    .split(' ')
    .map(Number);
  const wrong = load.status >= 400 ? requests - errors : errors;
  assertAllRight({ wrong, failures, requests }, load);
  return { requests, rate: requests / (durationUs / 1e6), p50Ms: p50Us / 1000, p99Ms: p99Us / 1000 };
}

/**
 * Defines `request` only for several paths: without it, wrk builds its one request beforehand and runs no Lua
 * under load. `summary.errors.status` counts the statuses from 400.
 */
function wrkScript({ paths, method = 'GET', headers = {}, body }: Load, directory: string): string {
  const lua = (text: string) => JSON.stringify(text); // these strings need only escapes that JSON and Lua share
  const lines = [`wrk.method = ${lua(method)}`];
  for (const [name, value] of Object.entries(headers))
    lines.push(`wrk.headers[${lua(name)}] = ${lua(value)}`);
  if (body !== undefined) lines.push(`wrk.body = ${lua(body)}`);
  if (paths.length > 1) {
    const pathFile = join(directory, 'paths.txt');
    writeFileSync(pathFile, paths.join('\n'));
    lines.push(`local requests = {}
function init(args)
  math.randomseed(${process.pid})
  for path in io.lines(${lua(pathFile)}) do requests[#requests + 1] = wrk.format(nil, path) end
end
function request() return requests[math.random(#requests)] end`);
  }
  lines.push(`function done(summary, latency)
  local e = summary.errors
  print(string.format("RESULT %d %d %d %d %d %d", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
end
`);
  return lines.join('\n');
}

async function runAutocannon({ url }: LoadTarget, load: Load, seconds: number): Promise<LoadResult> {
  const { paths } = load;
  const result = await autocannon({
    url,
    connections: load.connections ?? CONNECTIONS,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
    requests: [
      {
        method: load.method ?? 'GET',
        path: paths[0] ?? '/',
        ...(load.headers && { headers: load.headers }),
        ...(load.body !== undefined && { body: load.body }),
        ...(paths.length > 1 && {
          setupRequest: (request) => ({
            ...request,
            path: paths[Math.floor(Math.random() * paths.length)] ?? '/',
          }),
        }),
      },
    ],
  });
  const { requests, latency, duration } = result;
  const right = load.status >= 400 ? result['4xx'] : result['2xx'] + result['3xx'];
  assertAllRight({ wrong: requests.total - right, failures: result.errors, requests: requests.total }, load);
  return {
    requests: requests.total,
    rate: requests.total / duration,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}

function assertAllRight(
  { wrong, failures, requests }: { wrong: number; failures: number; requests: number },
  { status }: Load,
): void {
  if (wrong === 0 && failures === 0 && requests > 0) return;
  throw new Error(
    `Of ${requests} requests, ${wrong} had another class of status than ${status}, and ${failures} failed`,
  );
}
