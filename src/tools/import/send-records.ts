import type { ImportResult } from '../../core/model/import-record.ts';
import { LINK_CODE, toShortCode } from '../../core/model/short-code.ts';
import { describeTaken } from '../../core/use-cases/create/import-links.ts';
import type { openPlannedLinks } from './planned-links.ts';
import type { ImportedLine } from './report.ts';
import type { SourceRecord } from './source-record.ts';

/** The records of one request: at most so many, and about so many bytes. */
const BATCH_RECORDS = 500;
const BATCH_BYTES = 2 * 1024 * 1024;

type Parts = {
  records: AsyncIterable<SourceRecord[]>;
  /** Sends records to the service. Returns the result of each. */
  send: (records: readonly SourceRecord[]) => Promise<ImportResult[]>;
  /** Of a dry run. */
  planned?: ReturnType<typeof openPlannedLinks> | undefined;
  report: (line: ImportedLine) => Promise<void>;
  /** `fail` ends the import after the first request with a link whose short code another one has. */
  onConflict: 'skip' | 'fail';
  /** Returns true to end the import after the batch. */
  isStopped: () => boolean;
};

/** Returns how an import ended. What was imported before it stopped stays, and a repetition continues there. */
export type ImportEnd = 'whole' | 'stopped' | 'conflict';

/** Sends links in the order of the file, and reports each. */
export async function sendRecords({
  planned,
  report,
  onConflict,
  isStopped,
  ...parts
}: Parts): Promise<ImportEnd> {
  for await (const batch of inBatches(parts.records)) {
    if (isStopped()) return 'stopped';
    const results = await parts.send(batch);
    let hasConflict = false;
    for (const [index, { line, shortCode, host }] of batch.entries()) {
      const sent = results[index];
      if (!sent) throw new Error('the service sent too few results');
      const result = planned ? afterPlanned(shortCode ?? '', sent, planned) : sent;
      await report({ line, shortCode: shortCode ?? '', host, ...result });
      hasConflict ||= result.result === 'SKIPPED' && result.reason === 'CODE_TAKEN';
    }
    if (hasConflict && onConflict === 'fail') return 'conflict';
  }
  return 'whole';
}

/** Returns the result of a record in a dry run, after those that would have been imported before it. */
function afterPlanned(
  shortCode: string,
  result: ImportResult,
  planned: NonNullable<Parts['planned']>,
): ImportResult {
  if (result.result !== 'IMPORTED') return result;
  const takenBy = planned.add(toShortCode(shortCode, LINK_CODE) ?? shortCode, result.targetUrl);
  return takenBy === undefined ? result : describeTaken(result.targetUrl, takenBy);
}

async function* inBatches(pages: AsyncIterable<SourceRecord[]>): AsyncGenerator<SourceRecord[]> {
  for await (const page of pages) {
    let batch: SourceRecord[] = [];
    let bytes = 0;
    for (const record of page) {
      const size = Buffer.byteLength(JSON.stringify(record));
      if (batch.length === BATCH_RECORDS || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
        yield batch;
        [batch, bytes] = [[], 0];
      }
      batch.push(record);
      bytes += size;
    }
    if (batch.length > 0) yield batch;
  }
}
