import type { ChangeResult } from '../../core/model/decide-change.ts';
import type { Link } from '../../core/model/link.ts';
import { accept } from '../../core/model/parsed.ts';
import { hasScope } from '../../core/model/people/decide-access.ts';
import { type Outcome, refused } from '../../core/model/refusal.ts';
import { parseChange } from '../../core/rules/change.ts';
import { parseCustomCode } from '../../core/rules/custom-code.ts';
import { withoutEmpty } from '../../core/rules/read-fields.ts';
import type { ChangedCode } from '../../core/use-cases/change/change-code.ts';
import { readTags } from '../byte-ranges.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint, errorOfRefusal } from '../endpoint.ts';
import { prepareLimitChanges } from '../limit-requests.ts';
import { type ReturnedLink, sendsLink } from '../returned-links.ts';
import { ChangeHeaders, LinkPatch, NewShortCode } from '../schemas.ts';
import { filePolicyOf, termsPolicyOf, withLanguage } from './create-link.ts';

/** The declaration that endpoints which change a link share. */
export const CHANGE = {
  tag: 'Links',
  needs: 'manage',
  ofLink: true,
  alsoWhenOpen: true,
  port: 'public',
} as const;

/** The endpoints that change a link. */
export const changeLinkEndpoints = (deps: HttpDependencies): Endpoint[] => [
  endpoint('PATCH /api/links/:shortCode', 'Change the terms of a link', {
    ...CHANGE,
    description:
      'A merge patch (RFC 7396): a member that is absent keeps its term, and null removes it; an empty text is refused. Views stay counted: a ' +
      'maxViews below them becomes their number and ends the link. A link that has ended opens again when its end is moved; a revoked one does not.',
    headers: ChangeHeaders.properties,
    takes: {
      schema: LinkPatch,
      types: ['application/merge-patch+json', 'application/json'],
      read(sent, now, request) {
        const mayCreate = hasScope(request.caller, 'create');
        const policy = { ...termsPolicyOf(deps, request, mayCreate), ...filePolicyOf(deps) };
        return parseChange(sent, now, policy);
      },
    },
    before: [prepareLimitChanges(deps)],
    ...sendsLink(deps),
    refuses: ['not-found', 'revoked', 'held-back', 'version-mismatch'],
    async run({ path, body, request, reply }) {
      if (body.owner !== undefined && !request.isOwner && !hasScope(request.caller, 'manage'))
        throw request.refuseAccess('INSUFFICIENT_SCOPE');
      const requested = {
        patch: withLanguage(body, request),
        versions: readVersions(request.headers['if-match']),
      };
      const client = clientStateOf(reply.raw);
      const result = await deps.useCases.changeLink(
        request.id,
        path.shortCode,
        requested,
        request.author,
        client,
      );
      return toReturned(result, Boolean(body.terms?.notifyUrl));
    },
  }),
  endpoint('POST /api/links/:shortCode/short-code', 'Change the short code of a link', {
    ...CHANGE,
    description:
      'A new link continues the former one: with its terms, its token, its file and the views that are left. The former ' +
      'one is revoked. Each history names the other, the new one with the fingerprint of the former. Webhooks of the link ' +
      'get a new secret, in the header X-Link-Webhook-Secret. A repeat with the same customCode changes nothing.',
    headers: ChangeHeaders.properties,
    takes: {
      schema: NewShortCode,
      read(sent) {
        const { customCode = null } = withoutEmpty(sent);
        return customCode === null
          ? accept(null)
          : parseCustomCode(customCode, deps.config.links.policy.customCodes);
      },
    },
    before: [prepareLimitChanges(deps)],
    ...sendsLink(deps),
    refuses: ['not-found', 'revoked', 'ended', 'short-code-taken', 'version-mismatch'],
    async run({ path, body: customCode, request }) {
      const requested = { customCode, versions: readVersions(request.headers['if-match']) };
      const result = await deps.useCases.changeCode(request.id, path.shortCode, requested, request.author);
      return toReturned(result, true);
    },
  }),
];

/** Returns the versions that `If-Match` names; null for any. */
export function readVersions(ifMatch: string | undefined): number[] | null {
  const tags = readTags(ifMatch)?.filter((tag) => /^\d+$/.test(tag));
  return tags?.map(Number) ?? null;
}

/** Returns the link after a change, or why it was refused. */
export function toReturned(result: ChangeResult | ChangedCode, hasNewSecret = false): Outcome<ReturnedLink> {
  if ('link' in result) return accept({ link: result.link, hasNewSecret });
  return result.result === 'refused' ? { ok: false, error: result.error } : refused(result.result);
}

export function requireLink(result: ChangeResult): Link {
  const outcome = toReturned(result);
  if (!outcome.ok) throw errorOfRefusal(outcome.error);
  return outcome.value.link;
}
