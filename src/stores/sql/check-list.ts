import type { EpochMs } from '../../links/link.ts';
import { type ListNumber, listNumberOf } from '../list-number.ts';
import type { Dialect, Query, Stream } from './query.ts';

type ListedRow = {
  number: ListNumber;
  shortCode: string;
  createdAt: EpochMs | null;
  creatorKind: string | null;
  creatorName: string | null;
  authorKind: string | null;
  authorName: string | null;
};

/**
 * Checks that the list has every link once, at its place, with its creator. The terms of the search are not checked: old
 * ones may stay, and new ones are written later.
 *
 * @returns one sentence for each difference
 */
export async function checkList(query: Query, { byteOrder }: Dialect, stream: Stream): Promise<string[]> {
  const differences: string[] = [];
  const report = (shortCode: string, finding: string) =>
    void differences.push(`place of link ${shortCode} in the list: ${finding}`);
  let lastCode: string | undefined;
  let rightCount = 0;
  const rows = stream<ListedRow>({
    name: 'check-listed-links',
    text: `SELECT CAST(listed_link.number AS TEXT) AS number, listed_link.short_code AS "shortCode",
             link.created_at AS "createdAt", creator_kind AS "creatorKind", creator_name AS "creatorName",
             creation.kind AS "authorKind", creation.name AS "authorName"
           FROM listed_link LEFT JOIN link ON link.short_code = listed_link.short_code
             LEFT JOIN (SELECT short_code AS code, author_kind AS kind, author_name AS name FROM link_change
                        WHERE link_change.kind = 'CREATED') AS creation ON code = listed_link.short_code
           ORDER BY listed_link.short_code COLLATE ${byteOrder}, listed_link.number`,
  });
  for await (const batch of rows) {
    for (const row of batch) {
      const { number, shortCode, createdAt } = row;
      if (createdAt === null) report(shortCode, 'there is no such link');
      else if (number !== listNumberOf(createdAt, shortCode)) report(shortCode, `${number} is not its place`);
      else if (lastCode !== shortCode) rightCount += 1;
      if (row.creatorKind !== row.authorKind || row.creatorName !== row.authorName)
        report(
          shortCode,
          `its creator is ${describe(row.creatorKind, row.creatorName)}, ` +
            `but ${describe(row.authorKind, row.authorName)} by its history`,
        );
      lastCode = shortCode;
    }
  }
  const [counts] = await query<{ links: number; isFilled: number }>({
    name: 'count-links-to-list',
    text: `SELECT count(*) AS links, (SELECT count(*) FROM link_list_progress WHERE step = 'DONE') AS "isFilled"
           FROM link`,
  });
  const missing = (counts?.links ?? 0) - rightCount;
  if (missing !== 0 && counts?.isFilled === 1) differences.push(`links missing in the list: ${missing}`);
  return differences;
}

const describe = (kind: string | null, name: string | null): string =>
  kind === null ? 'unknown' : name === null ? kind : `${kind} ${name}`;
