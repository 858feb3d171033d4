import { useI18n } from '../i18n/i18n.tsx';
import { historyPageUrl } from '../service/links.ts';
import { useSession } from '../shell/session.tsx';
import { Card } from './card.tsx';
import type { Column } from './chart-model.ts';
import { ExportButtons } from './export-buttons.tsx';
import { TableHead } from './table.tsx';

type Props = {
  id: string;
  title: string;
  column: Column;
  links: { shortCode: string; count: number }[];
  emptyText: string;
};

/** Links with a count, the highest first. */
export function Ranking({ id, title, column, links, emptyText }: Props) {
  const { t, format } = useI18n();
  const { serves } = useSession();
  const highest = Math.max(1, ...links.map(({ count }) => count));
  const subtitle = t('board.allTime');
  const columns = [{ name: 'shortCode', heading: t('column.link') }, column];
  const rows = links.map(({ shortCode, count }) => ({ name: shortCode, label: shortCode, counts: [count] }));
  return (
    <Card
      {...{ id, title, subtitle }}
      actions={<ExportButtons {...{ id, title, subtitle, table: { columns, rows } }} />}
      emptyText={links.length === 0 && emptyText}
    >
      <table class="ranking">
        <TableHead columns={columns} />
        <tbody>
          {links.map(({ shortCode, count }) => (
            <tr key={shortCode} style={{ '--share': `${(100 * count) / highest}%` }}>
              <th scope="row">
                <code>
                  {serves('link') ? <a href={historyPageUrl(shortCode)}>{shortCode}</a> : shortCode}
                </code>
              </th>
              <td>{format.number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
