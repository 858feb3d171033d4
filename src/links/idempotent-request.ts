/**
 * A request that creates links once, however often it is sent. `id` is derived from its caller and its
 * Idempotency-Key. A repeat has the same fingerprint, which is derived from what was sent.
 */
export type IdempotentRequest = { id: string; fingerprint: string; itemCount: number };

/** The creation of one link of such a request. `item`: its place in the request. */
export type IdempotentCreation = {
  request: IdempotentRequest;
  item: number;
  /** The response, with its secrets encrypted. Committed with the link. */
  response: string;
};

/** A request of which at least one link was committed, with the responses of these. */
export type FirstRequest = {
  fingerprint: string;
  responses: readonly { item: number; response: string }[];
};

/** A request as a batch of creations finds it: the items whose links were committed before. */
export type KnownRequest = { id: string; fingerprint: string; items: Iterable<number> };

/** Finds the creations of a batch that were committed before, or whose key belongs to another request. */
export class KnownRequests {
  readonly #byId = new Map<string, { fingerprint: string; items: Set<number> }>();

  constructor(known: readonly KnownRequest[]) {
    for (const { id, fingerprint, items } of known)
      this.#byId.set(id, { fingerprint, items: new Set(items) });
  }

  isRepeated({ request, item }: IdempotentCreation): boolean {
    const known = this.#byId.get(request.id);
    return known !== undefined && (known.fingerprint !== request.fingerprint || known.items.has(item));
  }

  add({ request: { id, fingerprint }, item }: IdempotentCreation): void {
    const known = this.#byId.get(id) ?? { fingerprint, items: new Set() };
    this.#byId.set(id, known);
    known.items.add(item);
  }
}
