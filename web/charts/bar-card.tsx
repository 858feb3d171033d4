import { useState } from 'preact/hooks';
import { CHART, TABLE } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { Span } from '../service/statistics.ts';
import { Icon } from '../shell/icon.tsx';
import { Card, Swatch } from './card.tsx';
import { ChartCanvas } from './chart-canvas.tsx';
import { type BarChart, legendOf, type Table, toBarChart } from './chart-model.ts';
import { ExportButtons } from './export-buttons.tsx';
import { formatSpan } from './range.ts';
import { TableView } from './table.tsx';

type Props = { id: string; title: string; span: Span; isWide?: boolean; table: Table };

/** A bar chart of attempts that can be shown as a table, and saved. A single bar is a sentence: it compares nothing. */
export function BarCard({ id, title, span, isWide = false, table }: Props) {
  const { t, format } = useI18n();
  const subtitle = formatSpan(span, format);
  const chart = toBarChart(table);
  const [isTable, setTable] = useState(false);
  const filled = table.rows.filter(({ counts }) => counts.some((count) => count > 0));
  const actions = (
    <>
      <button
        type="button"
        class="button button-quiet"
        aria-pressed={isTable}
        aria-label={`${t('board.table')}: ${title}`}
        onClick={() => setTable(!isTable)}
      >
        <Icon path={isTable ? CHART : TABLE} />
        {t('board.table')}
      </button>
      <ExportButtons {...{ id, title, subtitle, table, chart }} />
    </>
  );
  return (
    <Card
      {...{ id, title, subtitle, isWide, actions }}
      emptyText={filled.length === 0 && t('board.noAttempts')}
    >
      {isTable ? (
        <TableView table={table} title={title} />
      ) : (
        <>
          {chart.series.length > 1 && <Legend chart={chart} />}
          {filled.length > 1 ? (
            <ChartCanvas chart={chart} title={title} />
          ) : (
            <p class="soft">{t('chart.single', { period: filled[0]?.label ?? '' })}</p>
          )}
        </>
      )}
    </Card>
  );
}

function Legend({ chart }: { chart: BarChart }) {
  const { format } = useI18n();
  return (
    <ul class="row small plain legend">
      {legendOf(chart).map(({ label, colour, value }) => (
        <li key={label} class="row">
          <Swatch colour={colour} />
          {label} <strong>{format.number(value)}</strong>
        </li>
      ))}
    </ul>
  );
}
