import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { CreatedLink } from '../../links/create-link.ts';
import type { NewLink } from '../../links/link.ts';
import type { NewLinkRequest } from '../../links/rules/creation.ts';
import { formatInstant } from '../../links/rules/expiry-time.ts';
import { readLanguage } from '../pages/visitor.ts';
import type { Parts } from '../parts.ts';
import type { CreatedLink as CreatedLinkRecord } from '../schemas.ts';

type Sent = Pick<NewLinkRequest, 'expiresAtText' | 'confirm'>;

/**
 * Sends the response to a creation. The link's token, its fingerprint and the secret of its webhooks are in headers, so
 * that the body is that of the specification.
 */
export function sendCreatedLink(
  reply: FastifyReply,
  { link, token, history }: CreatedLink,
  { sent, parts }: { sent: Sent; parts: Pick<Parts, 'baseUrl' | 'linkSecret'> },
): FastifyReply {
  const secret = link.notify?.url ? parts.linkSecret(link.shortCode) : undefined;
  if (secret !== undefined) reply.header('x-link-webhook-secret', secret);
  return reply
    .code(201)
    .header('x-link-token', token)
    .header('x-link-fingerprint', history.fingerprint)
    .send(toRecord(link, sent, parts.baseUrl));
}

/**
 * Returns the body of the response. "The response repeats the text as it was sent"; an expiry from
 * `app.link.default-ttl` is in UTC. `confirm` is included only when the client sent it: a client that follows
 * the specification alone gets exactly its members.
 */
function toRecord(link: NewLink, sent: Sent, baseUrl: string): Static<typeof CreatedLinkRecord> {
  const { shortCode, expiresAt, maxViews } = link;
  return {
    shortCode,
    accessUrl: `${baseUrl}/l/${shortCode}`,
    expiresAt: sent.expiresAtText ?? (expiresAt === null ? null : formatInstant(expiresAt)),
    maxViews,
    ...(sent.confirm !== null && { confirm: sent.confirm }),
  };
}

/** Adds the language of the client, in which the mails about its link are written. */
export function withLanguage(wanted: NewLinkRequest, { headers }: FastifyRequest): NewLinkRequest {
  return wanted.notifyEmail
    ? { ...wanted, notifyLanguage: readLanguage(headers['accept-language']) }
    : wanted;
}
