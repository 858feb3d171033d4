import type { OutgoingHttpHeaders } from 'node:http';
import type { RandomInt } from '../../src/links/short-code.ts';
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
  | 'upload'
  | 'open'
  | 'head'
  | 'wrong password'
  | 'right password'
  | 'revoke'
  | 'statistics';

/** A link whose creation was acknowledged. */
export type KnownLink = {
  shortCode: string;
  /** The target URL, or the content of the file. */
  target: { url: string } | { content: Buffer };
  isProtected: boolean;
  maxViews: number | null;
  acknowledgedAt: number;
};

/** A request before it is sent. Its user agent is unique, so that its audit record can be found. */
export type Planned = {
  kind: RequestKind;
  agent: string;
  shortCode: string | null;
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  path: string;
  headers: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** The link that the request creates. */
  creates?: Omit<KnownLink, 'shortCode' | 'acknowledgedAt'>;
  /** Set if the clients of the load must not choose that link. */
  isPrivate?: true;
};

/** Returns the content of the file that a request uploads. */
export function contentOf(agent: string, sizeBytes: number): Buffer {
  return Buffer.alloc(sizeBytes, `${agent};`);
}

/** Plans a request that creates a link to a URL, which names the request. */
export function planCreation(
  agent: string,
  { password, maxViews = null }: { password?: string; maxViews?: number | null } = {},
): Planned {
  const url = TARGET + encodeURIComponent(agent);
  const members = { targetUrl: url, ...(password && { password }), ...(maxViews && { maxViews }) };
  return {
    ...request('create', 'POST', '/api/links', agent),
    headers: { ...headersOf(agent), 'content-type': 'application/json' },
    body: JSON.stringify(members),
    creates: { target: { url }, isProtected: password !== undefined, maxViews },
  };
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
    creates: { target: { content }, isProtected: false, maxViews },
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

/** Chooses the next request of a client: mostly visits, some changes, a few statistics. */
export function planRandom(random: RandomInt, links: readonly KnownLink[], agent: string): Planned {
  const luck = random(100);
  if (links.length === 0) return planCreation(agent); // a fault took all others away
  // Half of the visits share a few links, so that batches contend for them; the others spread.
  const link = pick(random, random(2) === 0 ? links.slice(0, SHARED_LINKS) : links);
  const recent = links.slice(SHARED_LINKS).at(-1 - random(RECENT_LINKS));
  if (!recent || luck < 12) return planCreation(agent, { maxViews: pick(random, [null, 1, 2, 5]) });
  if (luck < 20) return planUpload(agent, { sizeBytes: 1 + random(MAX_FILE_BYTES) });
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
  link,
}: Pick<Planned, 'kind' | 'shortCode'> & { link?: KnownLink }): number[] {
  if (kind === 'create' || kind === 'upload') return [201];
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

/** Returns the link that a response acknowledges, or undefined when its request creates none. */
export function createdLink({ creates }: Planned, response: TestResponse): KnownLink | undefined {
  if (!creates || response.status !== 201) return undefined;
  const shortCode = String(member(json(response), 'shortCode'));
  return { ...creates, shortCode, acknowledgedAt: performance.now() };
}
