import type { EpochMs } from '../../links/link.ts';
import { type ListNumber, listNumberOf } from '../list-number.ts';
import type { Dialect, Query, Stream } from './query.ts';

type ListedRow = {
  number: ListNumber;
  shortCode: string;
  createdAt: EpochMs | null;
  creatorKind: string;
  creatorName: string | null;
  authorKind: string | null;
  authorName: string | null;
};

/**
 * Checks that the list has every link once, at its place, with its creator. The terms of the search are not checked: old
 * ones may stay, and new ones are written later.
 *
 * @returns one sentence for each difference. `derived`: of the list, which can be filled again; `records`: of links that
 *   only the list still has
 */
export async function checkList(query: Query, { byteOrder }: Dialect, stream: Stream) {
  const derived: string[] = [];
  const report = (shortCode: string, finding: string) =>
    void derived.push(`place of link ${shortCode} in the list: ${finding}`);
  let lastCode: string | undefined;
  let rightCount = 0;
  let unknownCount = 0;
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
      if (createdAt === null) {
        report(shortCode, 'there is no such link');
        unknownCount += 1;
        lastCode = shortCode;
        continue;
      }
      if (number !== listNumberOf(createdAt, shortCode)) report(shortCode, `${number} is not its place`);
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
  const [counts] = await query<{ links: number }>({
    name: 'count-links-to-list',
    text: 'SELECT count(*) AS links FROM link',
  });
  const missing = (counts?.links ?? 0) - rightCount;
  if (missing !== 0) derived.push(`links missing in the list: ${missing}`);
  const deleted = unknownCount - missing;
  // The damaged place of a link is missing elsewhere. Where none is missing, the link was deleted.
  const records = deleted > 0 ? [`links that are in the list, but were deleted: ${deleted}`] : [];
  return { derived, records };
}

const describe = (kind: string | null, name: string | null): string =>
  kind === null ? 'unknown' : name === null ? kind : `${kind} ${name}`;
