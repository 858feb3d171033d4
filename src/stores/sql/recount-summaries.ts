import { HOUR_MS } from '../../links/time-units.ts';
import { createNumberSet } from '../number-set.ts';
import { encodeParts, PARTS_PER_HOUR, partsOfHour } from './hour-parts.ts';
import type { Dialect, Query, Statement } from './query.ts';
import {
  numbersOf,
  PERIOD_LENGTHS,
  periodOf,
  readAddressSets,
  readAuditAddresses,
  type Summary,
} from './read-summaries.ts';
import { HOURS_PER_DAY } from './time-spans.ts';

const NUMBERS: Statement = {
  name: 'check-address-numbers',
  text: `SELECT (SELECT address_count FROM summary_builder) AS stored,
           count(DISTINCT CASE WHEN number >= 0 THEN number END) AS different,
           count(*) AS recounted, coalesce(max(number), -1) + 1 AS next FROM address_number`,
};
const HOURS: Statement = {
  name: 'summary-hours',
  text: `SELECT hour FROM attempts_by_hour UNION SELECT period FROM period_summary WHERE hours = 1 ORDER BY 1`,
};
const SUMMARIES: Statement = {
  name: 'all-summaries',
  text: `SELECT hours, period, attempt_count AS "attemptCount", by_hour_of_day AS "byHourOfDay"
         FROM period_summary`,
};

/**
 * Recounts the summaries of periods, and returns a text for each that is wrong. One that covers fewer attempts than its
 * period has is outdated, and no statistic uses it. `query` must see one moment of the store.
 */
export async function recountSummaries(query: Query, dialect: Dialect): Promise<string[]> {
  const differences = await recountNumbers(query);
  const stored = new Map((await query<Summary>(SUMMARIES)).map((summary) => [keyOf(summary), summary]));
  if (stored.size === 0) return differences;
  const periods = PERIOD_LENGTHS.map((length) => countPeriod(length, 0));

  async function compare(recounted: CountedPeriod): Promise<void> {
    const summary = stored.get(keyOf(recounted));
    if (!summary) return;
    stored.delete(keyOf(recounted));
    const difference = await findDifference(query, dialect, { summary, recounted });
    if (difference) differences.push(`${describe(summary)}: ${difference}`);
  }

  for (const { hour } of await query<{ hour: number }>(HOURS)) {
    const parts: Group[][] = [];
    for (const part of partsOfHour(hour)) parts.push(await readAuditAddresses(query, dialect, [part]));
    for (const [index, period] of periods.entries()) {
      const number = periodOf(hour, period.hours);
      if (number !== period.period) await compare(period);
      const counted = number === period.period ? period : countPeriod(period.hours, number);
      periods[index] = counted;
      for (const [part, groups] of parts.entries())
        for (const group of groups) addGroup(counted, { hour, part }, group);
    }
  }
  for (const period of periods) await compare(period);
  for (const summary of stored.values())
    differences.push(`${describe(summary)}: attempts stored ${summary.attemptCount}, recounted nothing`);
  return differences;
}

type CountedPeriod = ReturnType<typeof countPeriod>;

function countPeriod(hours: number, period: number) {
  /** An hour has a set for each part. */
  const sets = Array.from({ length: hours === 1 ? PARTS_PER_HOUR : 1 }, createNumberSet);
  return { hours, period, attemptCount: 0, byHourOfDay: Array<number>(HOURS_PER_DAY).fill(0), sets };
}

type Group = Awaited<ReturnType<typeof readAuditAddresses>>[number];

function addGroup(period: CountedPeriod, { hour, part }: { hour: number; part: number }, group: Group): void {
  const { sets, byHourOfDay } = period;
  period.attemptCount += group.attemptCount;
  byHourOfDay[hour % HOURS_PER_DAY] = (byHourOfDay[hour % HOURS_PER_DAY] ?? 0) + group.attemptCount;
  const set = sets[part % sets.length];
  for (const number of numbersOf(group)) set?.add(number);
}

/** Encodes the addresses of a period as they are stored. */
function encodeAddresses({ hours, sets }: CountedPeriod): Uint8Array {
  const encoded = sets.map((set) => set.encode());
  return hours === 1 ? encodeParts(encoded) : Buffer.concat(encoded);
}

async function findDifference(
  query: Query,
  dialect: Dialect,
  { summary, recounted }: { summary: Summary; recounted: CountedPeriod },
): Promise<string | undefined> {
  const { attemptCount } = recounted;
  if (summary.attemptCount < attemptCount) return undefined;
  if (summary.attemptCount > attemptCount)
    return `attempts stored ${summary.attemptCount}, recounted ${attemptCount}`;
  const byHourOfDay = summary.hours === 1 ? null : JSON.stringify(recounted.byHourOfDay);
  if (summary.byHourOfDay !== byHourOfDay)
    return `by hour of the day stored ${summary.byHourOfDay}, recounted ${byHourOfDay}`;
  const sets = await readAddressSets(query, dialect, [summary]);
  const expected = encodeAddresses(recounted);
  const isEqual = sets.every(({ addresses }) => Buffer.from(addresses).equals(expected));
  return sets.length > 0 && isEqual
    ? undefined
    : 'the stored unique addresses differ from the recounted ones';
}

async function recountNumbers(query: Query): Promise<string[]> {
  const [row] = await query<Record<'stored' | 'recounted' | 'different' | 'next', number>>(NUMBERS);
  if (!row || (row.stored === row.recounted && row.recounted === row.different && row.different === row.next))
    return [];
  return [
    `numbers of addresses: stored ${row.stored}, recounted ${row.recounted}, ${row.different} different`,
  ];
}

const keyOf = ({ hours, period }: { hours: number; period: number }): string => `${hours} ${period}`;

function describe({ hours, period }: Summary): string {
  return `summary of ${hours === 1 ? '1 hour' : `${hours} hours`} from ${new Date(period * hours * HOUR_MS).toISOString()}`;
}
