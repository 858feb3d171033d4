import { setImmediate as otherCalls } from 'node:timers/promises';
import type { EpochMs } from '../../links/link.ts';
import { HOUR_MS } from '../../links/time-units.ts';
import { createNumberSet } from '../number-set.ts';
import { decodeParts, encodeParts, PARTS_PER_HOUR, partsOfHour } from './hour-parts.ts';
import { type Dialect, IS_ATTEMPT, type Query, type Snapshot, type Statement } from './query.ts';
import {
  countDays,
  countHours,
  numbersOf,
  PERIOD_LENGTHS,
  periodOf,
  readAuditAddresses,
  readHourSummaries,
  readLongSummaries,
  sumByPeriod,
} from './read-summaries.ts';
import { HOURS_PER_DAY, idBounds, type Span } from './time-spans.ts';

/** Requests are recorded when they end. Most of those of an hour are recorded within this time after it. */
const SETTLING_MS = 5 * 60_000;
/** A busy hour is read in pieces, so that it delays no statistic for long: 20 ms. */
const ATTEMPTS_AT_ONCE = 10_000;
export const MAX_ADDRESSES_READ = 5_000;

/** A period of `hours` hours without a valid summary, and how many attempts the rollups count in it. */
export type DuePeriod = { hours: number; period: number; expectedCount: number };

/** The periods to build next: the missing hours of a day and the day, or longer periods. */
export type BuildPlan = { periods: DuePeriod[]; remainingDays: number };

/** A summary on its way to the thread that writes. `addresses` is encoded as in `AddressSet`, in hexadecimal digits. */
export type NewSummary = {
  hours: number;
  period: number;
  attemptCount: number;
  byHourOfDay: string | null;
  addresses: string;
};

/** The operations of building summaries that read. */
export type SummaryReads = {
  /** Plans the newest day with missing or outdated summaries; when there is none, the longer periods. */
  planSummaries(now: EpochMs): Promise<BuildPlan>;
  /** Reads addresses of attempts that have no number yet; at most `MAX_ADDRESSES_READ` of a span of milliseconds. */
  findUnnumbered(span: Span): Promise<string[]>;
  /** Computes the summary of a period. Returns undefined if an address has no number. */
  summarize(due: DuePeriod): Promise<NewSummary | undefined>;
};

/** The operations of building summaries that write. */
export type SummaryWrites = {
  /** Takes or extends the lease by which one instance at a time builds. Others would build the same summaries. */
  claimBuilding(builder: string, now: EpochMs, until: EpochMs): Promise<boolean>;
  /** Numbers addresses that have none. The row of the count is locked first, so no two get the same number. */
  numberAddresses(addresses: string[]): Promise<void>;
  writeSummaries(summaries: NewSummary[]): Promise<void>;
};

export function createSummaryReads(query: Query, inSnapshot: Snapshot, dialect: Dialect): SummaryReads {
  /** Counts that no summary has reached, by period: the audit has other records, which `npm run verify` reports. */
  const unreachable = new Map<string, number>();
  const isReachable = (due: DuePeriod) => unreachable.get(keyOf(due)) !== due.expectedCount;
  /** A longer period may become complete with one of its parts. */
  function forgetLonger({ hours, period }: DuePeriod): void {
    for (const length of PERIOD_LENGTHS.filter((each) => each > hours))
      unreachable.delete(keyOf({ hours: length, period: periodOf(period * hours, length) }));
  }

  return {
    async planSummaries(now) {
      const end = Math.floor((now - SETTLING_MS) / HOUR_MS);
      const days = { start: 0, end: Math.ceil(end / HOURS_PER_DAY) };
      return inSnapshot(async (read) => {
        const [counts, stored] = [await countDays(read, days), await readLongSummaries(read, days)];
        const known = new Map(stored.map((summary) => [keyOf(summary), summary.attemptCount]));
        const findDue = (hours: number) =>
          [...sumByPeriod(counts, hours)]
            .map(([period, expectedCount]) => ({ hours, period, expectedCount }))
            .filter((due) => known.get(keyOf(due)) !== due.expectedCount)
            .filter((due) => isReachable(due));
        const dueDays = findDue(HOURS_PER_DAY).reverse();
        for (const [index, day] of dueDays.entries()) {
          const periods = [...(await findDueHours(read, day.period, end)), day].filter(
            (due) => isReachable(due) && isOver(due, end),
          );
          if (periods.length > 0) return { periods, remainingDays: dueDays.length - index };
        }
        const periods = PERIOD_LENGTHS.filter((length) => length > HOURS_PER_DAY).flatMap(findDue);
        return { periods: periods.filter((due) => isOver(due, end)), remainingDays: 0 };
      });
    },

    async findUnnumbered(span) {
      const rows = await query<{ address: string }>(UNNUMBERED, [...idBounds(span), MAX_ADDRESSES_READ]);
      return rows.map(({ address }) => address);
    },

    async summarize(due) {
      forgetLonger(due);
      const summary = await (due.hours === 1
        ? summarizeHour(query, dialect, due)
        : summarizeLong(query, due));
      if (summary && summary.attemptCount !== due.expectedCount)
        unreachable.set(keyOf(due), due.expectedCount);
      return summary;
    },
  };
}

/**
 * @param commit runs statements in one transaction, and resolves once it is durable
 * @param onWritten runs more statements in the transaction of a summary
 */
export function createSummaryWrites(
  commit: <T>(work: (query: Query) => Promise<T>) => Promise<T>,
  dialect: Dialect,
  onWritten: (query: Query, summary: NewSummary) => Promise<void> = async () => {},
): SummaryWrites {
  const { numberAddresses, writeAddresses } = writeStatements(dialect);
  return {
    claimBuilding: (builder, now, until) =>
      commit(async (query) => (await query(CLAIM, [builder, now, until])).length > 0),

    numberAddresses: (addresses) =>
      commit(async (query) => {
        await query(LOCK_COUNT);
        const added = await query(numberAddresses, [JSON.stringify(addresses)]);
        await query(ADD_COUNT, [added.length]);
      }),

    writeSummaries: (summaries) =>
      commit(async (query) => {
        for (const summary of summaries) {
          const { hours, period, attemptCount, byHourOfDay, addresses } = summary;
          await query(WRITE_SUMMARY, [hours, period, attemptCount, byHourOfDay]);
          await query(writeAddresses, [hours, period, addresses]);
          await onWritten(query, summary);
        }
      }),
  };
}

const keyOf = ({ hours, period }: { hours: number; period: number }): string => `${hours} ${period}`;

const isOver = ({ hours, period }: DuePeriod, endHour: number): boolean => (period + 1) * hours <= endHour;

async function findDueHours(query: Query, day: number, endHour: number): Promise<DuePeriod[]> {
  const start = day * HOURS_PER_DAY;
  const span = { start, end: Math.min(start + HOURS_PER_DAY, endHour) };
  const stored = await readHourSummaries(query, span);
  const known = new Map(stored.map(({ period, attemptCount }) => [period, attemptCount]));
  return (await countHours(query, span))
    .filter(({ time, count }) => known.get(time) !== count)
    .map(({ time, count }) => ({ hours: 1, period: time, expectedCount: count }));
}

/** Returns the spans in which an hour is read, in milliseconds. */
export function spansToRead({ period: hour, expectedCount }: DuePeriod): Span[] {
  const count = Math.ceil(expectedCount / ATTEMPTS_AT_ONCE);
  return cut({ start: hour * HOUR_MS, end: (hour + 1) * HOUR_MS }, count);
}

/** Cuts a span into equal pieces, one at least. */
function cut({ start, end }: Span, atLeast: number): Span[] {
  const count = Math.max(1, atLeast);
  const startOf = (index: number) => start + Math.floor((index * (end - start)) / count);
  return Array.from({ length: count }, (_, index) => ({ start: startOf(index), end: startOf(index + 1) }));
}

/**
 * Reads an hour in pieces, one after the other. A record that is committed meanwhile may be in its piece or not; the
 * count includes exactly those that are.
 */
async function summarizeHour(
  query: Query,
  dialect: Dialect,
  due: DuePeriod,
): Promise<NewSummary | undefined> {
  const sets: Uint8Array[] = [];
  let attemptCount = 0;
  const piecesPerPart = Math.ceil(due.expectedCount / ATTEMPTS_AT_ONCE / PARTS_PER_HOUR);
  for (const part of partsOfHour(due.period)) {
    const addresses = createNumberSet();
    for (const piece of cut(part, piecesPerPart)) {
      for (const group of await readAuditAddresses(query, dialect, [piece])) {
        if (group.container === null) return undefined;
        attemptCount += group.attemptCount;
        for (const number of numbersOf(group)) addresses.add(number);
      }
      await otherCalls(); // of the thread
    }
    sets.push(addresses.encode());
  }
  const encoded = toHex(encodeParts(sets));
  return { hours: 1, period: due.period, attemptCount, byHourOfDay: null, addresses: encoded };
}

/** Combines the summaries of the next shorter length. */
async function summarizeLong(query: Query, { hours, period }: DuePeriod): Promise<NewSummary> {
  const length = PERIOD_LENGTHS.findLast((each) => each < hours) ?? 1;
  const [start, end] = [periodOf(period * hours, length), periodOf((period + 1) * hours, length)];
  const parts = await query<SummaryPart>(SUMMARY_PARTS, [length, start, end]);
  const addresses = createNumberSet();
  const byHourOfDay = Array<number>(HOURS_PER_DAY).fill(0);
  let attemptCount = 0;
  for (const part of parts) {
    for (const set of length === 1 ? decodeParts(part.addresses) : [part.addresses])
      addresses.addEncoded(set);
    attemptCount += part.attemptCount;
    const counts = part.byHourOfDay === null ? [] : (JSON.parse(part.byHourOfDay) as number[]);
    for (const [hour, count] of counts.entries()) byHourOfDay[hour] = (byHourOfDay[hour] ?? 0) + count;
    if (length === 1) byHourOfDay[part.period % HOURS_PER_DAY] = part.attemptCount;
  }
  return {
    hours,
    period,
    attemptCount,
    byHourOfDay: JSON.stringify(byHourOfDay),
    addresses: toHex(addresses.encode()),
  };
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

type SummaryPart = {
  period: number;
  attemptCount: number;
  byHourOfDay: string | null;
  addresses: Uint8Array;
};
const SUMMARY_PARTS: Statement = {
  name: 'summary-parts',
  text: `SELECT period, attempt_count AS "attemptCount", by_hour_of_day AS "byHourOfDay", addresses
         FROM period_summary JOIN period_addresses USING (hours, period)
         WHERE hours = $1 AND period >= $2 AND period < $3`,
};
const UNNUMBERED: Statement = {
  name: 'unnumbered-addresses',
  text: `SELECT DISTINCT ip_address AS address FROM audit
         WHERE id >= $1 AND id < $2 AND ip_address IS NOT NULL AND ${IS_ATTEMPT}
           AND NOT EXISTS (SELECT 1 FROM address_number WHERE address_number.ip_address = audit.ip_address)
         LIMIT $3`,
};
/** A lease that ends too late is of an instance whose clock was ahead. */
const CLAIM: Statement = {
  name: 'claim-building',
  text: `UPDATE summary_builder SET builder = $1, leased_until = $3
         WHERE builder = $1 OR leased_until <= $2 OR leased_until > $3 RETURNING only_row`,
};
/** Writes the row without a change, which locks it. */
const LOCK_COUNT: Statement = {
  name: 'lock-address-count',
  text: 'UPDATE summary_builder SET address_count = address_count',
};
const ADD_COUNT: Statement = {
  name: 'add-to-address-count',
  text: 'UPDATE summary_builder SET address_count = address_count + $1',
};
const WRITE_SUMMARY: Statement = {
  name: 'write-summary',
  text: `INSERT INTO period_summary (hours, period, attempt_count, by_hour_of_day) VALUES ($1, $2, $3, $4)
         ON CONFLICT (hours, period) DO UPDATE
         SET attempt_count = excluded.attempt_count, by_hour_of_day = excluded.by_hour_of_day`,
};

function writeStatements({ texts, hexToBytes }: Dialect) {
  return {
    numberAddresses: {
      name: 'number-addresses',
      text: `INSERT INTO address_number (ip_address, number)
             SELECT value, (SELECT address_count FROM summary_builder) + row_number() OVER (ORDER BY value) - 1
             FROM (SELECT DISTINCT value FROM ${texts('$1')}) AS address
             WHERE NOT EXISTS (SELECT 1 FROM address_number WHERE ip_address = value)
             RETURNING number`,
    },
    writeAddresses: {
      name: 'write-addresses',
      text: `INSERT INTO period_addresses (hours, period, addresses) VALUES ($1, $2, ${hexToBytes('$3')})
             ON CONFLICT (hours, period) DO UPDATE SET addresses = excluded.addresses`,
    },
  } as const satisfies Record<string, Statement>;
}
