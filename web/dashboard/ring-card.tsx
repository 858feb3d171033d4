import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/i18n.tsx';
import { Card } from './card.tsx';
import { ChartCanvas } from './chart-canvas.tsx';
import type { RingChart, Slice } from './chart-model.ts';
import { ExportButtons } from './export-buttons.tsx';
import { Swatch } from './swatch.tsx';
import type { Table } from './table.tsx';

/** A slice with its name for programs. */
export type NamedSlice = Slice & { name: string };
type Props = {
  id: string;
  title: string;
  subtitle: string;
  columns: Table['columns'];
  slices: NamedSlice[];
  emptyText: string;
  footer?: ComponentChildren;
};

/** A ring chart with a table of its slices. */
export function RingCard({ id, title, subtitle, columns, slices, emptyText, footer }: Props) {
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const chart: RingChart = { kind: 'ring', slices: slices.filter(({ value }) => value > 0) };
  const table = {
    columns,
    rows: slices.map(({ name, label, value }) => ({ name, label, counts: [value] })),
  };
  return (
    <Card
      {...{ id, title, subtitle, footer }}
      actions={<ExportButtons {...{ id, title, subtitle, table, chart }} />}
      emptyText={total === 0 && emptyText}
    >
      <div class="parts">
        <ChartCanvas chart={chart} title={title} />
        <SliceTable columns={columns} slices={slices} total={total} />
      </div>
    </Card>
  );
}

/** The legend of the ring, with counts and shares. */
function SliceTable({ columns, slices, total }: Pick<Props, 'columns' | 'slices'> & { total: number }) {
  const { t, format } = useI18n();
  return (
    <table class="parts-table">
      <thead class="visually-hidden">
        <tr>
          {[...columns.map(({ heading }) => heading), t('column.share')].map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {slices.map(({ name, label, colour, value }) => (
          <tr key={name} data-none={value === 0 || undefined}>
            <th scope="row">
              <Swatch colour={colour} />
              {label}
            </th>
            <td>{format.number(value)}</td>
            <td class="soft">{format.percent((100 * value) / total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
