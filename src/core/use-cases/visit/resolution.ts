import type { Purpose } from '../../model/attempt.ts';
import type { SentAddress } from '../../model/forward-address.ts';
import type { ChainHead, EpochMs, FileRequest, NewLink } from '../../model/link.ts';
import type { Denial } from '../../model/verdict.ts';
import type { OpenFile } from '../../ports/file-store.ts';
import type { ClientState } from '../../ports/ports.ts';
import type { FileContent } from '../files/file-content.ts';
import type { ReadText } from '../files/open-file.ts';
import type { Submission } from '../files/submit-files.ts';
import type { AboutLink, Introduction } from './about-link.ts';
import type { Limited } from './check-password.ts';
import type { RecipientStep, SentRecipient } from './check-recipient.ts';

/**
 * A visitor's request to open a link. `shortCode` is the text of the path, not checked. `address`: that text as it was
 * sent, where it has a path or a query.
 */
export type ResolveRequest = {
  shortCode: string;
  address?: SentAddress | undefined;
  password: string | null;
  /** What proves a recipient of a link that names its recipients, if the form has it. */
  recipient?: SentRecipient | undefined;
  purpose: Purpose;
  confirmation: Confirmation;
  ipAddress: string | null;
  userAgent: string | null;
  /** The host of the page that had the link, if it is to be recorded. */
  referrer?: string | undefined;
  /** True to get the address of the lease of a file, or of its page, instead of the file. */
  wantsAddress?: 'FILE' | 'PAGE' | undefined;
  /** Returns true for a browser. It gets the address of the page of a set or of a file that browsers show. Called only for a file. */
  acceptsPage?: () => boolean;
  /** The files that are sent to a file request. */
  submission?: Submission;
  /** True for a request to continue a download without its lease: a file is not sent, and no view is spent. */
  continues?: boolean;
} & ClientState;

/**
 * The visitor's confirmation of opening a link that needs one. GIVEN also stands for a program,
 * which skips the confirmation page. IMPLIED: by a program that a person runs, which is enough for a text. WITHHELD is
 * a dry run: the link is not opened even if it needs no confirmation.
 */
export type Confirmation = 'GIVEN' | 'IMPLIED' | 'MISSING' | 'WITHHELD';

/**
 * The result of an attempt, with what its response needs. The file of a FILE must be sent or closed. `startsAt` is when
 * a link opens that is NOT_STARTED, `fallbackUrl` where an ended one leads: only a visitor who passed its password gets
 * these verdicts. `needsLease`: a download whose view is spent may be continued with its lease. `ofRequest`: it asks for files.
 * `hasTrailingCharacters`: without them, the address is that of a link. `introduction`: who asked for the files.
 * LIMITED and RECIPIENT_REQUIRED: no code can be mailed; unlike those that a limit refuses, the attempt has a record of its own.
 */
export type Resolution =
  | { kind: 'REDIRECT'; targetUrl: string; viewCount: number }
  | ({ kind: 'FILE'; file: OpenFile; leaseToken: string; viewCount: number } & Pick<
      FileContent,
      'fileName' | 'sha256'
    >)
  | ({ kind: 'SUBMITTED'; request: FileRequest; link: NewLink; viewCount: number } & Correspondents)
  | { kind: 'FILE_ADDRESS'; fileName: string; isPage: boolean; leaseToken: string; viewCount: number }
  | ({ kind: 'TEXT'; viewsLeft: number | null; viewCount: number } & ReadText)
  | ({ kind: 'DENIED'; verdict: Denial } & Shown & EndFacts)
  | ({ kind: 'LIMITED'; verdict: 'RATE_LIMITED' | 'RECIPIENT_REQUIRED' } & Limited)
  | { kind: 'CONFIRM'; verdict: 'SUCCESS'; about: AboutLink }
  | ({ kind: 'PREVIEW'; verdict: 'SUCCESS' | Denial } & Shown & EndFacts);

/**
 * Who sent files, as far as that was given, and what the sender reads of who asked for them. `address`: of the request. `history`: of
 * the link of the files.
 */
type Correspondents = {
  sender?: string | null;
  introduction?: Introduction;
  address?: string;
  history?: ChainHead | undefined;
};

/** What the page of a visit that opens nothing shows. `introduction`: before the password and the code. */
type Shown = { startsAt?: EpochMs | null; introduction?: Introduction; recipient?: RecipientStep };

type EndFacts = {
  fallbackUrl?: string | undefined;
  needsLease?: boolean;
  ofRequest?: boolean;
  hasTrailingCharacters?: boolean;
};

/** The resolution of an attempt that opens nothing. */
export type Refused = Extract<Resolution, { kind: 'DENIED' | 'LIMITED' | 'PREVIEW' }>;
