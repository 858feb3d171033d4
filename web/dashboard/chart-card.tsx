import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { ChartIcon, TableIcon } from '../shell/icons.tsx';
import { Card, SaveCsv, SavePng } from './card.tsx';
import { ChartCanvas } from './chart-canvas.tsx';
import { type Drawing, legendOf } from './chart-model.ts';
import { Swatch } from './swatch.tsx';
import { type Table, TableView } from './table.tsx';

/** A chart, the table behind it, and both to take away. */
export function ChartCard({
  id,
  title,
  subtitle,
  table,
  drawing,
  isWide = false,
}: {
  id: string;
  title: string;
  subtitle: string;
  table: Table;
  drawing: Extract<Drawing, { kind: 'bars' }>;
  isWide?: boolean;
}) {
  const { t, format } = useI18n();
  const [isTable, setTable] = useState(false);
  const legend = legendOf(drawing);
  const isEmpty = legend.every(({ value }) => value === 0);
  const actions = (
    <>
      <button
        type="button"
        class="button button-quiet"
        aria-pressed={isTable}
        aria-label={`${t('board.table')}: ${title}`}
        onClick={() => setTable(!isTable)}
      >
        {isTable ? <ChartIcon /> : <TableIcon />}
        {t('board.table')}
      </button>
      <SaveCsv name={id} title={title} table={table} />
      <SavePng name={id} title={title} subtitle={subtitle} drawing={drawing} />
    </>
  );
  return (
    <Card id={id} title={title} subtitle={subtitle} actions={!isEmpty && actions} isWide={isWide}>
      {isEmpty && <p class="card-empty soft">{t('board.noAttempts')}</p>}
      {!isEmpty && isTable && <TableView table={table} title={title} />}
      {!isEmpty && !isTable && (
        <>
          {legend.length > 1 && (
            <ul class="legend">
              {legend.map(({ label, colour, value }) => (
                <li key={label}>
                  <Swatch colour={colour} />
                  {label} <strong>{format.number(value)}</strong>
                </li>
              ))}
            </ul>
          )}
          <ChartCanvas drawing={drawing} title={title} />
        </>
      )}
    </Card>
  );
}
