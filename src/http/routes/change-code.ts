import type { FastifyInstance } from 'fastify';
import type { ChangedCode } from '../../links/change-code.ts';
import { accept } from '../../links/rules/parsed.ts';
import { parseCustomCode } from '../../links/short-code.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { limitUnknownCodes, prepareLimitChanges } from '../limit-requests.ts';
import { ChangeHeaders, errorResponses, LinkDescription, NewShortCode, ShortCodeParams } from '../schemas.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';
import { readVersions, sendChangedLink } from './change-link.ts';

const SCHEMA = {
  tags: ['Links'],
  summary: 'Change the short code of a link',
  description:
    'A new link continues the former one: with its terms, its token, its file and the views that are left. The former ' +
    'one is revoked. Each history names the other, the new one with the fingerprint of the former. Webhooks of the link ' +
    'get a new secret, in the header X-Link-Webhook-Secret. A repeat with the same customCode changes nothing.',
  params: ShortCodeParams,
  headers: ChangeHeaders,
  body: NewShortCode,
  response: {
    200: LinkDescription,
    ...errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503),
  },
};

/** POST /api/links/{shortCode}/short-code */
export function changeCodeRoute(app: FastifyInstance, deps: HttpDependencies): void {
  acceptJson(app, deps, 'application/json');
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  app.post<{ Params: { shortCode: string } } & JsonRequest>(
    '/api/links/:shortCode/short-code',
    {
      schema: SCHEMA,
      config: { access: { needs: 'manage', ofLink: true, alsoWhenOpen: true, port: 'public' } },
      onRequest: [refuseContentEncoding, refuseBlocked, prepareLimitChanges(deps)],
    },
    async (request, reply) => {
      const { headers, params } = request;
      const { customCode: sent = null } = takeBody(request);
      const { customCodes } = deps.linkPolicy;
      const customCode = requireValid(sent === null ? accept(null) : parseCustomCode(sent, customCodes));
      const requested = { customCode, versions: readVersions(headers['if-match']) };
      const result = await deps.changeCode(request.id, params.shortCode, requested, request.author);
      if (result.result === 'not-found') return countUnknown(request);
      const { link } = requireChanged(result);
      const secret = link.notify?.url ? deps.linkSecret(link.shortCode) : undefined;
      if (secret !== undefined) reply.header('x-link-webhook-secret', secret);
      return sendChangedLink(request, reply, deps, link);
    },
  );
}

function requireChanged(changed: Exclude<ChangedCode, { result: 'not-found' }>) {
  switch (changed.result) {
    case 'changed':
    case 'unchanged':
      return changed;
    case 'revoked':
      throw ERRORS.linkIsRevoked();
    case 'ended':
      throw ERRORS.linkHasEnded();
    case 'version-mismatch':
      throw ERRORS.versionMismatch();
    case 'short-code-taken':
      throw ERRORS.customCodeTaken();
  }
}
