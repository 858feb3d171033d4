import type { EpochMs } from '../../links/link.ts';
import { listNumberOf } from '../list-number.ts';
import type { Dialect, Query, Statement } from './query.ts';

/** The statements that empty the list of links, before it is filled. */
export const RESET_LIST: readonly string[] = [
  'listed_link',
  'unindexed_link',
  'link_term',
  'link_term_run',
].map((table) => `DELETE FROM ${table}`);

/** The least id, as 32 hexadecimal digits. */
export const FIRST_ID = '0'.repeat(32);
/** Changes that are read in one transaction. */
const READ_AT_ONCE = 5_000;

/** Every statement that this file runs. */
export function fillStatements({ rows, texts, uuidToText, textToUuid }: Dialect) {
  return {
    selectChanges: {
      name: 'recorded-creations',
      text: `SELECT ${uuidToText('change.id')} AS id, link.short_code AS "shortCode", link.created_at AS "createdAt",
               change.author_kind AS kind, change.author_name AS name
             FROM (SELECT id, short_code, kind, author_kind, author_name FROM link_change
                   WHERE id > ${textToUuid('$1')} ORDER BY id LIMIT $2) AS change
               LEFT JOIN link ON link.short_code = change.short_code AND change.kind = 'CREATED'
             ORDER BY change.id`,
    },
    insertListed: {
      name: 'insert-listed-links',
      text: `INSERT INTO listed_link (number, short_code, creator_kind, creator_name)
             SELECT CAST(value ->> 0 AS BIGINT), value ->> 1, value ->> 2, value ->> 3 FROM ${rows('$1')} WHERE true
             ON CONFLICT DO NOTHING`,
    },
    insertUnindexed: {
      name: 'insert-unindexed-links',
      text: `INSERT INTO unindexed_link (short_code) SELECT value FROM ${texts('$1')}`,
    },
  } satisfies Record<string, Statement>;
}

/** `shortCode` is null for a change that is no creation. */
type ChangeRow = { id: string; kind: string; name: string | null } & (
  | { shortCode: string; createdAt: EpochMs }
  | { shortCode: null }
);
type Commit = <T>(work: (query: Query) => Promise<T>) => Promise<T>;

/**
 * Fills the empty list with all links, in the order of their creation, which keeps the runs of terms narrow. The terms
 * themselves are to be indexed later.
 *
 * @param commit runs each slice in a transaction
 */
export async function fillList(commit: Commit, dialect: Dialect): Promise<void> {
  const statements = fillStatements(dialect);
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const last: string = after;
    after = await commit(async (query) => {
      const changes = await query<ChangeRow>(statements.selectChanges, [last, READ_AT_ONCE]);
      const links = changes.filter((row) => row.shortCode !== null);
      if (links.length > 0) {
        const rows = links.map(({ shortCode, createdAt, kind, name }) => [
          ...[listNumberOf(createdAt, shortCode), shortCode, kind, name],
        ]);
        await query(statements.insertListed, [JSON.stringify(rows)]);
        const codes = links.map(({ shortCode }) => shortCode);
        await query(statements.insertUnindexed, [JSON.stringify(codes)]);
      }
      return changes.length < READ_AT_ONCE ? undefined : changes.at(-1)?.id;
    });
  }
}
