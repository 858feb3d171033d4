import { NO_PRECHECKS } from '../../model/attempt.ts';
import { decide } from '../../model/decide-attempt.ts';
import {
  type EpochMs,
  type FilePartInfo,
  type FileRequest,
  type FileTraits,
  isGuarded,
  isHeldBack,
  isShownText,
  type Link,
  type LinkStatus,
  type ShownState,
  shownStateAt,
  type Target,
} from '../../model/link.ts';
import { fileOf } from '../../model/link-terms.ts';
import type { LinkType } from '../../model/link-type.ts';
import type { Digest } from '../../model/stored-file.ts';
import { type LinkTerms, PLAIN_NAMES, termOf } from '../../model/terms.ts';
import type { LinkStore } from '../../ports/ports.ts';

/** The rights of a client to a link: to read its history, and to change it. */
export type SharedRight = { mayRead: boolean; mayManage: boolean };

/** The description of a link for a client. Absent members are for those who may read the history, or change the link. */
export type LinkDescription = Pick<
  Link,
  'shortCode' | 'status' | 'startsAt' | 'expiresAt' | 'maxViews' | 'viewCount' | 'createdAt'
> &
  Partial<Pick<Link, 'history' | 'lastOpenedAt' | 'owner' | 'team' | 'requestCode'>> & {
    type: LinkType;
    state: ShownState;
    passwordProtected: boolean;
    /** Null for a link to a URL, and where the client may not know it. */
    file: ShownFile | null;
    /** Of a file request; null where the client may not know it. */
    request?: FileRequest | null;
    /** Null for a link that leads to no URL. */
    targetUrl?: string | null;
    terms: Partial<LinkTerms>;
  };

/** The facts about a file that are shown before it is downloaded. */
export type ShownFile = { name: string } & Digest & FileTraits;

/** Returns the files of a link to a set; an empty list for any other link, and where the set was replaced meanwhile. */
export type ReadFiles = (link: Pick<Link, 'target'>) => Promise<readonly FilePartInfo[]>;

export function prepareReadFiles({ links }: { links: LinkStore }): ReadFiles {
  return async ({ target }) =>
    target.type === 'DOWNLOAD' ? ((await links.readParts(target.file.fileId)) ?? []) : [];
}

/**
 * Returns what a client may know of a link at a time. The file of a protected link is only for its password and those who
 * change it; so is a text, because a short one could be guessed by its SHA-256. The length of a history is for its readers:
 * it reveals attempts that were refused.
 */
export function toDescription(
  link: Link,
  right: SharedRight,
  { now, isScanRequired }: { now: EpochMs; isScanRequired: boolean },
): LinkDescription {
  const { shortCode, target, startsAt, expiresAt, maxViews, viewCount, createdAt } = link;
  const { history, lastOpenedAt, owner, team, requestCode } = link;
  const { mayRead, mayManage } = right;
  const passwordProtected = link.passwordHash !== null;
  const isText = target.type === 'DOWNLOAD' && isShownText(target.file);
  const isPaused = link.isPaused || isHeldBack(fileOf(link), isScanRequired);
  return {
    ...{ shortCode, type: target.type, status: statusAt(link, now) },
    state: shownStateAt({ ...link, isPaused }, now),
    ...{ startsAt, expiresAt, maxViews, viewCount, passwordProtected, createdAt },
    file: mayManage || !(isGuarded(link) || isText) ? toShownFile(target) : null,
    ...(target.type === 'REQUEST' && { request: mayManage || !isGuarded(link) ? target.request : null }),
    ...(mayRead && { history, lastOpenedAt, owner, team, ...(requestCode !== undefined && { requestCode }) }),
    ...(mayManage && { targetUrl: (target.type === 'REDIRECT' && target.url) || null }),
    terms: toShownTerms(link.terms, right),
  };
}

function toShownTerms(terms: LinkTerms, { mayRead, mayManage }: SharedRight): Partial<LinkTerms> {
  const isShown = { readers: mayRead, changers: mayManage, none: false };
  const shown = PLAIN_NAMES.filter((name) => {
    const { shownTo } = termOf(name);
    return shownTo === undefined || isShown[shownTo];
  });
  return Object.fromEntries(shown.map((name) => [name, terms[name]]));
}

/**
 * Returns the status that the next attempt would find or cause: a link whose time or views are used up is
 * EXPIRED, even if no attempt or job has marked it yet.
 */
export function statusAt(link: Link, now: EpochMs): LinkStatus {
  return decide(link, { purpose: 'OPEN', prechecks: NO_PRECHECKS }, now).link?.status ?? link.status;
}

/** Returns the name, size and SHA-256 of a target's file, or null for another target, and where the name was erased. */
export function toShownFile(target: Target): ShownFile | null {
  if (target.type !== 'DOWNLOAD' || target.file.fileName === '') return null;
  const { fileName: name, sizeBytes, sha256, traits } = target.file;
  return { name, sizeBytes, sha256, ...traits };
}
