import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { rowOf } from '../support/access-model.ts';
import { filledValues } from '../support/filled-headers.ts';
import { openSocket, sendJson } from '../support/http-client.ts';
import { shortCodeOf, TARGET } from '../support/links.ts';
import { headersInSources, recordReadHeaders } from '../support/read-headers.ts';
import { startService, type TestService } from '../support/service.ts';

/** A request that costs less of the processor time of the event loop is cheap on any machine. */
const CHEAP_MS = 5;
/** The maximum cost of a header beyond that of the request without it. A quadratic cost is a hundred times as much. */
const MAX_COST_RATIO = 10;
const KEY = 'initial-key-'.repeat(4);
const USER_HEADER = 'remote-user';
const FLAGS = [
  ...['--app.access=keys', `--app.access.initial-key=${KEY}`, `--app.access.user-header=${USER_HEADER}`],
  ...['--app.trusted-proxies=127.0.0.1,::1', '--app.cors.allowed-origins=https://pages.example'],
  ...['creations', 'uploads', 'unknown-codes', 'wrong-passwords'].map((name) => `--app.limits.${name}=none`),
];

/** The expressions by which the sources compute the name of a member: names of request headers, or none. */
const COMPUTED: Record<string, string[]> = {
  '[userHeader]': [USER_HEADER],
  // src/http/built-pages.ts and src/http/visit.ts
  '[name]': ['range', 'if-match', 'if-unmodified-since', 'sec-purpose', 'purpose', 'x-moz', 'x-purpose'],
  '[COMMAND_HEADER]': [], // of the local administrator alone
  '[index]': [],
  '[index + 1]': [],
  '[kind]': [],
  length: [],
};
/** Node reads these before the service does, and refuses what is filled with anything. */
const REFUSED_BY_NODE = ['content-length', 'transfer-encoding'];

type Request = { method: string; path: string; headers: Record<string, string>; body: Buffer | string };

function toBytes({ method, path, headers, body }: Request): Buffer {
  const length = body.length === 0 ? {} : { 'content-length': String(body.length) };
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...length, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

/** Returns a request of each route, and those of the same routes that read other headers. */
function requestsOf({ app }: TestService, shortCode: string): Request[] {
  const headers = { accept: 'text/html', authorization: `Bearer ${KEY}` };
  const routes = app.declaredRoutes.flatMap(({ method, url }) => {
    const row = method === 'HEAD' ? undefined : rowOf(method, url);
    if (!row) return []; // what refuses the other methods of a path
    const path = row.path ?? url.replace(/\*|:shortCode/, method === 'DELETE' ? 'unknown1' : shortCode);
    const { headers: more, body = '' } = row.body ?? {};
    assert.ok(!Array.isArray(body));
    return { method, path, headers: { ...headers, ...(more as Record<string, string>) }, body }; // texts, in that model
  });
  const form = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  const preflight = { origin: 'https://pages.example', 'access-control-request-method': 'POST' };
  return [
    ...routes,
    { method: 'GET', path: '/api/links', headers: { accept: 'text/html' }, body: '' }, // with no key
    { method: 'POST', path: `/l/${shortCode}`, headers: form, body: 'ask=true' },
    { method: 'GET', path: `/l/${shortCode}`, headers: { range: 'bytes=1-' }, body: '' },
    { method: 'OPTIONS', path: '/api/links', headers: preflight, body: '' },
  ];
}

/** Sends a request. Returns its status and the processor time of this thread, which serves it, until it is responded to. */
async function measure(service: TestService, request: Request): Promise<{ status: number; ms: number }> {
  const socket = await openSocket(service);
  const bytes = toBytes(request);
  const before = process.threadCpuUsage();
  socket.write(bytes);
  const [first]: Buffer[] = await once(socket, 'data');
  const { user, system } = process.threadCpuUsage(before);
  socket.destroy();
  return { status: Number(first?.toString('latin1', 9, 12)), ms: (user + system) / 1000 };
}

/**
 * Returns what `filled` costs beyond `plain`, as a multiple of the cost of `plain`, or 0 if it is cheap. One cheap try is
 * enough. Otherwise it compares 21 tries of each: the clock of a thread may advance by 4 ms at once, and other work of
 * this process, such as compiling, takes its time.
 */
async function costRatio(service: TestService, plain: Request, filled: Request): Promise<number> {
  if ((await measure(service, filled)).ms < CHEAP_MS) return 0;
  let [plainMs, filledMs] = [0, 0];
  for (let pair = 0; pair < 21; pair++) {
    filledMs += (await measure(service, filled)).ms;
    plainMs += (await measure(service, plain)).ms;
  }
  const beyondMs = filledMs - plainMs;
  return beyondMs < 21 * CHEAP_MS ? 0 : beyondMs / plainMs;
}

test('a header of 31 KB costs at most ten times the request without it on every route that reads it', async (t) => {
  const service = await startService(t, { flags: FLAGS });
  const authorization = `Bearer ${KEY}`;
  const created = await sendJson(
    service,
    '/api/links',
    { targetUrl: TARGET },
    { headers: { authorization } },
  );
  const read = recordReadHeaders(service.app.server);
  const attacked = new Set<string>();
  const known = new Set<string>();
  let turn = 0;
  for (const request of requestsOf(service, shortCodeOf(created))) {
    const { method, path, headers } = request;
    read.clear();
    await measure(service, request);
    const names = [...read].filter((name) => !REFUSED_BY_NODE.includes(name));
    const isLikeAnother = known.has(names.sort().join());
    known.add(names.join());
    for (const name of names) {
      // A route that reads the same as another one gets one value of each header, in turn.
      const values = filledValues(name);
      const start = turn++ % values.length;
      for (const value of isLikeAnother ? values.slice(start, start + 1) : values) {
        read.clear();
        const filled = { ...request, headers: { ...headers, [name]: value } };
        const ratio = await costRatio(service, request, filled);
        assert.ok(
          ratio <= MAX_COST_RATIO,
          `${method} ${path}, ${name}: ${value.slice(0, 40)}… costs ${ratio} times the request without it`,
        );
        if (read.has(name)) attacked.add(name);
      }
    }
  }
  const inSources = [...headersInSources()].flatMap((name) => COMPUTED[name] ?? name);
  const left = new Set(inSources.filter((name) => !attacked.has(name)));
  assert.deepEqual([...left].sort(), REFUSED_BY_NODE, 'a header is read by no request of this test');
});

test('a length or a transfer encoding that is filled with anything is refused by Node', async (t) => {
  const service = await startService(t);
  for (const name of REFUSED_BY_NODE) {
    for (const value of filledValues(name)) {
      const headers = { [name]: value };
      const { status } = await measure(service, { method: 'POST', path: '/l/unknown1', headers, body: '' });
      assert.equal(status, 400, `${name}: ${value.slice(0, 10)}`);
    }
  }
});
