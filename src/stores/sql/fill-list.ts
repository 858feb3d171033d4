import type { EpochMs } from '../../links/link.ts';
import { LINK_STATE_COLUMNS } from '../link-rows.ts';
import type { ListEntry } from '../list-entry.ts';
import { listNumberOf } from '../list-number.ts';
import { type ListedRow, TARGET_COLUMNS, toListEntry } from './listed-rows.ts';
import type { Query, Statement } from './query.ts';

/** Entries that are read in one transaction. */
const READ_AT_ONCE = 5_000;

/** Selects the next entries after $1, at most $2, with the links that they created. */
const SELECT_CREATIONS: Statement = {
  name: 'recorded-creations',
  text: `SELECT created.seq, link.short_code, link.created_at, created.author_kind AS creator_kind,
           created.author_name AS creator_name, ${TARGET_COLUMNS}, ${LINK_STATE_COLUMNS}
         FROM (SELECT seq, short_code, kind, author_kind, author_name FROM entry
               WHERE seq > $1 AND kind = 'CREATED' ORDER BY seq LIMIT $2) AS created
           LEFT JOIN link ON link.short_code = created.short_code
           LEFT JOIN link_target ON link_target.short_code = link.short_code
         ORDER BY created.seq`,
};

/** `short_code` is null for a link that was removed. */
type CreationRow = { seq: number } & (
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
export async function fillList(commit: Commit, onFilled: (count: number) => void = () => {}): Promise<void> {
  let count = 0;
  for (let after: number | undefined = 0; after !== undefined; onFilled(count)) {
    const last: number = after;
    after = await commit(async (query, listLinks) => {
      const creations = await query<CreationRow>(SELECT_CREATIONS, [last, READ_AT_ONCE]);
      const links = creations.filter((row) => row.short_code !== null);
      await listLinks(
        links.map((row) => toListEntry({ ...row, number: listNumberOf(row.created_at, row.short_code) })),
      );
      count += links.length;
      return creations.length < READ_AT_ONCE ? undefined : creations.at(-1)?.seq;
    });
  }
}
