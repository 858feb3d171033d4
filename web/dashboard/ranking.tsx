import { useI18n } from '../i18n/i18n.tsx';
import type { SecurityException, TopLink } from '../service/statistics.ts';
import { Card, SaveCsv } from './card.tsx';

/** The links that were opened most. */
export function TopLinks({ links }: { links: TopLink[] }) {
  const { t } = useI18n();
  return (
    <Ranking
      id="top-links"
      title={t('chart.topLinks')}
      heading={t('column.views')}
      countName="accessCount"
      rows={links.map(({ shortCode, accessCount }) => ({ shortCode, count: accessCount }))}
      empty={t('board.noViews')}
    />
  );
}

/** The links that somebody may be guessing at. */
export function MostWrongPasswords({ exceptions }: { exceptions: SecurityException[] }) {
  const { t } = useI18n();
  return (
    <Ranking
      id="security-exceptions"
      title={t('chart.exceptions')}
      heading={t('column.wrongPasswords')}
      countName="count"
      rows={exceptions}
      empty={t('board.noExceptions')}
    />
  );
}

function Ranking({
  id,
  title,
  heading,
  countName,
  rows,
  empty,
}: {
  id: string;
  title: string;
  heading: string;
  countName: string;
  rows: { shortCode: string; count: number }[];
  empty: string;
}) {
  const { t, format } = useI18n();
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const table = {
    columns: [
      { name: 'shortCode', heading: t('column.link') },
      { name: countName, heading },
    ],
    rows: rows.map(({ shortCode, count }) => [
      { raw: shortCode, shown: shortCode },
      { raw: count, shown: format.number(count) },
    ]),
  };
  return (
    <Card
      id={id}
      title={title}
      subtitle={t('board.allTime')}
      actions={rows.length > 0 && <SaveCsv name={id} title={title} table={table} />}
    >
      {rows.length === 0 ? (
        <p class="card-empty soft">{empty}</p>
      ) : (
        <table class="ranking">
          <thead>
            <tr>
              <th scope="col">{t('column.link')}</th>
              <th scope="col">{heading}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ shortCode, count }) => (
              <tr key={shortCode} style={{ '--share': `${(100 * count) / most}%` }}>
                <th scope="row" class="mono">
                  {shortCode}
                </th>
                <td>{format.number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
