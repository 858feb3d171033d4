import { isDeepStrictEqual } from 'node:util';
import type { ChangedTerm } from './history.ts';
import {
  type EpochMs,
  type FileRequest,
  isHeldBack,
  type Link,
  type LinkState,
  type LinkStatus,
  type StoredFile,
  type Target,
} from './link.ts';
import type { LinkMail } from './link-event.ts';
import { fileOf, toChangedTerms } from './link-terms.ts';
import type { LinkType } from './link-type.ts';
import { HOLDER_TEXTS } from './owner.ts';
import type { FieldError } from './parsed.ts';
import { canHave, isSet, type LinkTerms, namesOf, PLAIN_NAMES, VISIT_TERMS } from './terms.ts';

/** The new terms of a link. A member that is absent keeps its term; null removes it. */
export type LinkPatch = {
  expiresAt?: EpochMs | null;
  maxViews?: number | null;
  passwordHash?: string | null;
  targetUrl?: string;
  /** Of what a file request asks for. */
  request?: Partial<FileRequest>;
  /** An upload that replaces the file of the link, or that file after another scan. */
  file?: StoredFile;
  startsAt?: EpochMs | null;
  isPaused?: boolean;
  terms?: Partial<LinkTerms>;
  /** Ends the link for good. */
  isRevoked?: true;
  /** See `formatOwner`. */
  owner?: string;
  team?: string | null;
  /** Changes no term: the history says to whom the link was mailed. */
  mail?: LinkMail;
};

/** A requested change. `versions`: those of the link to change; null for any. `alsoRevoked`: also of a revoked link. */
export type RequestedChange = { patch: LinkPatch; versions: readonly number[] | null; alsoRevoked?: boolean };

/** The reasons for which a link is not changed. */
export type ChangeRefusal =
  | { result: 'not-found' }
  | { result: 'revoked' }
  | { result: 'version-mismatch' }
  /** The file of the patch was abandoned before, and is removed. */
  | { result: 'upload-gone' }
  /** The patch has a file, and the link leads to none. */
  | { result: 'has-no-file' }
  /** The patch resumes the link, whose file is infected, or was not scanned where that is required. */
  | { result: 'held-back' }
  | { result: 'refused'; error: FieldError };

/** A decided change: the link after it, still with the history before it. `from`: its status before. */
export type ChangeDecision =
  | { result: 'changed'; link: Link; from: LinkStatus; details: Readonly<Record<string, ChangedTerm>> }
  | { result: 'unchanged'; link: Link }
  | ChangeRefusal;

/** The result that the store committed. `changedTerms`: their names in the history. */
export type ChangeResult =
  | { result: 'changed'; link: Link; changedTerms: readonly string[] }
  | { result: 'unchanged'; link: Link }
  | ChangeRefusal;

/** The owners and teams in a change that a link can have. */
export type KnownHolders = { owners: ReadonlySet<string>; teams: ReadonlySet<string> };
export const NO_HOLDERS: KnownHolders = { owners: new Set(), teams: new Set() };

/**
 * Decides a change. Pure and total: every store runs it inside its transaction, on the link as that sees it.
 *
 * @param known.isPending whether an upload is in the ledger and not abandoned
 */
export function decideChange(
  link: Link | undefined,
  { patch, versions, alsoRevoked = false }: RequestedChange,
  now: EpochMs,
  { owners, teams, isPending }: KnownHolders & { isPending: (fileId: string) => boolean } = {
    ...NO_HOLDERS,
    isPending: () => true,
  },
): ChangeDecision {
  if (!link) return { result: 'not-found' };
  if (link.status === 'REVOKED' && !alsoRevoked) return { result: 'revoked' };
  if (versions && !versions.includes(link.version)) return { result: 'version-mismatch' };
  const other = findOther(patch, link.target.type);
  if (other) return { result: 'refused', error: toOtherTarget(other) };
  const unknown = findUnknown(patch, { owners, teams });
  if (unknown) return { result: 'refused', error: unknown };
  if (patch.file && link.target.type !== 'DOWNLOAD') return { result: 'has-no-file' };
  const isScannedAgain = patch.file?.fileId === fileOf(link)?.fileId;
  if (patch.file && !isScannedAgain && !isPending(patch.file.fileId)) return { result: 'upload-gone' };
  if (patch.isPaused === false && isHeldBack(patch.file ?? fileOf(link))) return { result: 'held-back' };
  const after = applyPatch(link, patch, now);
  const movesTime = after.startsAt !== link.startsAt || after.expiresAt !== link.expiresAt;
  const error = movesTime ? checkStart(after.startsAt, after.expiresAt) : undefined;
  if (error) return { result: 'refused', error };
  const details = toChangedTerms(link, after);
  if (Object.keys(details).length === 0 && !patch.mail) return { result: 'unchanged', link };
  return { result: 'changed', link: withVersions(link, after), from: link.status, details };
}

function findUnknown({ owner, team }: LinkPatch, { owners, teams }: KnownHolders): FieldError | undefined {
  if (typeof team === 'string' && !teams.has(team))
    return { field: 'team', code: 'UNKNOWN_TEAM', text: HOLDER_TEXTS.UNKNOWN_TEAM };
  if (owner !== undefined && !owners.has(owner))
    return { field: 'owner', code: 'UNKNOWN_PERSON', text: HOLDER_TEXTS.UNKNOWN_PERSON };
  return undefined;
}

/** Counts the change, and that of the definition only if that differs: attempts by it go on. */
function withVersions(before: Link, after: Link): Link {
  const isSame = isDeepStrictEqual(toDefinition(before), toDefinition(after));
  return {
    ...after,
    version: before.version + 1,
    definitionVersion: before.definitionVersion + (isSame ? 0 : 1),
  };
}

/** Returns a term of the patch that a link of this type cannot have. */
function findOther({ targetUrl, request, terms = {} }: LinkPatch, type: LinkType): string | undefined {
  if (targetUrl && type !== 'REDIRECT') return 'targetUrl';
  if (request && type !== 'REQUEST') return 'request';
  return PLAIN_NAMES.find((name) => isSet(terms[name]) && !canHave(type, name));
}

export const NO_SUCH_TERM = 'cannot be changed, because this kind of link has none';

const toOtherTarget = (field: string): FieldError => ({
  field,
  code: 'TERM_CANNOT_BE_CHANGED',
  text: NO_SUCH_TERM,
});

function applyPatch(link: Link, patch: LinkPatch, now: EpochMs): Link {
  const { owner = link.owner } = patch;
  const terms = { ...link.terms, ...patch.terms };
  return {
    ...link,
    ...toState(link, patch, now),
    target: toTarget(patch, link.target),
    passwordHash: patch.passwordHash === undefined ? link.passwordHash : patch.passwordHash,
    terms: terms.notifyEmail === null ? { ...terms, notifyLanguage: null } : terms,
    owner,
    tokenHash: owner === link.owner ? link.tokenHash : null, // the former owner has the token
    team: patch.team === undefined ? link.team : patch.team,
  };
}

/** Returns what the version of a definition counts the changes of. */
function toDefinition({ target, passwordHash, terms }: Link) {
  const names = [...namesOf(VISIT_TERMS), 'notifyLanguage'] as const;
  return { target, passwordHash, terms: names.map((name) => terms[name]) };
}

function toTarget({ file, request, targetUrl: url }: LinkPatch, before: Target): Target {
  if (file) return { type: 'DOWNLOAD', file };
  if (before.type === 'REQUEST') return { ...before, request: { ...before.request, ...request } };
  return url === undefined ? before : { type: 'REDIRECT', url };
}

type ChangedState = Pick<LinkState, 'status' | 'maxViews' | 'startsAt' | 'expiresAt' | 'isPaused'>;

/** Returns the new state. A limit below the views so far becomes these: no view is undone, and no further one granted. */
function toState(link: Link, patch: LinkPatch, now: EpochMs): ChangedState {
  const { viewCount } = link;
  const { expiresAt = link.expiresAt, startsAt = link.startsAt, maxViews: wanted = link.maxViews } = patch;
  const maxViews = wanted === null ? null : Math.max(wanted, viewCount);
  const movesEnd = expiresAt !== link.expiresAt || maxViews !== link.maxViews;
  const status = movesEnd ? statusUntil({ expiresAt, maxViews }, viewCount, now) : link.status;
  return {
    status: patch.isRevoked ? 'REVOKED' : status,
    maxViews,
    startsAt,
    expiresAt,
    isPaused: isHeldBack(patch.file) || (patch.isPaused ?? link.isPaused),
  };
}

/** Returns the status of a link whose end was moved. */
function statusUntil(
  { expiresAt, maxViews }: Pick<LinkState, 'expiresAt' | 'maxViews'>,
  viewCount: number,
  now: EpochMs,
): LinkStatus {
  const isOver = expiresAt !== null && now > expiresAt;
  return isOver || (maxViews !== null && viewCount >= maxViews) ? 'EXPIRED' : 'ACTIVE';
}

export type RevocationResult = 'revoked' | 'already-revoked' | 'not-found';

/** A revocation: what is reported, and how the link's status changes, if it does. */
export type RevocationDecision = {
  result: RevocationResult;
  change: { from: LinkStatus; to: LinkStatus } | null;
};

/** Decides a revocation by the link's status; undefined means no link. Stores run it in their transaction. */
export function decideRevocation(status: LinkStatus | undefined): RevocationDecision {
  if (status === undefined) return { result: 'not-found', change: null };
  if (status === 'REVOKED') return { result: 'already-revoked', change: null };
  return { result: 'revoked', change: { from: status, to: 'REVOKED' } };
}

/** Returns the error of a link that would start when it is over; undefined for any other. */
export function checkStart(startsAt: EpochMs | null, expiresAt: EpochMs | null): FieldError | undefined {
  if (startsAt === null || expiresAt === null || startsAt < expiresAt) return undefined;
  return { field: 'startsAt', code: 'STARTS_AFTER_EXPIRY', text: 'must be before the link expires' };
}
