import { createHmac, hash } from 'node:crypto';
import type { IdempotencyStore } from '../../ports/ports.ts';
import type { CreatedLink, CreateOnce } from './create-link.ts';

/** A request with an Idempotency-Key, from its beginning to its end. No other one of its caller with this key runs on this instance. */
export type KeyedRequest = {
  /** True when links of the request were committed before. */
  isRepeat: boolean;
  /**
   * Returns the fingerprint of what was sent. Of a password and of a text, it covers only the presence unless the caller is
   * signed in and there is a secret: others behind the address, and a reader of the store, could otherwise try them: 300,000 a
   * second, instead of 81 with Argon2id.
   */
  fingerprintOf(sent: unknown): string;
  /**
   * Returns the responses that were committed before, by their items.
   *
   * @param fingerprint of what was sent
   * @returns 'other-request' if the key belongs to a request with another fingerprint
   */
  openFirst(fingerprint: string): Map<number, unknown> | 'other-request';
  /** Makes a creation part of the request. `toResponse`: what a repeat gets. */
  once(
    part: { fingerprint: string; item: number; itemCount: number },
    toResponse: (created: CreatedLink) => object,
  ): CreateOnce;
  end(): void;
};

/** The sender of a request. `isSignedIn`: the caller has proved it, and is not one of several behind an address. */
export type RequestCaller = { id: string; isSignedIn: boolean };

/**
 * Begins a request of a caller with an Idempotency-Key. Returns 'running' while the same caller has one with this key on this
 * instance.
 */
export type BeginRequest = (caller: RequestCaller, key: string) => Promise<KeyedRequest | 'running'>;

/**
 * Prepares requests that create links once. An Idempotency-Key belongs to the caller that sent it.
 *
 * @param secret is the same for all instances and not in the store
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
    const coversSecrets = secret !== null && caller.isSignedIn;

    try {
      const first = await store.findRequest(id);
      return {
        isRepeat: first !== undefined,
        fingerprintOf: (sent) =>
          createHmac('sha256', JSON.stringify([secret, key]))
            .update(JSON.stringify(sent, coversSecrets ? undefined : hideSecrets))
            .digest('base64url'),
        openFirst(fingerprint) {
          if (first && first.fingerprint !== fingerprint) return 'other-request';
          return new Map(
            first?.responses.map(({ item, response }) => [item, JSON.parse(response) as unknown]),
          );
        },
        once: ({ fingerprint, item, itemCount }, toResponse) => ({
          request: { id, fingerprint, itemCount },
          item,
          toResponse: (created) => JSON.stringify(toResponse(created)),
        }),
        end,
      };
    } catch (error) {
      end();
      throw error;
    }
  };
}

const hideSecrets = (name: string, value: unknown): unknown =>
  (name === 'password' || name === 'text') && typeof value === 'string' ? value !== '' : value;
