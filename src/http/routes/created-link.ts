import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CreatedLink } from '../../links/create-link.ts';
import type { NewLinkRequest } from '../../links/rules/creation.ts';
import { formatInstant } from '../../links/rules/expiry-time.ts';
import type { TermsPolicy } from '../../links/rules/link-terms.ts';
import type { TargetPolicy } from '../../links/rules/target-url.ts';
import type { CreatedLinkItem } from '../bulk-schemas.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { markReplayed, type OnceResult } from '../idempotency.ts';
import { readLanguage } from '../pages/visitor.ts';

type Sent = Pick<NewLinkRequest, 'expiresAtText' | 'confirm'>;

/**
 * Returns everything that the client gets of a new link. "The response repeats the text as it was sent"; an expiry
 * from `app.link.default-ttl` is in UTC. `confirm` is included only when the client sent it: a client that follows the
 * specification alone gets exactly its members.
 */
export function toCreatedItem(
  { link, token, history }: CreatedLink,
  sent: Sent,
  { baseUrl, linkSecret }: Pick<HttpDependencies, 'baseUrl' | 'linkSecret'>,
): CreatedLinkItem {
  const { shortCode, expiresAt, maxViews, target } = link;
  const webhookSecret = link.notify?.url ? linkSecret(shortCode) : undefined;
  return {
    shortCode,
    accessUrl: `${baseUrl}/l/${shortCode}`,
    expiresAt: sent.expiresAtText ?? (expiresAt === null ? null : formatInstant(expiresAt)),
    maxViews,
    ...(sent.confirm !== null && { confirm: sent.confirm }),
    fingerprint: history.fingerprint,
    ...(target.type === 'DOWNLOAD' && { sha256: target.file.sha256 }),
    token,
    ...(webhookSecret !== undefined && { webhookSecret }),
  };
}

/**
 * Sends the response to a creation. The link's token, its fingerprint, the SHA-256 of its file and the secret of its
 * webhooks are in headers, so that the body is that of the specification. A repeat may lack the secrets.
 */
export function sendCreatedLink(reply: FastifyReply, { item, isReplayed }: OnceResult): FastifyReply {
  const { token, fingerprint, sha256, webhookSecret, ...record } = item;
  if (isReplayed) markReplayed(reply);
  if (sha256 !== undefined) reply.header('x-link-file-sha256', sha256);
  if (token !== undefined) reply.header('x-link-token', token);
  if (webhookSecret !== undefined) reply.header('x-link-webhook-secret', webhookSecret);
  return reply.code(201).header('x-link-fingerprint', fingerprint).send(record);
}

/** Adds the language of the client, in which the mails about its link are written. */
export function withLanguage<Wanted extends { notifyEmail?: string | null }>(
  wanted: Wanted,
  { headers }: FastifyRequest,
): Wanted & { notifyLanguage?: string } {
  return wanted.notifyEmail
    ? { ...wanted, notifyLanguage: readLanguage(headers['accept-language']) }
    : wanted;
}

/** Returns what the administrator allows in links. @param mayNotify whether the client has credentials for it */
export function termsPolicyOf(deps: HttpDependencies, mayNotify: boolean): TermsPolicy & TargetPolicy {
  const { linkPolicy, baseUrl, blockedHosts } = deps;
  return {
    ...linkPolicy,
    baseUrl,
    blockedHosts,
    notify: deps.notifyPolicy(mayNotify),
    mail: deps.mailPolicy(mayNotify),
  };
}
