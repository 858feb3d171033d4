import type { NewLink } from '../../links/link.ts';
import { TERM_COLUMNS, termValues } from '../link-rows.ts';

const TYPES: Record<string, string> = { confirm: 'boolean', definition_version: 'bigint' };

/** Returns `TERM_COLUMNS` as parameters of a statement, from this one on. */
export function termParameters(first: number): string[] {
  return TERM_COLUMNS.map((column, index) => `$${first + index}::${TYPES[column] ?? 'text'}[]`);
}

/** Returns their values, a list for each column. */
export function termLists(
  links: readonly Omit<NewLink, 'imported'>[],
): (string | number | boolean | null)[][] {
  const rows = links.map(termValues);
  return TERM_COLUMNS.map((_, index) => rows.map((row) => row[index] ?? null));
}
