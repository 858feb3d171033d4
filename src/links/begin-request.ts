import { createHmac, hash } from 'node:crypto';
import type { CreatedLink, CreateOnce } from './create-link.ts';
import type { FirstRequest } from './idempotent-request.ts';
import type { IdempotencyStore } from './ports.ts';
import { createResponseSeal } from './sealed-response.ts';

/** The response to a creation. `secrets`: members that only a caller who has proved who it is gets again. */
export type RepeatableResponse = { shown: Record<string, unknown>; secrets: Record<string, unknown> };

/** A request with an Idempotency-Key, from its beginning to its end. No other one with this key runs meanwhile. */
export type KeyedRequest = {
  /** Whether links of the request were committed before. */
  isRepeat: boolean;
  /**
   * Returns the fingerprint of what was sent. It may contain a password, so the store alone must not suffice to try some.
   */
  fingerprintOf(sent: unknown): string;
  /**
   * Opens the responses that were committed before, by their items.
   *
   * @param fingerprint of what was sent
   * @returns 'other-request' if the key belongs to a request with another fingerprint
   */
  openFirst(fingerprint: string): Map<number, unknown> | 'other-request';
  /**
   * Reads the response to one item from the store: a creation that is 'repeated' was committed by another instance
   * meanwhile. One read serves all items of a batch.
   *
   * @returns 'other-request' as above, and undefined if the response was deleted meanwhile
   */
  readFirst(fingerprint: string, item: number): Promise<unknown>;
  /** Makes a creation part of the request. */
  once(
    part: { fingerprint: string; item: number; itemCount: number },
    toResponse: (created: CreatedLink) => RepeatableResponse,
  ): CreateOnce;
  end(): void;
};

/** Who sends a request. `isSignedIn`: the caller has proved it, and is not one of several behind an address. */
export type RequestCaller = { id: string; isSignedIn: boolean };

/**
 * Begins a request of a caller with an Idempotency-Key. Returns 'running' while the same caller has one with this key.
 */
export type BeginRequest = (caller: RequestCaller, key: string) => Promise<KeyedRequest | 'running'>;

/**
 * Prepares requests that create links once. An Idempotency-Key belongs to the caller that sent it.
 *
 * @param secret is the same for all instances and not in the store; without it no secrets are stored
 */
export function prepareBeginRequest(
  store: Pick<IdempotencyStore, 'findRequest'>,
  secret: string | null,
): BeginRequest {
  const running = new Set<string>();

  return async (caller, key) => {
    const id = hash('sha256', JSON.stringify([caller.id, key]), 'base64url');
    if (running.has(id)) return 'running';
    running.add(id);
    const end = () => void running.delete(id);
    const seal = secret !== null && caller.isSignedIn ? createResponseSeal(secret, key) : undefined;

    const readLatest = prepareReadLatest(() => store.findRequest(id));
    const isOther = (first: FirstRequest, fingerprint: string) => first.fingerprint !== fingerprint;
    function close({ shown, secrets }: RepeatableResponse, item: number): string {
      const sealed = seal?.seal(JSON.stringify(secrets), { id, item });
      return JSON.stringify({ ...shown, ...(sealed !== undefined && { sealed }) });
    }
    function open(response: string, item: number): unknown {
      const { sealed, ...shown } = JSON.parse(response) as { sealed?: string }; // as `close` wrote it
      const secrets = seal && sealed ? (JSON.parse(seal.open(sealed, { id, item })) as object) : {}; // as `close` did
      return { ...shown, ...secrets };
    }

    try {
      const first = await store.findRequest(id);
      return {
        isRepeat: first !== undefined,
        fingerprintOf: (sent) =>
          createHmac('sha256', JSON.stringify([secret, key]))
            .update(JSON.stringify(sent))
            .digest('base64url'),
        openFirst(fingerprint) {
          if (first && isOther(first, fingerprint)) return 'other-request';
          return new Map(first?.responses.map(({ item, response }) => [item, open(response, item)]));
        },
        async readFirst(fingerprint, item) {
          const latest = await readLatest(item);
          if (!latest) return undefined;
          if (isOther(latest, fingerprint)) return 'other-request';
          const response = latest.byItem.get(item);
          return response === undefined ? undefined : open(response, item);
        },
        once: ({ fingerprint, item, itemCount }, toResponse) => ({
          request: { id, fingerprint, itemCount },
          item,
          toResponse: (created) => close(toResponse(created), item),
        }),
        end,
      };
    } catch (error) {
      end();
      throw error;
    }
  };
}

type ReadRequest = FirstRequest & { byItem: ReadonlyMap<number, string> };

/**
 * Prepares reading a request for one of its items, which was committed before the call. Items that a batch found
 * together share one read: of 1,000 items, each would read all the others again.
 */
function prepareReadLatest(find: () => Promise<FirstRequest | undefined>) {
  let latest: Promise<ReadRequest | undefined> | undefined;

  async function read(): Promise<ReadRequest | undefined> {
    const first = await find();
    return first && { ...first, byItem: new Map(first.responses.map((r) => [r.item, r.response])) };
  }

  return async (item: number): Promise<ReadRequest | undefined> => {
    const before = latest;
    const found = await before?.catch(() => undefined); // its own caller gets the error
    if (found?.byItem.has(item)) return found;
    // The read began before the item was committed. Any that began since then includes it.
    if (latest === before) latest = read();
    return latest;
  };
}
