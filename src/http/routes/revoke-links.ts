import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { RevocationResult } from '../../core/model/decide-change.ts';
import { isHolder } from '../../core/model/owner.ts';
import { accept, type Parsed, refuse } from '../../core/model/parsed.ts';
import { authorOf } from '../../core/model/people/caller.ts';
import { holderOf } from '../../core/model/people/decide-access.ts';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import { parseBulkList, RevokeRequest, RevokeResults } from '../bulk-schemas.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { RequestError, requireValid } from '../errors.ts';
import { shortCodeIn } from '../guard-requests.ts';
import { setHeaders } from '../headers.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import { ignoreBody } from '../read-body.ts';
import { retryAfterHeader } from '../response.ts';
import { errorResponses, ShortCodeParams } from '../schemas.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';

/** So many links are revoked before the unknown ones among them are counted, so that few can be guessed. */
const CODES_AT_ONCE = 100;

type Revoked = { shortCode: string; result: RevocationResult | 'not-allowed' | 'not-tried' };

/** POST /api/links/revoke */
export function revokeLinksRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const { refuseBlocked, limitUnknown } = limitUnknownCodes(deps);
  acceptJson(app, deps, 'application/json');
  app.post<JsonRequest>(
    '/api/links/revoke',
    {
      config: { access: { needs: 'manage', alsoWhenOpen: true, decidesPerLink: true, port: 'public' } },
      onRequest: [refuseContentEncoding, refuseBlocked],
      schema: {
        tags: ['Links'],
        summary: 'Revoke up to 1,000 links for good',
        description: DESCRIPTION,
        body: RevokeRequest,
        response: { 200: RevokeResults, ...errorResponses(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const body = takeBody(request);
      const shortCodes = requireValid(parseTexts('shortCodes', body['shortCodes']));
      const tokens = requireValid(parseTokens(body['tokens']));
      if (request.caller.kind === 'ANONYMOUS' && tokens.length === 0)
        throw request.refuseAccess('SIGN_IN_REQUIRED');
      const hashes = new Set(tokens.map(hashSecret));
      const results: Revoked[] = [];
      for (let start = 0; start < shortCodes.length; start += CODES_AT_ONCE) {
        const codes = shortCodes.slice(start, start + CODES_AT_ONCE);
        const revoked = await Promise.all(codes.map((code) => revoke(deps, request, code, hashes)));
        results.push(...revoked);
        const waitMs = await countUnknown(request, revoked);
        if (waitMs === 0) continue;
        setHeaders(reply, retryAfterHeader(waitMs));
        const others = shortCodes.slice(results.length);
        results.push(...others.map((shortCode) => ({ shortCode, result: 'not-tried' as const })));
        break;
      }
      return { results };
    },
  );

  /** Counts the unknown codes, and what strangers try. Returns after which time the client may go on, or 0. */
  async function countUnknown(request: FastifyRequest, revoked: readonly Revoked[]): Promise<number> {
    const counted = request.caller.kind === 'ANONYMOUS' ? 'not-allowed' : 'not-found';
    try {
      for (const { result } of revoked) if (result === counted) await limitUnknown(request);
      return 0;
    } catch (error) {
      if (error instanceof RequestError && error.retryAfterMs !== undefined) return error.retryAfterMs;
      throw error;
    }
  }
}

/** Revokes a link that the client may revoke. Of another one it does not say whether it exists. */
async function revoke(
  { readLink, revokeLink }: HttpDependencies,
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

const DESCRIPTION =
  'Each link needs its token, its owner or a member of its team, or a key with the scope `manage`, with `app.access=open` too. Each ' +
  'has its own result; `not-allowed` says nothing about whether the link exists. When too many of the short codes are ' +
  'unknown, the rest are `not-tried`, and the header Retry-After says when they may be sent again';

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

const SCHEMA = {
  tags: ['Links'],
  summary: 'Revoke a link for good',
  params: ShortCodeParams,
  response: {
    204: Type.Null({ description: 'The link is revoked' }),
    ...errorResponses(401, 403, 404, 429, 500, 503),
  },
};

/** DELETE /l/{shortCode} and DELETE /api/links/{shortCode}, which differ only in their paths */
export function revokeLinkRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  ignoreBody(app);
  const access = { needs: 'manage', ofLink: true, port: 'public' } as const;
  const revokeLink = async (request: FastifyRequest, reply: FastifyReply) => {
    const result = await deps.revokeLink(request.id, shortCodeIn(request) ?? '', request.author);
    if (result === 'not-found') return countUnknown(request);
    return reply.code(204).send();
  };
  for (const [path, anyHost] of [
    ['/l/*', { anyHost: true }],
    ['/api/links/:shortCode', {}],
  ] as const) {
    const config = { access: { ...access, ...anyHost } };
    app.delete(path, { schema: SCHEMA, config, onRequest: refuseBlocked }, revokeLink);
  }
}
