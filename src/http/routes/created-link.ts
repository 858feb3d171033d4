import type { Static } from 'typebox';
import type { NewLink } from '../../links/link.ts';
import type { NewLinkRequest } from '../../links/rules/creation.ts';
import type { CreatedLink } from '../schemas.ts';

/**
 * What a client is told of its new link. "The response repeats the text as it was sent"; an expiry that came
 * from `app.link.default-ttl` is told in UTC. `confirm` is told where something was said of it: a client that
 * knows the specification alone sees what it tells.
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
    expiresAt: sent.expiresAtText ?? (expiresAt === null ? null : new Date(expiresAt).toISOString()),
    maxViews,
    ...(sent.confirm !== null && { confirm: sent.confirm }),
  };
}
