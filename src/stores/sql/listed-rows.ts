import type { ListOrder } from '../../core/model/listed-links.ts';
import type { Holders } from '../../core/model/owner.ts';
import { type Searched, termsOf } from '../../core/model/search-terms.ts';
import { LINK_STATE_COLUMNS, type LinkStateRow, toFileRequest, toLinkState, toTexts } from '../link-rows.ts';
import type { ListNumber, ListPosition } from '../list-number.ts';
import type { Dialect, Statement } from './query.ts';

/** A link in the list: its position, and the terms by which the search finds it. */
export type ListEntry = ListPosition & { terms: readonly string[] };

/** The columns of a link that a search reads. `number`: see list-number.ts. */
export type ListedRow = LinkStateRow &
  Holders & {
    number: ListNumber;
    short_code: string;
    target_url: string | null;
    file_name: string | null;
    file_request: string | null;
    request_code: string | null;
    label: string | null;
    tags: string | null;
    recipient: string | null;
    token_hash: string | null;
  };

/** The columns of `link_target` that a search compares. */
export const TARGET_COLUMNS =
  'target_url, file_name, file_request, request_code, label, tags, recipient, owner, team, token_hash';

/** Selects the rows of links that `listed` selects. */
function joinLinks({ lookUp }: Dialect, listed: string): string {
  return `SELECT CAST(listed.number AS TEXT) AS number, listed.short_code,
      ${TARGET_COLUMNS}, ${LINK_STATE_COLUMNS}
    FROM (SELECT number, short_code FROM listed_link ${listed}) AS listed
      ${lookUp('link', 'link.short_code = listed.short_code')}
      ${lookUp('link_target', 'link_target.short_code = listed.short_code')}`;
}

const DIRECTIONS = { desc: { comparison: '<', bound: '>=' }, asc: { comparison: '>', bound: '<' } };

/** Selects the next links after the number $1 and the short code $2, up to the number $3, at most $4. */
export function selectNextListed(dialect: Dialect, order: ListOrder): Statement {
  const { comparison, bound } = DIRECTIONS[order];
  const listed = `WHERE (number, short_code) ${comparison} ($1, $2) AND number ${bound} $3
                  ORDER BY number ${order}, short_code ${order} LIMIT $4`;
  return `${joinLinks(dialect, listed)} ORDER BY listed.number ${order}, listed.short_code ${order}`;
}

/** Selects the links with the numbers of the list $1. */
export const selectListed = (dialect: Dialect): Statement =>
  joinLinks(dialect, `WHERE ${dialect.isAnyOf('number', '$1')}`);

/** Returns the parameter for a list of numbers. As texts of JSON they would be no integers. */
export function listOf(numbers: readonly ListNumber[]): string {
  return `[${numbers.join(',')}]`;
}

export function positionOf({ number, short_code: shortCode }: ListedRow): ListPosition {
  return { number, shortCode };
}

/** Returns a link as a search sees it. */
export function toSearched(row: ListedRow): Searched {
  return {
    ...{ label: row.label, tags: toTexts(row.tags), recipient: row.recipient },
    shortCode: row.short_code,
    type: row.file_request !== null ? 'REQUEST' : row.target_url === null ? 'DOWNLOAD' : 'REDIRECT',
    targetUrl: row.target_url,
    fileName: row.file_name,
    message: row.file_request === null ? null : toFileRequest(row.file_request).message,
    requestCode: row.request_code,
    owner: row.owner,
    team: row.team,
    tokenHash: row.token_hash,
  };
}

/** Returns how a link is in the list. */
export function toListEntry(row: ListedRow): ListEntry {
  return { ...positionOf(row), terms: termsOf(toSearched(row), toLinkState(row)) };
}
