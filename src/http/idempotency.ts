import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Author } from '../core/model/author.ts';
import type { KeyedRequest, RequestCaller } from '../core/use-cases/create/begin-request.ts';
import {
  type CreatedLink,
  type CreateOnce,
  RepeatedRequestError,
} from '../core/use-cases/create/create-link.ts';
import { requestKeyOf } from '../core/use-cases/limits/rate-limiter.ts';
import type { CreatedLinkItem } from './bulk-schemas.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS } from './errors.ts';
import { prepareRefuse } from './limit-requests.ts';

// The header field of draft-ietf-httpapi-idempotency-key-header. Its statuses: 400 for a malformed key, 409 while the
// first request runs, 422 for a key that belongs to another request.

const KEY = /^[\x21-\x7e]{1,255}$/;

export const REPLAYED_HEADER = 'idempotency-replayed';

const isKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);

function callerOf(author: Author): RequestCaller {
  return { id: requestKeyOf(author), isSignedIn: author.name !== null };
}

/** Runs a request; with an Idempotency-Key, no other one of the caller with this key runs on this instance meanwhile. */
export type RunKeyed = <T>(
  request: FastifyRequest,
  run: (started: KeyedRequest | undefined) => Promise<T>,
) => Promise<T>;

export function prepareRunKeyed(deps: HttpDependencies): RunKeyed {
  const refuse = prepareRefuse(deps, 'idempotency_keys');
  return async (request, run) => {
    const { raw, headers, author } = request;
    const key = headers['idempotency-key'];
    if (key === undefined) return run(undefined);
    if (!isKey(key)) throw ERRORS.invalidIdempotencyKey();
    const started = await deps.useCases.beginRequest(callerOf(author), key);
    if (started === 'running') throw ERRORS.idempotentRequestRunning();
    try {
      if (!started.isRepeat)
        refuse(raw, await deps.useCases.limits.idempotentItems.acquire(requestKeyOf(author)));
      return await run(started);
    } finally {
      started.end();
    }
  };
}

/**
 * Prepares counting the further links of a request with an Idempotency-Key. The request itself has counted as one.
 *
 * @throws RequestError when the limit does not leave as many
 */
export function prepareCountItems(deps: HttpDependencies) {
  const refuse = prepareRefuse(deps, 'idempotency_keys');
  const { idempotentItems } = deps.useCases.limits;
  return async ({ raw, author }: FastifyRequest, count: number): Promise<void> => {
    if (count <= 0) return;
    const { events, waitMs } = await idempotentItems.acquireUpTo(requestKeyOf(author), count);
    if (waitMs > 0) await idempotentItems.release(requestKeyOf(author), events);
    refuse(raw, waitMs);
  };
}

/** The creation of one link by each request of a route. */
export type SingleCreation = {
  /** Refuses requests beyond the limit of the route. */
  onRequest: onRequestAsyncHookHandler;
  /** Runs a creation, which its limit does not count if it is that of an earlier request. */
  run(
    request: FastifyRequest,
    create: (started: KeyedRequest | undefined) => Promise<OnceResult>,
  ): Promise<OnceResult>;
};

/**
 * Prepares creations within a limit. It refuses requests before their body is read, but not repeats: they create nothing.
 * The hook of all routes has determined the author before, and has refused requests that lack credentials.
 */
export function prepareSingleCreation(deps: HttpDependencies, name: 'creations' | 'uploads'): SingleCreation {
  const limit = deps.useCases.limits[name];
  const refuse = prepareRefuse(deps, name);
  const runKeyed = prepareRunKeyed(deps);
  const counted = new WeakSet<FastifyRequest>();

  async function isRepeat({ headers, author }: FastifyRequest): Promise<boolean> {
    const key = headers['idempotency-key'];
    if (!isKey(key)) return false;
    const started = await deps.useCases.beginRequest(callerOf(author), key);
    if (started === 'running') return false;
    started.end();
    return started.isRepeat;
  }

  return {
    async onRequest(request, reply) {
      // A scan may take minutes without a byte sent. A listener keeps the connection open when it is idle.
      reply.raw.on('timeout', () => undefined);
      const waitMs = await limit.acquire(requestKeyOf(request.author));
      if (waitMs === 0) counted.add(request);
      else if (!(await isRepeat(request))) refuse(request.raw, waitMs);
    },
    run: (request, create) =>
      runKeyed(request, async (started) => {
        const result = await create(started);
        if (result.isReplayed && counted.delete(request)) await limit.release(requestKeyOf(request.author));
        return result;
      }),
  };
}

/**
 * Returns the links that a request created before, by their items, and the fingerprint that makes two requests with one
 * key the same: that of their path and of what they send. @throws RequestError a 422 for other content
 */
export function openFirst(
  started: KeyedRequest,
  { routeOptions }: FastifyRequest,
  content: unknown,
): { first: Map<number, CreatedLinkItem>; fingerprint: string } {
  const fingerprint = started.fingerprintOf([routeOptions.url, content]);
  const first = started.openFirst(fingerprint);
  if (first === 'other-request') throw ERRORS.idempotencyKeyReused();
  return { first: first as Map<number, CreatedLinkItem>, fingerprint }; // what `once` was given
}

/** Creates the link of a request that creates one, unless it was created before. `content`: what the request sends. */
export function createFirst(
  started: KeyedRequest | undefined,
  request: FastifyRequest,
  content: unknown,
  create: (keyed: KeyedItem | undefined) => Promise<OnceResult>,
): Promise<OnceResult> {
  if (!started) return create(undefined);
  const { first, fingerprint } = openFirst(started, request, content);
  const item = first.get(0);
  if (item) return Promise.resolve({ item, isReplayed: true });
  return create({ started, fingerprint, item: 0, itemCount: 1 });
}

/** One item of a request with an Idempotency-Key. */
export type KeyedItem = { started: KeyedRequest; fingerprint: string; item: number; itemCount: number };

/** A new link as the client gets it, and whether it is that of an earlier request. */
export type OnceResult = { item: CreatedLinkItem; isReplayed: boolean };

/**
 * Creates the link of one item of a request.
 *
 * @param create creates the link
 * @param toItem returns what the client gets; a repeat gets it without secrets
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

/** Returns what a repeat gets. It may come when the link belongs to others. */
function toRepeatable({ token: _, webhookSecret: __, ...shown }: CreatedLinkItem): object {
  return shown;
}

export function markReplayed(reply: FastifyReply): void {
  reply.header(REPLAYED_HEADER, 'true');
}
