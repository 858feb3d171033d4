import type { FileStore } from '../links/ports.ts';
import { copyFile } from './copy-file.ts';
import { createFindings, type Findings } from './findings.ts';
import type { LinkedFile, MoveSource } from './ports.ts';
import type { ProgressReporter } from './progress.ts';

/** Each has two buffers of its own on both sides; more at once gained nothing on two cores. */
const FILES_AT_ONCE = 4;
const PAGE_FILES = 200;

/** What became of the files of links. `missing` were so at the source: their links go as they are. */
export type MovedFiles = {
  copied: number;
  thereBefore: number;
  bytes: number;
  missing: Findings;
  damaged: Findings;
};

/**
 * Copies the files of all links that are not in the target yet. Files of uploads that have no link stay behind.
 *
 * @throws when the target holds a file that no link of the store has, and what a storage throws
 */
export async function copyFiles(
  links: MoveSource,
  stores: { source: FileStore; target: FileStore; targetPlace: string },
  watch: ProgressReporter,
): Promise<MovedFiles> {
  await refuseForeignFiles(links, stores.target, stores.targetPlace);
  const { bytes } = await links.countLinkedFiles();
  const moved: MovedFiles = {
    copied: 0,
    thereBefore: 0,
    bytes: 0,
    missing: createFindings(),
    damaged: createFindings(),
  };
  const tell = watch.begin({ step: 'copy', what: 'files', unit: 'bytes', done: 0, of: bytes });
  let passed = 0;
  const pass = (bytesMore: number) => {
    passed += bytesMore;
    tell.at(passed);
  };
  for await (const page of pagesOf(links)) {
    await someAtOnce(page, async (file) => count(moved, file, await copyFile(stores, file, pass)));
  }
  tell.end();
  return moved;
}

function count(moved: MovedFiles, file: LinkedFile, became: Awaited<ReturnType<typeof copyFile>>): void {
  switch (became.kind) {
    case 'copied':
      moved.copied += 1;
      moved.bytes += file.sizeBytes;
      break;
    case 'there-before':
      moved.thereBefore += 1;
      moved.bytes += file.sizeBytes;
      break;
    case 'missing':
    case 'damaged':
      moved[became.kind].add(became.finding);
  }
}

/** After the first that fails no more are begun; that one is told once the others are over. */
async function someAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const faults: unknown[] = [];
  async function workOn(): Promise<void> {
    for (const item of rest) {
      if (faults.length > 0) return;
      await work(item).catch((fault: unknown) => faults.push(fault));
    }
  }
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, workOn));
  if (faults.length > 0) throw faults[0];
}

async function* pagesOf(links: MoveSource): AsyncGenerator<LinkedFile[]> {
  let after: string | null = null;
  for (;;) {
    const page: LinkedFile[] = await links.readLinkedFiles(after, PAGE_FILES);
    if (page.length > 0) yield page;
    if (page.length < PAGE_FILES) return;
    after = page.at(-1)?.fileId ?? null;
  }
}

/** Files of another store beside those of this one would be nobody's, and stay for ever. */
async function refuseForeignFiles(links: MoveSource, target: FileStore, place: string): Promise<void> {
  let some: string[] = [];
  async function look(): Promise<void> {
    const known = await links.knownFiles(some);
    const foreign = some.find((fileId) => !known.has(fileId));
    some = [];
    if (foreign === undefined) return;
    throw new Error(
      `${place} is not empty: it holds file ${foreign}, which no link has. Name an empty place for the files`,
    );
  }
  for await (const { fileId } of target.list()) {
    some.push(fileId);
    if (some.length >= PAGE_FILES) await look();
  }
  await look();
}
