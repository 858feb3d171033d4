import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { CreatedLink, CreateOnce } from './create-link.ts';
import type { IdempotencyStore } from './ports.ts';

/** The response to a creation. `secrets`: members that only a caller who has proved who it is gets again. */
export type RepeatableResponse = { shown: Record<string, unknown>; secrets: Record<string, unknown> };

/** A request with an Idempotency-Key, from its beginning to its end. No other one with this key runs meanwhile. */
export type KeyedRequest = {
  /** True when links of the request were committed before. */
  isRepeat: boolean;
  /**
   * Returns the fingerprint of what was sent. Of a password and of a text, it covers only the presence unless the caller is
   * signed in and there is a secret: others behind the address, and a reader of the store, could otherwise try them.
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
            .update(JSON.stringify(sent, cipher ? undefined : hideSecrets))
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

const hideSecrets = (name: string, value: unknown): unknown =>
  (name === 'password' || name === 'text') && typeof value === 'string' ? value !== '' : value;

// The response to a creation contains the link's token, of which the store has only a hash. So such secrets are stored
// encrypted, with a key derived from a secret of the service, which is not in the store, and from the Idempotency-Key.

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'postern idempotent response';

/** Encrypts and decrypts the responses to the items of one request. */
export type ResponseCipher = {
  encrypt(text: string, item: number): string;
  /** @throws when the text was encrypted for another request or item, with another secret, or was changed */
  decrypt(encrypted: string, item: number): string;
};

/** Returns the cipher of a request. Its items are so few that random initialization vectors do not repeat. */
export function createResponseCipher(
  secret: string,
  request: { id: string; idempotencyKey: string },
): ResponseCipher {
  let derived: Buffer | undefined; // when it is first needed
  function key(): Buffer {
    const material = JSON.stringify([secret, request.idempotencyKey]);
    derived ??= Buffer.from(hkdfSync('sha256', material, request.id, PURPOSE, KEY_BYTES));
    return derived;
  }
  return {
    encrypt(text, item) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key(), iv).setAAD(Buffer.from(`${item}`));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64');
    },
    decrypt(encrypted, item) {
      const bytes = Buffer.from(encrypted, 'base64');
      const [iv, text] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES + TAG_BYTES)];
      const decipher = createDecipheriv(CIPHER, key(), iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(`${item}`))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}
