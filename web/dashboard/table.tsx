import { useI18n } from '../i18n/i18n.tsx';

/** Names are for programs, headings for people; so are a cell's two forms. */
export type Table = { columns: Column[]; rows: Cell[][] };
export type Column = { name: string; heading: string };
export type Cell = { raw: string | number; shown: string };

/** What scrolls has to be reached without a pointer. */
const REACHABLE = { tabIndex: 0 };

/** A table that scrolls in its place, with the first cell of each row as its name. */
export function TableView({ table: { columns, rows }, title }: { table: Table; title: string }) {
  const { t } = useI18n();
  return (
    <section class="table-view" {...REACHABLE} aria-label={`${t('board.table')}: ${title}`}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, heading }) => (
              <th key={name} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr key={first?.raw}>
              <th scope="row">{first?.shown}</th>
              {others.map(({ shown }, index) => (
                <td key={columns[index + 1]?.name}>{shown}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
