import type { FileTraits } from '../model/link.ts';
import { accept, type FieldError, mapParsed, type Parsed, refuse } from '../model/parsed.ts';
import type { NewUpload, UploadedPart } from '../model/resumable-upload.ts';
import { cleanFileName } from './file-name.ts';
import { readFields, textOf, withoutEmpty } from './read-fields.ts';
import { cleanSetNames, toZipName } from './set-names.ts';
import { parseFlag } from './term-rules.ts';

/** The upload that a client announces: one file, or the files of a set in the order in which their bytes follow. */
export type AnnouncedUpload = Omit<NewUpload, 'owner'>;

/** Reads the JSON that announces a set of files. One file is no set: its folders are left out. */
export function parseFileList(body: Record<string, unknown>, maxFiles: number): Parsed<AnnouncedUpload> {
  const { files } = body;
  if (!Array.isArray(files) || files.length === 0 || files.length > maxFiles)
    return refuse('files', 'INVALID_LIST', `must be a list of 1 to ${maxFiles}`, { max: maxFiles });
  const sent: unknown[] = files;
  if (!sent.every(isUploadedPart))
    return refuse('files', 'INVALID_LIST', 'must be objects with a fileName and a sizeBytes');
  const sizeBytes = sent.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (sizeBytes === 0 || !Number.isSafeInteger(sizeBytes)) return { ok: false, error: EMPTY_UPLOAD };
  const [only, ...others] = sent;
  if (only && others.length === 0)
    return accept({ fileName: cleanFileName(only.fileName), sizeBytes, files: null, metadata: null });
  const names = cleanSetNames(sent.map(({ fileName }) => fileName));
  const listed = sent.map((file, index) => ({ fileName: names[index] ?? '', sizeBytes: file.sizeBytes }));
  return accept({ fileName: toZipName(names), sizeBytes, files: listed, metadata: null });
}

/** Returns the error of a field that asks for encryption, where every file must be scanned before it opens. */
export const scanRequired = (field: string): FieldError => ({
  field,
  code: 'SCAN_REQUIRED',
  text: 'cannot be used here, because every file must be scanned for malware; send the file without encryption',
});

export const EMPTY_UPLOAD: FieldError = { field: 'file', code: 'FILE_EMPTY', text: 'must not be empty' };

function isUploadedPart(value: unknown): value is UploadedPart {
  if (typeof value !== 'object' || value === null) return false;
  const { fileName, sizeBytes } = value as Partial<Record<keyof UploadedPart, unknown>>;
  return typeof fileName === 'string' && Number.isSafeInteger(sizeBytes) && Number(sizeBytes) >= 0;
}

/** The members of `POST /api/links` about an upload; null for absent ones. */
export type WantedFile = {
  uploadId: string;
  fileName: string | null;
  sha256: string | null;
  traits: FileTraits;
};

const SHA256 = /^[0-9a-f]{64}$/i;

/** The traits that each member or field gives a file. */
export const FILE_FLAGS = ['encrypted', 'viewable'] as const;

/** Reads the flags of a file, also as the texts of a form. Returns the traits that they give it. */
export function parseFileFlags(
  sent: Record<string, unknown>,
  names: readonly ('text' | (typeof FILE_FLAGS)[number])[] = FILE_FLAGS,
): Parsed<FileTraits> {
  const traits: FileTraits = {};
  for (const name of names) {
    const value = sent[name];
    if (value === undefined || value === null) continue;
    const flag = parseFlag(name, value);
    if (!flag.ok) return flag;
    if (flag.value) traits[name] = true;
  }
  return accept(traits);
}

const RULES = {
  uploadId: (value: unknown) => {
    const text = textOf('uploadId')(value);
    if (!text.ok) return text;
    return text.value === null
      ? refuse('uploadId', 'FILE_MISSING', 'must be the id of an upload')
      : accept(text.value);
  },
  fileName: textOf('fileName'),
  sha256: (value: unknown) => {
    const text = textOf('sha256')(value);
    if (!text.ok || text.value === null) return text;
    return SHA256.test(text.value)
      ? accept(text.value.toLowerCase())
      : refuse('sha256', 'INVALID_DIGEST', 'must be 64 hexadecimal digits');
  },
};

/** Reads the numbers of the files of a link that stay, such as 1,3; null for none: the file is replaced as a whole. */
export function parseKept(value: unknown): Parsed<number[] | null> {
  const text = textOf('keep')(value === '' ? null : value);
  if (!text.ok || text.value === null) return text.ok ? accept(null) : text;
  const numbers = /^\d{1,6}(?:,\d{1,6})*$/.test(text.value) ? text.value.split(',').map(Number) : [];
  return numbers.length > 0 && new Set(numbers).size === numbers.length
    ? accept(numbers)
    : { ok: false, error: NO_SUCH_FILES };
}

export const NO_SUCH_FILES: FieldError = {
  field: 'keep',
  code: 'INVALID_FILE_NUMBERS',
  text: 'must be numbers of files of the link, each once, such as 1,3; a text or an encrypted file cannot be kept',
};

/** Reads the members of `POST /api/links` that only a link to an upload has. */
export function parseWantedFile(body: Record<string, unknown>): Parsed<WantedFile> {
  const sent = withoutEmpty(body);
  const parsed = readFields(RULES, sent, undefined);
  if (!parsed.ok) return parsed;
  const { uploadId, fileName, sha256 } = parsed.value;
  return mapParsed(parseFileFlags(sent, [...FILE_FLAGS, 'text']), (traits) => ({
    uploadId,
    fileName: fileName === null ? null : cleanFileName(fileName),
    sha256,
    traits,
  }));
}
