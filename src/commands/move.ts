import { describeDatabase } from '../config/config.ts';
import type { LoadedMove } from '../config/load-move.ts';
import type { Totals } from '../move/compare-rows.ts';
import type { MovedFiles } from '../move/copy-files.ts';
import { type Moved, type MoveOutcome, moveAll } from '../move/move.ts';
import { readMove, refuse } from './command.ts';
import { type ComposedMove, composeMove } from './compose-move.ts';
import { explainMoveFault } from './explain-move.ts';
import { createProgressBar } from './progress-bar.ts';

const PURPOSE =
  'Moves links, records and statistics to another database, files to another storage, or both. Stop the service\n' +
  'first. Nothing of the source is changed. Run it again if it broke off: it goes on where it was.\n' +
  'Verifies every row, and only then lets the target be used. Exit code 1 when anything differs.';

const SIGINT_EXIT_CODE = 130;

const settings = readMove(PURPOSE);
const watch = createProgressBar({
  write: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  now: () => performance.now(),
});
process.once('SIGINT', () => {
  process.stderr.write('\nBroken off. The same command goes on where this was.\n');
  process.exit(SIGINT_EXIT_CODE);
});

let composed: ComposedMove | undefined;
try {
  composed = await composeMove(settings, watch);
  const outcome = await moveAll(composed.plan);
  tell(outcome, settings);
} catch (fault) {
  refuse('The move is not finished:', [explainMoveFault(fault)]);
} finally {
  await composed?.close();
}

function tell(outcome: MoveOutcome, { to }: Settings): void {
  switch (outcome.kind) {
    case 'finished-before':
      process.stdout.write(
        `This move was finished before, and nothing was done now. ${describeDatabase(to.database)} is ready.\n`,
      );
      break;
    case 'differs': {
      const { count, shown } = outcome.findings;
      const more = count > shown.length ? [`and ${count - shown.length} more`] : [];
      refuse(
        `The copy differs from its source in ${count} ways, and no service starts on it. Files damaged on the way ` +
          'are copied again by the same command; for any other difference, empty the target and move again:',
        [...shown, ...more],
      );
      break;
    }
    case 'moved':
      process.stdout.write(`${summaryOf(outcome).join('\n')}\n\n${nextSteps(settings).join('\n')}\n`);
  }
}
type Settings = Extract<LoadedMove, { ok: true }>;

function summaryOf({ totals, files }: Moved): string[] {
  const links = totals.get('link');
  const records = totals.get('audit');
  const uploads = totals.get('upload');
  return [
    ...(links && records
      ? [
          `Moved and verified, row by row: ${number(links)} links with ${number(links, 'view_count')} views, ` +
            `${number(records)} records. All rollups equal a recount.`,
        ]
      : []),
    ...(files ? fileSummary(files) : []),
    ...(files && uploads && uploads.rows > 0
      ? [
          `${number(uploads)} uploads had begun and have no link. What there is of their files was not moved; ` +
            'the service forgets them within a day.',
        ]
      : []),
  ];
}

function fileSummary({ copied, thereBefore, bytes, missing }: MovedFiles): string[] {
  const before = thereBefore > 0 ? `, ${thereBefore.toLocaleString('en-US')} of them by an earlier run` : '';
  const count = (copied + thereBefore).toLocaleString('en-US');
  const lines = [`Moved and verified: ${count} files with ${bytes.toLocaleString('en-US')} bytes${before}.`];
  if (missing.count === 0) return lines;
  const more = missing.count - missing.shown.length;
  return [
    ...lines,
    `${missing.count} links have no whole file, and had none before the move; they answer 404 as they did:`,
    ...missing.shown.map((finding) => `  - ${finding}`),
    ...(more > 0 ? [`  - and ${more} more`] : []),
  ];
}

function nextSteps({ movesLinks, movesFiles }: Settings): string[] {
  const changed = [
    ...(movesLinks ? ['app.database.url'] : []),
    ...(movesFiles ? ['app.storage.path or app.storage.url'] : []),
  ];
  return [
    `Next: set ${changed.join(' and ')} to where --to and --files-to pointed, start the service, and see ` +
      'that it is healthy. The source is as it was: keep it until then, and start no service on it any more.',
  ];
}

/** The rows of a table, or the sum of one of its columns, as people write it. */
function number({ rows, sums }: Totals, column?: string): string {
  return (column === undefined ? rows : (sums[column] ?? 0)).toLocaleString('en-US');
}
