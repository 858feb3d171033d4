import { Transform } from 'node:stream';
import { isShownText, type StoredFile } from '../../model/link.ts';
import type { FileStore } from '../../ports/file-store.ts';
import type { LinkStore } from '../../ports/ports.ts';
import { NO_SUCH_FILES } from '../../rules/uploads.ts';
import { UnfitFileError, withTraits } from './examine-file.ts';
import { prepareDiscardFile, prepareReceiveFile, type ReceiveParts, type SentFile } from './receive-file.ts';

/**
 * The files of a link that stay, by number from 1, and those that were sent. `quotaOwner`: the owner whose space they take.
 * `admit` throws to refuse them all together.
 */
type KeptFiles = {
  quotaOwner: string;
  file: StoredFile;
  numbers: readonly number[];
  sent: StoredFile | undefined;
  admit(all: { fileCount: number; sizeBytes: number }): void;
};

/**
 * Copies files of a link that stay, and after them those that were sent, into a new file, and uses it. So a link has one set or
 * the other: nothing of the present one is changed. The new file is removed unless `use` resolves, that which was sent if it does.
 *
 * @throws UnfitFileError for a number that no file has, and where none would be left
 */
export type KeepFiles = <Result>(
  kept: KeptFiles,
  use: (file: StoredFile) => Promise<Result>,
) => Promise<Result>;

export function prepareKeepFiles(parts: ReceiveParts & { links: Pick<LinkStore, 'readParts'> }): KeepFiles {
  const { files, links } = parts;
  const receive = prepareReceiveFile(parts);
  const discard = prepareDiscardFile(parts);

  return async ({ quotaOwner, file, numbers, sent, admit }, use) => {
    const isSet = file.traits?.fileCount !== undefined;
    const isWhole = file.traits?.encrypted === true || isShownText(file);
    const present = isWhole ? [] : toParts(file, isSet ? await links.readParts(file.fileId) : undefined);
    const staying = numbers.map((number) => present[number - 1]).filter((part) => part !== undefined);
    const all = [...staying, ...(sent ? toParts(sent, sent.parts) : [])];
    if (staying.length < numbers.length || all.length === 0) throw new UnfitFileError(NO_SUCH_FILES);
    const sizeBytes = all.reduce((sum, part) => sum + part.sizeBytes, 0);
    admit({ fileCount: all.length, sizeBytes });
    const announced = { announcedBytes: sizeBytes, maxBytes: sizeBytes, quotaOwner };
    const result = await receive({ ...announced, files: readParts(files, all) }, (joined) => {
      const { encrypted, viewable } = sent?.traits ?? {};
      const named = isSet && joined.parts ? { ...joined, fileName: file.fileName } : joined;
      return use(withTraits(named, { ...(encrypted && { encrypted }), ...(viewable && { viewable }) }));
    });
    if (sent) await discard(sent.fileId);
    return result;
  };
}

/** A file in a stored file. */
type Part = Pick<StoredFile, 'fileId' | 'fileName' | 'sizeBytes' | 'sha256'> & {
  firstByte: number;
  isAll: boolean;
};

/** @param listed the files of a set; undefined for one file */
function toParts({ fileId, ...file }: StoredFile, listed: StoredFile['parts']): Part[] {
  let firstByte = 0;
  return (listed ?? [file]).map(({ fileName, sizeBytes, sha256 }) => {
    const part = { fileId, fileName, sizeBytes, sha256, firstByte, isAll: listed === undefined };
    firstByte += sizeBytes;
    return part;
  });
}

async function* readParts(files: Pick<FileStore, 'open'>, parts: readonly Part[]): AsyncGenerator<SentFile> {
  for (const part of parts) yield { fileName: part.fileName, bytes: readPart(files, part) };
}

/** Reads a file, and compares its digest. The store writes each chunk into the memory of the one before. */
async function* readPart(
  files: Pick<FileStore, 'open'>,
  { fileId, sha256, firstByte, sizeBytes, isAll }: Part,
): AsyncGenerator<Uint8Array> {
  if (sizeBytes === 0) return;
  const opened = await files.open(fileId, sha256, isAll ? undefined : { firstByte, lengthBytes: sizeBytes });
  if (opened?.sizeBytes !== sizeBytes) {
    await opened?.close();
    throw new UnfitFileError(NO_SUCH_FILES);
  }
  const copy = new Transform({ transform: (chunk: Uint8Array, _, done) => done(null, Buffer.from(chunk)) });
  const sending = opened.sendTo(copy);
  sending.catch(() => undefined); // reading fails, too
  yield* copy;
  await sending;
}
