import {
  type Attempt,
  AUDIT_BOUNDS,
  type Prechecks,
  type Purpose,
  toAuditAgent,
  toAuditCode,
  toAuditText,
} from '../../model/attempt.ts';
import { anonymous } from '../../model/author.ts';
import { beginningsOf, forwardAddress, type SentAddress } from '../../model/forward-address.ts';
import { newLease } from '../../model/lease.ts';
import {
  type EpochMs,
  type FileRequest,
  hasReceiver,
  isShownText,
  type LinkDefinition,
  type NewLink,
  type NotifiedLinks,
  type StoredFile,
} from '../../model/link.ts';
import { isNotified } from '../../model/link-event.ts';
import { OverloadedError } from '../../model/unavailable.ts';
import { CHANGED, type Denial, type Verdict } from '../../model/verdict.ts';
import type { FileStore, OpenFile } from '../../ports/file-store.ts';
import type { ClientState, LinkStore } from '../../ports/ports.ts';
import type { ExamineFile } from '../files/examine-file.ts';
import type { FileContent } from '../files/file-content.ts';
import { type OpenedTarget, openFile, type ReadText } from '../files/open-file.ts';
import type { DownloadRecorder } from '../files/record-downloads.ts';
import {
  commitAttempt,
  examineSubmission,
  type Submission,
  type SubmitFiles,
} from '../files/submit-files.ts';
import { type AboutLink, readAboutLink } from './about-link.ts';
import { type CheckPasswordParts, checkPassword, type Limited } from './check-password.ts';
import type { RefusalRecorder } from './record-refusals.ts';

/**
 * A visitor's request to open a link. `shortCode` is the text of the path, not checked. `address`: that text as it was
 * sent, where it has a path or a query.
 */
export type ResolveRequest = {
  shortCode: string;
  address?: SentAddress | undefined;
  password: string | null;
  purpose: Purpose;
  confirmation: Confirmation;
  ipAddress: string | null;
  userAgent: string | null;
  /** The host of the page that had the link, if it is to be recorded. */
  referrer?: string | undefined;
  /** True to get the address of the lease of a file, or of its page, instead of the file. */
  wantsAddress?: 'FILE' | 'PAGE' | undefined;
  /** Returns true for a browser. It gets the address of the page of a set or a picture. Called only for a file. */
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
 */
export type Resolution =
  | { kind: 'REDIRECT'; targetUrl: string; viewCount: number }
  | ({ kind: 'FILE'; file: OpenFile; leaseToken: string; viewCount: number } & Pick<
      FileContent,
      'fileName' | 'sha256'
    >)
  | { kind: 'SUBMITTED'; request: FileRequest; link: NewLink; viewCount: number; sender?: string | null }
  | { kind: 'FILE_ADDRESS'; fileName: string; isPage: boolean; leaseToken: string; viewCount: number }
  | ({ kind: 'TEXT'; viewsLeft: number | null; viewCount: number } & ReadText)
  | ({ kind: 'DENIED'; verdict: Denial; startsAt?: EpochMs | null } & EndFacts)
  | ({ kind: 'LIMITED'; verdict: 'RATE_LIMITED' } & Limited)
  | { kind: 'CONFIRM'; verdict: 'SUCCESS'; about: AboutLink }
  | { kind: 'PREVIEW'; verdict: 'SUCCESS' | Denial; startsAt?: EpochMs | null };

type EndFacts = { fallbackUrl?: string | undefined; needsLease?: boolean; ofRequest?: boolean };

/** The resolution of an attempt that opens nothing. */
export type Refused = Extract<Resolution, { kind: 'DENIED' | 'LIMITED' | 'PREVIEW' }>;

/**
 * Resolves a link: finds it, runs the prechecks, lets the store decide and commit, and only then returns the
 * target. Every call that returns has written exactly one audit record, but for attempts that a limit refuses. When the
 * definition of the link is changed meanwhile, it starts again.
 *
 * @throws OverloadedError when the store takes no more attempts or the link never stops changing, ClientClosedError when the client left before its
 * password was checked or its attempt decided: neither has a record
 */
export type ResolveLink = (request: ResolveRequest) => Promise<Resolution>;

/** Each try needs a change of the link between its lookup and its decision, which takes milliseconds. */
export const MAX_TRIES = 16;

const UNPROTECTED = { password: 'NOT_NEEDED', limited: undefined } as const;
/** The prechecks of a link that leaves nothing to check beforehand. */
const PLAIN = { password: 'NOT_NEEDED', file: 'NOT_NEEDED', confirmation: 'NOT_NEEDED' } as const;

export type ResolveParts = CheckPasswordParts & {
  files: FileStore;
  clock: () => EpochMs;
  randomBytes: (size: number) => Buffer;
  /** The time for which the download of a granted attempt can be continued. */
  leaseMs: number;
  newIdAndSalt: (at: EpochMs) => Pick<Attempt, 'id' | 'salt'>;
  downloads: Pick<DownloadRecorder, 'observe' | 'recordUnsent'>;
  refusals: Pick<RefusalRecorder, 'add'>;
  /** The links whose attempts notify others. */
  notifiedLinks?: NotifiedLinks;
  submitFiles: SubmitFiles;
  examineFile: ExamineFile;
};

export function prepareResolveLink(parts: ResolveParts): ResolveLink {
  return (request) => resolveLink(parts, request);
}

/** Resolves a visit. Most links have nothing to check beforehand: that takes one lookup and one commit. */
async function resolveLink(parts: ResolveParts, sent: ResolveRequest): Promise<Resolution> {
  const { limits, links } = parts;
  const asked = sent.submission
    ? await examineSubmission(parts, { ...sent, submission: sent.submission })
    : sent;
  const blockedMs = limits.visitsBlockedMs(anonymous(asked.ipAddress));
  if (blockedMs > 0) return refuse(parts, asked, { cause: 'UNKNOWN_CODES', retryAfterMs: blockedMs });
  let outdatedVersion: number | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const link = await findVisited(links, asked, outdatedVersion);
    if (!link) return resolveUnknownCode(parts, asked);
    const request = link.shortCode === asked.shortCode ? asked : { ...asked, shortCode: link.shortCode };
    const { target, passwordHash } = link;
    if (target.type === 'REDIRECT' && passwordHash === null && !needsConfirmation(link, request)) {
      const attempt = toAttempt(parts, request, PLAIN, link);
      const { verdict, viewCount } = await links.attempt(attempt, request.isAborted);
      const opened = { kind: 'REDIRECT', targetUrl: target.url } as const;
      if (verdict !== CHANGED)
        return toResolution(parts, request, { link, target: opened, verdict, viewCount });
    } else {
      const resolution = await resolveGuardedLink(parts, link, request);
      if (resolution) return resolution;
    }
    outdatedVersion = link.definitionVersion;
  }
  throw new OverloadedError('store');
}

/** Finds the link of an address. Its target has what the link passes on of the address. */
async function findVisited(
  links: LinkStore,
  { shortCode, address }: ResolveRequest,
  outdatedVersion: number | undefined,
): Promise<LinkDefinition | undefined> {
  const link = await links.find(shortCode, outdatedVersion);
  if (!address) return link;
  const { query } = address;
  if (link) return forwardAddress(link, { path: '', query });
  for (const { shortCode: code, path } of beginningsOf(address.path)) {
    const beginning = await links.find(code, outdatedVersion);
    if (beginning?.terms.forwardPath) return forwardAddress(beginning, { path, query });
  }
  return undefined;
}

/** Records an attempt without a link, and counts it for the limit of its client. */
async function resolveUnknownCode(parts: ResolveParts, request: ResolveRequest): Promise<Refused> {
  const retryAfterMs = await parts.limits.countUnknownCode(anonymous(request.ipAddress));
  if (retryAfterMs > 0) return refuse(parts, request, { cause: 'UNKNOWN_CODES', retryAfterMs });
  await parts.links.attempt(toAttempt(parts, request, 'LINK_NOT_FOUND'), request.isAborted);
  return toDenied('NOT_FOUND', request);
}

/** Returns undefined for a link that was changed since it was found. Then nothing is recorded. */
async function resolveGuardedLink(
  parts: ResolveParts,
  link: LinkDefinition,
  request: ResolveRequest,
): Promise<Resolution | undefined> {
  const { target, prechecks, limited } = await precheck(parts, link, request);
  if (limited) {
    const current = await parts.links.read(link.shortCode);
    if (current?.definitionVersion !== link.definitionVersion) return undefined;
    // "Order: exists, not revoked, password": a revoked link stays revoked, so `decide` refuses this attempt.
    if (current.status !== 'REVOKED') return refuse(parts, request, limited);
  }
  let resolution: Resolution | undefined;
  try {
    const begun = beginLease(parts, link, request, { target, prechecks });
    const attempt = { ...toAttempt(parts, request, prechecks, link), ...(begun && { lease: begun.lease }) };
    const { verdict, viewCount, created } = await commitAttempt(parts, link, attempt, request);
    if (verdict === CHANGED) return undefined;
    // A storage that fails is a server error, which is thrown once the attempt has its record.
    if (verdict === 'FILE_NOT_FOUND' && target.kind === 'MISSING_FILE' && target.storageError)
      throw target.storageError;
    const decided = { link, target, leaseToken: begun?.token, created, verdict, viewCount };
    resolution = await toResolution(parts, request, decided);
    if (resolution.kind !== 'FILE' || target.kind !== 'FILE') return resolution;
    const part = { attemptId: attempt.id, shortCode: link.shortCode, firstByte: 0, reachesEnd: true };
    const { content } = target;
    const whole = { firstByte: 0, lengthBytes: content.sizeBytes };
    return { ...resolution, file: content.open(whole, parts.downloads.observe(target.file, part)) };
  } finally {
    if (target.kind === 'FILE' && resolution?.kind !== 'FILE') await target.file.close();
  }
}

/** Begins the lease of a file that the attempt may open. */
function beginLease(
  { randomBytes, leaseMs, clock }: ResolveParts,
  { target }: LinkDefinition,
  request: ResolveRequest,
  { target: opened, prechecks }: Pick<Checked, 'target' | 'prechecks'>,
) {
  const opens =
    opened.kind === 'FILE' && request.purpose === 'OPEN' && prechecks.confirmation === 'NOT_NEEDED';
  if (!opens || target.type !== 'DOWNLOAD') return undefined;
  return newLease(
    target.file,
    { endsAt: clock() + leaseMs, isSentAtOnce: addressFor(target.file, request) === undefined },
    randomBytes,
  );
}

/** Returns which address an attempt gets instead of the file. A browser gets the page of a set or a picture. */
function addressFor({ traits }: StoredFile, { wantsAddress, acceptsPage }: ResolveRequest) {
  const hasPage = traits?.fileCount !== undefined || traits?.viewable === true;
  return hasPage && (wantsAddress || acceptsPage?.()) ? 'PAGE' : wantsAddress;
}

export function refuse({ refusals }: ResolveParts, request: ResolveRequest, limited: Limited): Refused {
  refusals.add(request);
  return { kind: 'LIMITED', verdict: 'RATE_LIMITED', ...limited };
}

type Checked = Awaited<ReturnType<typeof precheck>>;

async function precheck(parts: ResolveParts, link: LinkDefinition, request: ResolveRequest) {
  const { shortCode, passwordHash } = link;
  const { password, limited } =
    passwordHash === null ? UNPROTECTED : await checkPassword(parts, { shortCode, passwordHash }, request);
  const isConfirmed = !needsConfirmation(link, request);
  const mayOpen = password === 'NOT_NEEDED' || password === 'RIGHT';
  const target: OpenedTarget =
    link.target.type === 'REDIRECT'
      ? { kind: 'REDIRECT', targetUrl: link.target.url }
      : link.target.type === 'REQUEST'
        ? { kind: 'REQUEST' }
        : mayOpen
          ? await openFile(parts, link, link.target.file, { isConfirmed })
          : { kind: 'MISSING_FILE' };
  const hasNoFile = target.kind === 'REDIRECT' || target.kind === 'REQUEST';
  const file = hasNoFile ? 'NOT_NEEDED' : target.kind === 'MISSING_FILE' ? 'MISSING' : 'OPEN';
  const confirmation = isConfirmed ? 'NOT_NEEDED' : 'MISSING';
  return { target, limited, prechecks: { password, file, confirmation } } as const;
}

function needsConfirmation(
  { terms, target }: LinkDefinition,
  { confirmation, continues, submission, acceptsPage }: ResolveRequest,
): boolean {
  // Only files that are sent open a file request, and they open no other link.
  if ((target.type === 'REQUEST') !== (submission !== undefined)) return true;
  if (continues && target.type === 'DOWNLOAD') return true;
  if (confirmation === 'WITHHELD') return true;
  if (terms.confirm || terms.message !== null) return confirmation !== 'GIVEN';
  if (target.type !== 'DOWNLOAD' || confirmation !== 'MISSING') return false;
  // A browser decrypts on that page.
  return isShownText(target.file) || (target.file.traits?.encrypted === true && acceptsPage?.() === true);
}

function toAttempt(
  { clock, newIdAndSalt, notifiedLinks }: ResolveParts,
  { shortCode, ipAddress, userAgent, referrer, purpose }: ResolveRequest,
  prechecks: Prechecks,
  link?: LinkDefinition,
): Attempt {
  const at = clock();
  return {
    ...newIdAndSalt(at),
    at,
    shortCode: link?.shortCode ?? toAuditCode(shortCode),
    ipAddress,
    userAgent: toAuditAgent(userAgent, { isCodeKnown: link !== undefined }),
    ...(referrer && link && { referrer: toAuditText(referrer, AUDIT_BOUNDS.referrer) }),
    purpose,
    prechecks,
    version: link?.definitionVersion ?? null,
    notifies: link !== undefined && isNotified(notifiedLinks, () => hasReceiver(link)),
  };
}

/** An attempt that was decided, with the link as it was found. */
type Decided = {
  link: LinkDefinition;
  target: OpenedTarget;
  leaseToken?: string | undefined;
  /** The link of the files that the attempt submitted. */
  created?: NewLink | undefined;
  verdict: Verdict;
  viewCount: number;
};

function toResolution(
  { links }: ResolveParts,
  request: ResolveRequest,
  { link, target, leaseToken = '', created, verdict, viewCount }: Decided,
): Resolution | Promise<Resolution> {
  if (verdict === 'CONFIRMATION_REQUIRED') {
    const files = target.kind === 'FILE' ? target.files : undefined;
    return readAboutLink(links, link, { files, viewCount });
  }
  if (verdict === 'NOT_STARTED') return denyBeforeStart(links, link, request);
  // A revoked link leads nowhere: its creator took it back.
  if (verdict === 'EXPIRED' || verdict === 'VIEW_LIMIT_REACHED')
    return {
      ...toDenied(verdict, request),
      ...{ fallbackUrl: link.terms.fallbackUrl ?? undefined, ofRequest: link.target.type === 'REQUEST' },
      needsLease: request.continues === true && link.target.type === 'DOWNLOAD',
    };
  if (verdict !== 'SUCCESS') return toDenied(verdict, request);
  if (request.purpose === 'PREVIEW') return { kind: 'PREVIEW', verdict };
  if (created && link.target.type === 'REQUEST')
    return { kind: 'SUBMITTED', request: link.target.request, link: created, viewCount };
  // `decide` grants no attempt whose file is missing, and none on a file request without files.
  if (target.kind === 'MISSING_FILE' || target.kind === 'REQUEST') return toDenied('FILE_NOT_FOUND', request);
  if (target.kind === 'REDIRECT') return { ...target, viewCount };
  if (target.kind === 'TEXT') {
    const { maxViews, ...text } = target;
    return { ...text, viewsLeft: maxViews === null ? null : Math.max(0, maxViews - viewCount), viewCount };
  }
  const { content, file } = target;
  const { fileName, sha256 } = content;
  const address = link.target.type === 'DOWNLOAD' ? addressFor(link.target.file, request) : undefined;
  return address
    ? { kind: 'FILE_ADDRESS', fileName, isPage: address === 'PAGE', leaseToken, viewCount }
    : { kind: 'FILE', fileName, sha256, file, leaseToken, viewCount };
}

async function denyBeforeStart(links: LinkStore, { shortCode }: LinkDefinition, request: ResolveRequest) {
  const current = await links.read(shortCode);
  return { ...toDenied('NOT_STARTED', request), startsAt: current?.startsAt ?? null };
}

function toDenied(verdict: Denial, { purpose }: ResolveRequest) {
  return { kind: purpose === 'PREVIEW' ? 'PREVIEW' : 'DENIED', verdict } as const;
}
