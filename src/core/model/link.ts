import type { Holders } from './owner.ts';
import type { Digest } from './stored-file.ts';
import type { LinkTerms, VisitTerms } from './terms.ts';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

export const LINK_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/**
 * An uploaded file as its link refers to it. `parts`: the files of a set, where they are known: they are committed with the
 * link, and read by `readParts`.
 */
export type StoredFile = { fileId: string; fileName: string } & Digest & {
    traits?: FileTraits;
    parts?: readonly FilePartInfo[];
  };

/** The traits of a file. One that is absent does not hold. The history of its link has the same names. */
export type FileTraits = {
  /** It was encrypted with age before it was uploaded. */
  encrypted?: true;
  /** It is a set: its bytes are those of so many files, one after the other, and its name is that of their ZIP. */
  fileCount?: number;
  /** SHA-256 of the parts of a set as `formatParts` writes them: the history proves the name and the digest of each file. */
  partsSha256?: string;
  scan?: ScanResult;
  /** The reason for which a file was not scanned, or what was found in it. */
  scanNote?: string;
  /** It is a text, which is shown to visitors. */
  text?: true;
  /** Visitors may view it in the browser. */
  viewable?: true;
};

/** Returns whether visitors are shown a file as a text. Only the recipient can read an encrypted one. */
export function isShownText({ traits }: StoredFile): boolean {
  return traits?.text === true && !traits.encrypted;
}

/**
 * Returns whether a link may not be opened because of its file, until that is replaced. `isScanRequired`: nor one whose file
 * was not scanned, until a scan finds nothing.
 */
export function isHeldBack(file: StoredFile | undefined, isScanRequired = false): boolean {
  const scan = file?.traits?.scan;
  return scan === 'INFECTED' || (isScanRequired && file !== undefined && scan !== 'CLEAN');
}

/** The result of a scan for malware. */
export const SCAN_RESULTS = ['CLEAN', 'INFECTED', 'NOT_SCANNED'] as const;
export type ScanResult = (typeof SCAN_RESULTS)[number];

/** A file of a set. Its bytes follow those of the files before it. `crc32`: as ZIP has it. */
export type FilePartInfo = { fileName: string; crc32: number } & Digest;

/** The wishes of a link of the type REQUEST. Each submission is a view of it. Null sets no limit. */
export type FileRequest = {
  /** The text that the visitor reads; empty once it was erased. */
  message: string;
  maxFiles: number | null;
  /** The size of all files of a submission together. */
  maxBytes: number | null;
  /** The age recipient to which senders encrypt the files. */
  recipientKey: string | null;
};

/** The target of a link: a URL, a file, or a form that asks for files. An erased URL or name of a file is the empty text. */
export type Target =
  | { type: 'REDIRECT'; url: string }
  | { type: 'DOWNLOAD'; file: StoredFile }
  | { type: 'REQUEST'; request: FileRequest };

/**
 * The part of a link that an attempt needs before it is decided. It is cached: `definitionVersion` counts its changes, so
 * that a definition from before one is recognised.
 */
export type LinkDefinition = {
  shortCode: string;
  definitionVersion: number;
  target: Target;
  passwordHash: string | null;
  terms: VisitTerms;
};

/** Returns whether visitors must prove something before they may open a link: its password, or their mail address. */
export function isGuarded({ passwordHash, terms }: Pick<LinkDefinition, 'passwordHash' | 'terms'>): boolean {
  return passwordHash !== null || terms.verifiedRecipients.length > 0;
}

/** Returns whether a link has receivers of its own for what happens to it. */
export function hasReceiver({ terms: { notifyUrl, notifyEmail } }: Pick<LinkDefinition, 'terms'>): boolean {
  return notifyUrl !== null || notifyEmail !== null;
}

/** The links whose events others want. SUBSCRIBED: those with notifications of their own. */
export type NotifiedLinks = 'NONE' | 'SUBSCRIBED' | 'ALL';

/** The part of a link that an attempt reads and changes. `version` counts what `decideChange` changes. */
export type LinkState = {
  status: LinkStatus;
  version: number;
  /** The version of the current definition. */
  definitionVersion: number;
  viewCount: number;
  maxViews: number | null;
  /** From when on the link opens; null: from its creation on. */
  startsAt: EpochMs | null;
  expiresAt: EpochMs | null;
  isPaused: boolean;
  /** The time of the last opening; null if there was none. */
  lastOpenedAt: EpochMs | null;
};

/**
 * The state that is shown of a link: what its status means for the people who manage it. SCHEDULED: it opens later.
 * USED_UP: it has no views left.
 */
export const SHOWN_STATES = ['ACTIVE', 'SCHEDULED', 'PAUSED', 'EXPIRED', 'USED_UP', 'REVOKED'] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

/** A link before its first commit. It starts ACTIVE with no view, unless it is imported. */
export type NewLink = LinkDefinition & { terms: LinkTerms } & Pick<
    LinkState,
    'maxViews' | 'startsAt' | 'expiresAt'
  > &
  Holders & {
    /** The short code of the file request with which the file arrived; absent for any other link. */
    requestCode?: string;
    createdAt: EpochMs;
    /** The hash of the link's own token; null for an imported link, and for one that got another owner. */
    tokenHash: string | null;
    imported?: ImportedState;
    former?: FormerLink;
    /** The end of the history of the file request, which is the attempt that submitted the file. */
    requestHistory?: ChainHead;
  };

/** The state that an imported link keeps. `from`: the kind of its source. `viewCount`: its views there. */
export type ImportedState = {
  from: string;
  viewCount: number;
  isPaused: boolean;
  /** EXPIRED: it expired before the import. */
  status: 'ACTIVE' | 'EXPIRED';
};

/** Returns whether a new link begins paused. */
export function startsPaused({ imported, former, target }: NewLink): boolean {
  const isPaused = (imported ?? former)?.isPaused === true;
  return isPaused || (target.type === 'DOWNLOAD' && isHeldBack(target.file));
}

/** The link that a link continues under another short code, with the end of its history. */
export type FormerLink = { shortCode: string; history: ChainHead; isPaused: boolean };

/**
 * The end of a link's chain. `fingerprint`: SHA-256 of the newest entry, 64 lower-case digits; empty before the first
 * entry. `lastSeq`: the position of the newest entry in the log of the store; null before the first.
 */
export type ChainHead = { entryCount: number; fingerprint: string; lastSeq: number | null };

/** A link in its current state. `history`: the end of its chain of entries. */
export type Link = Omit<NewLink, 'imported' | 'former' | 'requestHistory'> &
  LinkState & { history: ChainHead };

/** Returns the state that is shown of a link. A link that ended in several ways shows the end that is the hardest to undo. */
export function shownStateAt(link: LinkState, now: EpochMs): ShownState {
  const { status, viewCount, maxViews, startsAt, expiresAt, isPaused } = link;
  if (status === 'REVOKED') return 'REVOKED';
  if (maxViews !== null && viewCount >= maxViews) return 'USED_UP';
  if (status === 'EXPIRED' || (expiresAt !== null && now > expiresAt)) return 'EXPIRED';
  if (isPaused) return 'PAUSED';
  return startsAt !== null && now < startsAt ? 'SCHEDULED' : 'ACTIVE';
}
