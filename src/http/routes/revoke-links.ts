import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RevocationResult } from '../../core/model/decide-change.ts';
import { isHolder } from '../../core/model/owner.ts';
import { accept, type Parsed, refuse } from '../../core/model/parsed.ts';
import { authorOf } from '../../core/model/people/caller.ts';
import { holderOf } from '../../core/model/people/decide-access.ts';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import { refused } from '../../core/model/refusal.ts';
import { readFields } from '../../core/rules/read-fields.ts';
import { parseBulkList, RevokeRequest, RevokeResults } from '../bulk-schemas.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { RequestError } from '../errors.ts';
import { setHeaders } from '../headers.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import { retryAfterHeader } from '../response.ts';

/** So many links are revoked before the unknown ones among them are counted, so that few can be guessed. */
const CODES_AT_ONCE = 100;

type Revoked = { shortCode: string; result: RevocationResult | 'not-allowed' | 'not-tried' };

const REVOKE = { tag: 'Links', needs: 'manage', port: 'public' } as const;

/** The endpoints that revoke links. */
export const revokeLinksEndpoints = (deps: HttpDependencies): Endpoint[] => [
  ...(['DELETE /l/*', 'DELETE /api/links/:shortCode'] as const).map((route) =>
    endpoint(route, 'Revoke a link for good', {
      ...{ ...REVOKE, ofLink: true, ...(route === 'DELETE /l/*' && { anyHost: true }) },
      refuses: ['not-found'],
      async run({ path, request }) {
        const result = await deps.useCases.revokeLink(request.id, path.shortCode, request.author);
        return result === 'not-found' ? refused('not-found') : accept(result);
      },
    }),
  ),
  endpoint('POST /api/links/revoke', 'Revoke up to 1,000 links for good', {
    ...{ ...REVOKE, alsoWhenOpen: true, decidesPerLink: true },
    description:
      'Each link needs its token, its owner or a member of its team, or a key with the scope `manage`, with `app.access=open` too. Each ' +
      'has its own result; `not-allowed` says nothing about whether the link exists. Beyond the limit of unknown codes (each ' +
      '`not-found`, and without a key or sign-in each `not-allowed`), the rest are `not-tried`. Retry-After says when to send them again',
    takes: { schema: RevokeRequest, read: (sent) => readFields(RULES, sent, undefined) },
    before: [limitUnknownCodes(deps).refuseBlocked],
    sends: RevokeResults,
    fails: [429],
    async run({ body: { shortCodes, tokens }, request, reply }) {
      if (request.caller.kind === 'ANONYMOUS' && tokens.length === 0)
        throw request.refuseAccess('SIGN_IN_REQUIRED');
      const hashes = new Set(tokens.map(hashSecret));
      return accept({ results: await revokeMany(deps, { request, reply }, shortCodes, hashes) });
    },
  }),
];

async function revokeMany(
  deps: HttpDependencies,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  shortCodes: readonly string[],
  hashes: ReadonlySet<string>,
): Promise<Revoked[]> {
  const { limitUnknown } = limitUnknownCodes(deps);

  /** Counts what strangers try, and unknown codes as a limit does. Returns after which time the client may go on, or 0. */
  async function countUnknown(revoked: readonly Revoked[]): Promise<number> {
    const counted = request.caller.kind === 'ANONYMOUS' ? 'not-allowed' : 'not-found';
    try {
      for (const { result } of revoked) if (result === counted) await limitUnknown(request);
      return 0;
    } catch (error) {
      if (error instanceof RequestError && error.retryAfterMs !== undefined) return error.retryAfterMs;
      throw error;
    }
  }

  const results: Revoked[] = [];
  while (results.length < shortCodes.length) {
    const codes = shortCodes.slice(results.length, results.length + CODES_AT_ONCE);
    const revoked = await Promise.all(codes.map((code) => revoke(deps, request, code, hashes)));
    results.push(...revoked);
    const waitMs = await countUnknown(revoked);
    if (waitMs === 0) continue;
    setHeaders(reply, retryAfterHeader(waitMs));
    const others = shortCodes.slice(results.length);
    return [...results, ...others.map((shortCode) => ({ shortCode, result: 'not-tried' as const }))];
  }
  return results;
}

/** Revokes a link that the client may revoke. Of another one it does not say whether it exists. */
async function revoke(
  { stores: { read: readLink }, useCases: { revokeLink } }: HttpDependencies,
  { id, caller, mayManage, author }: FastifyRequest,
  shortCode: string,
  tokenHashes: ReadonlySet<string>,
): Promise<Revoked> {
  const link = mayManage ? undefined : await readLink(shortCode);
  const hasToken = typeof link?.tokenHash === 'string' && tokenHashes.has(link.tokenHash);
  const isHeld = link !== undefined && isHolder(holderOf(caller), link);
  if (!mayManage && !hasToken && !isHeld) return { shortCode, result: 'not-allowed' };
  const result = await revokeLink(id, shortCode, authorOf(caller, hasToken, author.ipAddress));
  return { shortCode, result };
}

function parseTexts(field: string, value: unknown): Parsed<string[]> {
  const list = parseBulkList(field, value);
  if (!list.ok) return list;
  const texts = list.value.filter((text) => typeof text === 'string');
  return texts.length === list.value.length
    ? accept(texts)
    : refuse(field, 'INVALID_LIST', 'must be a list of texts');
}

function parseTokens(value: unknown): Parsed<string[]> {
  const isAbsent = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return isAbsent ? accept([]) : parseTexts('tokens', value);
}

const RULES = {
  shortCodes: (value: unknown) => parseTexts('shortCodes', value),
  tokens: parseTokens,
};
