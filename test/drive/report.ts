/** A measured value. It is judged if it has a bound. Times are judged only on a machine that has nothing else to do. */
export type Figure = {
  what: string;
  value: number;
  unit: 'ms' | 'MiB' | 'bytes' | 'count' | 'times' | 'status' | '%';
} & Bound;
type Bound = { atMost?: number; atLeast?: number; equals?: number };

/** Figures of the usual kinds. */
export const figure = {
  ms: (what: string, value: number, atMost?: number) => ({
    ...({ what, value, unit: 'ms' } as const),
    ...(atMost !== undefined && { atMost }),
  }),
  mebibytes: (what: string, value: number, atMost: number) => ({ what, value, unit: 'MiB', atMost }) as const,
  count: (what: string, value: number, equals: number) => ({ what, value, unit: 'count', equals }) as const,
  status: (what: string, value: number, equals: number) => ({ what, value, unit: 'status', equals }) as const,
};

/** The result of a trial: what must not be, what was measured, and remarks. */
export type Result = {
  findings: readonly string[];
  figures?: readonly Figure[];
  notes?: readonly string[];
};

const MAX_SHOWN_FINDINGS = 20;

/** Returns what a figure must be and is not, or undefined. Times count only if `judgesTimes`. */
export function missedBound(figure: Figure, { judgesTimes }: { judgesTimes: boolean }): string | undefined {
  const { what, value, unit, atMost, atLeast, equals } = figure;
  if (unit === 'ms' && !judgesTimes) return undefined;
  const isMet =
    (atMost === undefined || value <= atMost) &&
    (atLeast === undefined || value >= atLeast) &&
    (equals === undefined || value === equals);
  if (isMet) return undefined;
  return `${what}: ${format(figure)}, but must be ${boundText(figure)}`;
}

/** Returns everything that must not be. */
export function problemsOf({ findings, figures = [] }: Result): string[] {
  return [...findings, ...figures.flatMap((figure) => missedBound(figure, { judgesTimes: true }) ?? [])];
}

/** Returns the lines that show a result. */
export function toLines({ findings, figures = [], notes = [] }: Result): string[] {
  const more = findings.length - MAX_SHOWN_FINDINGS;
  return [
    ...findings.slice(0, MAX_SHOWN_FINDINGS).map((finding) => `  FOUND   ${finding}`),
    ...(more > 0 ? [`  FOUND   ${more} more`] : []),
    ...figures.map(toLine),
    ...notes.map((note) => `          ${note}`),
  ];
}

function toLine(figure: Figure): string {
  const bound = boundText(figure);
  const verdict = missedBound(figure, { judgesTimes: true }) === undefined ? 'ok' : 'MISSED';
  const value = `${figure.what.padEnd(50)} ${format(figure).padStart(14)}`;
  return bound === '' ? `          ${value}` : `  ${verdict.padEnd(7)} ${value}   must be ${bound}`;
}

function boundText({ atMost, atLeast, equals }: Figure): string {
  if (equals !== undefined) return String(equals);
  const show = (bound: number) => bound.toLocaleString('en', { maximumFractionDigits: bound < 10 ? 1 : 0 });
  if (atMost !== undefined) return `at most ${show(atMost)}`;
  return atLeast === undefined ? '' : `at least ${show(atLeast)}`;
}

function format({ value, unit }: Figure): string {
  if (unit === 'status') return String(value);
  const text = value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
  return unit === 'count' ? text : `${text} ${unit}`;
}
