import type { Creator } from '../../links/link-list.ts';
import { type Searched, termsOf } from '../../links/list-terms.ts';
import { LINK_STATE_COLUMNS, type LinkStateRow, toLinkLabels, toLinkState } from '../link-rows.ts';
import type { ListEntry } from '../list-entry.ts';
import type { ListNumber } from '../list-number.ts';
import type { Dialect, Statement } from './query.ts';

/** What a search reads of a link. `number`: its place in the list, see list-number.ts. */
export type ListedRow = LinkStateRow & {
  number: ListNumber;
  short_code: string;
  creator_kind: Creator['kind'];
  creator_name: string | null;
  target_url: string | null;
  file_name: string | null;
  label: string | null;
  tags: string | null;
  recipient: string | null;
};

const PLACE = `CAST(listed.number AS TEXT) AS number, listed.short_code, listed.creator_kind, listed.creator_name`;
/** The columns of `link_target` that a search compares. */
export const TARGET_COLUMNS = ['target_url', 'file_name', 'label', 'tags', 'recipient'];

/** The rows of links that `listed` selects. Without a filter, nothing of their targets is read. */
function joinLinks({ lookUp }: Dialect, listed: string, hasTargets: boolean): string {
  const targets = TARGET_COLUMNS.map((column) =>
    hasTargets ? `link_target.${column}` : `NULL AS ${column}`,
  );
  return `SELECT ${PLACE}, ${targets}, ${LINK_STATE_COLUMNS} FROM (${listed}) AS listed
    ${lookUp('link', 'link.short_code = listed.short_code')} ${hasTargets ? lookUp('link_target', 'link_target.short_code = listed.short_code') : ''}`;
}

const DIRECTIONS = {
  desc: { comparison: '<', bound: '>=', order: 'DESC' },
  asc: { comparison: '>', bound: '<', order: 'ASC' },
} as const;

/** Selects the next links behind the number $1 and the short code $2, up to the number $3, at most $4. */
export function selectNextListed(dialect: Dialect, order: 'desc' | 'asc', hasTargets: boolean): Statement {
  const { comparison, bound, order: direction } = DIRECTIONS[order];
  const listed = `
    SELECT number, short_code, creator_kind, creator_name FROM listed_link
    WHERE (number, short_code) ${comparison} ($1, $2) AND number ${bound} $3
    ORDER BY number ${direction}, short_code ${direction} LIMIT $4`;
  return {
    name: `listed-${order}-${hasTargets}`,
    text: `${joinLinks(dialect, listed, hasTargets)} ORDER BY listed.number ${direction}, listed.short_code ${direction}`,
  };
}

/** Selects the links with the numbers of the list $1. */
export const selectListed = (dialect: Dialect, hasTargets = true): Statement => ({
  name: `listed-of-numbers-${hasTargets}`,
  text: joinLinks(
    dialect,
    `SELECT number, short_code, creator_kind, creator_name FROM listed_link
     WHERE ${dialect.isAnyOf('number', '$1')}`,
    hasTargets,
  ),
});

/** Returns the parameter for a list of numbers. As texts of JSON they would be no integers. */
export function listOf(numbers: readonly ListNumber[]): string {
  return `[${numbers.join(',')}]`;
}

/** Returns a link as a search sees it. */
export function toSearched(row: ListedRow): Searched {
  const { label, tags, recipient } = toLinkLabels({ ...row, note: null });
  return {
    ...{ label, tags, recipient },
    shortCode: row.short_code,
    type: row.target_url === null ? 'DOWNLOAD' : 'REDIRECT',
    targetUrl: row.target_url,
    fileName: row.file_name,
    creator: toCreator(row),
  };
}

/** Returns how a link is in the list. */
export function toListEntry(row: ListedRow): ListEntry {
  const { number, short_code: shortCode } = row;
  return { number, shortCode, creator: toCreator(row), terms: termsOf(toSearched(row), toLinkState(row)) };
}

export function toCreator(row: Pick<ListedRow, 'creator_kind' | 'creator_name'>): Creator {
  return { kind: row.creator_kind, name: row.creator_name };
}
