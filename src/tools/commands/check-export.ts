import { DatabaseSync } from 'node:sqlite';
import { Compile } from 'typebox/schema';
import type { Findings } from '../../common/findings.ts';
import { sha256 } from '../../core/model/chain.ts';
import { hashHex, verifyEd25519 } from '../../core/model/ed25519.ts';
import type { ComparedFile } from '../../core/use-cases/history/exported/compare-file.ts';
import {
  type EntrySorter,
  type ExportCheck,
  type ExportToCheck,
  examineExport,
  type SortedEntry,
} from '../../core/use-cases/history/exported/examine-export.ts';
import { type LineChecks, toClosed } from '../../core/use-cases/history/exported/exported-items.ts';
import { reasonNotToCheck } from '../../core/use-cases/history/exported/statements.ts';
import { HISTORY_LINES } from '../../http/history-schemas.ts';

const { head, attempt, change } = HISTORY_LINES;
export const CHECKS: LineChecks = {
  head: Compile(toClosed(head)),
  attempt: Compile(toClosed(attempt)),
  change: Compile(toClosed(change)),
};

/** Checks an exported history without a store. Sorts its entries on disk, so that it may have any length. */
export async function checkExportedHistory(exported: ExportToCheck): Promise<ExportCheck> {
  using sorter = openEntrySorter();
  return await examineExport(exported, {
    ...{ sha256, checks: CHECKS, sorter },
    evidence: { hash: hashHex, verify: verifyEd25519 },
  });
}

/**
 * The result of a check in words. `proved`: what it proves; nothing beside a finding. `reason`: why the check does not answer
 * what was asked.
 */
export type CheckInWords = {
  findings: Findings;
  proved: string[];
  reason: ReturnType<typeof reasonNotToCheck> | 'notCompared';
};

/** Checks an exported history. Returns the result in words. */
export async function checkExport(
  chunks: AsyncIterable<Uint8Array>,
  knownFingerprint: string | null,
  file?: ComparedFile,
  kept?: string,
): Promise<CheckInWords> {
  return toWords(await checkExportedHistory({ chunks, knownFingerprint, file, kept }));
}

export function toWords({ findings, proved }: ExportCheck): CheckInWords {
  const { count, shown } = findings;
  const textOf = ({ text }: { text: string }) => text;
  const isCompared = !proved.some(({ code }) => code === 'NOTHING_COMPARED');
  return {
    findings: { count, shown: shown.map(textOf) },
    proved: count === 0 ? proved.map(textOf) : [],
    reason: reasonNotToCheck(findings) ?? (count > 0 || isCompared ? undefined : 'notCompared'),
  };
}

const CACHE_KIB = 32_768;

/**
 * Opens a sorter for any number of entries. A database without a name is in memory while it is small, and in a temporary
 * file that SQLite deletes once it is large.
 */
function openEntrySorter(): EntrySorter & Disposable {
  const db = new DatabaseSync('');
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_mode = OFF;
    CREATE TABLE entry (number INTEGER, line INTEGER, at INTEGER, text TEXT) STRICT; BEGIN`);
  const insert = db.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)');
  return {
    add({ number, line, at, text }) {
      insert.run(number, line, at, text);
    },
    read() {
      const select = db.prepare('SELECT number, line, at, text FROM entry ORDER BY number, line');
      return select.iterate() as Iterable<object> as Iterable<SortedEntry>; // the columns of the statement
    },
    [Symbol.dispose]() {
      db.close();
    },
  };
}
