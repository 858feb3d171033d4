import cliProgress from 'cli-progress';
import type { ProgressReporter, ProgressStep } from '../../core/ports/progress.ts';

const LINE_EVERY_MS = 10_000;
const AMOUNTS = '{percentage} %, {value} of {total}, {eta_formatted} left';

/** Shows each step whose total is known on a stream: as a bar on a terminal, else as a line every ten seconds. */
export function createProgressBar(stream: NodeJS.WritableStream, isTerminal: boolean): ProgressReporter {
  return {
    begin({ label, unit, total }) {
      if (total === undefined) return { update: () => {}, end: () => {} };
      const bar = new cliProgress.SingleBar({
        stream,
        format: isTerminal ? `{label} [{bar}] ${AMOUNTS}` : `{label} ${AMOUNTS}`,
        formatValue: (value, _, type) => (type === 'percentage' ? `${value}` : formatAmount(value, unit)),
        barsize: 16,
        etaBuffer: 1_000,
        linewrap: true, // cuts a long line, which would be drawn twice if it were wrapped
        gracefulExit: false, // else the first Ctrl-C would only stop the bar
        noTTYOutput: true,
        notTTYSchedule: LINE_EVERY_MS,
        clearOnComplete: !isTerminal, // leaves out an empty line
      });
      bar.start(total, 0, { label: label.padEnd(19) });
      const update = (done: number): void => {
        if (done > bar.getTotal()) bar.setTotal(done); // a total may be an estimate
        bar.update(done);
      };
      return { update, end: () => bar.stop() };
    },
  };
}

function formatAmount(amount: number, unit: ProgressStep['unit']): string {
  return unit === 'rows' ? amount.toLocaleString('en-US') : `${(amount / 1e6).toFixed(1)} MB`;
}
