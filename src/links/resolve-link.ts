import {
  type Attempt,
  type AttemptOutcome,
  AUDIT_BOUNDS,
  isPreview,
  type Prechecks,
  type Purpose,
  toAuditText,
} from './attempt.ts';
import type { EpochMs, LinkDefinition, LinkType, StoredFile } from './link.ts';
import type { FileStore, LinkStore, OpenFile, PasswordHasher } from './ports.ts';
import type { Denial, Verdict } from './verdict.ts';

/** Who asks for which link, and how. `shortCode` is whatever text stood in its place. */
export type ResolveRequest = {
  shortCode: string;
  password: string | null;
  purpose: Purpose;
  /** Whether nobody has to be asked first, also where the link says so: a program, or who has said yes. */
  isConfirmed: boolean;
  ipAddress: string | null;
  userAgent: string | null;
};

/** What an attempt came to, with what its answer needs. A FILE holds a handle: it is sent or closed. */
export type Resolution =
  | { kind: 'REDIRECT'; targetUrl: string; viewCount: number }
  | { kind: 'FILE'; fileName: string; file: OpenFile; viewCount: number }
  | { kind: 'DENIED'; denial: Denial }
  /** Nothing is spent yet: what a person is told who is asked first. */
  | { kind: 'CONFIRM'; about: AboutLink }
  | { kind: 'PREVIEW'; verdict: Verdict };

/** What a link is about, for those who may open it; never its target. `viewsLeft` is null without a limit. */
export type AboutLink = {
  type: LinkType;
  file: { name: string; sizeBytes: number } | null;
  viewsLeft: number | null;
  expiresAt: EpochMs | null;
};

/**
 * Resolves a link: gathers the evidence, lets the store decide and commit, and only then gives the target.
 * Every call that returns has written exactly one audit record; one that throws has written none.
 */
export type ResolveLink = (request: ResolveRequest) => Promise<Resolution>;

export function prepareResolveLink(parts: {
  links: LinkStore;
  files: FileStore;
  passwords: PasswordHasher;
  clock: () => EpochMs;
  newAttemptId: (at: EpochMs) => string;
}): ResolveLink {
  const { links, files, passwords, clock, newAttemptId } = parts;

  function commit(request: ResolveRequest, prechecks: Prechecks): Promise<AttemptOutcome> {
    const at = clock();
    const attempt: Attempt = {
      id: newAttemptId(at),
      at,
      shortCode: toAuditText(request.shortCode, AUDIT_BOUNDS.shortCode),
      ipAddress: request.ipAddress,
      userAgent: request.userAgent === null ? null : toAuditText(request.userAgent, AUDIT_BOUNDS.userAgent),
      purpose: request.purpose,
      prechecks,
    };
    return links.attempt(attempt);
  }

  async function verify(passwordHash: string, password: string | null) {
    if (password === null) return 'MISSING';
    return (await passwords.verify(password, passwordHash)) ? 'RIGHT' : 'WRONG';
  }

  async function resolveRedirect(
    request: ResolveRequest,
    facts: LinkDefinition,
    url: string,
  ): Promise<Resolution> {
    const { passwordHash } = facts;
    const password = passwordHash === null ? 'NOT_NEEDED' : await verify(passwordHash, request.password);
    const { verdict, viewCount } = await commit(request, { password, file: 'NOT_NEEDED' });
    if (needsConfirmation(request, facts, verdict)) return confirm(facts, viewCount);
    return unlessGranted(verdict, request) ?? { kind: 'REDIRECT', targetUrl: url, viewCount };
  }

  async function resolveDownload(
    request: ResolveRequest,
    facts: LinkDefinition,
    stored: StoredFile,
  ): Promise<Resolution> {
    const { passwordHash } = facts;
    const password = passwordHash === null ? 'NOT_NEEDED' : await verify(passwordHash, request.password);
    // Opened before the view is claimed, so that a missing file spends nothing; not for who may not have it.
    const mayOpen = password === 'NOT_NEEDED' || password === 'RIGHT';
    const { file, fault } = mayOpen ? await tryToOpen(stored.fileId) : NOT_OPENED;
    let isHandedOver = false;
    try {
      // A file of another length than was uploaded is as good as missing: nobody gets half a contract.
      const isWhole = file?.sizeBytes === stored.sizeBytes;
      const { verdict, viewCount } = await commit(request, { password, file: isWhole ? 'OPEN' : 'MISSING' });
      if (fault && verdict === 'FILE_NOT_FOUND') throw fault;
      if (needsConfirmation(request, facts, verdict)) return await confirm(facts, viewCount);
      const refused = unlessGranted(verdict, request);
      if (refused) return refused;
      if (!file) return impossible();
      isHandedOver = true;
      return { kind: 'FILE', fileName: stored.fileName, file, viewCount };
    } finally {
      if (!isHandedOver) await file?.close();
    }
  }

  /** A storage that fails is a fault, which is thrown once the attempt has its record. */
  async function tryToOpen(fileId: string): Promise<{ file?: OpenFile | undefined; fault?: unknown }> {
    try {
      return { file: await files.open(fileId) };
    } catch (fault) {
      return { fault };
    }
  }

  /** Limits never change, so what is left of them is known from the views that the attempt has found. */
  async function confirm({ shortCode, target }: LinkDefinition, viewCount: number): Promise<Resolution> {
    const { maxViews, expiresAt } = (await links.read(shortCode)) ?? impossible();
    const viewsLeft = maxViews === null ? null : maxViews - viewCount;
    const file =
      target.type === 'DOWNLOAD' ? { name: target.file.fileName, sizeBytes: target.file.sizeBytes } : null;
    return { kind: 'CONFIRM', about: { type: target.type, file, viewsLeft, expiresAt } };
  }

  return async (wanted) => {
    const facts = await links.find(wanted.shortCode);
    if (!facts) {
      const { verdict } = await commit(wanted, 'LINK_NOT_FOUND');
      return unlessGranted(verdict, wanted) ?? impossible();
    }
    const request: ResolveRequest =
      facts.confirm && !wanted.isConfirmed && wanted.purpose === 'OPEN'
        ? { ...wanted, purpose: 'ASK' }
        : wanted;
    return facts.target.type === 'REDIRECT'
      ? await resolveRedirect(request, facts, facts.target.url)
      : await resolveDownload(request, facts, facts.target.file);
  };
}

const NOT_OPENED: { file?: OpenFile; fault?: unknown } = {};

/** Whether an attempt that spends nothing is to be told what the link is about, which only those are who may open it. */
function needsConfirmation(
  { purpose, isConfirmed }: ResolveRequest,
  { confirm }: LinkDefinition,
  verdict: Verdict,
): boolean {
  if (verdict !== 'SUCCESS' || !isPreview(purpose, verdict)) return false;
  return purpose === 'ASK' || (confirm && !isConfirmed);
}

/** What an attempt came to that does not get the target; undefined where it does. */
function unlessGranted(verdict: Verdict, { purpose }: ResolveRequest): Resolution | undefined {
  if (purpose === 'PREVIEW') return { kind: 'PREVIEW', verdict };
  return verdict === 'SUCCESS' ? undefined : { kind: 'DENIED', denial: verdict };
}

function impossible(): never {
  throw new Error('An attempt without evidence of its link or file was granted');
}
