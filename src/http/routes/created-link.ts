import type { Static } from 'typebox';
import type { NewLink } from '../../links/link.ts';
import type { CreatedLink } from '../schemas.ts';

/**
 * What a client is told of its new link. "The response repeats the text as it was sent"; an expiry that came
 * from `app.link.default-ttl` is told in UTC.
 */
export function toCreatedLink(
  link: NewLink,
  expiresAtText: string | null,
  baseUrl: string,
): Static<typeof CreatedLink> {
  const { shortCode, expiresAt, maxViews } = link;
  return {
    shortCode,
    accessUrl: `${baseUrl}/l/${shortCode}`,
    expiresAt: expiresAtText ?? (expiresAt === null ? null : new Date(expiresAt).toISOString()),
    maxViews,
  };
}
