import type { OutgoingHttpHeaders } from 'node:http';
import type { RandomInt } from '../../src/core/model/short-code.ts';
import { json, member, type TestResponse } from '../support/http-client.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { pick } from '../support/random.ts';

export const PASSWORD = 'open sesame';
/** A short code that no link has. */
export const UNKNOWN_CODE = 'nolink00';
const TARGET = 'https://example.com/chaos/';
const MAX_FILE_BYTES = 200_000;

export type RequestKind =
  | 'create'
  | 'bulk'
  | 'upload'
  | 'change'
  | 'open'
  | 'head'
  | 'wrong password'
  | 'right password'
  | 'revoke'
  | 'statistics';

/** A link that a request creates. Its target contains its name, which no other link has. */
export type PlannedLink = {
  name: string;
  /** The target URL, or the content of the file. */
  target: { url: string } | { content: Buffer };
  isProtected: boolean;
  maxViews: number | null;
};

/**
 * A link whose creation was acknowledged. `token`: its owner proves by it who changes the link. A repeated request, which
 * has no credentials here, does not get it.
 */
export type KnownLink = PlannedLink & { shortCode: string; token: string | null; acknowledgedAt: number };

/** A request before it is sent. Its user agent is unique, so that its audit record can be found. */
export type Planned = {
  kind: RequestKind;
  agent: string;
  shortCode: string | null;
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** The links that the request creates, unless one with the same Idempotency-Key did. */
  creates?: PlannedLink[];
  /** Set if the request has an Idempotency-Key. */
  isKeyed?: true;
  /** Set if the clients of the load must not choose that link. */
  isPrivate?: true;
};

/** Returns the content of the file that a request uploads. */
export function contentOf(agent: string, sizeBytes: number): Buffer {
  return Buffer.alloc(sizeBytes, `${agent};`);
}

const targetOf = (name: string): string => TARGET + encodeURIComponent(name);

/** Plans a request with a body of JSON. */
function sendsJson(planned: Planned, value: unknown): Planned {
  const headers = { ...planned.headers, 'content-type': 'application/json' };
  return { ...planned, headers, body: JSON.stringify(value) };
}

/** Plans a request that creates a link to a URL, which names the request. `receiver` gets the events of the link. */
export function planCreation(
  agent: string,
  wanted: { password?: string; maxViews?: number | null; receiver?: string | undefined } = {},
): Planned {
  const { password, maxViews = null, receiver } = wanted;
  const url = targetOf(agent);
  const notifyUrl = receiver && `${receiver}/${encodeURIComponent(agent)}`;
  const members = {
    targetUrl: url,
    ...(password && { password }),
    ...(maxViews && { maxViews }),
    ...(notifyUrl && { notifyUrl }),
  };
  return {
    ...sendsJson(request('create', 'POST', '/api/links', agent), members),
    creates: [{ name: agent, target: { url }, isProtected: password !== undefined, maxViews }],
  };
}

/** Plans one request that creates several links. */
function planBulk(agent: string, count: number): Planned {
  const creates = Array.from({ length: count }, (_, index) => {
    const name = `${agent} item ${index}`;
    return { name, target: { url: targetOf(name) }, isProtected: false, maxViews: null };
  });
  const items = creates.map(({ target }) => ({ targetUrl: target.url }));
  return { ...sendsJson(request('bulk', 'POST', '/api/links/bulk', agent), { items }), creates };
}

/** Plans a change of a link, whose label then names the request. */
export function planChange(shortCode: string, token: string, agent: string): Planned {
  const planned = sendsJson(request('change', 'PATCH', `/api/links/${shortCode}`, agent), { label: agent });
  return { ...planned, shortCode, headers: { ...planned.headers, 'x-link-token': token } };
}

/** Gives a request an Idempotency-Key, which names it. */
function withKey(planned: Planned): Planned {
  const key = encodeURIComponent(planned.agent);
  return { ...planned, isKeyed: true, headers: { ...planned.headers, 'idempotency-key': key } };
}

/** Plans the same request again, with or without a response to the first. Only its user agent differs. */
function planRepeat(first: Planned, agent: string): Planned {
  return { ...first, agent, headers: { ...first.headers, 'user-agent': agent } };
}

/** Plans an upload, whose file is named after the request. */
export function planUpload(
  agent: string,
  { sizeBytes, maxViews = null }: { sizeBytes: number; maxViews?: number | null },
): Planned {
  const content = contentOf(agent, sizeBytes);
  const texts = maxViews === null ? [] : fields({ maxViews: String(maxViews) });
  return {
    ...request('upload', 'POST', '/api/links/upload', agent),
    headers: { ...headersOf(agent), ...MULTIPART_HEADERS },
    body: encodeForm([...texts, file(content, `${agent}.bin`)]),
    creates: [{ name: agent, target: { content }, isProtected: false, maxViews }],
  };
}

/** Plans an attempt to open a link. */
export function planAttempt(
  kind: 'open' | 'head' | 'wrong password' | 'right password',
  shortCode: string,
  agent: string,
): Planned {
  const planned = request(kind, kind === 'head' ? 'HEAD' : 'GET', `/l/${shortCode}`, agent);
  if (kind === 'wrong password') planned.headers['x-link-password'] = 'a wrong guess';
  if (kind === 'right password') planned.headers['x-link-password'] = PASSWORD;
  return { ...planned, shortCode };
}

export function planRevocation(shortCode: string, agent: string): Planned {
  return { ...request('revoke', 'DELETE', `/l/${shortCode}`, agent), shortCode };
}

/** The first links are those that every arena begins with. */
const SHARED_LINKS = 11;
/** Only the last links are revoked, so that the shared ones stay. */
const RECENT_LINKS = 40;
const STATISTICS = ['access/summary', 'access/hourly', 'access/daily', 'links', 'links/top?limit=10'];

const MAX_BULK_LINKS = 4;

/** The knowledge of clients: the links that they may choose, requests with an Idempotency-Key, and a receiver of webhooks. */
type Known = { links: readonly KnownLink[]; keyed: readonly Planned[]; receiver: string };

/** Chooses a request that creates something: a repeated one creates nothing more. */
function planRandomCreation(random: RandomInt, { keyed, receiver }: Known, agent: string): Planned {
  const luck = random(12);
  if (luck < 2 && keyed.length > 0) return planRepeat(pick(random, keyed), agent);
  const planned =
    luck < 4
      ? planBulk(agent, 1 + random(MAX_BULK_LINKS))
      : luck < 7
        ? planUpload(agent, { sizeBytes: 1 + random(MAX_FILE_BYTES) })
        : planCreation(agent, {
            maxViews: pick(random, [null, 1, 2, 5]),
            receiver: luck < 10 ? receiver : undefined,
          });
  return random(2) === 0 ? withKey(planned) : planned;
}

/** Chooses the next request of a client: mostly visits, some changes, a few statistics. */
export function planRandom(random: RandomInt, known: Known, agent: string): Planned {
  const { links } = known;
  const luck = random(100);
  if (links.length === 0) return planCreation(agent); // a fault took all others away
  // Half of the visits share a few links, so that batches contend for them; the others spread.
  const link = pick(random, random(2) === 0 ? links.slice(0, SHARED_LINKS) : links);
  const recent = links.slice(SHARED_LINKS).at(-1 - random(RECENT_LINKS));
  if (!recent || luck < 18) return planRandomCreation(random, known, agent);
  if (luck < 21 && link.token !== null) return planChange(link.shortCode, link.token, agent);
  if (luck < 24) return planRevocation(recent.shortCode, agent);
  if (luck < 26) return planStatistics(random, agent);
  if (luck < 34) return planAttempt('head', link.shortCode, agent);
  if (luck < 36) return planAttempt('open', UNKNOWN_CODE, agent);
  const isGuess = link.isProtected && luck < 92;
  if (!isGuess) return planAttempt('open', link.shortCode, agent);
  return planAttempt(luck % 2 === 0 ? 'right password' : 'wrong password', link.shortCode, agent);
}

function planStatistics(random: RandomInt, agent: string): Planned {
  return request('statistics', 'GET', `/api/stats/${pick(random, STATISTICS)}`, agent);
}

function request(kind: RequestKind, method: Planned['method'], path: string, agent: string): Planned {
  return { kind, agent, shortCode: null, method, path, headers: headersOf(agent) };
}

/** Returns headers of one of some hundred clients, which the statistics count as unique addresses. */
function headersOf(agent: string): OutgoingHttpHeaders {
  const number = Number(/\d+$/.exec(agent)?.[0] ?? 0);
  return { 'user-agent': agent, 'x-forwarded-for': `203.0.113.${number % 250}` };
}

/** Returns the statuses that a request gets while nothing is wrong. */
export function normalStatuses({
  kind,
  shortCode,
  isKeyed,
  link,
}: Pick<Planned, 'kind' | 'shortCode' | 'isKeyed'> & { link?: KnownLink }): number[] {
  if (kind === 'create' || kind === 'upload' || kind === 'bulk')
    return [kind === 'bulk' ? 200 : 201, ...(isKeyed ? [409] : [])]; // 409: the other one is still running
  if (kind === 'change') return [200, 409];
  if (kind === 'statistics') return [200];
  if (kind === 'revoke') return [204];
  if (shortCode === UNKNOWN_CODE) return [404];
  if (link?.isProtected && kind !== 'right password') return [401, 410];
  return [kind === 'head' || (link && 'content' in link.target) ? 200 : 302, 410];
}

/** Returns whether a response shows the target of its link, all bytes of its file included. */
export function showsTarget(link: KnownLink, response: TestResponse): boolean {
  if ('url' in link.target) return response.status === 302 && response.headers.location === link.target.url;
  return response.status === 200 && response.body.equals(link.target.content);
}

/** Returns the links that a response acknowledges, and its status: that of an item that failed, if any did. */
export function readCreations(
  { kind, creates = [] }: Planned,
  response: TestResponse,
): { links: KnownLink[]; status: number } {
  const { status } = response;
  const acknowledgedAt = performance.now();
  if (creates.length === 0 || status > 201) return { links: [], status };
  const results: unknown[] =
    kind === 'bulk'
      ? Object(member(json(response), 'results'))
      : [{ status, link: { ...Object(json(response)), token: response.headers['x-link-token'] } }];
  const links = creates.flatMap((planned, index) => {
    const link = member(results[index], 'link');
    if (link === undefined) return [];
    const token = member(link, 'token');
    const shortCode = String(member(link, 'shortCode'));
    return [{ ...planned, shortCode, token: typeof token === 'string' ? token : null, acknowledgedAt }];
  });
  const failed = results.map((result) => Number(member(result, 'status'))).find((each) => each >= 400);
  return { links, status: failed ?? status };
}
