import { hash } from 'node:crypto';
import { appendEntry, EMPTY_CHAIN, headAt, toCreationEntry } from '../../src/core/model/chain.ts';
import { toSet } from '../../src/core/model/files-digest.ts';
import { FORMAT } from '../../src/core/model/hashed-text.ts';
import type { HistoryEntry, HistoryItem } from '../../src/core/model/history.ts';
import type { ChainHead, FilePartInfo } from '../../src/core/model/link.ts';
import { toItemRecord } from '../../src/http/history-items.ts';
import { codeOf, downloadLink, fileIdOf, START } from './attempts.ts';
import { erased } from './erase.ts';

/** An exported history: its lines, the first of which is the head, and the fingerprint of each entry by its number. */
export type ExportedHistory = { lines: Record<string, unknown>[]; heads: ChainHead[] };

/** Of the file of the exported link. */
export const FILE_SHA256 = hash('sha256', 'the file of the link');

/** The files of a link with several. */
export const PARTS: readonly FilePartInfo[] = ['lease.pdf', 'plan.pdf'].map((fileName, index) => {
  return { fileName, sizeBytes: 10, sha256: hash('sha256', fileName), crc32: index };
});

const CODE = codeOf(1);
const toTime = (at: number) => new Date(at).toISOString();

/** Returns an id whose random part is a number, so that the fingerprints are the same in each run. */
function idOf(at: number, index: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(index).padStart(12, '0')}`;
}

/**
 * Writes the export of a link that was created, opened with a download that ended after later attempts, refused and
 * revoked: 6 entries in 5 items, with more ends of the download if asked.
 *
 * @param options.visitor the address of the visitor
 * @param options.parts of the link, if it has several files
 * @param options.withoutVisitor whether the personal fields of the creation and of the first attempt were erased
 */
export function makeExport({
  filtered = false,
  withoutVisitor = false,
  visitor: ipAddress = '192.0.2.1',
  endCount = 1,
  parts = [] as readonly FilePartInfo[],
} = {}): ExportedHistory {
  const at = (minutes: number) => START + minutes * 60_000;
  const author = { kind: 'KEY', name: 'ci', ipAddress: '192.0.2.9' } as const;
  const visitor = { ipAddress, userAgent: 'Grüße "quoted" \\ 😀' };
  const place = (minutes: number) => ({ id: idOf(at(minutes), minutes), at: at(minutes), shortCode: CODE });
  const common = (minutes: number) => ({ ...place(minutes), salt: String(minutes).padStart(32, '0') });
  const [opened, denied, preview] = [
    { ...common(2), ...visitor, kind: 'ATTEMPT', result: 'SUCCESS', count: 1 },
    {
      ...common(3),
      ipAddress: null,
      userAgent: null,
      kind: 'ATTEMPT',
      result: 'VIEW_LIMIT_REACHED',
      count: 1,
    },
    { ...common(4), ...visitor, kind: 'ATTEMPT', result: 'PREVIEW', count: 7 },
  ] as const satisfies HistoryEntry[];
  const part = { firstByte: 0, bytesSent: 10, isSentCompletely: false };
  const ended = Array.from({ length: endCount }, (_, index) => {
    const id = idOf(at(5), 5 + index);
    return { ...place(5), id, kind: 'DOWNLOAD', attemptId: opened.id, ...part } as const;
  });
  const link = {
    ...downloadLink(CODE, {
      fileId: fileIdOf(1),
      sizeBytes: 20,
      sha256: FILE_SHA256,
      ...(parts.length > 0 && toSet(parts)),
    }),
    maxViews: 1,
  };
  const created = toCreationEntry(link, { ...common(1), author });
  const revoked = { ...common(6), kind: 'REVOKED', author, details: {} } as const;

  const heads: ChainHead[] = [EMPTY_CHAIN];
  for (const entry of [created, opened, denied, preview, ...ended, revoked])
    heads.push(headAt(appendEntry<HistoryEntry>(heads.at(-1) ?? EMPTY_CHAIN, entry, heads.length)));
  const ends = ended.map(({ id }, index) => ({ format: FORMAT, id, at: at(5), number: 5 + index, ...part }));
  const items: HistoryItem[] = [
    { ...revoked, format: FORMAT, number: 5 + endCount },
    { ...preview, format: FORMAT, number: 4, downloads: [] },
    { ...denied, format: FORMAT, number: 3, downloads: [] },
    { ...opened, format: FORMAT, number: 2, downloads: ends },
    { ...created, format: FORMAT, number: 1 },
  ];
  const { entryCount, fingerprint } = heads.at(-1) ?? EMPTY_CHAIN;
  const files = parts.map(({ fileName: name, ...file }) => ({ name, ...file }));
  const head = {
    ...{ kind: 'HEAD', shortCode: CODE, entryCount, fingerprint, at: toTime(at(7)), filtered },
    ...(files.length > 0 && { files }),
  };
  const shown = items.map((item) => (withoutVisitor && item.number <= 2 ? erased(item) : item));
  return { heads, lines: [head, ...shown.map(toItemRecord)] };
}

/** Returns lines as newline-delimited JSON. */
export function toNdjson(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
