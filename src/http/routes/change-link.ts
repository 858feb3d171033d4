import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ChangeResult } from '../../core/model/decide-change.ts';
import type { Link } from '../../core/model/link.ts';
import { accept } from '../../core/model/parsed.ts';
import { hasScope } from '../../core/model/people/decide-access.ts';
import { parseChange } from '../../core/rules/change.ts';
import { parseCustomCode } from '../../core/rules/custom-code.ts';
import { withoutEmpty } from '../../core/rules/read-fields.ts';
import type { ChangedCode } from '../../core/use-cases/change/change-code.ts';
import { readTags } from '../byte-ranges.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, invalidField, requireValid } from '../errors.ts';
import { limitUnknownCodes, prepareLimitChanges } from '../limit-requests.ts';
import {
  ChangeHeaders,
  errorResponses,
  LinkDescription,
  LinkPatch,
  NewShortCode,
  ShortCodeParams,
} from '../schemas.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';
import { termsPolicyOf, withLanguage } from './create-link.ts';
import { sendDescription } from './describe-link.ts';

const CONTENT_TYPES = ['application/merge-patch+json', 'application/json'] as const;

const SCHEMA = {
  tags: ['Links'],
  consumes: [...CONTENT_TYPES],
  summary: 'Change the terms of a link',
  description:
    'A merge patch (RFC 7396): a member that is absent keeps its term, and null removes it; an empty text is refused. Views stay counted: a ' +
    'maxViews below them becomes their number and ends the link. A link that has ended opens again when its end is moved; a revoked one does not.',
  params: ShortCodeParams,
  headers: ChangeHeaders,
  body: LinkPatch,
  response: {
    200: LinkDescription,
    ...errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503),
  },
};

/** PATCH /api/links/{shortCode} */
export function changeLinkRoute(app: FastifyInstance, deps: HttpDependencies): void {
  acceptJson(app, deps, ...CONTENT_TYPES);
  const { clock } = deps;
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  app.patch<{ Params: { shortCode: string } } & JsonRequest>(
    '/api/links/:shortCode',
    {
      schema: SCHEMA,
      config: { access: { needs: 'manage', ofLink: true, alsoWhenOpen: true, port: 'public' } },
      onRequest: [refuseContentEncoding, refuseBlocked, prepareLimitChanges(deps)],
    },
    async (request, reply) => {
      const { headers, params } = request;
      const mayCreate = hasScope(request.caller, 'create');
      const { maxFileBytes } = deps;
      const policy = { ...termsPolicyOf(deps, request, mayCreate), maxFileBytes };
      const patch = requireValid(parseChange(takeBody(request), clock(), policy));
      if (patch.owner !== undefined && !request.isOwner && !hasScope(request.caller, 'manage'))
        throw request.refuseAccess('INSUFFICIENT_SCOPE');
      const requested = {
        patch: withLanguage(patch, request),
        versions: readVersions(headers['if-match']),
      };
      const client = clientStateOf(reply.raw);
      const result = await deps.changeLink(request.id, params.shortCode, requested, request.author, client);
      if (result.result === 'not-found') return countUnknown(request);
      const link = requireLink(result);
      if (patch.notifyUrl) addSecret(request, reply, deps, link);
      return sendDescription(request, reply, deps, link);
    },
  );
}

/** Adds the secret that verifies the webhooks of a link, for a client that may still change it. */
function addSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  { linkSecret }: HttpDependencies,
  link: Link,
): void {
  const secret = request.rightTo(link).mayManage ? linkSecret(link.shortCode) : undefined;
  if (secret !== undefined) reply.header('x-link-webhook-secret', secret);
}

/** Returns the versions that `If-Match` names; null for any. */
export function readVersions(ifMatch: string | undefined): number[] | null {
  return (
    readTags(ifMatch)
      ?.filter((tag) => /^\d+$/.test(tag))
      .map(Number) ?? null
  );
}

export function requireLink(result: Exclude<ChangeResult, { result: 'not-found' }>): Link {
  switch (result.result) {
    case 'changed':
    case 'unchanged':
      return result.link;
    case 'revoked':
      throw ERRORS.linkIsRevoked();
    case 'version-mismatch':
      throw ERRORS.versionMismatch();
    case 'has-no-file':
      throw ERRORS.linkHasNoFile();
    case 'held-back':
      throw ERRORS.fileHeldBack();
    case 'upload-gone':
      throw new Error('The upload of the new file was abandoned before it ended, and its file is removed');
    case 'refused':
      throw invalidField(result.error);
  }
}

const CODE_SCHEMA = {
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
      schema: CODE_SCHEMA,
      config: { access: { needs: 'manage', ofLink: true, alsoWhenOpen: true, port: 'public' } },
      onRequest: [refuseContentEncoding, refuseBlocked, prepareLimitChanges(deps)],
    },
    async (request, reply) => {
      const { headers, params } = request;
      const { customCode: sent = null } = withoutEmpty(takeBody(request));
      const { customCodes } = deps.linkPolicy;
      const customCode = requireValid(sent === null ? accept(null) : parseCustomCode(sent, customCodes));
      const requested = { customCode, versions: readVersions(headers['if-match']) };
      const result = await deps.changeCode(request.id, params.shortCode, requested, request.author);
      if (result.result === 'not-found') return countUnknown(request);
      const { link } = requireChanged(result);
      // A former short code says nothing of its successor to who lost that.
      if (result.result === 'unchanged' && request.rightTo(link).decision !== 'ALLOWED')
        throw ERRORS.linkIsRevoked();
      if (link.notify?.url) addSecret(request, reply, deps, link);
      return sendDescription(request, reply, deps, link);
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
