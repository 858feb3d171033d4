import type { SummaryBuilder } from '../links/ports.ts';
import type { NewSummary, SummaryReads, SummaryWrites } from './sql/build-summaries.ts';

/** An instance that stops is replaced by another one after this time. */
const LEASE_MS = 5 * 60_000;
/** Small enough that an attempt hardly waits for the transaction. */
const ADDRESSES_AT_ONCE = 500;
const SUMMARIES_AT_ONCE = 8;

/** The operations of the threads of a store. */
export type SummaryOperations = SummaryReads & SummaryWrites;

/**
 * Builds the summaries of a store in the background, in small transactions. A crash leaves whole summaries; the next run
 * finds what is missing. Records that are committed late make a summary invalid, never a statistic wrong: see
 * `coverDays` in sql/read-summaries.ts.
 *
 * @param builder names the instance
 */
export function prepareBuildSummaries(operations: SummaryOperations, builder: string): SummaryBuilder {
  return {
    async buildSummaries(now) {
      const { periods, remainingDays } = await operations.planSummaries(now);
      if (periods.length === 0) return { built: 0, remainingDays };
      if (!(await operations.claimBuilding(builder, now, now + LEASE_MS))) return { built: 0, remainingDays };
      let built = 0;
      let waiting: NewSummary[] = [];
      const write = async () => {
        if (waiting.length > 0) await operations.writeSummaries(waiting);
        built += waiting.length;
        waiting = [];
      };
      for (const due of periods) {
        if (due.hours > 1) await write(); // it combines what is written
        await numberAddresses(operations, due);
        const summary = await operations.summarize(due);
        if (summary) waiting.push(summary);
        if (waiting.length === SUMMARIES_AT_ONCE) await write();
      }
      await write();
      return { built, remainingDays };
    },
  };
}

async function numberAddresses(
  { findUnnumbered, numberAddresses }: SummaryOperations,
  due: Parameters<SummaryOperations['findUnnumbered']>[0],
): Promise<void> {
  for (;;) {
    const addresses = await findUnnumbered(due);
    if (addresses.length === 0) return;
    for (let start = 0; start < addresses.length; start += ADDRESSES_AT_ONCE)
      await numberAddresses(addresses.slice(start, start + ADDRESSES_AT_ONCE));
  }
}
