import type { LinkDescription } from '../service/contract.ts';
import type { ListedLink } from '../service/link-list.ts';

/** Returns a link of the list with what its description says now. */
export function mergeDescription(listed: ListedLink, link: LinkDescription): ListedLink {
  const { status, state, startsAt, expiresAt, maxViews, viewCount, passwordProtected, confirm } = link;
  return {
    ...listed,
    ...{ status, state, startsAt, expiresAt, maxViews, viewCount, passwordProtected, confirm },
    label: link.label ?? null,
    note: link.note ?? null,
    tags: link.tags ?? [],
    recipient: link.recipient ?? null,
    targetUrl: link.targetUrl ?? listed.targetUrl,
    lastOpenedAt: link.lastOpenedAt ?? listed.lastOpenedAt,
  };
}
