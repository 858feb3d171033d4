import type { EpochMs } from '../../core/model/link.ts';
import { LINK_STATE_COLUMNS } from '../link-rows.ts';
import { listNumberOf } from '../list-number.ts';
import { type ListEntry, type ListedRow, TARGET_COLUMNS, toListEntry } from './listed-rows.ts';
import type { StoreMoment } from './query.ts';

type CheckedRow = (ListedRow & { created_at: EpochMs }) | (Place & { created_at: null });
type Place = Pick<ListedRow, 'number' | 'short_code'>;

/**
 * Checks that the list has every link once, at its place, and that the search finds it by all of its
 * terms. A search compares what it finds, so terms that a link does not have do no harm.
 *
 * @returns one sentence for each difference. `derived`: of the list, which can be filled again; `records`: of links that
 *   only the list still has
 */
export async function checkList({ query, dialect, stream, beginSearchCheck }: StoreMoment) {
  const derived: string[] = [];
  const search = beginSearchCheck();
  const reportUnfound = (shortCodes: readonly string[]) => {
    for (const shortCode of shortCodes)
      derived.push(`search of link ${shortCode}: it is not found by all of its terms`);
  };
  const report = (shortCode: string, finding: string) =>
    void derived.push(`place of link ${shortCode} in the list: ${finding}`);
  let lastCode: string | undefined;
  let rightCount = 0;
  let unknownCount = 0;
  const rows = stream<CheckedRow>(`SELECT CAST(listed_link.number AS TEXT) AS number, listed_link.short_code,
             link.created_at, ${LINK_STATE_COLUMNS}, ${TARGET_COLUMNS}
           FROM listed_link LEFT JOIN link ON link.short_code = listed_link.short_code
             LEFT JOIN link_target ON link_target.short_code = link.short_code
           ORDER BY listed_link.short_code COLLATE ${dialect.byteOrder}, listed_link.number`);
  for await (const batch of rows) {
    reportUnfound(await search.add(batch.filter((row) => row.created_at !== null).flatMap(toReadableEntry)));
    for (const row of batch) {
      const { number, short_code: shortCode, created_at: createdAt } = row;
      if (createdAt === null) {
        report(shortCode, 'there is no such link');
        unknownCount += 1;
        lastCode = shortCode;
        continue;
      }
      if (number !== listNumberOf(createdAt, shortCode)) report(shortCode, `${number} is not its place`);
      else if (lastCode !== shortCode) rightCount += 1;
      lastCode = shortCode;
    }
  }
  reportUnfound(await search.end());
  const [counts] = await query<{ links: number }>('SELECT count(*) AS links FROM link');
  const missing = (counts?.links ?? 0) - rightCount;
  if (missing !== 0) derived.push(`links missing in the list: ${missing}`);
  const deleted = unknownCount - missing;
  // The damaged place of a link is missing elsewhere. Where none is missing, the link was deleted.
  const records = deleted > 0 ? [`links that are in the list, but were deleted: ${deleted}`] : [];
  return { derived, records };
}

/** Returns no entry for a row whose tags are damaged, which the check of histories reports. */
function toReadableEntry(row: ListedRow): ListEntry[] {
  try {
    return [toListEntry(row)];
  } catch {
    return [];
  }
}
