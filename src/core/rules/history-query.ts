import { toPlainAddress } from '../model/ip-address.ts';
import { accept, type Parsed } from '../model/parsed.ts';
import type { HistoryFilter, HistoryQuery } from '../model/ranges.ts';
import { AUDIT_RESULTS } from '../model/verdict.ts';
import { duplicateField, readFields, type SentFields } from './read-fields.ts';
import { parseLimit, parseNames, parseTimeRange, refuseParameter } from './time-range.ts';

const DEFAULT_LIMIT = 100;
/** The position of an entry in the log. */
const CURSOR = /^[1-9]\d{0,14}$/;

/** In the order in which their errors are reported. */
const RULES = {
  result: (value: unknown) =>
    value === undefined ? accept(null) : parseNames('result', value, AUDIT_RESULTS, 'INVALID_RESULT'),
  range: (_: unknown, sent: SentFields) => parseTimeRange(sent, 'instant-or-date'),
  address: parseAddress,
  limit: (value: unknown) => parseLimit(value, DEFAULT_LIMIT),
  cursor: parseCursor,
};

/**
 * Reads which entries a client wants of the chain of a link or of all entries, and which page of them. The caller adds the
 * short code and the end of the chain.
 */
export function parseHistoryQuery(sent: SentFields): Parsed<Omit<HistoryQuery, 'shortCode' | 'head'>> {
  const parsed = readFields(RULES, sent, sent);
  if (!parsed.ok) return parsed;
  const { result: results, address: ipAddress, cursor: before, range, limit } = parsed.value;
  return accept({ results, range, ipAddress, limit, before });
}

/** Reads the code of one link in a query about all. Any text may have been requested as one, also none. */
export function parseCode(value: unknown): Parsed<string | null> {
  if (value === undefined) return accept(null);
  return typeof value === 'string' ? accept(value) : { ok: false, error: duplicateField('code') };
}

/** Returns whether a query selects only some of the entries. */
export function isFiltered({ results, range, ipAddress }: HistoryFilter): boolean {
  return results !== null || range.start !== null || range.end !== null || ipAddress !== null;
}

function parseAddress(value: unknown): Parsed<string | null> {
  if (value === undefined) return accept(null);
  const address = typeof value === 'string' ? toPlainAddress(value) : null;
  return address === null
    ? refuseParameter('address', value, 'INVALID_ADDRESS', 'must be an IP address')
    : accept(address);
}

function parseCursor(value: unknown): Parsed<string | null> {
  if (value === undefined) return accept(null);
  if (typeof value === 'string' && CURSOR.test(value)) return accept(value);
  return refuseParameter('cursor', value, 'INVALID_CURSOR', 'must be the next of the page before');
}
