/** What a chart shows. A colour is the name of one of the page's tokens, such as `--chart-success`. */
export type Drawing =
  | { kind: 'bars'; labels: string[]; ticks: Tick[]; series: Series[] }
  | { kind: 'ring'; parts: Part[] };
/** What may stand below a bar, or null where nothing should. */
export type Tick = string | null;
/** One value for each label; several series stand on each other. */
export type Series = { label: string; colour: string; values: number[] };
export type Part = { label: string; colour: string; value: number };

/** What the colours of a drawing stand for, with the sum of each. */
export function legendOf(drawing: Drawing): Part[] {
  if (drawing.kind === 'ring') return drawing.parts;
  return drawing.series.map(({ label, colour, values }) => ({
    label,
    colour,
    value: values.reduce((sum, value) => sum + value, 0),
  }));
}
