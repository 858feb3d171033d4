import { Writable } from 'node:stream';
import { type FilePartInfo, isShownText, type LinkDefinition, type StoredFile } from '../../model/link.ts';
import type { FileStore, OpenFile } from '../../ports/file-store.ts';
import type { LinkStore } from '../../ports/ports.ts';
import type { FileSet } from './compose-zip.ts';
import { contentOf, type FileContent } from './file-content.ts';

/** A text that was read, and its file. */
export type ReadText = { text: string; fileName: string; sha256: string };

/** A target, ready to be returned. A file that is missing or truncated is found before it costs a view. */
export type OpenedTarget =
  | { kind: 'REDIRECT'; targetUrl: string }
  | { kind: 'REQUEST' }
  | { kind: 'FILE'; content: FileContent; files: readonly FilePartInfo[] | undefined; file: OpenFile }
  | ({ kind: 'TEXT'; maxViews: number | null } & ReadText)
  | { kind: 'MISSING_FILE'; storageError?: unknown };

/** Opens the file of a link. A text that the visitor may see is read: nothing that fails later costs a view. */
export async function openFile(
  { files, links }: { files: FileStore; links: Pick<LinkStore, 'read' | 'readParts'> },
  { shortCode }: LinkDefinition,
  stored: StoredFile,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<OpenedTarget> {
  const { fileId, fileName, sizeBytes, sha256, traits } = stored;
  let file: OpenFile | undefined;
  try {
    const isSet = traits?.fileCount !== undefined;
    const set = isSet ? await readSet(links, shortCode, fileId) : undefined;
    // Without its parts, a set was replaced meanwhile.
    const content = isSet && !set ? undefined : contentOf(stored, set);
    file = await files.open(fileId, sha256);
    if (content && file?.sizeBytes === sizeBytes) {
      if (!isConfirmed || !isShownText(stored)) return { kind: 'FILE', content, files: set?.files, file };
      const text = (await readBytes(file)).toString('utf8'); // as it was checked when it was stored
      const { maxViews = null } = (await links.read(shortCode)) ?? {};
      return { kind: 'TEXT', text, maxViews, fileName, sha256 };
    }
    await file?.close();
    return { kind: 'MISSING_FILE' };
  } catch (storageError) {
    return { kind: 'MISSING_FILE', storageError };
  }
}

/** Reads the files of a set. Undefined: it was replaced meanwhile. */
export async function readSet(
  links: Pick<LinkStore, 'read' | 'readParts'>,
  shortCode: string,
  fileId: string,
): Promise<FileSet | undefined> {
  const [files, link] = await Promise.all([links.readParts(fileId), links.read(shortCode)]);
  return files && link && { files, createdAt: link.createdAt };
}

/** Reads the whole of a small file, which is closed then. */
export async function readBytes(file: OpenFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await readChunks(file, (chunk) => chunks.push(Buffer.from(chunk)));
  return Buffer.concat(chunks);
}

/** Reads a file, which is closed then. `take` may keep copies alone: the store writes the next chunk into the same memory. */
export function readChunks(file: OpenFile, take: (chunk: Buffer) => unknown): Promise<void> {
  const write = (chunk: Buffer, _: unknown, done: () => void) => {
    take(chunk);
    done();
  };
  return file.sendTo(new Writable({ write }));
}
