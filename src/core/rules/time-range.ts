import { NOT_AN_INSTANT, parseInstant } from '../model/instant.ts';
import type { EpochMs } from '../model/link.ts';
import { isTimeZone } from '../model/local-time.ts';
import { accept, type FieldErrorCode, type Parsed, refuse } from '../model/parsed.ts';
import { MAX_RANKED_LINKS, type PeriodUnit, type TimeRange } from '../model/ranges.ts';
import { duplicateField, toInteger } from './read-fields.ts';

/** The accepted bounds: "timestamps with offset, or dates where the specification says dates". */
export type RangeUnit = 'instant' | 'instant-or-date';

const DEFAULT_LIMIT = 5;

/** Reads "optional `start` (included) and `end` (excluded)". A date stands for the begin of that day in the zone. */
export function parseTimeRange(
  query: { start?: unknown; end?: unknown },
  unit: RangeUnit,
  zone = 'UTC',
): Parsed<TimeRange> {
  const start = parseBound('start', query.start, unit, zone);
  if (!start.ok) return start;
  const end = parseBound('end', query.end, unit, zone);
  if (!end.ok) return end;
  if (start.value && end.value && Temporal.Instant.compare(start.value, end.value) > 0)
    return refuse('end', 'END_BEFORE_START', 'must not be before start');
  return accept({ start: ceilToMs(start.value), end: ceilToMs(end.value) });
}

function parseBound(
  field: string,
  value: unknown,
  unit: RangeUnit,
  zone: string,
): Parsed<Temporal.Instant | null> {
  if (value === undefined) return accept(null);
  const instant = typeof value === 'string' ? parseQueryInstant(value, unit, zone) : undefined;
  if (instant !== undefined) return accept(instant);
  return refuseParameter(
    field,
    value,
    'INVALID_DATE_TIME',
    unit === 'instant' ? NOT_AN_INSTANT : `${NOT_AN_INSTANT}, or a date`,
  );
}

function parseQueryInstant(text: string, unit: RangeUnit, zone: string): Temporal.Instant | undefined {
  if (unit === 'instant-or-date' && /^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const isDate = parseInstant(`${text}T00:00Z`) !== undefined;
    return isDate ? Temporal.PlainDate.from(text).toZonedDateTime(zone).toInstant() : undefined;
  }
  // An unencoded `+` of an offset arrives as a space.
  return parseInstant(text.replace(/ (?=\d{2}:\d{2}$)/, '+'));
}

/** Rounds both bounds up: for a whole number m, m >= t equals m >= ceil(t), and m < t equals m < ceil(t). */
function ceilToMs(instant: Temporal.Instant | null): EpochMs | null {
  if (instant === null) return null;
  return instant.round({ smallestUnit: 'millisecond', roundingMode: 'ceil' }).epochMilliseconds;
}

/** Reads "query `limit`, integer, default 5", "1 to 1,000, else 400". */
export function parseLimit(
  value: unknown,
  defaultLimit = DEFAULT_LIMIT,
  max = MAX_RANKED_LINKS,
): Parsed<number> {
  if (value === undefined) return accept(defaultLimit);
  const limit = typeof value === 'string' ? toInteger(value) : undefined;
  if (typeof limit !== 'number')
    return refuseParameter('limit', value, 'NOT_AN_INTEGER', 'must be an integer');
  const isWithin = limit >= 1 && limit <= max;
  return isWithin ? accept(limit) : refuse('limit', 'LIMIT_OUT_OF_RANGE', `must be between 1 and ${max}`);
}

/** Reads the length of the periods of attempts over time, a day by default. */
export function parsePeriodUnit(value: unknown): Parsed<PeriodUnit> {
  if (value === undefined || value === 'day') return accept('day');
  if (value === 'hour') return accept('hour');
  return refuseParameter('unit', value, 'INVALID_UNIT', 'must be hour or day');
}

/** Reads the time zone whose days and hours are counted; null without one. */
export function parseTimeZone(value: unknown): Parsed<string | null> {
  if (value === undefined) return accept(null);
  if (typeof value === 'string' && isTimeZone(value)) return accept(value);
  return refuseParameter('zone', value, 'INVALID_TIME_ZONE', 'must be a time zone, such as Europe/Berlin');
}

/** Reads a flag of a query such as `previews=true`, false by default. */
export function parseFlag(field: string, value: unknown): Parsed<boolean> {
  if (value === undefined || value === 'false') return accept(false);
  if (value === 'true') return accept(true);
  return refuseParameter(field, value, 'NOT_TRUE_OR_FALSE', 'must be true or false');
}

/** Reads some of the known names, with commas between. */
export function parseNames<Name extends string>(
  field: string,
  value: unknown,
  known: readonly Name[],
  code: FieldErrorCode,
): Parsed<Name[]> {
  const sent = typeof value === 'string' ? value.split(',') : [];
  const names = known.filter((name) => sent.includes(name));
  const isKnown = sent.length > 0 && sent.every((name) => known.some((each) => each === name));
  return isKnown
    ? accept(names)
    : refuseParameter(field, value, code, `must be some of ${known.join(', ')}, with commas between`);
}

/** Refuses a value of a query, which is an array when the parameter was sent more than once. */
export function refuseParameter(
  field: string,
  value: unknown,
  code: FieldErrorCode,
  text: string,
): Parsed<never> {
  return Array.isArray(value) ? { ok: false, error: duplicateField(field) } : refuse(field, code, text);
}
