import { CHANGED } from './attempt.ts';
import type { BytePart, OpenFile } from './file-store.ts';
import { hashLeaseToken, type ResumeDenial } from './lease.ts';
import type { StoredFile } from './link.ts';
import {
  MAX_TRIES,
  type Resolution,
  type ResolveParts,
  type ResolveRequest,
  refuse,
  resolveUnknownCode,
} from './resolve-link.ts';
import { OverloadedError } from './unavailable.ts';

/** The bytes that a client asks for, both included; from the end of the file on if only `last` is given. */
export type ByteRange = { first: number; last?: number } | { first?: undefined; last: number };

/** A request below a link, with the token of a lease. `range`: null for the whole file. */
export type ResumeDownloadRequest = Pick<ResolveRequest, 'shortCode' | 'ipAddress' | 'userAgent'> & {
  leaseToken: string;
  range: ByteRange | null;
  /** True for the headers alone, which sends nothing of the file. */
  isHead: boolean;
};

/** A part of a file, which must be sent or closed; null for the headers alone. */
export type FilePart = BytePart & { file: OpenFile | null };

export type Resumption =
  | { kind: 'PART'; fileName: string; sha256: string; sizeBytes: number; part: FilePart; isWhole: boolean }
  | { kind: 'NOT_SATISFIABLE'; sizeBytes: number }
  | { kind: 'LEASE_DENIED'; denial: Exclude<ResumeDenial, 'LEASE_NOT_FOUND' | 'REVOKED'> }
  | Extract<Resolution, { kind: 'DENIED' | 'LIMITED' | 'PREVIEW' }>;

/** Continues the download of a granted attempt. An unknown lease is recorded and limited as an unknown code is. */
export type ResumeDownload = (request: ResumeDownloadRequest) => Promise<Resumption>;

export function prepareResumeDownload(parts: ResolveParts): ResumeDownload {
  const { links, limits } = parts;
  const continueFile = prepareContinueFile(parts);

  return async (asked) => {
    const { leaseToken, range: _, isHead: __, ...request } = asked;
    const { shortCode, ipAddress } = request;
    const visit = { ...request, password: null, purpose: 'OPEN', confirmation: 'GIVEN' } as const;
    const blockedMs = limits.visitsBlockedMs(ipAddress);
    if (blockedMs > 0)
      return refused(refuse(parts, visit, { cause: 'UNKNOWN_CODES', retryAfterMs: blockedMs }));
    let outdatedVersion: number | undefined;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const link = await links.find(shortCode, outdatedVersion);
      const { target, definitionVersion } = link ?? {};
      const resumption =
        target?.type === 'DOWNLOAD'
          ? await continueFile(asked, target.file, definitionVersion ?? 0)
          : 'UNKNOWN';
      if (resumption === 'UNKNOWN')
        return refused(
          await resolveUnknownCode(parts, { ...visit, shortCode: `${shortCode}/${leaseToken}` }),
        );
      if (resumption !== CHANGED) return resumption;
      outdatedVersion = definitionVersion;
    }
    throw new OverloadedError('store');
  };
}

/** Prepares continuing a download of the file that a link has in a version of its definition. */
function prepareContinueFile({ links, files, clock, downloads }: ResolveParts) {
  return async (
    { shortCode, leaseToken, range, isHead }: ResumeDownloadRequest,
    { fileId, fileName, sizeBytes, sha256 }: StoredFile,
    version: number,
  ): Promise<Resumption | typeof CHANGED | 'UNKNOWN'> => {
    const part = toPart(range, sizeBytes);
    const lengthBytes = isHead ? 0 : (part?.lengthBytes ?? 0);
    const lease = { hash: hashLeaseToken(leaseToken), shortCode, fileId, version };
    const chargedBytes = lengthBytes === 0 ? 0 : chargeOf(lengthBytes, sizeBytes);
    const result = await links.resume({ ...lease, chargedBytes, at: clock() });
    if (result.verdict === CHANGED) return CHANGED;
    if (result.verdict === 'LEASE_NOT_FOUND') return 'UNKNOWN';
    if (result.verdict === 'REVOKED') return { kind: 'DENIED', verdict: 'REVOKED' };
    if (result.verdict !== 'GRANTED') return { kind: 'LEASE_DENIED', denial: result.verdict };
    if (!part) return { kind: 'NOT_SATISFIABLE', sizeBytes };
    const { firstByte } = part;
    const isWhole = lengthBytes === sizeBytes;
    const found = { kind: 'PART', fileName, sha256, sizeBytes, isWhole: range === null } as const;
    if (isHead) return { ...found, part: { ...part, file: null } };
    const { attemptId } = result;
    const sent = { attemptId, shortCode, firstByte, reachesEnd: firstByte + lengthBytes === sizeBytes };
    try {
      const opened = await files.open(fileId, sha256, isWhole ? undefined : part);
      if (opened?.sizeBytes === lengthBytes)
        return { ...found, part: { ...part, file: downloads.observe(opened, sent) } };
      await opened?.close();
    } catch (storageError) {
      await downloads.recordUnsent(sent, lengthBytes);
      throw storageError;
    }
    await downloads.recordUnsent(sent, lengthBytes);
    return { kind: 'DENIED', verdict: 'FILE_NOT_FOUND' };
  };
}

/** The parts of each copy of a file at most. */
const MAX_PARTS = 500;

/** Returns the bytes that a part costs its lease: small ones more than they have, because each is an entry of the history. */
export function chargeOf(lengthBytes: number, sizeBytes: number): number {
  return Math.max(lengthBytes, Math.ceil(sizeBytes / MAX_PARTS));
}

/** Returns the part of a file that a range selects (RFC 9110, 14.1.2); undefined for none of its bytes. */
export function toPart(range: ByteRange | null, sizeBytes: number): BytePart | undefined {
  if (range === null) return { firstByte: 0, lengthBytes: sizeBytes };
  if (range.first === undefined) {
    const lengthBytes = Math.min(range.last, sizeBytes);
    return lengthBytes > 0 ? { firstByte: sizeBytes - lengthBytes, lengthBytes } : undefined;
  }
  const { first: firstByte, last = sizeBytes - 1 } = range;
  const end = Math.min(last + 1, sizeBytes);
  return firstByte < end ? { firstByte, lengthBytes: end - firstByte } : undefined;
}

type Refused = Extract<Resolution, { kind: 'DENIED' | 'LIMITED' | 'PREVIEW' }>;

function refused(resolution: Resolution): Refused {
  const { kind } = resolution;
  if (kind === 'DENIED' || kind === 'LIMITED' || kind === 'PREVIEW') return resolution;
  throw new Error(`an unknown code was resolved to ${kind}`);
}
