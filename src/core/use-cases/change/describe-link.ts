import { decide } from '../../model/decide-attempt.ts';
import {
  type EpochMs,
  type FilePartInfo,
  type FileRequest,
  type FileTraits,
  isShownText,
  type Link,
  type LinkStatus,
  type LinkType,
  type ShownState,
  shownStateAt,
  type Target,
} from '../../model/link.ts';
import type { Digest } from '../../model/stored-file.ts';
import type { LinkStore } from '../../ports/ports.ts';

/**
 * The shown part of a link. `forManagers` is only for those who may read the history: its length, for example, reveals
 * attempts that were refused.
 */
export type LinkDescription = Pick<
  Link,
  | 'shortCode'
  | 'host'
  | 'status'
  | 'startsAt'
  | 'expiresAt'
  | 'maxViews'
  | 'viewCount'
  | 'confirm'
  | 'createdAt'
  | 'version'
> & {
  type: LinkType;
  state: ShownState;
  passwordProtected: boolean;
  /**
   * Null for a link to a URL, for a protected link, whose file only its password and `forChangers` reveal, and for a text: a
   * short one could be guessed by its SHA-256.
   */
  file: ShownFile | null;
  /** What a file request asks for; null for another link, and for a protected one. */
  request: FileRequest | null;
  forManagers: Pick<Link, 'history' | 'lastOpenedAt' | 'labels' | 'owner' | 'team' | 'requestCode'>;
  forChangers: TermsForChangers;
};

/** Only for those who may change the link. `targetUrl`: null for a link to a file. */
export type TermsForChangers = {
  targetUrl: string | null;
  notifyUrl: string | null;
  notifyEmail: string | null;
  fallbackUrl: string | null;
  forwardPath: boolean;
  forwardQuery: boolean;
  /** Also of a protected link, as `request`. */
  file: ShownFile | null;
  request: FileRequest | null;
};

/** The facts about a file that are shown before it is downloaded. */
export type ShownFile = { name: string } & Digest & FileTraits;

/** Returns the files of a link to a set; an empty list for any other link, and where their names were erased. */
export type ReadFiles = (shortCode: string) => Promise<readonly FilePartInfo[]>;

export function prepareReadFiles({ links }: { links: LinkStore }): ReadFiles {
  return async (shortCode) => {
    const { target } = (await links.read(shortCode)) ?? {};
    return target?.type === 'DOWNLOAD' ? ((await links.readParts(target.file.fileId)) ?? []) : [];
  };
}

/** Returns what is shown of a link at a time. */
export function toDescription(link: Link, now: EpochMs): LinkDescription {
  const { shortCode, target, startsAt, expiresAt, maxViews, viewCount, confirm, createdAt, version } = link;
  const { history, lastOpenedAt, labels, notify, owner, team } = link;
  const passwordProtected = link.passwordHash !== null;
  const isText = target.type === 'DOWNLOAD' && isShownText(target.file);
  const file = toShownFile(target);
  const request = target.type === 'REQUEST' ? target.request : null;
  return {
    shortCode,
    ...(link.host !== undefined && { host: link.host }),
    type: target.type,
    status: statusAt(link, now),
    state: shownStateAt(link, now),
    startsAt,
    expiresAt,
    maxViews,
    viewCount,
    passwordProtected,
    confirm,
    createdAt,
    version,
    file: passwordProtected || isText ? null : file,
    request: passwordProtected ? null : request,
    forManagers: {
      ...{ history, lastOpenedAt, labels, owner, team },
      ...(link.requestCode !== undefined && { requestCode: link.requestCode }),
    },
    forChangers: {
      targetUrl: (target.type === 'REDIRECT' && target.url) || null,
      notifyUrl: notify?.url ?? null,
      notifyEmail: notify?.email ?? null,
      fallbackUrl: link.fallbackUrl ?? null,
      forwardPath: link.forwardPath ?? false,
      forwardQuery: link.forwardQuery ?? false,
      file,
      request,
    },
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

/** Returns the name, size and SHA-256 of a target's file, or null for another target, and where the name was erased. */
export function toShownFile(target: Target): ShownFile | null {
  if (target.type !== 'DOWNLOAD' || target.file.fileName === '') return null;
  const { fileName: name, sizeBytes, sha256, traits } = target.file;
  return { name, sizeBytes, sha256, ...traits };
}
