import { hash } from 'node:crypto';
import type { CreatedLink, CreateOnce } from './create-link.ts';
import type { FirstRequest } from './idempotent-request.ts';
import type { IdempotencyStore } from './ports.ts';
import { createResponseSeal } from './sealed-response.ts';

/** A request with an Idempotency-Key, from its beginning to its end. No other one with this key runs meanwhile. */
export type BegunRequest = {
  /** Whether links of the request were committed before. */
  isRepeat: boolean;
  /**
   * Opens the responses that were committed before, by their items.
   *
   * @param fingerprint of what was sent
   * @returns 'other-request' if the key belongs to a request with another fingerprint
   */
  openFirst(fingerprint: string): Map<number, unknown> | 'other-request';
  /** The same, from the store: a creation that is 'repeated' was committed by another instance meanwhile. */
  readFirst(fingerprint: string): Promise<Map<number, unknown> | 'other-request'>;
  /** Makes a creation part of the request. `toResponse` returns what a repeat gets. */
  once(
    part: { fingerprint: string; item: number; itemCount: number },
    toResponse: (created: CreatedLink) => unknown,
  ): CreateOnce;
  end(): void;
};

/**
 * Begins a request of a caller with an Idempotency-Key. Returns 'running' while the same caller has one with this key.
 */
export type BeginRequest = (caller: string, key: string) => Promise<BegunRequest | 'running'>;

/** Prepares requests that create links once. An Idempotency-Key belongs to the caller that sent it. */
export function prepareBeginRequest(store: Pick<IdempotencyStore, 'findRequest'>): BeginRequest {
  const running = new Set<string>();

  return async (caller, key) => {
    const id = hash('sha256', JSON.stringify([caller, key]), 'base64url');
    if (running.has(id)) return 'running';
    running.add(id);
    const end = () => void running.delete(id);
    const seal = createResponseSeal(key);

    function open(
      first: FirstRequest | undefined,
      fingerprint: string,
    ): Map<number, unknown> | 'other-request' {
      if (first && first.fingerprint !== fingerprint) return 'other-request';
      return new Map(
        first?.responses.map(({ item, response }): [number, unknown] => [
          item,
          JSON.parse(seal.open(response, { id, item })),
        ]),
      );
    }

    try {
      const first = await store.findRequest(id);
      return {
        isRepeat: first !== undefined,
        openFirst: (fingerprint) => open(first, fingerprint),
        readFirst: async (fingerprint) => open(await store.findRequest(id), fingerprint),
        once: ({ fingerprint, item, itemCount }, toResponse) => ({
          request: { id, fingerprint, itemCount },
          item,
          toResponse: (created) => seal.seal(JSON.stringify(toResponse(created)), { id, item }),
        }),
        end,
      };
    } catch (error) {
      end();
      throw error;
    }
  };
}
