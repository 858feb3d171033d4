import type { CreationResult } from '../../core/model/decide-creations.ts';
import type { NewLink } from '../../core/model/link.ts';
import type { PlanLink, PlannedLink } from './plan-link.ts';
import type { ImportedLine } from './report.ts';
import type { SourceRecord } from './source-record.ts';

/** The store of an import, or of a dry run, which only determines the results. */
export interface ImportTarget {
  /** Creates links. Returns the result of each. */
  create(links: readonly NewLink[]): Promise<CreationResult[]>;
  /** Returns the URLs to which existing links lead, by short code; null for a file. */
  findTargets(shortCodes: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
}

/** The number of links that are created at once. No more are in memory. */
const BATCH_LINKS = 500;

type Planned = Position & { plan: PlannedLink };
type Position = Pick<ImportedLine, 'line' | 'shortCode' | 'host'>;
type Parts = {
  records: AsyncIterable<SourceRecord[]>;
  target: ImportTarget;
  plan: PlanLink;
  report: (line: ImportedLine) => Promise<void>;
  /** `fail` ends the import at the first link whose short code another one has. */
  onConflict: 'skip' | 'fail';
  /** Returns true to end the import after the batch. */
  isStopped: () => boolean;
};

/** Returns how an import ended. What was imported before it stopped stays, and a repetition continues there. */
export type ImportEnd = 'whole' | 'stopped' | 'conflict';

/** Imports links in the order of the file, and reports each. */
export async function importLinks(parts: Parts): Promise<ImportEnd> {
  const { target, plan, report, onConflict, isStopped } = parts;
  for await (const batch of inBatches(parts.records)) {
    if (isStopped()) return 'stopped';
    const planned = await Promise.all(
      batch.map(async (record) => ({
        ...{ line: record.line, shortCode: record.shortCode ?? '', host: record.host },
        plan: await plan(record),
      })),
    );
    let hasConflict = false;
    for (const line of await createPlanned(planned, target)) {
      await report(line);
      hasConflict ||= line.result === 'skipped' && line.reason === 'CODE_TAKEN';
    }
    if (hasConflict && onConflict === 'fail') return 'conflict';
  }
  return 'whole';
}

async function* inBatches<T>(batches: AsyncIterable<T[]>): AsyncGenerator<T[]> {
  for await (const batch of batches)
    for (let start = 0; start < batch.length; start += BATCH_LINKS)
      yield batch.slice(start, start + BATCH_LINKS);
}

async function createPlanned(planned: readonly Planned[], target: ImportTarget): Promise<ImportedLine[]> {
  const links = planned.flatMap(({ plan }) => (plan.ok ? [plan.link] : []));
  const results = await target.create(links);
  const existing = links.filter((_, index) => results[index] !== 'created').map(({ shortCode }) => shortCode);
  const targets =
    existing.length === 0 ? new Map<string, string | null>() : await target.findTargets(existing);
  let created = 0;
  return planned.map(({ plan, ...position }) => {
    if (!plan.ok) return { ...position, result: 'skipped', reason: plan.reason, detail: plan.detail };
    const { imported, shortCode } = plan.link;
    if (results[created++] === 'created')
      return {
        ...{ ...position, result: 'imported', remarks: plan.remarks },
        ...{ isPaused: imported?.isPaused === true, views: imported?.viewCount ?? 0 },
      };
    return describeTaken(position, plan.link, targets.get(shortCode));
  });
}

/** Describes a link whose code exists. With the same target it is already there: an import was repeated. */
function describeTaken(
  position: Position,
  { target }: NewLink,
  takenBy: string | null | undefined,
): ImportedLine {
  if (target.type === 'REDIRECT' && takenBy === target.url) return { ...position, result: 'already-there' };
  const detail = `another link has it, which leads to ${takenBy ?? 'a file'}; create this one again with another code`;
  return { ...position, result: 'skipped', reason: 'CODE_TAKEN', detail };
}
