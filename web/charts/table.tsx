import { useI18n } from '../i18n/i18n.tsx';
import { Scroller } from '../shell/scroller.tsx';
import type { Column, Table } from './chart-model.ts';

export function TableHead({ columns, isHidden = false }: { columns: Column[]; isHidden?: boolean }) {
  return (
    <thead class={isHidden ? 'visually-hidden' : undefined}>
      <tr>
        {columns.map(({ name, heading }) => (
          <th key={name} scope="col">
            {heading}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A table that scrolls within its card. Rows of zero are only in the saved table, for programs. */
export function TableView({ table: { columns, rows }, title }: { table: Table; title: string }) {
  const { t, format } = useI18n();
  const shown = rows.filter(({ counts }) => counts.some((count) => count > 0));
  return (
    <Scroller name="table-view" label={`${t('board.table')}: ${title}`}>
      <table>
        <TableHead columns={columns} />
        <tbody>
          {shown.map(({ name, label, counts }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              {counts.map((count, index) => (
                <td key={columns[index + 1]?.name}>{format.number(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
