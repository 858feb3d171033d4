import type { EpochMs } from '../../links/link.ts';
import { LINK_STATE_COLUMNS } from '../link-rows.ts';
import type { ListEntry } from '../list-entry.ts';
import { listNumberOf } from '../list-number.ts';
import { type ListedRow, TARGET_COLUMNS, toListEntry } from './listed-rows.ts';
import type { Dialect, Query, Statement } from './query.ts';

/** The least id, as 32 hexadecimal digits. */
export const FIRST_ID = '0'.repeat(32);
/** Changes that are read in one transaction. */
const READ_AT_ONCE = 5_000;

/** Selects the next changes after the id $1, at most $2, with the links that they created. */
export const selectCreations = ({ uuidToText, textToUuid }: Dialect): Statement => ({
  name: 'recorded-creations',
  text: `SELECT ${uuidToText('change.id')} AS id, link.short_code, link.created_at,
           change.author_kind AS creator_kind, change.author_name AS creator_name,
           ${TARGET_COLUMNS}, ${LINK_STATE_COLUMNS}
         FROM (SELECT id, short_code, kind, author_kind, author_name FROM link_change
               WHERE id > ${textToUuid('$1')} ORDER BY id LIMIT $2) AS change
           LEFT JOIN link ON link.short_code = change.short_code AND change.kind = 'CREATED'
           LEFT JOIN link_target ON link_target.short_code = link.short_code
         ORDER BY change.id`,
});

/** `short_code` is null for a change that is no creation. */
type ChangeRow = { id: string } & (
  | (Omit<ListedRow, 'number'> & { created_at: EpochMs })
  | { short_code: null }
);
type ListLinks = (entries: readonly ListEntry[]) => unknown;
/** Reads the store, and enters links into the list, in one transaction. */
type Slice<T> = (query: Query, listLinks: ListLinks) => Promise<T>;
type Commit = <T>(work: Slice<T>) => Promise<T>;

/**
 * Fills the empty list with all links, in the order of their creation.
 *
 * @param commit runs each slice in a transaction
 * @param onFilled is called with the number of links in the list
 */
export async function fillList(
  commit: Commit,
  dialect: Dialect,
  onFilled: (count: number) => void = () => {},
): Promise<void> {
  const statement = selectCreations(dialect);
  let count = 0;
  for (let after: string | undefined = FIRST_ID; after !== undefined; onFilled(count)) {
    const last: string = after;
    after = await commit(async (query, listLinks) => {
      const changes = await query<ChangeRow>(statement, [last, READ_AT_ONCE]);
      const links = changes.filter((row) => row.short_code !== null);
      await listLinks(
        links.map((row) => toListEntry({ ...row, number: listNumberOf(row.created_at, row.short_code) })),
      );
      count += links.length;
      return changes.length < READ_AT_ONCE ? undefined : changes.at(-1)?.id;
    });
  }
}
