import { useI18n } from '../i18n/i18n.tsx';
import { historyPageUrl } from '../service/links.ts';
import { useSession } from '../shell/session.tsx';
import { Card } from './card.tsx';
import type { Column } from './chart-model.ts';
import { ExportButtons } from './export-buttons.tsx';
import { TableHead } from './table.tsx';

/** `shortCode`: of a link, to whose page the label leads. */
type Ranked = { name: string; label: string; shortCode?: string; count: number };

type Props = {
  id: string;
  title: string;
  subtitle: string;
  columns: [Column, Column];
  items: Ranked[];
};

/** Rankings stand beside each other, so none is much longer. */
export const MAX_SHOWN = 5;

/** Names with a count, the highest first. The saved table has all of them. */
export function Ranking({ id, title, subtitle, columns, items }: Props) {
  const { format } = useI18n();
  const highest = Math.max(1, ...items.map(({ count }) => count));
  const rows = items.map(({ name, label, count }) => ({ name, label, counts: [count] }));
  return (
    <Card
      {...{ id, title, subtitle }}
      actions={<ExportButtons {...{ id, title, subtitle, table: { columns, rows } }} />}
    >
      <table class="ranking">
        <TableHead columns={columns} />
        <tbody>
          {items.slice(0, MAX_SHOWN).map(({ name, label, shortCode, count }) => (
            <tr key={name} style={{ '--share': `${(100 * count) / highest}%` }}>
              <th scope="row" class="break">
                {shortCode === undefined ? label : <LinkName {...{ label, shortCode }} />}
              </th>
              <td>{format.number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** The label of a link with its short code beneath, or the short code alone. */
function LinkName({ label, shortCode }: { label: string; shortCode: string }) {
  const { serves } = useSession();
  const hasLabel = label !== shortCode;
  const name = hasLabel ? label : <code>{shortCode}</code>;
  return (
    <>
      {serves('link') ? <a href={historyPageUrl(shortCode)}>{name}</a> : name}
      {hasLabel && <code class="ranking-code soft">{shortCode}</code>}
    </>
  );
}

type LinkRankingProps = Pick<Props, 'id' | 'title'> & {
  column: Column;
  links: { shortCode: string; label?: string; leadsTo?: string; count: number }[];
};

/** Links with a count of all time. */
export function LinkRanking({ column, links, ...props }: LinkRankingProps) {
  const { t } = useI18n();
  return (
    <Ranking
      {...props}
      subtitle={t('board.allTime')}
      columns={[{ name: 'shortCode', heading: t('column.link') }, column]}
      items={links.map(({ shortCode, label, leadsTo, count }) => ({
        ...{ name: shortCode, label: label ?? leadsTo ?? shortCode, shortCode, count },
      }))}
    />
  );
}
