import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Attempt } from '../../src/core/model/attempt.ts';
import type { LinkPatch } from '../../src/core/model/decide-change.ts';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import type { Store } from '../../src/stores/store.ts';
import { codeOf, fileIdOf, newChange, redirectLink } from '../support/attempts.ts';
import { openSocket } from '../support/http-client.ts';
import { readRows } from '../support/links.ts';
import { startService, testClock } from '../support/service.ts';
import { testTimers } from '../support/test-timers.ts';

const MINUTE_MS = 60_000;
const clock = testClock();

/** The links of a run. */
const LINKS: Parameters<typeof redirectLink>[1][] = [
  {},
  { maxViews: 3 },
  { maxViews: 1, terms: { fallbackUrl: 'https://example.com/ended' } },
  { expiresAt: clock.now + MINUTE_MS },
  { startsAt: clock.now + MINUTE_MS },
  { url: 'https://bücher.example/ü?a=1#b', terms: { forwardQuery: true } },
  { terms: { message: 'Read this first' } },
  { terms: { forwardPath: true } },
];

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const REQUEST = fc.record({
  link: fc.nat(LINKS.length), // one more than there are
  method: oneOf('GET', 'GET', 'GET', 'HEAD', 'POST'),
  more: oneOf('', '', '', '?a=2&c=%22', '?c=3', '/below', '%00'),
  headers: fc.record(
    {
      accept: oneOf('*/*', 'text/html', 'application/json', 'text/plain', 'text/html;q=0, application/json'),
      'user-agent': oneOf('curl/8', 'Mozilla/5.0 (X11)', '\u00fc\u0085', '"\\', 'x'.repeat(600)),
      'x-correlation-id': oneOf('id-1', 'a "quoted" id', '\u00e9', ' ', 'x'.repeat(300)),
      'x-request-id': oneOf('request-1', 'no request id'),
      traceparent: oneOf('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'none'),
      'x-forwarded-for': oneOf('203.0.113.7', '203.0.113.8, 198.51.100.1', 'unknown'),
      referer: oneOf('https://news.example/page', 'http://localhost/'),
      origin: oneOf('https://app.example', 'https://evil.example'),
      'sec-purpose': oneOf('prefetch', 'none', 'none', 'none'),
      'accept-language': oneOf('de'),
      range: oneOf('bytes=0-1'),
    },
    { requiredKeys: [] },
  ),
  before: oneOf(
    ...Array<string>(12).fill('nothing'),
    'a minute',
    'a minute',
    'a target',
    'a pause',
    'a revocation',
  ),
});
type Request = typeof REQUEST extends fc.Arbitrary<infer T> ? T : never;

/** A client that is blocked for its unknown codes, and visits a link. */
const BLOCKED: Request[] = Array.from({ length: 12 }, (_, index) => ({
  ...{ link: index < 10 ? LINKS.length : 0, method: 'GET', more: '', headers: {}, before: 'nothing' },
}));

const PATCHES: Record<string, LinkPatch> = {
  'a target': { targetUrl: 'https://example.com/changed' },
  'a pause': { isPaused: true },
  'a revocation': { isRevoked: true },
};

const FLAGS = [
  ...['--app.limits.unknown-codes=5/PT1M', '--app.log.addresses=true', '--app.trusted-proxies=127.0.0.0/8'],
  '--app.cors.allowed-origins=https://app.example',
];

/** Starts a service whose attempts have known ids and salts. `direct` counts those that take no promise. */
async function startKnown(t: TestContext, { isDirect }: { isDirect: boolean }) {
  const counts = { all: 0, direct: 0 };
  function known(attempt: Attempt): Attempt {
    counts.all += 1;
    const salt = String(counts.all).padStart(32, '0');
    return { ...attempt, id: uuidV7(attempt.at, fileIdOf(counts.all)), salt };
  }
  function wrapStore(store: Store): Store {
    const { direct } = store;
    assert.ok(direct);
    const wrapped: Store['direct'] = {
      ...direct,
      attempt(attempt, ...rest) {
        counts.direct += 1;
        direct.attempt(known(attempt), ...rest);
      },
    };
    return {
      ...store,
      attempt: (attempt, isAborted) => store.attempt(known(attempt), isAborted),
      direct: isDirect ? wrapped : undefined,
    };
  }
  const lines: string[] = [];
  const service = await startService(t, {
    ...{ clock, flags: FLAGS, wrapStore, startTimer: testTimers().start },
    onLogLine: (line) => void lines.push(comparable(line)),
  });
  return { ...service, counts, lines };
}
type KnownService = Awaited<ReturnType<typeof startKnown>>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** Returns a text without what no test injects: correlation ids of the service, and the time of the process. */
const comparable = (written: string): string =>
  written.replaceAll(UUID, 'uuid').replaceAll(/"time":"[^"]*"|"ms":[\d.]+|^Date: .*$/gm, '');

/** Sends a request, after what happens before it. Returns the bytes of the response, each as a character. */
async function visit(
  service: KnownService,
  shortCode: string,
  request: Request,
  change: Change,
): Promise<string> {
  const { method, headers, more, before } = request;
  const patch = PATCHES[before];
  if (patch) await service.stores.store.change(shortCode, { patch, versions: null }, change);
  const lines = Object.entries({ host: 'localhost', connection: 'close', 'content-length': 0, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const socket = await openSocket(service);
  socket.setEncoding('latin1');
  socket.write(`${method} /l/${shortCode}${more} HTTP/1.1\r\n${head}\r\n`, 'latin1');
  return comparable(await text(socket));
}
type Change = ReturnType<typeof newChange>;

async function addLink(
  { stores: { store } }: KnownService,
  link: ReturnType<typeof redirectLink>,
  change: Change,
) {
  await store.create(link, change);
  await store.find(link.shortCode); // into the cache
}

test('a visit that takes no promise has the response, log lines and record of one that does', async (t) => {
  const direct = await startKnown(t, { isDirect: true });
  const other = await startKnown(t, { isDirect: false });
  const onBoth = <T>(act: (service: KnownService) => Promise<T>) => Promise.all([act(direct), act(other)]);
  let created = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(REQUEST, { minLength: 10, maxLength: 40 }), async (requests) => {
      const codes = LINKS.map(() => codeOf(created++));
      for (const [index, wanted] of LINKS.entries()) {
        const link = redirectLink(codes[index] ?? '', { createdAt: clock.now, ...wanted });
        const change = newChange({ at: clock.now });
        await onBoth((service) => addLink(service, link, change));
      }
      for (const request of requests) {
        if (request.before === 'a minute') clock.now += MINUTE_MS;
        const change = newChange({ at: clock.now });
        const shortCode = codes[request.link] ?? 'unknown';
        const [response, expected] = await onBoth((service) => visit(service, shortCode, request, change));
        assert.equal(response, expected);
      }
      assert.deepEqual(direct.lines.splice(0), other.lines.splice(0));
      const [rows, expected] = await onBoth(async (service) => readRows(service, ROWS, []));
      assert.deepEqual(rows, expected);
    }),
    { numRuns: 20, endOnFailure: true, examples: [[BLOCKED]] }, // a shorter sequence begins in another state
  );
  assert.ok(direct.counts.direct > 50, `${direct.counts.direct} of ${direct.counts.all}`);
  assert.equal(other.counts.direct, 0);
});

const ROWS = 'SELECT * FROM entry ORDER BY seq';
