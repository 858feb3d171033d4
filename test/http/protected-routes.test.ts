import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import test from 'node:test';
import { exchange, type RequestOptions, send } from '../support/http-client.ts';
import { createLink, openLink, revokeLink, uploadFile } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const PASSWORD = 'secret-password';
/** The target, and of a file also the SHA-256. */
const SECRET = new RegExp(
  ['secret-(target|name|content)', digest('hex'), digest('base64').replaceAll('+', '\\+')].join('|'),
);

function digest(encoding: 'hex' | 'base64'): string {
  return hash('sha256', 'secret-content', encoding);
}

const LATER = '2026-06-15T13:00:00Z';

const KINDS: [
  name: string,
  make: (service: TestService, wanted: Record<string, string>) => Promise<string>,
][] = [
  [
    'a URL',
    (service, { maxViews, ...wanted }) =>
      createLink(service, {
        targetUrl: 'https://secret-target.example/',
        ...wanted,
        ...(maxViews && { maxViews: Number(maxViews) }),
      }),
  ],
  [
    'a file',
    (service, fields) => uploadFile(service, 'secret-content', { fileName: 'secret-name.txt', fields }),
  ],
];

/** The visitor and the link: only `right` may get the target. */
const STATES = ['no password', 'wrong', 'right', 'expired', 'exhausted', 'revoked'] as const;
type State = (typeof STATES)[number];

const RIGHT = { 'x-link-password': PASSWORD };
const HEADERS: Record<State, Record<string, string>> = {
  'no password': {},
  wrong: { 'x-link-password': 'wrong' },
  right: RIGHT,
  expired: RIGHT,
  exhausted: RIGHT,
  revoked: RIGHT,
};

/** The status for each refused visitor. */
const DENIED: Record<Exclude<State, 'right'>, number> = {
  'no password': 401,
  wrong: 401,
  expired: 410,
  exhausted: 410,
  revoked: 410,
};

type Route = {
  name: string;
  options: RequestOptions;
  path?: (code: string) => string;
  granted: number[];
  shows: boolean;
  always?: number;
};

const encoded = (code: string) =>
  `/l/${[...Buffer.from(code)].map((byte) => `%${byte.toString(16)}`).join('')}`;
const GRANTED = [200, 302];

/** Every way to reach a link. Revoking comes last, because it needs no password and ends the link. */
const ROUTES: Route[] = [
  { name: 'GET', options: {}, granted: GRANTED, shows: true },
  { name: 'GET for JSON', options: { headers: { accept: 'application/json' } }, granted: [200], shows: true },
  { name: 'GET for a page', options: { headers: { accept: 'text/html' } }, granted: GRANTED, shows: true },
  { name: 'GET of a range', options: { headers: { range: 'bytes=0-3' } }, granted: GRANTED, shows: true },
  {
    name: 'GET with a query',
    options: {},
    path: (code) => `/l/${code}?password=${PASSWORD}`,
    granted: GRANTED,
    shows: true,
  },
  { name: 'GET of the code, percent-encoded', options: {}, path: encoded, granted: GRANTED, shows: true },
  { name: 'HEAD', options: { method: 'HEAD' }, granted: [200], shows: false },
  { name: 'prefetch', options: { headers: { 'sec-purpose': 'prefetch' } }, granted: [200], shows: false },
  { name: 'POST', options: { method: 'POST' }, granted: [200, 303], shows: true },
  {
    name: 'POST from another site',
    options: { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } },
    granted: [403],
    shows: false,
    always: 403,
  },
  ...['PUT', 'PATCH', 'PROPFIND'].map((method) => ({
    name: method,
    options: { method },
    granted: [405],
    shows: false,
    always: 405,
  })),
  { name: 'OPTIONS', options: { method: 'OPTIONS' }, granted: [204], shows: false, always: 204 },
  ...['/download', '/file', '/info', '/raw', '.json'].map((suffix) => ({
    name: `GET …${suffix}`,
    options: {},
    path: (code: string) => `/l/${code}${suffix}`,
    granted: [404],
    shows: false,
    always: 404,
  })),
  { name: 'DELETE', options: { method: 'DELETE' }, granted: [204], shows: false, always: 204 },
];

for (const [kind, make] of KINDS) {
  test(`no route reveals ${kind}`, async (t) => {
    const service = await startService(t);
    const codes = new Map<State, string>();
    for (const state of STATES) {
      const restriction = { expired: { expiresAt: LATER }, exhausted: { maxViews: '1' } };
      const wanted = state === 'expired' || state === 'exhausted' ? restriction[state] : {};
      codes.set(state, await make(service, { password: PASSWORD, ...wanted }));
    }
    assert.ok((await openLink(service, codes.get('exhausted') ?? '', RIGHT)).status < 400);
    await revokeLink(service, codes.get('revoked') ?? '');
    service.clock.now = Date.parse(LATER) + 1;

    for (const { name, options, path = (code: string) => `/l/${code}`, granted, shows, always } of ROUTES) {
      const attempts = [...codes].map(async ([state, code]) => {
        const mayPass = state === 'right';
        const headers = { ...options.headers, ...HEADERS[state] };
        const response = await send(service, path(code), { ...options, headers });
        const expected = mayPass ? granted : [always ?? DENIED[state]];
        assert.ok(expected.includes(response.status), `${name}: ${state}: ${response.status}`);
        const revealed = JSON.stringify(response.headers) + response.text;
        assert.equal(SECRET.test(revealed), mayPass && shows, `${name}: ${state}: ${revealed}`);
      });
      await Promise.all(attempts);
    }
  });
}

test('no other endpoint reveals a target, a file name or a password', async () => {
  const service = await sharedService();
  for (const [, make] of KINDS) {
    const code = await make(service, { password: PASSWORD });
    for (const headers of [RIGHT, HEADERS.wrong, {}]) await openLink(service, code, headers);
  }
  const documents = ['/', '/docs', '/openapi.json', '/actuator/health', '/actuator/prometheus'];
  const statistics = [
    'links',
    'links/top',
    'security/exceptions',
    'access/summary',
    'access/hourly',
    'access/daily',
  ];
  const results = ['access/by-result?previews=true', 'access/failures'];
  for (const path of [...documents, ...[...statistics, ...results].map((name) => `/api/stats/${name}`)]) {
    const { text } = await send(service, path);
    assert.doesNotMatch(text, /secret-(target|name|content|password)|argon2/, path);
  }
});

test('a request in absolute form runs the same checks', async () => {
  const service = await sharedService();
  const code = await createLink(service, { password: PASSWORD });
  const open = (header: string) =>
    exchange(
      service,
      `GET http://any.example/l/${code} HTTP/1.1\r\nHost: any.example\r\n${header}Connection: close\r\n\r\n`,
    );
  assert.equal((await open('')).status, 401);
  assert.equal((await open(`X-Link-Password: ${PASSWORD}\r\n`)).status, 302);
});
