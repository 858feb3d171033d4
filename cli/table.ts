import { toPrintable } from '../src/tools/commands/terminal.ts';

/** A column of a table. Only a flexible one is shortened where the terminal is too narrow. */
export type Column = { title: string; isFlexible?: boolean; isNumber?: boolean };

const GAP = '  ';
const MIN_FLEXIBLE_WIDTH = 8;
/** Of a flexible column. Narrower ones show hardly more than the host of a target. */
const READABLE_WIDTH = 12;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const segmenter = new Intl.Segmenter();

/** `width`: the columns of the terminal; undefined for no limit. `minWidth`: of flexible columns. `hasTitles`: true unless given. */
export type TableOptions = { width?: number | undefined; minWidth?: number; hasTitles?: boolean };

/** Renders a table. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, minWidth = MIN_FLEXIBLE_WIDTH, hasTitles = true }: TableOptions,
): string {
  const titles = columns.map(({ title }) => title);
  const lines = [titles, ...rows.map((row) => row.map(toCell))];
  const natural = columns.map((_, index) => Math.max(...lines.map((line) => widthOf(line[index] ?? ''))));
  const widths = width === undefined ? natural : fitWidths(columns, natural, { width, minWidth });
  // Without titles too, the columns are as wide as those of a table with titles above.
  const shown = hasTitles ? lines : lines.slice(1);
  return shown.map((line) => renderLine(line, columns, widths)).join('\n');
}

/** Returns the width of a table whose flexible columns are as narrow as they can be read. */
export function leastWidth(columns: readonly Column[], rows: readonly (readonly string[])[]): number {
  return renderTable(columns, rows, { width: 0, minWidth: READABLE_WIDTH })
    .split('\n')
    .reduce((most, line) => Math.max(most, widthOf(line)), 0);
}

/** Takes from the widest flexible column until the line fits, or nothing is left to take. */
function fitWidths(
  columns: readonly Column[],
  natural: readonly number[],
  { width, minWidth }: { width: number; minWidth: number },
): number[] {
  const widths = [...natural];
  const total = (): number => widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  while (total() > width) {
    const flexible = widths.map((each, index) => (columns[index]?.isFlexible ? each : 0));
    const widest = Math.max(...flexible);
    if (widest <= minWidth) break;
    widths[flexible.indexOf(widest)] = Math.max(widest - 1, minWidth);
  }
  return widths;
}

function renderLine(line: readonly string[], columns: readonly Column[], widths: readonly number[]): string {
  const cells = line.map((text, index) => {
    const cut = shorten(text, widths[index] ?? 0);
    const space = ' '.repeat((widths[index] ?? 0) - widthOf(cut));
    return columns[index]?.isNumber ? space + cut : cut + space;
  });
  return cells.join(GAP).trimEnd();
}

function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  for (const { segment } of segmenter.segment(text)) {
    if (widthOf(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** Returns how many columns of a terminal a text takes. */
function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Returns a value in one line: labels and user agents come from others. */
export const toCell = (text: string): string => toPrintable(text).replaceAll(/[\n\t]/g, ' ');
