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

/** Returns the entries of a chart's legend, with the total of each colour. */
export function legendOf(chart: ChartModel): Slice[] {
  if (chart.kind === 'ring') return chart.slices;
  return chart.series.map(({ label, colour, values }) => ({
    label,
    colour,
    value: values.reduce((sum, value) => sum + value, 0),
  }));
}
