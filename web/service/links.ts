import { callEndpoint, requestJson, toPath } from './api.ts';
import type {
  AsTyped,
  BulkResults,
  Created,
  LinkDescription,
  LinkPatch,
  NewFileRequest,
  RedirectRequest,
  Restrictions,
  RevokeResults,
} from './contract.ts';
import type { Outcome } from './outcome.ts';
import { type Reply, request, serviceUrl, toCreated, toDocument } from './requests.ts';

/** A link, with its token where this browser has it. The token allows what would otherwise need a key. */
export type LinkReference = { shortCode: string; token?: string };

/** The files of larger sets are not requested. */
export const MAX_LISTED_FILES = 1_000;

/** Returns what a request about a link has: its code and its token. */
export function ofLink({ shortCode, token }: LinkReference) {
  return { path: { shortCode }, token };
}

/** Returns true if a reader may change a link: only these readers get `targetUrl`, which is null for a file. */
export const mayChange = (
  { token }: LinkReference,
  { targetUrl }: Pick<LinkDescription, 'targetUrl'>,
): boolean => token !== undefined || targetUrl !== undefined;

/** Returns the URL of the page with the history of a link. */
export function historyPageUrl(shortCode: string): string {
  return serviceUrl(`links/${encodeURIComponent(shortCode)}`).href;
}

/** Returns the URL of the page of a link with the form that changes it. */
export const editPageUrl = (shortCode: string): string => `${historyPageUrl(shortCode)}#edit`;

/** Returns the URL of the page of a link that asks whether to revoke it. */
export const revokePageUrl = (shortCode: string): string => `${historyPageUrl(shortCode)}#revoke`;

const RECORD = 'record';

/** Returns the URL of the delivery record of a link. */
export function recordPageUrl(shortCode: string): string {
  return `${historyPageUrl(shortCode)}?show=${RECORD}`;
}

/** Returns true if the page of a link shows its delivery record. */
export function showsRecord(search: string): boolean {
  return new URLSearchParams(search).get('show') === RECORD;
}

/** Returns the URL of the page that creates a link like another one. */
export function duplicatePageUrl(shortCode: string): string {
  return serviceUrl(`?copy=${encodeURIComponent(shortCode)}`).href;
}

/** The files that a new link asks visitors for. A limit that is no number is sent as typed, and the API explains the error. */
export type WantedFiles = Omit<NewFileRequest, 'maxFiles' | 'maxBytes'> & {
  [Limit in 'maxFiles' | 'maxBytes']?: number | string;
};

/** The target of a new link: a URL, a text, a file request, or a finished upload. */
export type NewTarget =
  | { targetUrl: string }
  | { text: string; maxViews: null }
  | { request: WantedFiles }
  | ({ uploadId: string; fileName: string } & { [Trait in 'viewable' | 'encrypted' | 'text']?: true });

/**
 * Creates a link.
 *
 * @param idempotencyKey a repeat with the same key, target and restrictions returns the first response, and creates nothing
 */
export async function createLink(
  target: NewTarget,
  restrictions: Restrictions,
  idempotencyKey: string,
): Promise<Outcome<Created>> {
  const outcome = await callEndpoint('POST', '/api/links', {
    body: { ...target, ...restrictions },
    headers: { 'idempotency-key': idempotencyKey },
  });
  return outcome.kind === 'DONE' ? toCreated(outcome.value) : outcome;
}

/** Returns a random key for creations. `randomUUID` exists only where the page came over HTTPS. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A row of a file, as the API takes it. */
export type BulkItem = AsTyped<RedirectRequest>;

/** The most links that one request revokes or creates. */
export const MAX_LINKS_PER_REQUEST = 1000;

/**
 * Creates links, at most `MAX_LINKS_PER_REQUEST` at once. Each has its own result, in the order of the items.
 *
 * @param idempotencyKey a repeat with the same key and items returns the first response, and creates nothing
 */
export function createInBulk(items: BulkItem[], idempotencyKey: string): Promise<Outcome<BulkResults>> {
  return requestJson('POST', '/api/links/bulk', {
    body: { items },
    headers: { 'idempotency-key': idempotencyKey },
  });
}

/** Reads a link without opening it. */
export function describeLink(link: LinkReference): Promise<Outcome<LinkDescription>> {
  return requestJson('GET', '/api/links/{shortCode}', ofLink(link));
}

/** A link with its entity tag. A change names the tag, so that it does not overwrite a change of another user. */
export type TaggedLink = {
  link: LinkDescription;
  entityTag: string | null;
  /** Only in a response that sets a new one. */
  webhookSecret: string | null;
};

/** The link has changed since its entity tag was read. */
export const PRECONDITION_FAILED = 412;

export async function readTaggedLink(link: LinkReference): Promise<Outcome<TaggedLink>> {
  return toTaggedLink(await callEndpoint('GET', '/api/links/{shortCode}', ofLink(link)));
}

/** The terms to change. Null removes a term, and a missing one stays as it is. */
export type TypedPatch = AsTyped<LinkPatch>;

/** Changes a link, with an entity tag only if it is still in that version. */
export async function changeLink(
  link: LinkReference,
  patch: TypedPatch,
  entityTag: string | null,
): Promise<Outcome<TaggedLink>> {
  const condition = entityTag !== null && { 'if-match': entityTag };
  const headers = { 'content-type': 'application/merge-patch+json', ...condition };
  return toTaggedLink(
    await callEndpoint('PATCH', '/api/links/{shortCode}', { ...ofLink(link), body: patch, headers }),
  );
}

function toTaggedLink(outcome: Outcome<Reply>): Outcome<TaggedLink> {
  if (outcome.kind !== 'DONE') return outcome;
  const { body, entityTag, webhookSecret } = outcome.value;
  const link = toDocument<LinkDescription>(body);
  if (link.kind !== 'DONE') return link;
  return { kind: 'DONE', value: { link: link.value, entityTag, webhookSecret } };
}

/** Changes the short code of a link, to a random one if it is empty. Returns the link that continues it. */
export async function changeShortCode(link: LinkReference, customCode: string): Promise<Outcome<TaggedLink>> {
  const body = customCode === '' ? {} : { customCode };
  return toTaggedLink(
    await callEndpoint('POST', '/api/links/{shortCode}/short-code', { ...ofLink(link), body }),
  );
}

/** Mails a link to its recipient. */
export function mailLink(link: LinkReference, email: string): Promise<Outcome<Reply>> {
  return callEndpoint('POST', '/api/links/{shortCode}/mail', { ...ofLink(link), body: { email } });
}

/** Revokes a link for good. An unknown link counts as revoked. */
export function revokeLink({ shortCode, token }: LinkReference): Promise<Outcome<Reply>> {
  return request(toPath('/l/{shortCode}', { path: { shortCode } }), { method: 'DELETE', token }, 404);
}

/**
 * Revokes links for good, at most `MAX_LINKS_PER_REQUEST` at once. Each has its own result. After too many unknown codes
 * the rest are 'not-tried', and the next request is refused.
 *
 * @param tokens those of the links that this browser has
 */
export function revokeLinks(shortCodes: string[], tokens: string[]): Promise<Outcome<RevokeResults>> {
  return requestJson('POST', '/api/links/revoke', { body: { shortCodes, tokens } });
}
