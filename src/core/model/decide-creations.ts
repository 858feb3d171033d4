import type { NewLink } from './link.ts';

/**
 * A request that creates links once, however often it is sent. `id` is derived from its caller and its
 * Idempotency-Key. A repeat has the same fingerprint, which is derived from what was sent.
 */
export type IdempotentRequest = { id: string; fingerprint: string; itemCount: number };

/** The creation of one link of such a request. `item`: its position in the request. */
export type IdempotentCreation = {
  request: IdempotentRequest;
  item: number;
  /** The response, without its secrets. Committed with the link. */
  response: string;
};

/** A request of which at least one link was committed, with the responses of these. */
export type FirstRequest = {
  fingerprint: string;
  responses: readonly { item: number; response: string }[];
};

/** A request as a batch of creations finds it: the items whose links were committed before. */
export type KnownRequest = { id: string; fingerprint: string; items: Iterable<number> };

/**
 * 'upload-gone': the file of the link was abandoned before, and is removed. 'repeated': the creation was committed
 * before, or its Idempotency-Key belongs to another request.
 */
export type CreationResult = 'created' | 'short-code-taken' | 'upload-gone' | 'repeated' | 'unknown-team';

/**
 * Decides the creations of a batch in their order, each on what the ones before leave. Every store runs it in
 * its transaction.
 *
 * @param known.uploads those of the links' files whose upload is in the ledger and not abandoned
 * @param known.requests those of the creations' requests of which links were committed before
 * @param known.teams those of the links' teams that exist
 * @param takeShortCode takes the short code of a creation's link, and returns false when another link has it
 */
export function decideCreations<
  Creation extends { link: NewLink; idempotency?: IdempotentCreation | undefined },
>(
  creations: readonly Creation[],
  known: { uploads: Iterable<string>; requests: readonly KnownRequest[]; teams: ReadonlySet<string> },
  takeShortCode: (creation: Creation) => boolean,
): CreationResult[] {
  const pending = new Set(known.uploads);
  const requests = new KnownRequests(known.requests);
  return creations.map((creation) => {
    const { link, idempotency } = creation;
    if (idempotency && requests.isRepeated(idempotency)) return 'repeated';
    const fileId = link.target.type === 'DOWNLOAD' ? link.target.file.fileId : undefined;
    if (fileId !== undefined && !pending.has(fileId)) return 'upload-gone';
    if (link.team !== null && !known.teams.has(link.team)) return 'unknown-team';
    if (!takeShortCode(creation)) return 'short-code-taken';
    if (fileId !== undefined) pending.delete(fileId);
    if (idempotency) requests.add(idempotency);
    return 'created';
  });
}

/** Returns the files that links of a batch take over from the ledger of uploads. */
export function fileIdsOf(links: readonly NewLink[]): string[] {
  return links.flatMap(({ target }) => (target.type === 'DOWNLOAD' ? [target.file.fileId] : []));
}

/** Finds the creations of a batch that were committed before, or whose key belongs to another request. */
class KnownRequests {
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
