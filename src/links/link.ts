import type { ChainHead } from './history.ts';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

export const LINK_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

export type LinkType = 'REDIRECT' | 'DOWNLOAD';

/** An uploaded file as its link refers to it. */
export type StoredFile = { fileId: string; fileName: string; sizeBytes: number };

/** What a link leads to. */
export type Target = { type: 'REDIRECT'; url: string } | { type: 'DOWNLOAD'; file: StoredFile };

/** What never changes after a link's creation, so that it can be cached. */
export type LinkDefinition = {
  shortCode: string;
  target: Target;
  passwordHash: string | null;
  /** Whether browsers get a confirmation page before the link is opened. */
  confirm: boolean;
  /** Where this link's events are sent, besides the webhooks of the service. */
  notify?: LinkNotify;
};

/** `language`: of the mails to `email`. */
export type LinkNotify = { url: string | null; email: string | null; language: string | null };

/** The part of a link that an attempt reads and changes. */
export type LinkState = {
  status: LinkStatus;
  viewCount: number;
  maxViews: number | null;
  expiresAt: EpochMs | null;
};

/** A link before its first commit. It starts ACTIVE with no view. */
export type NewLink = LinkDefinition &
  Pick<LinkState, 'maxViews' | 'expiresAt'> & {
    createdAt: EpochMs;
    /** The hash of the link's own token; null for a link from before there were tokens. */
    tokenHash: string | null;
  };

/** A link in its current state. `history`: the end of its chain of entries. */
export type Link = NewLink & LinkState & { history: ChainHead };
