import { HOUR_MS } from '../../links/time-units.ts';
import { createNumberSet } from '../number-set.ts';
import { decodeParts, partsOfHour, restOfHour } from './hour-parts.ts';
import type { Dialect, Query } from './query.ts';
import {
  type AddressSet,
  coverDays,
  coverHours,
  numbersOf,
  readAddressSets,
  readAuditAddresses,
  toMilliseconds,
} from './read-summaries.ts';
import { hoursOf, type RangeParts, type Span, spansAround, splitHours } from './time-spans.ts';

/**
 * Counts the distinct addresses of the attempts of a range. `query` must see one moment. Statements that need no other
 * results are sent together: on PostgreSQL, the count takes two round trips, three if a whole day has no summary.
 */
export async function countAddresses(
  query: Query,
  dialect: Dialect,
  { hours, whole }: RangeParts,
): Promise<number> {
  const { days } = splitHours(hours);
  const [ofDays, ...ofEnds] = await Promise.all([
    coverDays(query, days),
    ...spansAround(days, hoursOf(whole)).map((span) => coverHours(query, span)),
  ]);
  const ofDaysLeft = await Promise.all(ofDays.rest.map((span) => coverHours(query, span)));
  const ofHours = [...ofEnds, ...ofDaysLeft];
  const summaries = [...ofDays.summaries, ...ofHours.flatMap((cover) => cover.summaries)];
  const unread = ofHours
    .flatMap((cover) => [
      ...cover.rest.map((span) => clip(toMilliseconds(span), whole)),
      ...cover.summaries.flatMap(({ period }) => restOfHour(period, whole)),
    ])
    .sort((one, other) => one.start - other.start);
  const [sets, groups] = await Promise.all([
    readAddressSets(query, dialect, summaries),
    readAuditAddresses(query, dialect, unread),
  ]);

  const addresses = createNumberSet();
  for (const set of sets) for (const encoded of setsWithin(set, whole)) addresses.addEncoded(encoded);
  let withoutNumber = 0;
  for (const group of groups) {
    if (group.container === null) withoutNumber += group.addressCount;
    for (const number of numbersOf(group)) addresses.add(number);
  }
  return addresses.size() + withoutNumber;
}

function clip(span: Span, { start, end }: Span): Span {
  return { start: Math.max(span.start, start), end: Math.min(span.end, end) };
}

/** Returns the encoded sets of a period that are wholly in a span of milliseconds. */
function setsWithin({ hours, period, addresses }: AddressSet, whole: Span): Uint8Array[] {
  if (hours > 1) return [addresses];
  const sets = decodeParts(addresses);
  if (period * HOUR_MS >= whole.start && (period + 1) * HOUR_MS <= whole.end) return sets;
  const parts = partsOfHour(period);
  return sets.filter((_, index) => {
    const part = parts[index];
    return part !== undefined && part.start >= whole.start && part.end <= whole.end;
  });
}
