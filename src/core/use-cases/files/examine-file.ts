import { isUtf8 } from 'node:buffer';
import { dropOldest } from '../../../common/drop-oldest.ts';
import type { Author } from '../../model/author.ts';
import { type FileTraits, isShownText, type StoredFile } from '../../model/link.ts';
import type { FieldError } from '../../model/parsed.ts';
import { findShownType, SHOWN_BYTES, SHOWN_KINDS } from '../../model/shown-type.ts';
import { type FileScanner, SCANNED_LATE, type ScanTraits } from '../../ports/file-scanner.ts';
import type { BytePart, FileStore, OpenFile } from '../../ports/file-store.ts';
import type { WorkQueue } from '../../ports/ports.ts';
import { INVALID_TEXT, MAX_TEXT_BYTES } from '../../rules/shared-text.ts';
import { scanRequired } from '../../rules/uploads.ts';
import { readBytes } from './open-file.ts';

/** A proxy may end a request before its scan ends. So the results of the last scans are kept for repeated requests. */
const MAX_KEPT_SCANS = 1_000;

/** Thrown for a file that is not what its sender says, or that cannot be shown as asked. */
export class UnfitFileError extends Error {
  override name = 'UnfitFileError';
  readonly error: FieldError;

  constructor(error: FieldError) {
    super(`${error.field}: ${error.text}`);
    this.error = error;
  }
}

/**
 * Examines an uploaded file before its link leads to it: whether a text, an encrypted file or one to be viewed is one, and for malware. Returns the
 * file with what was found.
 *
 * @throws UnfitFileError
 */
export type ExamineFile = (
  file: StoredFile,
  author: Pick<Author, 'ipAddress'>,
  options?: { scansAgain?: boolean },
) => Promise<StoredFile>;

export function prepareExamineFile(parts: {
  files: Pick<FileStore, 'open'>;
  /** Files are scanned only with both. */
  scanner: FileScanner | undefined;
  scanQueue: WorkQueue | undefined;
  isScanRequired: boolean;
}): ExamineFile {
  const { files, scanner, scanQueue, isScanRequired } = parts;
  const scans = new Map<string, Promise<ScanTraits>>();

  return async (file, { ipAddress: address }, { scansAgain = false } = {}) => {
    const { traits = {} } = file;
    const canBeShown = async () => !file.parts && (await readShownType(files, file)) !== undefined;
    if (traits.viewable && !(await canBeShown())) throw new UnfitFileError(NOT_VIEWABLE);
    if (isShownText(file) && !(await isText(files, file))) throw new UnfitFileError(INVALID_TEXT);
    if (traits.encrypted && isScanRequired) throw new UnfitFileError(scanRequired('encrypted'));
    if (traits.encrypted && !(await isEncrypted(files, file))) throw new UnfitFileError(NOT_ENCRYPTED);
    const named = traits.encrypted ? { ...file, fileName: ENCRYPTED_NAME } : file;
    if (!scanner || !scanQueue) return named;
    if (traits.encrypted) return withTraits(named, { scan: 'NOT_SCANNED', scanNote: 'encrypted' });
    if (scansAgain) scans.delete(file.fileId);
    // A client that leaves loses neither its turn nor its result: a repeated request joins the scan.
    const scan = scans.getOrInsertComputed(file.fileId, () =>
      scanQueue.run({ address }, () => scanParts(files, scanner, file)),
    );
    scan.catch(() => scans.delete(file.fileId));
    dropOldest(scans, MAX_KEPT_SCANS);
    return withTraits(file, await scan);
  };
}

/** Scans a file; of a set each file by itself, because a scanner looks at how a file begins. The worst result counts. */
async function scanParts(
  files: Pick<FileStore, 'open'>,
  scanner: FileScanner,
  file: StoredFile,
): Promise<ScanTraits> {
  let worst: ScanTraits = { scan: 'CLEAN' };
  let firstByte = 0;
  const deadline = AbortSignal.timeout(scanner.timeoutMs);
  for (const [index, { sizeBytes }] of (file.parts ?? [file]).entries()) {
    if (sizeBytes === 0) continue;
    if (deadline.aborted) return { scan: 'NOT_SCANNED', scanNote: SCANNED_LATE };
    const found = await scanner.scan(
      await open(files, file, { firstByte, lengthBytes: sizeBytes }),
      deadline,
    );
    firstByte += sizeBytes;
    if (found.scan === 'CLEAN') continue;
    // Not its name, which can be erased from the history, unlike the note.
    worst = file.parts ? { ...found, scanNote: `file ${index + 1}: ${found.scanNote ?? 'infected'}` } : found;
    if (found.scan === 'INFECTED') break;
  }
  return worst;
}

/** The name that every encrypted file gets. */
const ENCRYPTED_NAME = 'encrypted.tar.age';
/** The beginnings of files of age: as they are, or in ASCII armor, whose first line has the same in base64. */
const AGE_START =
  /^(?:age-encryption\.org\/v1\n|\s{0,64}-----BEGIN AGE ENCRYPTED FILE-----\r?\nYWdlLWVuY3J5cHRpb24ub3JnL3YxC)/;
const AGE_START_BYTES = 256;
const NOT_ENCRYPTED: FieldError = {
  field: 'encrypted',
  code: 'NOT_ENCRYPTED',
  text: 'is for one file in the format of age alone; encrypt it before you send it, or leave encrypted out',
};

/** Returns whether a file begins as those of age do. Only its recipient can find out more. */
async function isEncrypted(files: Pick<FileStore, 'open'>, file: StoredFile): Promise<boolean> {
  if (file.parts) return false;
  const lengthBytes = Math.min(file.sizeBytes, AGE_START_BYTES);
  const bytes = await readBytes(await open(files, file, { firstByte: 0, lengthBytes }));
  return AGE_START.test(bytes.toString('latin1'));
}

const NOT_VIEWABLE: FieldError = {
  field: 'viewable',
  code: 'NOT_VIEWABLE',
  text: `is for one file that browsers show: ${SHOWN_KINDS}; leave it out, so that the file is downloaded`,
};

/** Returns the media type of a file that browsers can show, by its content; undefined for any other file. */
export async function readShownType(
  files: Pick<FileStore, 'open'>,
  file: Pick<StoredFile, 'fileId' | 'sizeBytes'>,
): Promise<string | undefined> {
  const beginning = { firstByte: 0, lengthBytes: Math.min(file.sizeBytes, SHOWN_BYTES) };
  const opened = await files.open(file.fileId, undefined, beginning);
  return opened && findShownType(await readBytes(opened));
}

async function isText(files: Pick<FileStore, 'open'>, file: StoredFile): Promise<boolean> {
  if (file.sizeBytes > MAX_TEXT_BYTES) return false;
  const bytes = await readBytes(await open(files, file));
  return isUtf8(bytes) && !bytes.includes(0);
}

/** Opens a part of a file that was just stored; all of it if none is named. */
async function open(
  files: Pick<FileStore, 'open'>,
  { fileId, sha256, sizeBytes }: Pick<StoredFile, 'fileId' | 'sizeBytes'> & { sha256?: string },
  part?: BytePart,
): Promise<OpenFile> {
  const isWhole = part === undefined || part.lengthBytes === sizeBytes;
  const opened = isWhole ? await files.open(fileId, sha256) : await files.open(fileId, undefined, part);
  if (!opened) throw new Error(`the file ${fileId} was removed`);
  return opened;
}

/** Adds traits to those of a file, sorted by name. */
export function withTraits<File extends Pick<StoredFile, 'traits'>>(file: File, more: FileTraits): File {
  const traits = Object.entries({ ...file.traits, ...more }).sort(([a], [b]) => (a < b ? -1 : 1));
  return traits.length === 0 ? file : { ...file, traits: Object.fromEntries(traits) };
}
