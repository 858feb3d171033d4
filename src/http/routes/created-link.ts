import type { Static } from 'typebox';
import type { NewLink } from '../../links/link.ts';
import type { NewLinkRequest } from '../../links/rules/creation.ts';
import { formatInstant } from '../../links/rules/expiry-time.ts';
import type { CreatedLink } from '../schemas.ts';

/**
 * Returns the response to a creation. "The response repeats the text as it was sent"; an expiry from
 * `app.link.default-ttl` is in UTC. `confirm` is included only when the client sent it: a client that follows
 * the specification alone gets exactly its members.
 */
export function toCreatedLink(
  link: NewLink,
  sent: Pick<NewLinkRequest, 'expiresAtText' | 'confirm'>,
  baseUrl: string,
): Static<typeof CreatedLink> {
  const { shortCode, expiresAt, maxViews } = link;
  return {
    shortCode,
    accessUrl: `${baseUrl}/l/${shortCode}`,
    expiresAt: sent.expiresAtText ?? (expiresAt === null ? null : formatInstant(expiresAt)),
    maxViews,
    ...(sent.confirm !== null && { confirm: sent.confirm }),
  };
}
