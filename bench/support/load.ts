import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

/** What a load generator saw. */
export type LoadResult = { requestsPerSecond: number; requests: number; p50Ms: number; p99Ms: number };

/** The same request over and over, or requests for random ones of `paths`. */
export type Load = {
  url: string;
  paths: readonly string[];
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  connections?: number;
  seconds: number;
  /** The status that each answer must have: a fast error is no result. */
  status: number;
};

const CONNECTIONS = 64;

/** `wrk` where it is installed (it takes far less of the processor), else `autocannon`. */
export const GENERATOR = hasWrk() ? 'wrk' : 'autocannon';

function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return error instanceof Error && 'status' in error && error.status === 1; // what `wrk -v` exits with
  }
}

/** Puts a load on a server; `directory` is for the generator's own files. */
export function runLoad(load: Load, directory: string): Promise<LoadResult> {
  return GENERATOR === 'wrk' ? runWrk(load, directory) : runAutocannon(load);
}

async function runWrk(load: Load, directory: string): Promise<LoadResult> {
  const script = join(directory, 'load.lua');
  writeFileSync(script, wrkScript(load, directory));
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${load.connections ?? CONNECTIONS}`,
    `-d${load.seconds}`,
    '-s',
    script,
    load.url,
  ]);
  const line = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (!line) throw new Error(`wrk gave no result:\n${stdout}`);
  const [requests = 0, durationUs = 0, p50Us = 0, p99Us = 0, wrong = 0, errors = 0] = line
    .split(' ')
    .map(Number);
  if (wrong > 0 || errors > 0) {
    throw new Error(
      `${wrong} answers without status ${load.status} and ${errors} socket errors, of ${requests}`,
    );
  }
  return {
    requests,
    requestsPerSecond: requests / (durationUs / 1e6),
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
  };
}

/** Statuses are counted only where they are not the plain success or redirect that wrk itself counts. */
function wrkScript({ paths, method = 'GET', headers = {}, body, status }: Load, directory: string): string {
  const pathFile = join(directory, 'paths.txt');
  writeFileSync(pathFile, paths.join('\n'));
  const quote = (text: string) => JSON.stringify(text);
  return `
wrk.method = ${quote(method)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`)
  .join('\n')}
${body === undefined ? '' : `wrk.body = ${quote(body)}`}
local requests = {}
function init(args)
  math.randomseed(${process.pid})
  for path in io.lines(${quote(pathFile)}) do requests[#requests + 1] = wrk.format(nil, path) end
end
function request() return requests[math.random(#requests)] end
function done(summary, latency)
  local wrong = ${status >= 400 ? 'summary.requests - summary.errors.status' : 'summary.errors.status'}
  local errors = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  print(string.format("RESULT %d %d %d %d %d %d", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), wrong, errors))
end
`;
}

async function runAutocannon(load: Load): Promise<LoadResult> {
  const { paths } = load;
  const result = await autocannon({
    url: load.url,
    connections: load.connections ?? CONNECTIONS,
    duration: load.seconds,
    requests: [
      {
        method: load.method ?? 'GET',
        ...(load.headers && { headers: load.headers }),
        ...(load.body !== undefined && { body: load.body }),
        setupRequest: (request) => ({
          ...request,
          path: paths[Math.floor(Math.random() * paths.length)] ?? '/',
        }),
      },
    ],
  });
  const right = load.status >= 400 ? result['4xx'] : result['2xx'] + result['3xx'];
  if (right !== result.requests.total || result.errors > 0) {
    throw new Error(
      `${result.requests.total - right} answers without status ${load.status}, ${result.errors} errors`,
    );
  }
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
