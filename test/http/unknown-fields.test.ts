import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertErrorRecord,
  json,
  member,
  send,
  sendJson,
  type TestResponse,
} from '../support/http-client.ts';
import { countRows, shortCodeOf, TARGET } from '../support/links.ts';
import { fields, file, type Part, sendForm } from '../support/multipart.ts';
import { sharedService } from '../support/shared-service.ts';

const ignoredBy = ({ headers }: TestResponse) => headers['x-ignored-fields'];

const NEAR_MISSES: [name: string, meant: string][] = [
  ['maxview', 'maxViews'],
  ['MAXVIEWS', 'maxViews'],
  ['max_views', 'maxViews'],
  ['expires-at', 'expiresAt'],
  ['pasword', 'password'],
  ['tag', 'tags'],
];
const many = (prefix = '') =>
  Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${prefix}${index}`, 1]));

test('an unknown field is refused where it is a near miss', async () => {
  const service = await sharedService();
  const managed = await sendJson(service, '/api/links', { targetUrl: TARGET });
  const token = { 'x-link-token': String(managed.headers['x-link-token']) };
  const link = `/api/links/${shortCodeOf(managed)}`;
  const [linksBefore, create] = [countRows(service, 'link'), { targetUrl: TARGET }];
  const post = (body: object) => sendJson(service, '/api/links', body);
  const upload = (...parts: Part[]) => sendForm(service, [file('a'), ...parts]);
  const didYouMean = (name: string, meant: string) => `${name}: unknown; did you mean ${meant}`;
  const cases: [path: string, sent: Promise<TestResponse>, message: string][] = [
    ...NEAR_MISSES.map(([name, meant]): [string, Promise<TestResponse>, string] => [
      '/api/links',
      post({ ...create, [name]: 3 }),
      didYouMean(name, meant),
    ]),
    ['/api/links', post({ ...create, ...many(), max_views: 1 }), didYouMean('max_views', 'maxViews')],
    ['/api/links', post({ request: { message: 'Photos', maxfiles: 3 } }), didYouMean('maxfiles', 'maxFiles')],
    ['/api/links/upload', upload(...fields({ maxviews: '3' })), didYouMean('maxviews', 'maxViews')],
    ['/api/links/upload', upload({ ...file('a'), name: 'files' }), didYouMean('files', 'file')],
    [
      '/api/links/upload',
      upload({ ...file('secret'), name: 'password' }),
      'password: must be a text field, not a file',
    ],
    [
      link,
      sendJson(service, link, { pause: true }, { method: 'PATCH', headers: token }),
      didYouMean('pause', 'paused'),
    ],
    ['/api/stats/links/top', send(service, '/api/stats/links/top?limits=1'), didYouMean('limits', 'limit')],
  ];
  for (const [path, sent, message] of cases) assertErrorRecord(await sent, { status: 400, message, path });
  assert.partialDeepStrictEqual(json(await post({ ...create, tag: 3 })), {
    code: 'UNKNOWN_FIELD',
    params: { meant: 'tags' },
  });
  assert.equal(countRows(service, 'link'), linksBefore, 'a refused request creates nothing');
});

test('X-Ignored-Fields names the other unknown fields of a request', async () => {
  const service = await sharedService();
  const managed = await sendJson(service, '/api/links', { targetUrl: TARGET });
  const headers = { 'x-link-token': String(managed.headers['x-link-token']) };
  const link = `/api/links/${shortCodeOf(managed)}`;
  const post = (more: object) => sendJson(service, '/api/links', { targetUrl: TARGET, ...more });
  const begin = (list: object) => sendJson(service, '/api/uploads', list);
  const part = { fileName: 'a', sizeBytes: 1 };
  const changed = sendJson(service, link, { label: 'a', colour: 'red' }, { method: 'PATCH', headers });
  for (const [sent, status, ignored] of [
    [post({ colour: 'red', 'a, ü': 1 }), 201, 'colour, a%2C%20%C3%BC'],
    [post({}), 201, undefined],
    [sendForm(service, [...fields({ colour: 'red' }), file('a')]), 201, 'colour'],
    [changed, 200, 'colour'],
    [send(service, '/api/stats/links/top?page=2'), 200, 'page'],
    [begin({ files: [{ ...part, colour: 'red' }, part], owner: 'ada' }), 201, 'owner, colour'],
    [send(service, `/l/${shortCodeOf(managed)}?limits=1`), 302, undefined], // a visit ignores parameters
  ] as const)
    assert.deepEqual([(await sent).status, ignoredBy(await sent)], [status, ignored]);
  const header = String(ignoredBy(await post(many('unbekannt'.repeat(5)))));
  assert.ok(header.length > 900 && header.length <= 1_000, `${header.length}`);
});

test('a misspelt member of a bulk item is the error of that item alone', async () => {
  const service = await sharedService();
  const items = [
    { targetUrl: TARGET, maxview: 1 },
    { targetUrl: TARGET, colour: 1 },
  ];
  const response = await sendJson(service, '/api/links/bulk', { items, dryRun: true });
  const [refused, created] = Object.values(Object(member(json(response), 'results')));
  assert.equal(member(member(refused, 'error'), 'message'), 'maxview: unknown; did you mean maxViews');
  assert.equal(member(created, 'status'), 201);
  assert.equal(ignoredBy(response), 'dryRun, colour');
});
