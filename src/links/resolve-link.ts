import { type Attempt, AUDIT_BOUNDS, type Evidence, type Purpose, toAuditText } from './attempt.ts';
import type { EpochMs, LinkFacts } from './link.ts';
import type { FileStore, LinkStore, OpenFile, PasswordHasher } from './ports.ts';
import type { Denial, Verdict } from './verdict.ts';

/** Who asks for which link, and how. `shortCode` is whatever text stood in its place. */
export type ResolveRequest = {
  shortCode: string;
  password: string | null;
  purpose: Purpose;
  ipAddress: string | null;
  userAgent: string | null;
};

/** What an attempt came to, with what its answer needs. A FILE holds a handle: it is streamed or closed. */
export type Resolution =
  | { kind: 'REDIRECT'; targetUrl: string; viewCount: number }
  | { kind: 'FILE'; fileName: string; file: OpenFile; viewCount: number }
  | { kind: 'DENIED'; denial: Denial }
  | { kind: 'PREVIEW'; verdict: Verdict };

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

  async function resolve(request: ResolveRequest, facts: LinkFacts | undefined, file: OpenFile | undefined) {
    const evidence: Evidence = facts
      ? { password: await passwordEvidence(facts, request.password), file: fileEvidence(facts, file) }
      : 'LINK_NOT_FOUND';
    const at = clock();
    const attempt: Attempt = {
      id: newAttemptId(at),
      at,
      shortCode: toAuditText(request.shortCode, AUDIT_BOUNDS.shortCode),
      ipAddress: request.ipAddress,
      userAgent: request.userAgent === null ? null : toAuditText(request.userAgent, AUDIT_BOUNDS.userAgent),
      purpose: request.purpose,
      evidence,
    };
    const { verdict, viewCount } = await links.attempt(attempt);
    return toResolution(verdict, viewCount, request.purpose, facts, file);
  }

  async function passwordEvidence({ passwordHash }: LinkFacts, password: string | null) {
    if (passwordHash === null) return 'NOT_NEEDED';
    if (password === null) return 'MISSING';
    return (await passwords.verify(password, passwordHash)) ? 'RIGHT' : 'WRONG';
  }

  return async (request) => {
    const facts = await links.find(request.shortCode);
    // Opened before the view is claimed, so that a missing file spends nothing.
    const file = facts?.target.type === 'DOWNLOAD' ? await files.open(facts.target.file.fileId) : undefined;
    let resolution: Resolution | undefined;
    try {
      resolution = await resolve(request, facts, file);
      return resolution;
    } finally {
      if (resolution?.kind !== 'FILE') await file?.close();
    }
  };
}

/** A file of another length than was uploaded is as good as missing: nobody gets half a contract. */
function fileEvidence({ target }: LinkFacts, file: OpenFile | undefined) {
  if (target.type === 'REDIRECT') return 'NOT_NEEDED';
  return file?.sizeBytes === target.file.sizeBytes ? 'OPEN' : 'MISSING';
}

function toResolution(
  verdict: Verdict,
  viewCount: number,
  purpose: Purpose,
  facts: LinkFacts | undefined,
  file: OpenFile | undefined,
): Resolution {
  if (purpose === 'PREVIEW') return { kind: 'PREVIEW', verdict };
  if (verdict !== 'SUCCESS') return { kind: 'DENIED', denial: verdict };
  if (facts?.target.type === 'REDIRECT') return { kind: 'REDIRECT', targetUrl: facts.target.url, viewCount };
  if (facts && file) return { kind: 'FILE', fileName: facts.target.file.fileName, file, viewCount };
  throw new Error('An attempt without evidence of its link or file was granted');
}
