import type { ResumeDenial } from '../../model/decide-resume.ts';
import { hashLease, isBoundLease } from '../../model/lease.ts';
import { type FilePartInfo, isHeldBack, type LinkDefinition, type StoredFile } from '../../model/link.ts';
import { OverloadedError } from '../../model/unavailable.ts';
import { CHANGED } from '../../model/verdict.ts';
import type { BytePart, OpenFile } from '../../ports/file-store.ts';
import { type Introduction, introduce } from '../visit/about-link.ts';
import type { Resolution } from '../visit/resolution.ts';
import { MAX_TRIES, type ResolveParts } from '../visit/resolve-link.ts';
import type { FileSet } from './compose-zip.ts';
import { readShownType } from './examine-file.ts';
import { contentOf, type FileContent } from './file-content.ts';
import { readSet } from './open-file.ts';
import type { SentPart } from './record-downloads.ts';

/** The bytes that a client asks for, both included; from the end of the file on if only `last` is given. */
export type ByteRange = { first: number; last?: number } | { first?: undefined; last: number };

/** A request below a link, with the token of a lease. `range`: null for the whole file. */
export type ResumeDownloadRequest = {
  shortCode: string;
  leaseToken: string;
  /** The secret of the browser, if it has one. */
  browser: string | undefined;
  /** Of one file of a set, from 1; absent for the ZIP of a set, and for a link to one file. */
  fileNumber?: number | undefined;
  /** True for a file that a page shows. */
  isShown?: boolean;
  /** True for the list of the files instead of their bytes. */
  wantsList: boolean;
  range: ByteRange | null;
  /** True for the headers alone, which sends nothing of the file. */
  isHead: boolean;
};

/** A part of a file, which must be sent or closed; null for the headers alone. */
export type FilePart = BytePart & { file: OpenFile | null };

/** `shownType`: the media type of a file that a page shows. */
export type Resumption =
  | ({ kind: 'PART'; part: FilePart; isWhole: boolean; shownType?: string | undefined } & Pick<
      FileContent,
      'fileName' | 'sha256' | 'sizeBytes'
    >)
  | ({ kind: 'LIST' } & FileList)
  | { kind: 'NOT_SATISFIABLE'; sizeBytes: number }
  | { kind: 'LEASE_DENIED'; denial: Exclude<ResumeDenial, 'LEASE_NOT_FOUND' | 'REVOKED'> }
  | Extract<Resolution, { kind: 'DENIED' }>;

/**
 * The files that a lease sends, and the name and size of all. `files`: undefined for a link to one file. `shownType`: as above.
 * `isBound`: the lease continues in one browser.
 */
export type FileList = {
  introduction: Introduction;
  isBound: boolean;
  file: StoredFile;
  files: readonly FilePartInfo[] | undefined;
  shownType: string | undefined;
};

/**
 * Continues the download of a granted attempt, for a client that is refused for unknown codes too: the token of a lease cannot
 * be guessed. Returns undefined for an unknown one: the request is a visit as any other.
 */
export type ResumeDownload = (request: ResumeDownloadRequest) => Promise<Resumption | undefined>;

export function prepareResumeDownload(parts: ResolveParts): ResumeDownload {
  const { links } = parts;
  const continueFile = prepareContinueFile(parts);

  return async (asked) => {
    const { shortCode } = asked;
    let outdatedVersion: number | undefined;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const link = await links.find(shortCode, outdatedVersion);
      const resumption =
        link?.target.type === 'DOWNLOAD' ? await continueFile(asked, link, link.target.file) : undefined;
      if (resumption !== CHANGED) return resumption;
      outdatedVersion = link?.definitionVersion;
    }
    throw new OverloadedError('store');
  };
}

/** Prepares continuing a download of the file that a link has in this version of its definition. */
function prepareContinueFile(parts: ResolveParts) {
  const { links, clock, isScanRequired } = parts;
  const sendPart = prepareSendPart(parts);

  return async (
    asked: ResumeDownloadRequest,
    link: LinkDefinition,
    file: StoredFile,
  ): Promise<Resumption | typeof CHANGED | undefined> => {
    const { shortCode, leaseToken, browser, fileNumber, range, isHead, wantsList, isShown } = asked;
    if ((isScanRequired && isHeldBack(file, true)) || (isShown && !file.traits?.viewable)) return undefined;
    const version = link.definitionVersion;
    const lease = { hash: hashLease(leaseToken, browser), shortCode, fileId: file.fileId, version };
    const isSet = file.traits?.fileCount !== undefined;
    let set: FileSet | undefined;
    const leastBytes = isSet ? chargeOf(0, file) : 0; // the list and the headers of a set cost more than those of a file
    if (isSet || wantsList) {
      // The files of a set are read only for a lease, because there may be many.
      const found = await links.resume({ ...lease, chargedBytes: wantsList ? leastBytes : 0, at: clock() });
      if (found.verdict !== 'GRANTED') return toRefusal(found.verdict);
      if (isSet) set = await readSet(links, shortCode, file.fileId);
      if (isSet && !set) return CHANGED;
      const shownType = file.traits?.viewable ? await readShownType(parts.files, file) : undefined;
      const isBound = isBoundLease(leaseToken);
      if (wantsList) {
        const introduction = await introduce(parts.people, link, await links.read(shortCode));
        return { kind: 'LIST', introduction, file, files: set?.files, shownType, isBound };
      }
    }
    const content = contentOf(file, set, fileNumber);
    if (!content) return undefined;
    const part = toPart(range, content.sizeBytes);
    const stored = part && content.storedPart(part);
    const chargedBytes = isHead || !stored ? leastBytes : chargeOf(stored.lengthBytes, file);
    const result = await links.resume({ ...lease, chargedBytes, at: clock() });
    if (result.verdict !== 'GRANTED') return toRefusal(result.verdict);
    if (!part || !stored) return { kind: 'NOT_SATISFIABLE', sizeBytes: content.sizeBytes };
    const { fileName, sha256, sizeBytes } = content;
    const shownType = isShown ? await readShownType(parts.files, file) : undefined;
    const found = {
      kind: 'PART',
      fileName,
      sha256,
      sizeBytes,
      shownType,
      isWhole: range === null,
    } as const;
    if (isHead) return { ...found, part: { ...part, file: null } };
    const sent = await sendPart(file, { stored, content, part, attemptId: result.attemptId, shortCode });
    return sent ? { ...found, part: { ...part, file: sent } } : { kind: 'DENIED', verdict: 'FILE_NOT_FOUND' };
  };
}

function toRefusal(verdict: ResumeDenial | typeof CHANGED): Resumption | typeof CHANGED | undefined {
  if (verdict === CHANGED) return CHANGED;
  if (verdict === 'LEASE_NOT_FOUND') return undefined;
  if (verdict === 'REVOKED') return { kind: 'DENIED', verdict };
  return { kind: 'LEASE_DENIED', denial: verdict };
}

/** A part of a content, with the part of the stored file that it has, and the attempt whose view it is sent under. */
type SentContent = Pick<SentPart, 'attemptId' | 'shortCode'> & {
  content: FileContent;
  part: BytePart;
  stored: BytePart;
};

/** Prepares opening a part of a file, which records its end; returns undefined where the stored file lacks it. */
function prepareSendPart({ files, downloads }: ResolveParts) {
  return async (
    { fileId, sizeBytes, sha256 }: StoredFile,
    { stored, content, part, ...attempt }: SentContent,
  ): Promise<OpenFile | undefined> => {
    const { firstByte, lengthBytes } = stored;
    if (lengthBytes === 0) return content.open(part, null);
    const sent = { ...attempt, firstByte, reachesEnd: firstByte + lengthBytes === sizeBytes };
    const isAll = lengthBytes === sizeBytes;
    const digest = isAll ? sha256 : part.lengthBytes === content.sizeBytes ? content.sha256 : undefined;
    try {
      const opened = await files.open(fileId, digest, isAll ? undefined : stored);
      if (opened?.sizeBytes === lengthBytes) return content.open(part, downloads.observe(opened, sent));
      await opened?.close();
    } catch (storageError) {
      await downloads.recordUnsent(sent, lengthBytes);
      throw storageError;
    }
    await downloads.recordUnsent(sent, lengthBytes);
    return undefined;
  };
}

/** The parts of each copy of a file at most. Of a set, each file can be downloaded by itself twice. */
const PARTS_PER_COPY = 500;
const PARTS_PER_FILE = 2;

/** Returns the bytes that a part costs its lease: small ones more than they have, because each is an entry of the history. */
export function chargeOf(
  lengthBytes: number,
  { sizeBytes, traits }: Pick<StoredFile, 'sizeBytes' | 'traits'>,
): number {
  const parts = Math.max(PARTS_PER_COPY, PARTS_PER_FILE * (traits?.fileCount ?? 0));
  return Math.max(lengthBytes, Math.ceil(sizeBytes / parts));
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
