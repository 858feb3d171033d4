import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/i18n.tsx';
import { Card, Swatch } from './card.tsx';
import { ChartCanvas } from './chart-canvas.tsx';
import type { Column, RingChart, Slice } from './chart-model.ts';
import { ExportButtons } from './export-buttons.tsx';
import { TableHead } from './table.tsx';

/** A slice with its name for programs. `parts`: what it consists of. */
type NamedSlice = Slice & { name: string; parts?: { name: string; label: string; value: number }[] };

type Props = {
  id: string;
  title: string;
  subtitle: string;
  columns: Column[];
  slices: NamedSlice[];
  emptyText: string;
  footer?: ComponentChildren;
};

/** A ring chart of several slices with a table of them and their parts. Those of zero are only in the saved table, for programs. */
export function RingCard({ id, title, subtitle, columns, slices, emptyText, footer }: Props) {
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const shown = slices.filter(({ value }) => value > 0);
  const chart: RingChart = { kind: 'ring', slices: shown };
  const table = {
    columns,
    rows: slices
      .flatMap(({ parts, ...slice }) => parts ?? [slice])
      .map(({ name, label, value }) => ({ name, label, counts: [value] })),
  };
  return (
    <Card
      {...{ id, title, subtitle, footer }}
      actions={<ExportButtons {...{ id, title, subtitle, table, chart }} />}
      emptyText={total === 0 && emptyText}
    >
      <div class={shown.length > 1 ? 'parts' : ''}>
        {shown.length > 1 && <ChartCanvas chart={chart} title={title} />}
        <SliceTable columns={columns} slices={shown} total={total} />
      </div>
    </Card>
  );
}

/** The legend of the ring, with counts and shares. */
function SliceTable({ columns, slices, total }: Pick<Props, 'columns' | 'slices'> & { total: number }) {
  const { t, format } = useI18n();
  return (
    <table class="parts-table">
      <TableHead columns={[...columns, { name: 'share', heading: t('column.share') }]} isHidden />
      <tbody>
        {slices.flatMap(({ name, label, colour, value, parts = [] }) => [
          <tr key={name}>
            <th scope="row">
              <Swatch colour={colour} />
              {label}
            </th>
            <td>{format.number(value)}</td>
            <td class="soft">{format.percent((100 * value) / total)}</td>
          </tr>,
          ...parts
            .filter((part) => part.value > 0)
            .map((part) => (
              <tr key={part.name} class="soft small parts-of">
                <th scope="row">{part.label}</th>
                <td>{format.number(part.value)}</td>
                <td>{format.percent((100 * part.value) / total)}</td>
              </tr>
            )),
        ])}
      </tbody>
    </table>
  );
}
