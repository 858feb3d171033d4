import type { Goal, Row, Unit } from './scenario.ts';

/** Formats rows in columns: name, median, unit, minimum to maximum, and whether the goal is met. */
export function toTable(rows: readonly Row[], { isJudged }: { isJudged: boolean }): string {
  const cells = rows.map((row) => toCells(row, isJudged));
  const widthOf = (column: number) => Math.max(...cells.map((line) => line[column]?.length ?? 0));
  const isNumber = (column: number) => column === 1;
  return cells
    .map((line) =>
      line
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widthOf(column)) : cell.padEnd(widthOf(column)),
        )
        .join('  '),
    )
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
}

function toCells({ what, figures, unit, goal }: Row, isJudged: boolean): string[] {
  const format = (value: number) => toText(value, unit);
  const range = `${format(figures.min)} to ${format(figures.max)}`;
  return [what, format(figures.median), unit, range, goal && isJudged ? judge(figures.median, goal) : ''];
}

function judge(median: number, goal: Goal): string {
  const [isMet, wanted] =
    'atLeast' in goal
      ? [median >= goal.atLeast, `at least ${goal.atLeast.toLocaleString('en')}`]
      : [median <= goal.atMost, `at most ${goal.atMost.toLocaleString('en')}`];
  return `${isMet ? 'ok' : 'MISSED'}: ${wanted}`;
}

function toText(value: number, unit: Unit): string {
  const digits = unit === 'ratio' ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
