import { LINK_COLUMNS, type LinkColumn } from '../../../src/core/model/terms.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { BulkTable } from './bulk-table.tsx';
import { useBulkTexts } from './bulk-texts.ts';
import type { CheckedRow, ChosenFile } from './check-rows.ts';

/** The rows of a file before they are sent: those with errors first. */
export function BulkPreview({ file, validCount }: { file: ChosenFile; validCount: number }) {
  const bulkT = useBulkTexts();
  const { checked } = file;
  const invalid = checked.filter((row) => 'problems' in row);
  const columns = LINK_COLUMNS.filter((column) => checked.some(({ row }) => row.cells[column]));
  return (
    <>
      <p role="status">
        {bulkT('bulk.ready', { count: validCount })}
        {invalid.length > 0 && ` ${bulkT('bulk.skipped', { count: invalid.length })}`}
      </p>
      <BulkTable
        headings={[bulkT('bulk.check'), ...columns.map((column) => <code key={column}>{column}</code>)]}
        rows={[...invalid, ...checked.filter((row) => 'item' in row)]}
        renderRow={(row) => <PreviewRow key={row.row.number} checked={row} columns={columns} />}
      />
    </>
  );
}

type RowProps = { checked: CheckedRow; columns: readonly LinkColumn[] };

function PreviewRow({ checked, columns }: RowProps) {
  const { t, format } = useI18n();
  const bulkT = useBulkTexts();
  const { row } = checked;
  const problems = 'problems' in checked ? checked.problems : [];
  const hasProblem = (column: LinkColumn) => problems.some((problem) => problem.column === column);
  return (
    <tr data-invalid={problems.length > 0 ? '' : undefined}>
      <td data-label={bulkT('bulk.row')}>{format.number(row.number)}</td>
      <td class="bulk-check">
        {problems.map(({ column, text }) => (
          <div key={`${column} ${text}`} class="bad">
            {column && <code>{column}: </code>}
            {t(text)}
          </div>
        ))}
        {problems.length === 0 && bulkT('bulk.valid')}
      </td>
      {columns.map((column) => (
        <td key={column} data-label={column} data-invalid={hasProblem(column) ? '' : undefined}>
          {column === 'password' && row.cells.password ? '••••••' : row.cells[column]}
        </td>
      ))}
    </tr>
  );
}
