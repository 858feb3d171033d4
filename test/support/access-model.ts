import { SCOPES, type Scope } from '../../src/core/model/people/caller.ts';
import type { RequestOptions } from './http-client.ts';
import { TARGET } from './links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from './multipart.ts';
import { CHUNK_HEADERS, TUS } from './uploads.ts';

// The model of who may do what, independent of the code: test/http/access.test.ts compares the service with it.

export const PASSWORD = 'secret-password';
export const PASSWORDS = {
  none: {},
  wrong: { 'x-link-password': 'wrong' },
  right: { 'x-link-password': PASSWORD },
};
export type Password = keyof typeof PASSWORDS;

export const STATES = ['active', 'expired', 'exhausted', 'revoked', 'unknown', 'file missing'] as const;
export type State = (typeof STATES)[number];

/** Who sends a request, as far as the model knows. */
export type Sender = {
  /** Of a key or a person. Absent without valid credentials of either. */
  scopes?: readonly Scope[];
  /** The sender owns the links, or is in the team that they are shared with. */
  isHolder?: true;
  isWrongKey?: true;
  token?: 'RIGHT' | 'WRONG';
  /** A page of another site sends the request, with the cookie of the session. */
  isFromOtherSite?: true;
};

export const SENDERS = {
  nothing: {},
  'wrong key': { isWrongKey: true },
  'key of a deactivated owner': { isWrongKey: true },
  'session of a deactivated person': {},
  'key with all scopes': { scopes: SCOPES },
  'session with all scopes': { scopes: SCOPES },
  'session from another site': { scopes: SCOPES, isFromOtherSite: true },
  'person without a scope': { scopes: [] },
  owner: { scopes: ['create'], isHolder: true },
  'key of the owner': { scopes: ['create'], isHolder: true },
  'key of the owner without a scope': { scopes: [], isHolder: true },
  member: { scopes: ['create'], isHolder: true },
  'key of a member': { scopes: ['create'], isHolder: true },
  'former member': { scopes: ['create'] },
  'create alone': { scopes: ['create'] },
  'read alone': { scopes: ['read'] },
  'manage alone': { scopes: ['manage'] },
  'metrics alone': { scopes: ['metrics'] },
  'admin alone': { scopes: ['admin'] },
  'link token': { token: 'RIGHT' },
  'token of another link': { token: 'WRONG' },
  'empty token': { token: 'WRONG' },
  'undefined token': { token: 'WRONG' },
} as const satisfies Record<string, Sender> & Record<`${Scope} alone`, Sender>;
export type SenderName = keyof typeof SENDERS;
export const SENDER_NAMES = Object.keys(SENDERS) as SenderName[];

export type Mode = 'open' | 'keys';
/** The needs of a route in the mode `keys`: see the promises in SECURITY.md. */
export type Need = 'nothing' | 'nothing, but no wrong key' | 'any key' | 'create or read' | Scope;

export type Row = {
  need: Need;
  /** The token of the link does as well, and so does the scope create of its owner or of a member of its team. */
  ofLink?: true;
  /** The need holds in the mode `open` too. */
  alsoWhenOpen?: true;
  /** The statuses of a request that is allowed; empty if they depend on the link, as `linkStatus` has them. */
  statuses: number[];
  path?: string;
  body?: RequestOptions;
};

const page: Row = { need: 'nothing', statuses: [200] };
const statistic: Row = { need: 'read', statuses: [200] };
const creation = {
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ targetUrl: TARGET }),
};
const json = (value: unknown) => ({ headers: creation.headers, body: JSON.stringify(value) });
const form = { headers: MULTIPART_HEADERS, body: encodeForm([file('content')]) };

const visitorUpload: Row = { need: 'nothing', statuses: [404] };
const upload: Row = {
  need: 'create',
  statuses: [404],
  path: '/api/uploads/6c2f6f0a-3b9d-4c61-9f0e-2b6f8f6f1a10',
};

/** Every route. HEAD is as GET, where there is one. */
export const ROWS: Record<string, Row> = {
  'GET /l/*': { need: 'nothing', statuses: [] },
  'POST /l/*': { need: 'nothing', statuses: [] },
  'DELETE /l/*': { need: 'manage', ofLink: true, statuses: [] },
  'DELETE /api/links/:shortCode': { need: 'manage', ofLink: true, statuses: [] },
  'GET /api/links/:shortCode': { need: 'read', ofLink: true, statuses: [] },
  'GET /api/links/:shortCode/qr': { need: 'read', ofLink: true, statuses: [] },
  'PATCH /api/links/:shortCode': {
    ...{ need: 'manage', ofLink: true, alsoWhenOpen: true, statuses: [] },
    body: { headers: { 'content-type': 'application/json' }, body: '{}' },
  },
  'POST /api/links/:shortCode/short-code': {
    ...{ need: 'manage', ofLink: true, alsoWhenOpen: true, statuses: [] },
    body: { headers: { ...creation.headers, 'if-match': '"99"' }, body: '{}' },
  },
  /** Only people may send mails, and here is no mail server. */
  'POST /api/links/:shortCode/mail': {
    ...{ need: 'manage', ofLink: true, alsoWhenOpen: true, statuses: [403] },
    body: json({ email: 'ann@example.com' }),
  },
  'PUT /api/links/:shortCode/file': {
    ...{ need: 'manage', ofLink: true, alsoWhenOpen: true, statuses: [] },
    body: { headers: MULTIPART_HEADERS, body: encodeForm([]) },
  },
  'GET /api/links/:shortCode/files': { need: 'read', ofLink: true, statuses: [200] },
  'GET /api/links/:shortCode/submissions': { need: 'read', ofLink: true, alsoWhenOpen: true, statuses: [] },
  /** For visitors, as the link itself. The link of the test asks for no files. */
  'POST /api/links/:shortCode/submissions': {
    ...{ need: 'nothing', statuses: [409] },
    body: { headers: MULTIPART_HEADERS, body: encodeForm([]) },
  },
  'GET /api/links/:shortCode/history': { need: 'read', ofLink: true, alsoWhenOpen: true, statuses: [] },
  'GET /api/links/:shortCode/checkpoint': { need: 'read', ofLink: true, alsoWhenOpen: true, statuses: [200] },
  /** For everyone: a checkpoint has hashes alone. The log of the test has none yet. */
  'GET /checkpoint': { need: 'nothing', statuses: [404] },
  'GET /checkpoint/key': { need: 'nothing', statuses: [404] },
  'POST /api/checkpoint-key': { need: 'admin', alsoWhenOpen: true, statuses: [409], body: json({}) },
  'GET /api/audit': { need: 'read', alsoWhenOpen: true, statuses: [200] },
  'GET /api/notifications/failed': { need: 'manage', alsoWhenOpen: true, statuses: [200] },
  'DELETE /api/notifications/failed': { need: 'manage', alsoWhenOpen: true, statuses: [204] },
  'POST /api/notifications/:id/retry': {
    need: 'manage',
    alsoWhenOpen: true,
    statuses: [409],
    path: '/api/notifications/msg_1/retry',
  },
  'DELETE /api/notifications/:id': {
    need: 'manage',
    alsoWhenOpen: true,
    statuses: [404],
    path: '/api/notifications/msg_1',
  },
  /** Without the scope read, it responds with own links and those of own teams only. */
  'GET /api/links': { need: 'create or read', alsoWhenOpen: true, statuses: [200] },
  'POST /api/links': { need: 'create', statuses: [201], body: creation },
  'POST /api/links/bulk': { need: 'create', statuses: [200], body: json({ items: [{ targetUrl: TARGET }] }) },
  /** Decides for each link in the body; without their tokens there, it needs a key. */
  'POST /api/links/revoke': {
    ...{ need: 'any key', alsoWhenOpen: true, statuses: [200] },
    body: json({ shortCodes: ['unknown1'] }),
  },
  'POST /api/links/upload': { need: 'create', statuses: [201], body: form },
  'POST /api/uploads': {
    ...{ need: 'create', statuses: [201] },
    body: { headers: { ...TUS, 'upload-length': '1' } },
  },
  /** For visitors: of a file request, which the link of the test is not. */
  'POST /api/links/:shortCode/uploads': {
    ...visitorUpload,
    body: { headers: { ...TUS, 'upload-length': '1' } },
  },
  'HEAD /api/links/:shortCode/uploads/:uploadId': { ...visitorUpload, body: { headers: TUS } },
  'PATCH /api/links/:shortCode/uploads/:uploadId': {
    ...visitorUpload,
    body: { headers: { ...CHUNK_HEADERS, 'upload-offset': '0' }, body: 'x' },
  },
  'DELETE /api/links/:shortCode/uploads/:uploadId': { ...visitorUpload, body: { headers: TUS } },
  'HEAD /api/uploads/:uploadId': { ...upload, body: { headers: TUS } },
  'PATCH /api/uploads/:uploadId': {
    ...upload,
    body: { headers: { ...CHUNK_HEADERS, 'upload-offset': '0' }, body: 'x' },
  },
  'DELETE /api/uploads/:uploadId': { ...upload, body: { headers: TUS } },
  ...Object.fromEntries(
    [
      ...'access/summary access-summary access/hourly hourly-access access/daily daily-access'.split(' '),
      ...['access/over-time', 'access/by-result', 'access-by-result', 'access/failures'],
      ...['links', 'link-status', 'links/sent', 'links/top', 'security/exceptions', 'referrers', 'devices'],
    ].map((name) => [`GET /api/stats/${name}`, statistic]),
  ),
  'GET /api/stats/storage': { need: 'admin', alsoWhenOpen: true, statuses: [200] },
  'GET /api/stats/storage/mine': { need: 'create', statuses: [200] },
  'GET /api/stats/mine': { need: 'create', alsoWhenOpen: true, statuses: [200] },
  'POST /api/sessions': { need: 'nothing', statuses: [401], body: json({ name: 'nobody', password: 'x' }) },
  'PUT /api/password': { need: 'nothing, but no wrong key', statuses: [400], body: json({}) },
  'POST /api/password/link': { need: 'nothing', statuses: [410], body: json({ token: 'setup_x' }) },
  'GET /api/sessions': { need: 'any key', alsoWhenOpen: true, statuses: [200] },
  'PUT /api/display-name': {
    ...{ need: 'any key', alsoWhenOpen: true, statuses: [400] },
    body: json({}),
  },
  'DELETE /api/sessions/:id': {
    ...{ need: 'any key', alsoWhenOpen: true, statuses: [404] },
    path: '/api/sessions/unknown',
  },
  'GET /api/people': { need: 'admin', alsoWhenOpen: true, statuses: [200] },
  'GET /api/people/names': { need: 'create', alsoWhenOpen: true, statuses: [200] },
  'POST /api/people': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [400] },
    body: json({ name: ' ', scopes: [] }),
  },
  'PATCH /api/people/:name': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [404], path: '/api/people/nobody' },
    body: json({}),
  },
  'POST /api/people/:name/password-link': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [404], path: '/api/people/nobody/password-link' },
  },
  'POST /api/people/:name/password-link/mail': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [404], path: '/api/people/missing/password-link/mail' },
    body: json({ token: 'setup_x' }),
  },
  'GET /api/teams': { need: 'any key', alsoWhenOpen: true, statuses: [200] },
  'POST /api/teams': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [400] },
    body: json({ name: 'x', members: ['nobody'] }),
  },
  'PATCH /api/teams/:name': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [404], path: '/api/teams/none', body: json({}) },
  },
  'DELETE /api/teams/:name': { need: 'admin', alsoWhenOpen: true, statuses: [404], path: '/api/teams/none' },
  'POST /api/erasures': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [200, 403] },
    body: json({ ipAddress: '192.0.2.1', isDryRun: true }),
  },
  'POST /api/links/import': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [200, 403] },
    body: json({ from: 'csv', isDryRun: true, items: [{ shortCode: 'none', targetUrl: TARGET }] }),
  },
  'POST /api/backups': {
    ...{ need: 'admin', alsoWhenOpen: true, statuses: [204] },
    body: json({ startedAt: '2026-06-01T00:00:00Z' }),
  },
  'GET /api/keys': { need: 'any key', alsoWhenOpen: true, statuses: [200] },
  /** Of others: with the scope admin. */
  'POST /api/keys': {
    ...{ need: 'any key', alsoWhenOpen: true, statuses: [400, 403] },
    body: json({ name: 'x', scopes: ['read'], owner: 'nobody' }),
  },
  'DELETE /api/keys/:name': { need: 'any key', alsoWhenOpen: true, statuses: [404], path: '/api/keys/none' },
  'GET /api/settings': { need: 'nothing, but no wrong key', statuses: [200] },
  'GET /actuator/health': { need: 'nothing, but no wrong key', statuses: [200, 503] },
  'GET /actuator/health/liveness': page,
  'GET /actuator/health/readiness': { need: 'nothing', statuses: [200, 503] },
  'GET /actuator/prometheus': { need: 'metrics', statuses: [200] },
  'GET /': page,
  'GET /manifest.webmanifest': page,
  'GET /dashboard': page,
  'GET /people': page,
  'GET /sign-in': page,
  'GET /account': page,
  'GET /links': page,
  'GET /verify': page,
  'GET /links/:shortCode': { ...page, path: '/links/unknown1' },
  'GET /assets/:name': { need: 'nothing', statuses: [404], path: '/assets/none.js' },
  'GET /openapi.json': { need: 'any key', statuses: [200] },
  'GET /docs': page,
};

/** Returns the row of a route, if it has one. */
export function rowOf(method: string, url: string): Row | undefined {
  return ROWS[`${method} ${url}`] ?? (method === 'HEAD' ? ROWS[`GET ${url}`] : undefined);
}

const SAFE_METHODS = ['GET', 'HEAD'];

/** Returns the status of a refused request, or undefined for one that is allowed. This is the model. */
export function refusalOf(
  { mode, method, row }: { mode: Mode; method: string; row: Row },
  { scopes, isHolder, isWrongKey, token, isFromOtherSite }: Sender,
  state: State,
): number | undefined {
  if (isFromOtherSite && !SAFE_METHODS.includes(method)) return 403;
  if (row.need === 'nothing') return undefined;
  if (isWrongKey) return 401;
  if (row.ofLink && token) return token === 'RIGHT' && state !== 'unknown' ? undefined : 403;
  if ((mode === 'open' && !row.alsoWhenOpen) || row.need.startsWith('nothing')) return undefined;
  if (!scopes) return 401;
  if (row.need === 'any key') return undefined;
  if (row.ofLink && isHolder && scopes.includes('create') && state !== 'unknown') return undefined;
  return scopes.some((scope) => row.need.split(' or ').includes(scope)) ? undefined : 403;
}

/** Returns the status of an allowed request to a link. */
export function linkStatus(method: string, url: string, state: State, password: Password): number {
  if (state === 'unknown') return 404;
  if (method === 'PATCH') return state === 'revoked' ? 409 : 200;
  if (url.endsWith('/short-code')) return state === 'revoked' ? 409 : 412;
  if (method === 'PUT') return state === 'file missing' ? 400 : 409; // the others lead to a URL
  if (method === 'DELETE') return 204;
  if (url !== '/l/*') return 200;
  if (state === 'revoked') return 410;
  if (password !== 'right') return 401;
  if (state === 'expired' || state === 'exhausted') return 410;
  if (state === 'file missing') return 404;
  return { GET: 302, HEAD: 200, POST: 303 }[method] ?? 0;
}
