import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import type { KeyedRequest } from '../links/begin-request.ts';
import type { Departure } from '../links/ports.ts';
import { AbandonedError } from '../links/unavailable.ts';
import type { BulkResult, CreatedLinkItem } from './bulk-schemas.ts';
import { prepareToRequestError } from './error-handling.ts';
import { ERRORS, type RequestError, requireValid } from './errors.ts';
import type { OnceResult } from './idempotency.ts';
import { prepareRefuse } from './limit-requests.ts';
import type { Parts } from './parts.ts';
import { pathOf } from './path.ts';
import { isJsonObject } from './routes/accepted-bodies.ts';
import { createRedirect, prepareParseRedirect } from './routes/create-link.ts';
import { RedirectRequest } from './schemas.ts';
import { toErrorRecord } from './send-error.ts';
import { findIgnored, namesOf } from './unknown-fields.ts';

/** Take about 3 ms, and at most 25. Other requests are handled in between. */
const ITEMS_PER_TURN = 50;
/**
 * Passwords that one request has in the queue of hashes. More would not be faster, and would take the places of its
 * client's other requests.
 */
const PASSWORDS_AT_ONCE = 4;

/** The items of a request. `first`: what an earlier one with its Idempotency-Key created of them. */
export type ManyItems = {
  items: readonly unknown[];
  client: Departure;
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

/**
 * Prepares creating the links of a request, each as if it were sent alone. All reach the store together, which commits
 * them in groups.
 */
export function prepareCreateMany(parts: Parts) {
  const parse = prepareParseRedirect(parts);
  const toRequestError = prepareToRequestError(parts);
  const refuse = prepareRefuse(parts, 'creations');
  const known = namesOf(RedirectRequest);

  /** Starts the creation of each item, in turns. Never rejects: an error is the result of its item. */
  async function createAll(
    request: FastifyRequest,
    many: ManyItems,
    { allowed, ignored }: { allowed: number; ignored: Set<string> },
  ): Promise<ItemResult[]> {
    const { items, client, keyed, first } = many;
    const customCodes = new Set<string>();
    const hashing = pLimit(PASSWORDS_AT_ONCE);
    let remaining = allowed;

    async function createItem(sent: unknown, item: number): Promise<OnceResult> {
      const replayed = first.get(item);
      if (replayed) return { item: replayed, isReplayed: true };
      if (remaining-- <= 0) throw ERRORS.rateLimited(0);
      if (!isJsonObject(sent))
        throw ERRORS.invalidField({
          field: 'items',
          code: 'INVALID_LIST',
          text: 'must be a list of objects',
        });
      for (const name of requireValid(findIgnored(Object.keys(sent), known))) ignored.add(name);
      const wanted = requireValid(parse(sent, request));
      const { customCode = null, password } = wanted;
      if (customCode !== null && customCodes.has(customCode)) throw ERRORS.customCodeTaken();
      if (customCode !== null) customCodes.add(customCode);
      const part = keyed && { ...keyed, item, itemCount: items.length };
      const create = () => createRedirect(parts, request, wanted, { client, keyed: part });
      return password === null ? create() : hashing(create);
    }

    const toFailure = (error: unknown) => ({ error: toRequestError(error, request) });
    const pending: Promise<ItemResult>[] = [];
    while (pending.length < items.length && !client.hasLeft?.()) {
      for (const sent of items.slice(pending.length, pending.length + ITEMS_PER_TURN))
        pending.push(createItem(sent, pending.length).catch(toFailure));
      await nextTurn();
    }
    const results = await Promise.all(pending);
    if (results.length < items.length) throw new AbandonedError('store');
    return results;
  }

  return async (request: FastifyRequest, many: ManyItems): Promise<ManyResults> => {
    const newCount = many.items.length - many.first.size;
    const { events, waitMs } = await parts.limits.creations.takeUpTo(request.author, newCount);
    if (events < newCount && events + many.first.size === 0) refuse(request.raw, waitMs);
    const ignored = new Set<string>();
    const results = await createAll(request, many, { allowed: events, ignored });
    const created = results.filter((result) => 'item' in result);
    const failure = results.find((result) => 'error' in result && result.error.status >= 500);
    if (created.length === 0 && failure && 'error' in failure) throw failure.error;
    const [path, now] = [pathOf({ url: request.originalUrl }), parts.clock()];
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
