/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

export const LINK_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

export type LinkType = 'REDIRECT' | 'DOWNLOAD';

/** An uploaded file as its link knows it: where it lies, what it is called, how long it is. */
export type StoredFile = { fileId: string; fileName: string; sizeBytes: number };

/** What a link hands over to whoever may have it. */
export type Target = { type: 'REDIRECT'; url: string } | { type: 'DOWNLOAD'; file: StoredFile };

/** The three optional restrictions of a link, as stored; null where the link has none. */
export type Restrictions = {
  expiresAt: EpochMs | null;
  maxViews: number | null;
  passwordHash: string | null;
};

/** What is settled at a link's creation and never changes afterwards, so that it may be kept in memory. */
export type LinkDefinition = {
  shortCode: string;
  target: Target;
  passwordHash: string | null;
  /** Whether a browser is shown what the link is about before it is opened. */
  confirm: boolean;
};

/** A link about to be committed for the first time. It starts ACTIVE with no view. */
export type NewLink = Restrictions & LinkDefinition & { createdAt: EpochMs };

/** The part of a link that deciding an attempt reads and changes. */
export type LinkState = {
  status: LinkStatus;
  viewCount: number;
  maxViews: number | null;
  expiresAt: EpochMs | null;
};

/** A link as it stands. */
export type Link = NewLink & LinkState;
