import { decide } from './decide-attempt.ts';
import type { EpochMs, Link, LinkStatus, LinkType, Target } from './link.ts';
import type { LinkStore } from './ports.ts';

/**
 * What anyone who knows a link's short code may see of it; never its target. Only those who may read the history may
 * see its end, because its length reveals attempts that were refused.
 */
export type LinkDescription = Pick<
  Link,
  'shortCode' | 'status' | 'expiresAt' | 'maxViews' | 'viewCount' | 'confirm' | 'createdAt' | 'history'
> & {
  type: LinkType;
  passwordProtected: boolean;
  /** Null for a link to a URL, and for a protected link, whose file only the password reveals. */
  file: ShownFile | null;
};

/** What is shown of a file before it is downloaded. */
export type ShownFile = { name: string; sizeBytes: number };

/** Describes a link without a view or an audit record. Returns undefined for an unknown short code. */
export type DescribeLink = (shortCode: string) => Promise<LinkDescription | undefined>;

export function prepareDescribeLink(parts: { links: LinkStore; clock: () => EpochMs }): DescribeLink {
  return async (shortCode) => {
    const link = await parts.links.read(shortCode);
    return link && toDescription(link, parts.clock());
  };
}

function toDescription(link: Link, now: EpochMs): LinkDescription {
  const { shortCode, target, expiresAt, maxViews, viewCount, confirm, createdAt, history } = link;
  const passwordProtected = link.passwordHash !== null;
  return {
    shortCode,
    type: target.type,
    status: statusAt(link, now),
    expiresAt,
    maxViews,
    viewCount,
    passwordProtected,
    confirm,
    createdAt,
    file: passwordProtected ? null : toShownFile(target),
    history,
  };
}

/**
 * Returns the status that the next attempt would find or cause: a link whose time or views are used up is
 * EXPIRED, even if no attempt or job has marked it yet.
 */
export function statusAt(link: Link, now: EpochMs): LinkStatus {
  const prechecks = { password: 'NOT_NEEDED', file: 'NOT_NEEDED', confirmation: 'NOT_NEEDED' } as const;
  return decide(link, { purpose: 'OPEN', prechecks }, now).link?.status ?? link.status;
}

/** Returns the name and size of a target's file, or null for a URL. */
export function toShownFile(target: Target): ShownFile | null {
  return target.type === 'REDIRECT' ? null : { name: target.file.fileName, sizeBytes: target.file.sizeBytes };
}
