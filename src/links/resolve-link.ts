import { type AttemptOutcome, AUDIT_BOUNDS, type Prechecks, type Purpose, toAuditText } from './attempt.ts';
import type { EpochMs, LinkDefinition, LinkType, StoredFile } from './link.ts';
import type { FileStore, LinkStore, OpenFile, PasswordHasher } from './ports.ts';
import type { Denial } from './verdict.ts';

/** A visitor's request to open a link. `shortCode` is any text that stood in its place. */
export type ResolveRequest = {
  shortCode: string;
  password: string | null;
  purpose: Purpose;
  confirmation: Confirmation;
  ipAddress: string | null;
  userAgent: string | null;
};

/**
 * Whether the visitor confirms opening a link that wants a confirmation. GIVEN also stands for a program, which
 * skips the confirmation page. WITHHELD is a dry run: the link is not opened even if it wants no confirmation.
 */
export type Confirmation = 'GIVEN' | 'MISSING' | 'WITHHELD';

/** The result of an attempt, with what its response needs. The file of a FILE must be sent or closed. */
export type Resolution =
  | { kind: 'REDIRECT'; targetUrl: string; viewCount: number }
  | { kind: 'FILE'; fileName: string; file: OpenFile; viewCount: number }
  | { kind: 'DENIED'; denial: Denial }
  | { kind: 'CONFIRM'; about: AboutLink }
  | { kind: 'PREVIEW'; verdict: 'SUCCESS' | Denial };

/** What the confirmation page shows of a link, never its target. `viewsLeft` is null without a limit. */
export type AboutLink = {
  type: LinkType;
  file: { name: string; sizeBytes: number } | null;
  viewsLeft: number | null;
  expiresAt: EpochMs | null;
};

/**
 * Resolves a link: finds it, runs the prechecks, lets the store decide and commit, and only then returns the target.
 * Every call that returns has written exactly one audit record.
 */
export type ResolveLink = (request: ResolveRequest) => Promise<Resolution>;

/** A target that is ready to be handed over. A file that is missing or cut short is known before it costs a view. */
type OpenedTarget =
  | { kind: 'REDIRECT'; targetUrl: string }
  | { kind: 'FILE'; fileName: string; file: OpenFile }
  | { kind: 'MISSING_FILE'; storageError?: unknown };

const FILE_PRECHECKS = {
  REDIRECT: 'NOT_NEEDED',
  FILE: 'OPEN',
  MISSING_FILE: 'MISSING',
} as const satisfies Record<OpenedTarget['kind'], string>;

export function prepareResolveLink(parts: {
  links: LinkStore;
  files: FileStore;
  passwords: PasswordHasher;
  clock: () => EpochMs;
  newAttemptId: (at: EpochMs) => string;
}): ResolveLink {
  const { links, files, passwords, clock, newAttemptId } = parts;

  async function resolveLink(request: ResolveRequest): Promise<Resolution> {
    const link = await links.find(request.shortCode);
    if (!link) {
      await commit(request, 'LINK_NOT_FOUND');
      return toRefusal('NOT_FOUND', request);
    }
    const { target, prechecks } = await precheck(link, request);
    let resolution: Resolution | undefined;
    try {
      const { verdict, viewCount } = await commit(request, prechecks);
      // A storage that fails is a server error, thrown once the attempt has its record.
      if (verdict === 'FILE_NOT_FOUND' && target.kind === 'MISSING_FILE' && target.storageError)
        throw target.storageError;
      resolution =
        verdict === 'CONFIRMATION_REQUIRED'
          ? { kind: 'CONFIRM', about: await describe(link, viewCount) }
          : toResolution(verdict, request, target, viewCount);
      return resolution;
    } finally {
      if (target.kind === 'FILE' && resolution?.kind !== 'FILE') await target.file.close();
    }
  }

  async function precheck({ passwordHash, target, confirm }: LinkDefinition, request: ResolveRequest) {
    const password = passwordHash === null ? 'NOT_NEEDED' : await verify(request.password, passwordHash);
    const mayOpen = password === 'NOT_NEEDED' || password === 'RIGHT';
    const opened: OpenedTarget =
      target.type === 'REDIRECT'
        ? { kind: 'REDIRECT', targetUrl: target.url }
        : mayOpen
          ? await openFile(target.file)
          : { kind: 'MISSING_FILE' };
    const confirmation = needsConfirmation(confirm, request.confirmation) ? 'MISSING' : 'NOT_NEEDED';
    return {
      target: opened,
      prechecks: { password, file: FILE_PRECHECKS[opened.kind], confirmation },
    } as const;
  }

  async function verify(password: string | null, passwordHash: string) {
    if (password === null) return 'MISSING';
    return (await passwords.verify(password, passwordHash)) ? 'RIGHT' : 'WRONG';
  }

  async function openFile({ fileId, fileName, sizeBytes }: StoredFile): Promise<OpenedTarget> {
    try {
      const file = await files.open(fileId);
      if (file?.sizeBytes === sizeBytes) return { kind: 'FILE', fileName, file };
      await file?.close();
      return { kind: 'MISSING_FILE' };
    } catch (storageError) {
      return { kind: 'MISSING_FILE', storageError };
    }
  }

  function commit(request: ResolveRequest, prechecks: Prechecks): Promise<AttemptOutcome> {
    const at = clock();
    return links.attempt({
      id: newAttemptId(at),
      at,
      shortCode: toAuditText(request.shortCode, AUDIT_BOUNDS.shortCode),
      ipAddress: request.ipAddress,
      userAgent: request.userAgent === null ? null : toAuditText(request.userAgent, AUDIT_BOUNDS.userAgent),
      purpose: request.purpose,
      prechecks,
    });
  }

  /** Limits never change, so the views left follow from the views that the attempt found. */
  async function describe({ shortCode, target }: LinkDefinition, viewCount: number): Promise<AboutLink> {
    const { maxViews = null, expiresAt = null } = (await links.read(shortCode)) ?? {};
    return {
      type: target.type,
      file:
        target.type === 'REDIRECT' ? null : { name: target.file.fileName, sizeBytes: target.file.sizeBytes },
      viewsLeft: maxViews === null ? null : maxViews - viewCount,
      expiresAt,
    };
  }

  return resolveLink;
}

function needsConfirmation(confirm: boolean, given: Confirmation): boolean {
  return given === 'WITHHELD' || (confirm && given === 'MISSING');
}

function toResolution(
  verdict: 'SUCCESS' | Denial,
  request: ResolveRequest,
  target: OpenedTarget,
  viewCount: number,
): Resolution {
  if (verdict !== 'SUCCESS') return toRefusal(verdict, request);
  if (request.purpose === 'PREVIEW') return { kind: 'PREVIEW', verdict };
  return target.kind === 'MISSING_FILE' ? toRefusal('FILE_NOT_FOUND', request) : { ...target, viewCount };
}

function toRefusal(denial: Denial, { purpose }: ResolveRequest): Resolution {
  return purpose === 'PREVIEW' ? { kind: 'PREVIEW', verdict: denial } : { kind: 'DENIED', denial };
}
