import type { FastifyInstance } from 'fastify';
import type { RevocationResult } from '../../links/decide-revocation.ts';
import { accept, type Parsed, refuse } from '../../links/rules/parsed.ts';
import { parseBulkList } from '../bulk-list.ts';
import { RevokeRequest, RevokeResults } from '../bulk-schemas.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { limitUnknownCodes } from '../limit-requests.ts';
import type { Parts } from '../parts.ts';
import { errorResponses } from '../schemas.ts';
import { acceptJson, refuseContentEncoding } from './accepted-bodies.ts';

/** So many links are revoked before the unknown ones among them are counted, so that few can be guessed. */
const CODES_AT_ONCE = 100;

type Revoked = { shortCode: string; result: RevocationResult };

/** POST /api/links/revoke */
export function revokeLinksRoute(app: FastifyInstance, parts: Parts): void {
  const { refuseBlocked, limitUnknown } = limitUnknownCodes(parts);
  acceptJson(app, 'application/json');
  app.post<{ Body: Record<string, unknown> | undefined }>(
    '/api/links/revoke',
    {
      config: { access: { needs: 'manage', port: 'public' } },
      onRequest: [refuseContentEncoding, refuseBlocked],
      schema: {
        tags: ['Links'],
        summary: 'Revoke up to 1,000 links for good',
        body: RevokeRequest,
        response: { 200: RevokeResults, ...errorResponses(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      if (request.body === undefined) throw ERRORS.malformedJson();
      const shortCodes = requireValid(parseShortCodes(request.body['shortCodes']));
      const results: Revoked[] = [];
      for (let start = 0; start < shortCodes.length; start += CODES_AT_ONCE) {
        const some = await Promise.all(
          shortCodes.slice(start, start + CODES_AT_ONCE).map(async (shortCode) => ({
            shortCode,
            result: await parts.revokeLink(request.id, shortCode, request.author),
          })),
        );
        for (const { result } of some) if (result === 'not-found') await limitUnknown(request);
        results.push(...some);
      }
      return { results };
    },
  );
}

function parseShortCodes(value: unknown): Parsed<string[]> {
  const list = parseBulkList('shortCodes', value);
  if (!list.ok) return list;
  const codes = list.value.filter((code) => typeof code === 'string');
  return codes.length === list.value.length
    ? accept(codes)
    : refuse('shortCodes', 'INVALID_LIST', 'must be a list of texts');
}
