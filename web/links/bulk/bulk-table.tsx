import type { ComponentChildren } from 'preact';
import { Scroller } from '../../shell/scroller.tsx';
import { useBulkTexts } from './bulk-texts.ts';

/** More rows are only counted: a table of thousands is slow, and is not read. */
const SHOWN_ROWS = 100;

type Props<Row> = { headings: ComponentChildren[]; rows: Row[]; renderRow(row: Row): ComponentChildren };

/** The first rows of a file, below the headings of their columns. */
export function BulkTable<Row>({ headings, rows, renderRow }: Props<Row>) {
  const bulkT = useBulkTexts();
  return (
    <>
      <Scroller name="bulk-scroller" label={bulkT('bulk.rows')}>
        <table>
          <thead>
            <tr>
              {[bulkT('bulk.row'), ...headings].map((heading, index) => (
                <th key={index} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows.slice(0, SHOWN_ROWS).map(renderRow)}</tbody>
        </table>
      </Scroller>
      {rows.length > SHOWN_ROWS && (
        <p class="soft small">{bulkT('bulk.moreRows', { count: rows.length - SHOWN_ROWS })}</p>
      )}
    </>
  );
}
