import type { EpochMs } from '../links/link.ts';
import type { SummaryBuilder } from '../links/ports.ts';
import {
  type DuePeriod,
  MAX_ADDRESSES_READ,
  type NewSummary,
  type SummaryReads,
  type SummaryWrites,
  spansToRead,
} from './sql/build-summaries.ts';

/** An instance that stops is replaced by another one after this time. */
const LEASE_MS = 2 * 60_000;
/** Numbering so many takes 2 ms of the writer's time. */
const ADDRESSES_AT_ONCE = 500;
const MAX_DIGITS_AT_ONCE = 256 * 1024;

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
  let leasedUntil: EpochMs = 0;

  async function hasLease(now: EpochMs): Promise<boolean> {
    if (now < leasedUntil - LEASE_MS / 2) return true;
    const isClaimed = await operations.claimBuilding(builder, now, now + LEASE_MS);
    leasedUntil = isClaimed ? now + LEASE_MS : 0;
    return isClaimed;
  }

  return {
    async buildSummaries(now) {
      const { periods, remainingDays } = await operations.planSummaries(now);
      if (periods.length === 0 || !(await hasLease(now))) return { built: 0, remainingDays };
      await numberAddresses(operations, periods);
      return { built: await writeSummaries(operations, periods), remainingDays };
    },
  };
}

/** Numbers the addresses of hours, those of several hours in one transaction where they are few. */
async function numberAddresses(
  { findUnnumbered, numberAddresses }: SummaryOperations,
  periods: readonly DuePeriod[],
): Promise<void> {
  const found = new Set<string>();
  async function writeFound(): Promise<void> {
    const addresses = [...found];
    found.clear();
    for (let start = 0; start < addresses.length; start += ADDRESSES_AT_ONCE)
      await numberAddresses(addresses.slice(start, start + ADDRESSES_AT_ONCE));
  }
  for (const span of periods.filter(({ hours }) => hours === 1).flatMap(spansToRead)) {
    for (let isComplete = false; !isComplete; ) {
      const addresses = await findUnnumbered(span);
      for (const address of addresses) found.add(address);
      isComplete = addresses.length < MAX_ADDRESSES_READ;
      if (!isComplete || found.size >= ADDRESSES_AT_ONCE) await writeFound();
    }
  }
  await writeFound();
}

/** Computes and writes summaries, short ones together. Returns how many. */
async function writeSummaries(operations: SummaryOperations, periods: readonly DuePeriod[]): Promise<number> {
  let written = 0;
  let waiting: NewSummary[] = [];
  async function writeWaiting(): Promise<void> {
    if (waiting.length > 0) await operations.writeSummaries(waiting);
    written += waiting.length;
    waiting = [];
  }
  for (const due of periods) {
    if (due.hours > 1) await writeWaiting(); // it combines what is written
    const summary = await operations.summarize(due);
    if (summary) waiting.push(summary);
    if (waiting.reduce((sum, { addresses }) => sum + addresses.length, 0) >= MAX_DIGITS_AT_ONCE)
      await writeWaiting();
  }
  await writeWaiting();
  return written;
}
