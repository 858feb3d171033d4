import type { Part, ProgressReporter } from '../move/progress.ts';

/** So that a line fits a terminal of 80 columns. */
const BAR_CELLS = 16;
/** A terminal is drawn anew so often, and a log gets a line. */
const DRAW_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;
const QUIET_MS = 1_000;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export type Screen = { write(text: string): void; isTerminal: boolean; columns: number; now: () => number };

/** Tells on a screen how a move gets on: with a bar on a terminal, else with a line now and then. */
export function createProgressBar(screen: Screen): ProgressReporter {
  return { begin: (part) => beginPart(screen, part) };
}

function beginPart({ write, isTerminal, columns, now }: Screen, part: Part) {
  const startedAt = now();
  let toldAt = isTerminal ? Number.NEGATIVE_INFINITY : startedAt;
  let latest = part.done;

  function tell(isOver: boolean): void {
    // Small tables, of which nobody knows the number of rows, are copied in no time.
    if (part.of === null && now() - startedAt < QUIET_MS) return;
    toldAt = now();
    const text = describe(part, latest, (toldAt - startedAt) / 1000, { isTerminal, isOver });
    if (!isTerminal) write(`${text}\n`);
    // Blanks over what is left of the line before; nothing past the edge, where it would wrap.
    else write(`\r${text.slice(0, columns - 1).padEnd(columns - 1)}${isOver ? '\n' : ''}`);
  }

  return {
    at(done: number): void {
      latest = done;
      if (now() - toldAt >= (isTerminal ? DRAW_EVERY_MS : LINE_EVERY_MS)) tell(false);
    },
    end: () => tell(true),
  };
}

function describe(
  { step, what, unit, done: before, of }: Part,
  done: number,
  seconds: number,
  { isTerminal, isOver }: { isTerminal: boolean; isOver: boolean },
): string {
  const share = of === null ? null : of === 0 ? 1 : Math.min(done / of, 1);
  const rate = seconds > 0 ? (done - before) / seconds : 0;
  const bar = isTerminal && share !== null ? `${drawBar(share)} ` : '';
  const percent = share === null ? '' : `${Math.floor(share * 100)} %  `;
  const amount =
    of === null || isOver || isTerminal
      ? amountOf(done, unit)
      : `${amountOf(done, unit)} of ${amountOf(of, unit)}`;
  const pace = rate > 0 ? `  ${amountOf(rate, unit)}/s` : '';
  const left = of !== null && rate > 0 ? `  ${durationOf((of - done) / rate)} left` : '';
  const time = isOver ? `  in ${durationOf(seconds)}` : left;
  return `${step.padEnd(7)} ${what.padEnd(12)} ${bar}${percent}${amount}${pace}${time}`;
}

function drawBar(share: number): string {
  const full = Math.round(share * BAR_CELLS);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`;
}

function amountOf(amount: number, unit: Part['unit']): string {
  if (unit === 'rows') return Math.round(amount).toLocaleString('en-US');
  const power = amount < 1000 ? 0 : Math.min(Math.floor(Math.log10(amount) / 3), UNITS.length - 1);
  return `${(amount / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}

function durationOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}
