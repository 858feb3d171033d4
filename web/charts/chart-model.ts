/** A table of counts. `name` is for programs, `heading` and `label` are for people. */
export type Table = { columns: Column[]; rows: Row[] };
/** The first column contains the labels. A column with a colour is a series of the chart. */
export type Column = { name: string; heading: string; colour?: string };
/** `tick` is the text below a bar, if there is one. */
export type Row = { name: string | number; label: string; tick?: string | null; counts: number[] };

/** The contents of a chart. A colour is the name of a CSS custom property, such as `--chart-success`. */
export type ChartModel = BarChart | RingChart;

/** Bars, one for each label. Several series are stacked. */
export type BarChart = {
  kind: 'bars';
  labels: string[];
  /** The text below each bar, or null for none. */
  ticks: (string | null)[];
  series: { label: string; colour: string; values: number[] }[];
};
export type RingChart = { kind: 'ring'; slices: Slice[] };
export type Slice = { label: string; colour: string; value: number };

/** Returns a chart with a bar for each row, and a series for each column that has a colour. */
export function toBarChart({ columns, rows }: Table): BarChart {
  const [, ...countColumns] = columns;
  return {
    kind: 'bars',
    labels: rows.map(({ label }) => label),
    ticks: rows.map(({ tick }) => tick ?? null),
    series: countColumns.flatMap(({ heading, colour }, index) =>
      colour ? [{ label: heading, colour, values: rows.map(({ counts }) => counts[index] ?? 0) }] : [],
    ),
  };
}

/** Returns the entries of a chart's legend, with the total of each colour. */
export function legendOf(chart: ChartModel): Slice[] {
  if (chart.kind === 'ring') return chart.slices;
  return chart.series.map(({ label, colour, values }) => ({
    label,
    colour,
    value: values.reduce((sum, value) => sum + value, 0),
  }));
}

/** Formats a table as CSV (RFC 4180), with a header line. */
export function toCsv(names: string[], rows: (string | number)[][]): string {
  return [names, ...rows].map((row) => `${row.map(quoteIfNeeded).join(',')}\r\n`).join('');
}

function quoteIfNeeded(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
