import type { Author } from '../../model/author.ts';
import { appendEntry, EMPTY_CHAIN, headAt, toCreationEntry } from '../../model/chain.ts';
import type { IdempotentRequest } from '../../model/decide-creations.ts';
import { addDuration } from '../../model/instant.ts';
import type { ChainHead, EpochMs, NewLink, Target } from '../../model/link.ts';
import { type LinkChangeParts, prepareNewChange } from '../../model/link-change.ts';
import { formatOwner } from '../../model/owner.ts';
import { type RandomInt, withFreeCode } from '../../model/short-code.ts';
import { NO_TERMS } from '../../model/terms.ts';
import type { ClientState, LinkStore, PasswordHasher, WorkQueue } from '../../ports/ports.ts';
import type { RequestedRestrictions } from '../../rules/creation.ts';
import type { LinkPolicy } from '../../rules/term-rules.ts';
import type { ExamineFile } from '../files/examine-file.ts';
import { prepareHashPassword } from '../visit/check-password.ts';

/** Thrown when another link has the short code that the client chose. */
export class ShortCodeTakenError extends Error {
  override name = 'ShortCodeTakenError';
}

/** Thrown when there is no team with the name that the client chose. */
export class UnknownTeamError extends Error {
  override name = 'UnknownTeamError';
}

/** Thrown when the creation was committed before, or its Idempotency-Key belongs to another request. */
export class RepeatedRequestError extends Error {
  override name = 'RepeatedRequestError';
}

/** Thrown when the upload of a link ended before, or has another link. */
export class UploadGoneError extends Error {
  override name = 'UploadGoneError';
}

/** A link as it was committed, its token, of which only a hash is stored, and the first end of its chain. */
export type CreatedLink = { link: NewLink; token: string; history: Omit<ChainHead, 'lastSeq'> };

/** Makes a creation one item of an idempotent request. `toResponse` returns what is stored: the response without its secrets. */
export type CreateOnce = {
  request: IdempotentRequest;
  item: number;
  toResponse: (created: CreatedLink) => string;
};

export type CreateLink = (
  target: Target,
  requested: RequestedRestrictions,
  author: Author,
  options?: ClientState & { once?: CreateOnce | undefined; owner?: string | undefined },
) => Promise<CreatedLink>;

/**
 * Creates a link to `target` and returns it as committed, with its token. A link without `expiresAt` expires after
 * `defaultTtl` or the policy's `maxTtl`, the earlier one. A link without `maxViews` gets the policy's. Without `owner`,
 * the author owns it.
 *
 * @throws ShortCodeTakenError when another link has the custom code, RepeatedRequestError when the item of `once` was
 * committed before, UnknownTeamError, UploadGoneError when the upload of the file was abandoned
 */
export function prepareCreateLink(
  parts: {
    links: LinkStore;
    passwords: PasswordHasher;
    passwordQueue: WorkQueue;
    examineFile: ExamineFile;
    randomInt: RandomInt;
    newToken: () => { token: string; hash: string };
    defaultTtl: Temporal.Duration | null;
    linkPolicy: Pick<LinkPolicy, 'maxTtl' | 'maxViews'>;
  } & LinkChangeParts,
): CreateLink {
  const { links, examineFile, randomInt, newToken, defaultTtl, linkPolicy } = parts;
  const hashPassword = prepareHashPassword(parts);
  const newChange = prepareNewChange(parts);

  return async (sent, requested, author, client = {}) => {
    const { isAborted, once, owner = formatOwner(author) } = client;
    const { password } = requested;
    const target: Target =
      sent.type === 'DOWNLOAD' ? { ...sent, file: await examineFile(sent.file, author) } : sent;
    const passwordHash = password === null ? null : await hashPassword(password, author, client);
    const change = newChange(author);
    const createdAt = change.at;
    const { customCode = null, startsAt = null, terms, team = null } = requested;
    const expiresAt =
      requested.expiresAt ?? defaultEnd(createdAt, startsAt, { defaultTtl, maxTtl: linkPolicy.maxTtl });
    const maxViews = requested.maxViews ?? linkPolicy.maxViews;
    const { token, hash: tokenHash } = newToken();
    return withFreeCode(randomInt, async (random) => {
      const link = {
        shortCode: customCode ?? random,
        definitionVersion: 0,
        target,
        terms: { ...NO_TERMS, ...terms },
        createdAt,
        startsAt,
        expiresAt,
        maxViews,
        passwordHash,
        tokenHash,
        ...{ owner, team },
      };
      const first = appendEntry(EMPTY_CHAIN, toCreationEntry(link, change), 0); // the store gives it its place
      const created = { link, token, history: headAt(first) };
      const idempotency = once && {
        request: once.request,
        item: once.item,
        response: once.toResponse(created),
      };
      const result = await links.create(link, change, { isAborted, idempotency });
      if (result === 'created') return created;
      if (result === 'repeated') throw new RepeatedRequestError('The Idempotency-Key was used before');
      if (result === 'unknown-team') throw new UnknownTeamError(`There is no team ${team}`);
      if (customCode !== null && result === 'short-code-taken')
        throw new ShortCodeTakenError(`Another link has the short code ${customCode}`);
      if (result === 'upload-gone')
        throw new UploadGoneError('The upload of this link was abandoned, or has another link');
      return undefined;
    });
  };
}

/** Returns when a link expires for which no end was requested. Its default lifetime begins when it first opens. */
export function defaultEnd(
  createdAt: EpochMs,
  startsAt: EpochMs | null,
  { defaultTtl, maxTtl }: Record<'defaultTtl' | 'maxTtl', Temporal.Duration | null>,
): EpochMs | null {
  const ends = [
    addTo(Math.max(createdAt, startsAt ?? createdAt), defaultTtl),
    addTo(createdAt, maxTtl),
  ].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

function addTo(start: EpochMs, ttl: Temporal.Duration | null): EpochMs | null {
  return ttl && addDuration(start, ttl);
}
