import { accept, type Parsed, refuse } from '../links/rules/parsed.ts';
import { MAX_BULK_ITEMS } from './sizes.ts';

/** Reads the list of a request with many items. */
export function parseBulkList(field: string, value: unknown): Parsed<readonly unknown[]> {
  return Array.isArray(value) && value.length >= 1 && value.length <= MAX_BULK_ITEMS
    ? accept<readonly unknown[]>(value)
    : refuse(field, 'INVALID_LIST', `must be a list of 1 to ${MAX_BULK_ITEMS}`, { max: MAX_BULK_ITEMS });
}
