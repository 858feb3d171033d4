import {
  type Attempt,
  type AttemptOutcome,
  AUDIT_BOUNDS,
  NO_PRECHECKS,
  type Prechecks,
  toAuditAgent,
  toAuditCode,
  toAuditText,
} from '../../model/attempt.ts';
import { anonymous } from '../../model/author.ts';
import { beginningsOf, forwardAddress } from '../../model/forward-address.ts';
import { newLease } from '../../model/lease.ts';
import {
  type EpochMs,
  hasReceiver,
  isGuarded,
  type LinkDefinition,
  type NewLink,
  type NotifiedLinks,
  type StoredFile,
  type Target,
} from '../../model/link.ts';
import { isNotified } from '../../model/link-event.ts';
import { withoutTrailingCharacters } from '../../model/short-code.ts';
import { OverloadedError } from '../../model/unavailable.ts';
import { CHANGED, type Denial, type Verdict } from '../../model/verdict.ts';
import type { LinkStore, Receiver } from '../../ports/ports.ts';
import type { ExamineFile } from '../files/examine-file.ts';
import type { OpenedTarget } from '../files/open-file.ts';
import type { DownloadRecorder } from '../files/record-downloads.ts';
import { commitAttempt, examineSubmission, type SubmitFiles } from '../files/submit-files.ts';
import type { DisplayNames } from '../people/display-names.ts';
import { readAboutLink, readIntroduction } from './about-link.ts';
import type { Limited } from './check-password.ts';
import type { RecipientStep } from './check-recipient.ts';
import { type Checked, needsConfirmation, type PrecheckParts, precheck } from './precheck.ts';
import type { RefusalRecorder } from './record-refusals.ts';
import type { Refused, Resolution, ResolveRequest } from './resolution.ts';

/**
 * Resolves a link: finds it, runs the prechecks, lets the store decide and commit, and only then returns the
 * target. Every call that returns has written exactly one audit record, but for attempts that a limit refuses. When the
 * definition of the link is changed meanwhile, it starts again.
 *
 * @throws OverloadedError when the link never stops changing; what the storage of its file threw, once the attempt has its
 * record
 */
export type ResolveLink = (request: ResolveRequest) => Promise<Resolution>;
/** Does the same for a receiver. */
export type ResolveVisit = (request: ResolveRequest, receiver: Receiver<Resolution>) => void;

/** Each try needs a change of the link between its lookup and its decision, which takes milliseconds. */
export const MAX_TRIES = 16;

export type ResolveParts = PrecheckParts & {
  newIdAndSalt: (at: EpochMs) => Pick<Attempt, 'id' | 'salt'>;
  downloads: Pick<DownloadRecorder, 'observe' | 'recordUnsent'>;
  refusals: Pick<RefusalRecorder, 'add'>;
  /** The links whose attempts notify others. */
  notifiedLinks?: NotifiedLinks;
  submitFiles: SubmitFiles;
  examineFile: ExamineFile;
  people: DisplayNames;
};

export function prepareResolveLink(parts: ResolveParts): ResolveLink {
  return (request) => resolveLink(parts, request);
}

/**
 * Prepares resolving visits. Most are of a cached link with nothing to check beforehand: such a visit waits for nothing but
 * its commit, and takes no promise.
 */
export function prepareResolveVisit(parts: ResolveParts): ResolveVisit {
  const { direct } = parts.links;
  return (request, { resolve, reject }) => {
    const found = direct?.find(request.shortCode);
    const link = found && passQuery(found, request);
    if (!direct || !link || !isPlain(link, request))
      return void resolveLink(parts, request).then(resolve, reject);
    const refused = refuseBlocked(parts, request);
    if (refused) return resolve(refused);
    direct.attempt(toAttempt(parts, request, NO_PRECHECKS, link), request.isAborted, {
      resolve(outcome) {
        const resolution =
          toPlainResolution(parts, request, link, outcome) ??
          resolveLink(parts, request, link.definitionVersion);
        if (resolution instanceof Promise) resolution.then(resolve, reject);
        else resolve(resolution);
      },
      reject,
    });
  };
}

/** Resolves any visit. `outdatedVersion`: that of a definition by which it could not be decided. */
async function resolveLink(
  parts: ResolveParts,
  sent: ResolveRequest,
  outdatedVersion?: number,
): Promise<Resolution> {
  const { links } = parts;
  const asked = sent.submission
    ? await examineSubmission(parts, { ...sent, submission: sent.submission })
    : sent;
  const refused = refuseBlocked(parts, asked);
  if (refused) return refused;
  let outdated = outdatedVersion;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const link = await findVisited(links, asked, outdated);
    if (!link) return resolveUnknownCode(parts, asked);
    const request = link.shortCode === asked.shortCode ? asked : { ...asked, shortCode: link.shortCode };
    const resolution = isPlain(link, request)
      ? await resolvePlainLink(parts, link, request)
      : await resolveGuardedLink(parts, link, request);
    if (resolution) return resolution;
    outdated = link.definitionVersion;
  }
  throw new OverloadedError('store');
}

function refuseBlocked(parts: ResolveParts, request: ResolveRequest): Refused | undefined {
  const retryAfterMs = parts.limits.visitsBlockedMs(anonymous(request.ipAddress));
  return retryAfterMs > 0 ? refuse(parts, request, { cause: 'UNKNOWN_CODES', retryAfterMs }) : undefined;
}

/** A link that leaves nothing to check beforehand. */
type PlainLink = LinkDefinition & { target: Extract<Target, { type: 'REDIRECT' }> };

function isPlain(link: LinkDefinition, request: ResolveRequest): link is PlainLink {
  const { target } = link;
  return target.type === 'REDIRECT' && !isGuarded(link) && !needsConfirmation(link, request);
}

/** Returns undefined for a link that was changed since it was found. Then nothing is recorded. */
async function resolvePlainLink(parts: ResolveParts, link: PlainLink, request: ResolveRequest) {
  const outcome = await parts.links.attempt(toAttempt(parts, request, NO_PRECHECKS, link), request.isAborted);
  return toPlainResolution(parts, request, link, outcome);
}

function toPlainResolution(
  parts: ResolveParts,
  request: ResolveRequest,
  link: PlainLink,
  { verdict, viewCount }: AttemptOutcome,
) {
  if (verdict === CHANGED) return undefined;
  const target = { kind: 'REDIRECT', targetUrl: link.target.url } as const;
  return toResolution(parts, request, { link, target, verdict, viewCount });
}

/** Finds the link of an address. Its target has what the link passes on of the address. */
async function findVisited(
  links: LinkStore,
  request: ResolveRequest,
  outdatedVersion: number | undefined,
): Promise<LinkDefinition | undefined> {
  const { shortCode, address } = request;
  const link = await links.find(shortCode, outdatedVersion);
  if (link) return passQuery(link, request);
  if (!address) return undefined;
  const { query } = address;
  for (const { shortCode: code, path } of beginningsOf(address.path)) {
    const beginning = await links.find(code, outdatedVersion);
    if (beginning?.terms.forwardPath) return forwardAddress(beginning, { path, query });
  }
  return undefined;
}

/** Returns the link of a whole path, whose target has what the link passes on of the query. */
function passQuery(link: LinkDefinition, { address }: ResolveRequest): LinkDefinition | undefined {
  return address ? forwardAddress(link, { path: '', query: address.query }) : link;
}

/** Records an attempt without a link, and counts it for the limit of its client. */
async function resolveUnknownCode(parts: ResolveParts, request: ResolveRequest): Promise<Refused> {
  const retryAfterMs = await parts.limits.countUnknownCode(anonymous(request.ipAddress));
  if (retryAfterMs > 0) return refuse(parts, request, { cause: 'UNKNOWN_CODES', retryAfterMs });
  await parts.links.attempt(toAttempt(parts, request, 'LINK_NOT_FOUND'), request.isAborted);
  return {
    ...toDenied('NOT_FOUND', request),
    hasTrailingCharacters: await hasTrailingCharacters(parts, request),
  };
}

/**
 * Returns true for a browser whose address is that of a link but for trailing characters. Only a request that counts as an
 * unknown code gets here, so that to find a code this way takes as many requests as to guess it.
 */
async function hasTrailingCharacters(
  { links }: ResolveParts,
  { shortCode, purpose, acceptsPage }: ResolveRequest,
): Promise<boolean> {
  if (purpose === 'PREVIEW' || !acceptsPage?.()) return false;
  const code = withoutTrailingCharacters(shortCode);
  return code !== shortCode && (await links.find(code)) !== undefined;
}

/** Returns undefined as `resolvePlainLink` does. */
async function resolveGuardedLink(
  parts: ResolveParts,
  link: LinkDefinition,
  request: ResolveRequest,
): Promise<Resolution | undefined> {
  const { target, prechecks, limited, recipient } = await precheck(parts, link, request);
  if (limited) {
    const current = await parts.links.read(link.shortCode);
    if (current?.definitionVersion !== link.definitionVersion) return undefined;
    // "Order: exists, not revoked, password": a revoked link stays revoked, so `decide` refuses this attempt.
    if (current.status !== 'REVOKED') return refuse(parts, request, limited);
  }
  let resolution: Resolution | undefined;
  try {
    const begun = beginLease(parts, link, request, { target, prechecks, recipient });
    const attempt = {
      ...{ ...toAttempt(parts, request, prechecks, link), ...(begun && { lease: begun.lease }) },
      ...(recipient.newCode && { newCode: recipient.newCode }),
      ...(recipient.recipient && { recipient: recipient.recipient }),
    };
    const { verdict, viewCount, created } = await commitAttempt(parts, link, attempt, request);
    if (verdict === CHANGED) return undefined;
    if (verdict === 'RECIPIENT_REQUIRED' && recipient.noMail)
      return { kind: 'LIMITED', verdict, ...recipient.noMail };
    if (verdict === 'RECIPIENT_REQUIRED' && recipient.mail)
      parts.codeMailer?.add(recipient.mail.mail, recipient.mail.purpose);
    // A storage that fails is a server error, which is thrown once the attempt has its record.
    if (verdict === 'FILE_NOT_FOUND' && target.kind === 'MISSING_FILE' && target.storageError)
      throw target.storageError;
    const decided = {
      link,
      target,
      leaseToken: begun?.token,
      created,
      verdict,
      viewCount,
      step: recipient.step,
    };
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

/** Begins the lease of a file that the attempt may open. That of a recipient is bound to the browser. */
function beginLease(
  { randomBytes, leaseMs, clock }: ResolveParts,
  { target }: LinkDefinition,
  request: ResolveRequest,
  { target: opened, prechecks, recipient }: Omit<Checked, 'limited'>,
) {
  const opens =
    opened.kind === 'FILE' && request.purpose === 'OPEN' && prechecks.confirmation === 'NOT_NEEDED';
  if (!opens || target.type !== 'DOWNLOAD') return undefined;
  return newLease(
    target.file,
    {
      endsAt: clock() + leaseMs,
      isSentAtOnce: addressFor(target.file, request) === undefined,
      browser: recipient.step?.asked?.browser,
    },
    randomBytes,
  );
}

/** Returns which address an attempt gets instead of the file. A browser gets the page of a set, or of a file that it shows. */
function addressFor({ traits }: StoredFile, { wantsAddress, acceptsPage }: ResolveRequest) {
  const hasPage = traits?.fileCount !== undefined || traits?.viewable === true;
  return hasPage && (wantsAddress || acceptsPage?.()) ? 'PAGE' : wantsAddress;
}

export function refuse({ refusals }: ResolveParts, request: ResolveRequest, limited: Limited): Refused {
  refusals.add(request);
  return { kind: 'LIMITED', verdict: 'RATE_LIMITED', ...limited };
}

function toAttempt(
  { clock, newIdAndSalt, notifiedLinks }: ResolveParts,
  { shortCode, ipAddress, userAgent, referrer, purpose }: ResolveRequest,
  prechecks: Prechecks,
  link?: LinkDefinition,
): Attempt {
  const at = clock();
  const { id, salt } = newIdAndSalt(at);
  const attempt: Attempt = {
    ...{ id, at, salt, ipAddress, purpose, prechecks },
    shortCode: link?.shortCode ?? toAuditCode(shortCode),
    userAgent: toAuditAgent(userAgent, { isCodeKnown: link !== undefined }),
    version: link?.definitionVersion ?? null,
    notifies: link !== undefined && isNotified(notifiedLinks, () => hasReceiver(link)),
  };
  if (referrer && link) attempt.referrer = toAuditText(referrer, AUDIT_BOUNDS.referrer);
  return attempt;
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
  step?: RecipientStep | undefined;
};

function toResolution(
  parts: ResolveParts,
  request: ResolveRequest,
  { link, target, leaseToken = '', created, verdict, viewCount, step }: Decided,
): Resolution | Promise<Resolution> {
  if (verdict === 'CONFIRMATION_REQUIRED') {
    const files = target.kind === 'FILE' ? target.files : undefined;
    return readAboutLink(parts, link, { files, viewCount });
  }
  if (verdict === 'NOT_STARTED') return denyBeforeStart(parts.links, link, request);
  if (verdict === 'PASSWORD_REQUIRED' || verdict === 'INVALID_PASSWORD')
    return introduceDenied(parts, link, toDenied(verdict, request));
  if (verdict === 'RECIPIENT_REQUIRED' || verdict === 'INVALID_RECIPIENT')
    return introduceDenied(parts, link, {
      ...toDenied(verdict, request),
      recipient: { ...step, ...(request.password !== null && { password: request.password }) },
    });
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

/** Adds what visitors may read before they have proven that they may open the link. */
async function introduceDenied<Denied extends ReturnType<typeof toDenied>>(
  parts: ResolveParts,
  link: LinkDefinition,
  denied: Denied,
) {
  const introduction = await readIntroduction(parts, link);
  return { ...denied, ...(introduction && { introduction }) };
}

function toDenied(verdict: Denial, { purpose }: ResolveRequest) {
  return purpose === 'PREVIEW'
    ? ({ kind: 'PREVIEW', verdict } as const)
    : ({ kind: 'DENIED', verdict } as const);
}
