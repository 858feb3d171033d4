import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { requestKeyOf } from '../limits/rate-limiter.ts';
import type { Author } from '../links/author.ts';
import type { KeyedRequest, RepeatableResponse, RequestCaller } from '../links/begin-request.ts';
import { type CreatedLink, type CreateOnce, RepeatedRequestError } from '../links/create-link.ts';
import type { CreatedLinkItem } from './bulk-schemas.ts';
import { ERRORS } from './errors.ts';
import { prepareRefuse } from './limit-requests.ts';
import type { Parts } from './parts.ts';

// The header field of draft-ietf-httpapi-idempotency-key-header. Its statuses: 400 for a malformed key, 409 while the
// first request runs, 422 for a key that belongs to another request.

const KEY = /^[\x21-\x7e]{1,255}$/;

export const REPLAYED_HEADER = 'idempotency-replayed';

/** Returns what makes two requests with one key the same: their path and what they send. */
export function fingerprintOf(
  started: KeyedRequest,
  { routeOptions }: FastifyRequest,
  content: unknown,
): string {
  return started.fingerprintOf([routeOptions.url, content]);
}

function callerOf(author: Author): RequestCaller {
  return { id: requestKeyOf(author), isSignedIn: author.name !== null };
}

/** Begins a request whose header has an Idempotency-Key; returns undefined without one. The caller ends it. */
export type BeginKeyed = (request: FastifyRequest) => Promise<KeyedRequest | undefined>;

export function prepareBeginKeyed(parts: Parts): BeginKeyed {
  const refuse = prepareRefuse(parts, 'idempotency_keys');
  return async (request) => {
    const { raw, headers, author } = request;
    const key = headers['idempotency-key'];
    if (key === undefined) return undefined;
    if (!isKey(key)) throw ERRORS.invalidIdempotencyKey();
    const started = await parts.beginRequest(callerOf(author), key);
    if (started === 'running') throw ERRORS.idempotentRequestRunning();
    try {
      if (!started.isRepeat) refuse(raw, await parts.limits.idempotentItems.take(author));
      return started;
    } catch (error) {
      started.end();
      throw error;
    }
  };
}

const isKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);

/**
 * Prepares counting the further links of a request with an Idempotency-Key. The request itself has counted as one.
 *
 * @throws RequestError when the limit does not leave as many
 */
export function prepareCountItems(parts: Parts) {
  const refuse = prepareRefuse(parts, 'idempotency_keys');
  const { idempotentItems } = parts.limits;
  return async ({ raw, author }: FastifyRequest, count: number): Promise<void> => {
    if (count <= 0) return;
    const { events, waitMs } = await idempotentItems.takeUpTo(author, count);
    if (waitMs > 0) await idempotentItems.giveBack(author, events);
    refuse(raw, waitMs);
  };
}

/** The limit of a route whose requests each create one link. */
export type CreationLimit = {
  onRequest: onRequestAsyncHookHandler;
  /** Takes a request back that got the link of an earlier one. */
  giveBack(request: FastifyRequest): Promise<void>;
};

/**
 * Prepares refusing requests beyond a limit, before their body is read, but not repeats: they create nothing. The hook
 * of all routes has determined the author before, and has refused requests that lack credentials.
 */
export function prepareLimitCreations(parts: Parts, name: 'creations' | 'uploads'): CreationLimit {
  const limit = parts.limits[name];
  const refuse = prepareRefuse(parts, name);
  const counted = new WeakSet<FastifyRequest>();

  async function isRepeat({ headers, author }: FastifyRequest): Promise<boolean> {
    const key = headers['idempotency-key'];
    if (!isKey(key)) return false;
    const started = await parts.beginRequest(callerOf(author), key);
    if (started === 'running') return false;
    started.end();
    return started.isRepeat;
  }

  return {
    async onRequest(request) {
      const waitMs = await limit.take(request.author);
      if (waitMs === 0) counted.add(request);
      else if (!(await isRepeat(request))) refuse(request.raw, waitMs);
    },
    async giveBack(request) {
      if (counted.delete(request)) await limit.giveBack(request.author, 1);
    },
  };
}

/** Returns the links that a request created before, by their items. @throws RequestError a 422 for other content */
export function openFirst(started: KeyedRequest, fingerprint: string): Map<number, CreatedLinkItem> {
  const first = started.openFirst(fingerprint);
  if (first === 'other-request') throw ERRORS.idempotencyKeyReused();
  return first as Map<number, CreatedLinkItem>; // what `once` was given
}

/** One item of a request with an Idempotency-Key. */
export type KeyedItem = { started: KeyedRequest; fingerprint: string; item: number; itemCount: number };

/** A new link as the client gets it, and whether it is that of an earlier request. */
export type OnceResult = { item: CreatedLinkItem; isReplayed: boolean };

/**
 * Creates the link of one item of a request.
 *
 * @param create creates the link
 * @param toItem returns what the client gets; a repeat without credentials gets it without secrets
 */
export async function createOnce(
  keyed: KeyedItem | undefined,
  create: (once?: CreateOnce) => Promise<CreatedLink>,
  toItem: (created: CreatedLink) => CreatedLinkItem,
): Promise<OnceResult> {
  if (!keyed) return { item: toItem(await create()), isReplayed: false };
  try {
    const created = await create(keyed.started.once(keyed, (link) => toRepeatable(toItem(link))));
    return { item: toItem(created), isReplayed: false };
  } catch (error) {
    // Another instance committed it meanwhile: the client gets that response when it tries again.
    throw error instanceof RepeatedRequestError ? ERRORS.idempotentRequestRunning() : error;
  }
}

function toRepeatable({ token, webhookSecret, ...shown }: CreatedLinkItem): RepeatableResponse {
  return { shown, secrets: { token, webhookSecret } };
}

export function markReplayed(reply: FastifyReply): void {
  reply.header(REPLAYED_HEADER, 'true');
}
