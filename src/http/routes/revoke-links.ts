import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RevocationResult } from '../../links/decide-revocation.ts';
import { accept, type Parsed, refuse } from '../../links/rules/parsed.ts';
import { parseBulkList } from '../bulk-list.ts';
import { RevokeRequest, RevokeResults } from '../bulk-schemas.ts';
import { setHeaders } from '../common-headers.ts';
import { RequestError, requireValid } from '../errors.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import type { Parts } from '../parts.ts';
import { errorResponses } from '../schemas.ts';
import { retryAfterHeader } from '../send-error.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';

/** So many links are revoked before the unknown ones among them are counted, so that few can be guessed. */
const CODES_AT_ONCE = 100;

type Revoked = { shortCode: string; result: RevocationResult | 'not-tried' };

/** POST /api/links/revoke */
export function revokeLinksRoute(app: FastifyInstance, parts: Parts): void {
  const { refuseBlocked, limitUnknown } = limitUnknownCodes(parts);

  async function revoke(request: FastifyRequest, shortCodes: string[]): Promise<Revoked[]> {
    return Promise.all(
      shortCodes.map(async (shortCode) => ({
        shortCode,
        result: await parts.revokeLink(request.id, shortCode, request.author),
      })),
    );
  }

  /** Counts the unknown codes. Returns after which time the client may go on, or 0. */
  async function countUnknown(request: FastifyRequest, revoked: readonly Revoked[]): Promise<number> {
    try {
      for (const { result } of revoked) if (result === 'not-found') await limitUnknown(request);
      return 0;
    } catch (error) {
      if (error instanceof RequestError && error.retryAfterMs !== undefined) return error.retryAfterMs;
      throw error;
    }
  }

  acceptJson(app, parts, 'application/json');
  app.post<JsonRequest>(
    '/api/links/revoke',
    {
      config: { access: { needs: 'manage', port: 'public' } },
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
      const shortCodes = requireValid(parseShortCodes(takeBody(request)['shortCodes']));
      const results: Revoked[] = [];
      for (let start = 0; start < shortCodes.length; start += CODES_AT_ONCE) {
        const revoked = await revoke(request, shortCodes.slice(start, start + CODES_AT_ONCE));
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
}

const DESCRIPTION =
  'Each link has its own result. When too many of the short codes are unknown, the rest are `not-tried`, and the header ' +
  'Retry-After says when they may be sent again';

function parseShortCodes(value: unknown): Parsed<string[]> {
  const list = parseBulkList('shortCodes', value);
  if (!list.ok) return list;
  const codes = list.value.filter((code) => typeof code === 'string');
  return codes.length === list.value.length
    ? accept(codes)
    : refuse('shortCodes', 'INVALID_LIST', 'must be a list of texts');
}
