import type { Author } from '../../src/core/model/author.ts';
import { appendEntry, EMPTY_CHAIN, headAt, toCreationEntry } from '../../src/core/model/chain.ts';
import { FORMAT, MAILED_TO } from '../../src/core/model/hashed-text.ts';
import type { Download, HistoryEntry, HistoryItem } from '../../src/core/model/history.ts';
import type { ChainHead, FileRequest, FileTraits, Link, NewLink, Target } from '../../src/core/model/link.ts';
import { toChangedTerms } from '../../src/core/model/link-terms.ts';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import { AUDIT_RESULTS } from '../../src/core/model/verdict.ts';
import { toItemRecord } from '../../src/http/history-items.ts';
import {
  codeOf,
  downloadLink,
  fileIdOf,
  linkState,
  newChange,
  newSalt,
  redirectLink,
  START,
  termsOf,
} from './attempts.ts';
import { erased } from './erase.ts';

// Histories with every kind of entry and every member that the model knows. `Required` makes the compiler ask for new ones.

const TRAITS: Required<FileTraits> = {
  ...{ encrypted: true, fileCount: 2, partsSha256: 'a'.repeat(64), scan: 'CLEAN', scanNote: 'clean' },
  ...{ text: true, viewable: true },
};
const REQUEST: Required<FileRequest> = {
  message: 'Der Vertrag, "unterschrieben"',
  ...{ maxFiles: 2, maxBytes: 3, recipientKey: 'age1key' },
};
const FILE = downloadLink(codeOf(1), { fileId: fileIdOf(1), traits: TRAITS }).target;
const TARGETS: Record<Target['type'], Target> = {
  REDIRECT: redirectLink(codeOf(1)).target,
  DOWNLOAD: FILE,
  REQUEST: { type: 'REQUEST', request: REQUEST },
};
const HISTORY = { entryCount: 4, fingerprint: 'b'.repeat(64), lastSeq: 4 };

/** A link with every term that a link can have, but for its target. */
const FULL: Required<Omit<NewLink, 'target'>> = {
  ...redirectLink(codeOf(1)),
  ...{ passwordHash: 'hash', tokenHash: 'hash', maxViews: 3, createdAt: START },
  ...{ startsAt: START, expiresAt: START + 1, owner: 'USER ada', team: 'sales' },
  terms: termsOf('ada'),
  imported: { from: 'kutt', viewCount: 7, isPaused: true, status: 'ACTIVE' },
  former: { shortCode: codeOf(2), history: HISTORY, isPaused: true },
  ...{ requestCode: codeOf(3), requestHistory: HISTORY },
};
const AUTHORS: Record<Author['kind'], Author> = {
  KEY: { kind: 'KEY', name: 'ci', ipAddress: '192.0.2.9' },
  USER: { kind: 'USER', name: 'ada', ipAddress: '2001:db8::1' },
  LINK_TOKEN: { kind: 'LINK_TOKEN', name: null, ipAddress: '192.0.2.9' },
  ANONYMOUS: { kind: 'ANONYMOUS', name: null, ipAddress: null },
  COMMAND: { kind: 'COMMAND', name: 'import', ipAddress: null },
};

const place = (at: number) => ({ id: uuidV7(at, crypto.randomUUID()), at, shortCode: codeOf(1) });
const linkOf = (target: Target): Link => ({ ...FULL, target, ...linkState(FULL), history: EMPTY_CHAIN });
const BARE: Link = { ...redirectLink(codeOf(1)), ...linkState({ status: 'EXPIRED' }), history: EMPTY_CHAIN };

/** Returns the entries of a link that gets and loses every term, by every author, with attempts of every result. */
function entriesOf(target: Target): HistoryEntry[] {
  const full = linkOf(target);
  const changes: [Link, Link][] = [
    [BARE, full],
    [full, BARE],
  ];
  const attempts = AUDIT_RESULTS.map(
    (result, index): Required<HistoryEntry & { kind: 'ATTEMPT' }> => ({
      ...place(START + index),
      ...{ kind: 'ATTEMPT', result, count: index + 1, salt: newSalt(), personalSha256: '' },
      ...{ ipAddress: '192.0.2.1', userAgent: 'Grüße "quoted" \\ 😀', referrer: 'example.com' },
      recipientAddress: 'ann@example.com',
    }),
  );
  const [opened = { id: '' }] = attempts;
  const end: Required<Download> = {
    ...{ ...place(START + 50), attemptId: opened.id, firstByte: 0, bytesSent: 5, isSentCompletely: true },
  };
  return [
    toCreationEntry({ ...FULL, target }, newChange()),
    ...attempts.map(({ personalSha256: _, ...attempt }) => attempt),
    { ...end, kind: 'DOWNLOAD' },
    ...Object.values(AUTHORS).flatMap((author) =>
      changes.map(
        ([before, after]): HistoryEntry => ({
          ...{ ...place(START + 60), salt: newSalt(), kind: 'CHANGED', author },
          details: toChangedTerms(before, after),
        }),
      ),
    ),
    {
      ...{ ...place(START + 65), salt: newSalt(), kind: 'CHANGED', author: AUTHORS.USER },
      details: { [MAILED_TO]: 'ann@example.com' },
    },
    {
      ...{ ...place(START + 70), salt: newSalt(), kind: 'REVOKED', author: AUTHORS.USER },
      details: { newShortCode: codeOf(4) },
    },
  ];
}

/** The entries of a history, and the lines of its export, the first of which is the head. */
export type FullHistory = { entries: HistoryEntry[]; lines: Record<string, unknown>[] };

/** Returns a history for each type of target. `areErased`: whether the personal fields of its entries were erased. */
export function makeFullHistories({ areErased = false } = {}): FullHistory[] {
  return Object.values(TARGETS).map((target) => {
    const entries = entriesOf(target);
    let head: ChainHead = EMPTY_CHAIN;
    const items: HistoryItem[] = [];
    for (const [index, entry] of entries.entries()) {
      head = headAt(appendEntry(head, entry, index + 1));
      const common = { format: FORMAT, number: index + 1 };
      if (entry.kind === 'DOWNLOAD') {
        const { shortCode: _, attemptId, kind: __, ...end } = entry;
        const attempt = items.find(({ id }) => id === attemptId);
        if (attempt?.kind === 'ATTEMPT') attempt.downloads.push({ ...end, ...common });
      } else
        items.push(
          entry.kind === 'ATTEMPT' ? { ...entry, ...common, downloads: [] } : { ...entry, ...common },
        );
    }
    const shown = items.map((item) => toItemRecord(areErased ? erased(item) : item));
    const { entryCount, fingerprint } = head;
    const at = new Date(START + 100).toISOString();
    const line = { kind: 'HEAD', shortCode: codeOf(1), entryCount, fingerprint, at, filtered: false };
    return { entries, lines: [line, ...shown.reverse()] };
  });
}
