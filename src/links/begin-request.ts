import { createHmac, hash } from 'node:crypto';
import type { CreatedLink, CreateOnce } from './create-link.ts';
import { createResponseCipher } from './encrypted-response.ts';
import type { IdempotencyStore } from './ports.ts';

/** The response to a creation. `secrets`: members that only a caller who has proved who it is gets again. */
export type RepeatableResponse = { shown: Record<string, unknown>; secrets: Record<string, unknown> };

/** A request with an Idempotency-Key, from its beginning to its end. No other one with this key runs meanwhile. */
export type KeyedRequest = {
  /** True when links of the request were committed before. */
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
  /** Makes a creation part of the request. */
  once(
    part: { fingerprint: string; item: number; itemCount: number },
    toResponse: (created: CreatedLink) => RepeatableResponse,
  ): CreateOnce;
  end(): void;
};

/** The sender of a request. `isSignedIn`: the caller has proved it, and is not one of several behind an address. */
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
    const cipher =
      secret !== null && caller.isSignedIn
        ? createResponseCipher(secret, { id, idempotencyKey: key })
        : undefined;

    function close({ shown, secrets }: RepeatableResponse, item: number): string {
      const encrypted = cipher?.encrypt(JSON.stringify(secrets), item);
      return JSON.stringify({ ...shown, ...(encrypted !== undefined && { encrypted }) });
    }
    function open(response: string, item: number): unknown {
      const { encrypted, ...shown } = JSON.parse(response) as { encrypted?: string }; // as `close` wrote it
      const secrets = cipher && encrypted ? (JSON.parse(cipher.decrypt(encrypted, item)) as object) : {}; // as `close` did
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
          if (first && first.fingerprint !== fingerprint) return 'other-request';
          return new Map(first?.responses.map(({ item, response }) => [item, open(response, item)]));
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
