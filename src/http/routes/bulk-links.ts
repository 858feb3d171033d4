import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { accept } from '../../core/model/parsed.ts';
import { ClientClosedError } from '../../core/model/unavailable.ts';
import type { ClientState } from '../../core/ports/ports.ts';
import { parseRedirect } from '../../core/rules/creation.ts';
import type { KeyedRequest } from '../../core/use-cases/create/begin-request.ts';
import { requestKeyOf } from '../../core/use-cases/limits/rate-limiter.ts';
import { acceptUnread, isJsonObject, requireJsonObject } from '../accepted-bodies.ts';
import {
  BulkRequest,
  type BulkResult,
  BulkResults,
  type CreatedLinkItem,
  parseBulkList,
} from '../bulk-schemas.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { ERRORS, invalidField, type RequestError, requireValid } from '../errors.ts';
import { setHeaders } from '../headers.ts';
import {
  markReplayed,
  type OnceResult,
  openFirst,
  prepareCountItems,
  prepareRunKeyed,
} from '../idempotency.ts';
import { prepareRefuse, requesterOf } from '../limit-requests.ts';
import { prepareToRequestError } from '../map-errors.ts';
import { pathOf } from '../path.ts';
import { MAX_MS_IN_SLOT, readBody } from '../read-body.ts';
import { retryAfterHeader, toErrorRecord } from '../response.ts';
import { IdempotencyHeaders, RedirectRequest } from '../schemas.ts';
import { findIgnored, nameIgnored, namesOf } from '../unknown-fields.ts';
import { createTo, termsPolicyOf } from './create-link.ts';

/** 4 KiB for each item, about 15 times what a usual one has. The largest possible items have 14 KiB. */
const MAX_BULK_BYTES = 4 * 1024 * 1024;

const KNOWN_MEMBERS = namesOf(BulkRequest);

/** Accepts the body of a request with many items, which is read when it is its turn: so few are in memory. */
export const acceptBulk = (scope: FastifyInstance): void => acceptUnread(scope, 'application/json');

export async function readBulk({ raw }: FastifyRequest): Promise<Record<string, unknown>> {
  return requireJsonObject(await readBody(raw, MAX_BULK_BYTES, { maxMs: MAX_MS_IN_SLOT }));
}

/** The endpoint that creates many links. */
export function bulkLinksEndpoints(deps: HttpDependencies): Endpoint[] {
  const runKeyed = prepareRunKeyed(deps);
  const createMany = prepareCreateMany(deps);
  const countItems = prepareCountItems(deps);
  return [
    endpoint('POST /api/links/bulk', 'Create up to 1,000 links to URLs', {
      ...{ tag: 'Links', needs: 'create', port: 'public' },
      description:
        'Each item is handled as if it were sent alone, and has its own result, in the order of the items. The body has at ' +
        'most 4 MB. With an Idempotency-Key, a repeat creates only links that the first request did not create',
      headers: IdempotencyHeaders.properties,
      takes: { schema: BulkRequest, receive: acceptBulk },
      sends: BulkResults,
      fails: [409, 422, 429],
      async run({ request, reply }) {
        reply.raw.on('timeout', () => undefined); // hashing many passwords may take minutes without a byte sent
        const requester = requesterOf(request, reply);
        const client = clientStateOf(reply.raw);
        return runKeyed(request, (started) =>
          deps.useCases.bulkQueue.run(requester, async () => {
            const { items, keyed, first } = await readItems(request, reply, started);
            if (started) await countItems(request, items.length - (started.isRepeat ? first.size : 1));
            const many = await createMany(request, { items, client, keyed, first });
            const { results, waitMs, isReplayed } = many;
            nameIgnored(reply, many.ignored);
            if (isReplayed) markReplayed(reply);
            if (waitMs > 0) setHeaders(reply, retryAfterHeader(waitMs));
            return accept({ results });
          }),
        );
      },
    }),
  ];
}

async function readItems(
  request: FastifyRequest,
  reply: FastifyReply,
  started: KeyedRequest | undefined,
): Promise<Omit<ManyItems, 'client'>> {
  const body = await readBulk(request);
  nameIgnored(reply, requireValid(findIgnored(Object.keys(body), KNOWN_MEMBERS)));
  const items = requireValid(parseBulkList('items', body['items']));
  await nextTurn(); // parsing and hashing 4 MB take up to 50 ms each
  if (!started) return { items, keyed: undefined, first: new Map() };
  const { first, fingerprint } = openFirst(started, request, items);
  return { items, keyed: { started, fingerprint }, first };
}

/** Take about 3 ms, and at most 25. Other requests are handled in between. */
const ITEMS_PER_TURN = 50;
/**
 * Passwords that one request has in the queue of hashes. More would not be faster, and would take the slots of its
 * client's other requests.
 */
const PASSWORDS_AT_ONCE = 4;

/** The items of a request. `first`: what an earlier one with its Idempotency-Key created of them. */
export type ManyItems = {
  items: readonly unknown[];
  client: ClientState;
  keyed: { started: KeyedRequest; fingerprint: string } | undefined;
  first: ReadonlyMap<number, CreatedLinkItem>;
};

export type ManyResults = {
  results: BulkResult[];
  /** After which time items that a limit refused may be sent again; 0 if there are none. */
  waitMs: number;
  isReplayed: boolean;
  /** The names of members of items that were ignored. */
  ignored: ReadonlySet<string>;
};

type ItemResult = OnceResult | { error: RequestError };

/** `ignored` gets the names of ignored members. `allowed`: how many items the limit of creations leaves. */
type ItemOptions = { allowed: number; ignored: Set<string> };

/** Prepares creating one item after another, each as if it were sent alone. */
function prepareCreateItem(deps: HttpDependencies) {
  const known = namesOf(RedirectRequest);

  return (request: FastifyRequest, many: ManyItems, { allowed, ignored }: ItemOptions) => {
    const { items, client, keyed, first } = many;
    const customCodes = new Set<string>();
    const hashing = pLimit(PASSWORDS_AT_ONCE);
    let remaining = allowed;

    return async (sent: unknown, item: number): Promise<OnceResult> => {
      const replayed = first.get(item);
      if (replayed) return { item: replayed, isReplayed: true };
      if (remaining-- <= 0) throw ERRORS.rateLimited(0);
      if (!isJsonObject(sent))
        throw invalidField({ field: 'items', code: 'INVALID_LIST', text: 'must be a list of objects' });
      for (const name of requireValid(findIgnored(Object.keys(sent), known))) ignored.add(name);
      const link = requireValid(parseRedirect(sent, deps.clock(), termsPolicyOf(deps, request)));
      const { customCode = null, password } = link.wanted;
      if (customCode !== null && customCodes.has(customCode)) throw ERRORS.customCodeTaken();
      if (customCode !== null) customCodes.add(customCode);
      const part = keyed && { ...keyed, item, itemCount: items.length };
      const create = () => createTo(deps, request, link, { client, keyed: part });
      return password === null ? create() : hashing(create);
    };
  };
}

/** Prepares creating the links of a request. All reach the store together, which commits them in groups. */
function prepareCreateMany(deps: HttpDependencies) {
  const prepareItem = prepareCreateItem(deps);
  const toRequestError = prepareToRequestError<FastifyRequest>(deps.observe);
  const refuse = prepareRefuse(deps, 'creations');

  /** Starts the creation of each item, in turns. Never rejects: an error is the result of its item. */
  async function createAll(
    request: FastifyRequest,
    many: ManyItems,
    options: ItemOptions,
  ): Promise<ItemResult[]> {
    const { items, client } = many;
    const createItem = prepareItem(request, many, options);
    const toFailure = (error: unknown) => ({ error: toRequestError(error, request) });
    const pending: Promise<ItemResult>[] = [];
    while (pending.length < items.length && !client.isAborted?.()) {
      for (const sent of items.slice(pending.length, pending.length + ITEMS_PER_TURN))
        pending.push(createItem(sent, pending.length).catch(toFailure));
      await nextTurn();
    }
    const results = await Promise.all(pending);
    if (results.length < items.length) throw new ClientClosedError('store');
    return results;
  }

  return async (request: FastifyRequest, many: ManyItems): Promise<ManyResults> => {
    const newCount = many.items.length - many.first.size;
    const { events, waitMs } = await deps.useCases.limits.creations.acquireUpTo(
      requestKeyOf(request.author),
      newCount,
    );
    if (events < newCount && events + many.first.size === 0) refuse(request.raw, waitMs);
    const ignored = new Set<string>();
    const results = await createAll(request, many, { allowed: events, ignored });
    const created = results.filter((result) => 'item' in result);
    const failure = results.find((result) => 'error' in result && result.error.status >= 500);
    if (created.length === 0 && failure && 'error' in failure) throw failure.error;
    const [path, now] = [pathOf({ url: request.originalUrl }), deps.clock()];
    return {
      results: results.map((result) =>
        'item' in result
          ? { status: 201, link: result.item }
          : { status: result.error.status, error: toErrorRecord(result.error, path, now) },
      ),
      waitMs,
      ignored,
      isReplayed: created.length > 0 && created.every(({ isReplayed }) => isReplayed),
    };
  };
}
