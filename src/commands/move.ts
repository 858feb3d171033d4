import { describeDatabase } from '../config/config.ts';
import { loadMove, MOVE_HELP } from '../config/load-move.ts';
import { messageOf } from '../error-details.ts';
import type { MovedFiles } from '../move/copy-files.ts';
import { type Findings, listFindings } from '../move/findings.ts';
import { type MoveOutcome, move } from '../move/move.ts';
import { countDifferences, readArguments, readFile, refuse } from './command.ts';
import { composeMove, type MoveSettings } from './compose-move.ts';
import { createProgressBar } from './progress-bar.ts';

const PURPOSE = `Moves links, records and statistics to another database, files to another storage, or both.
Stop the service first. The source is not changed. Every row and file of the copy is compared with the source;
only then can a service use the target. Exit code 1 when anything differs.`;

const argv = readArguments({ usage: 'npm run move', purpose: PURPOSE }, MOVE_HELP);
const settings = loadMove({ argv, env: process.env, readFile });
if (!settings.ok) refuse('The move cannot start:', settings.errors);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => refuse('The move was interrupted:', ['run the same command with --restart']));
}

try {
  await using stores = new AsyncDisposableStack();
  const progress = createProgressBar(process.stderr, process.stderr.isTTY);
  const plan = await composeMove(settings, progress, stores);
  report(await move(plan), settings);
} catch (error) {
  refuse('The move failed:', [messageOf(error)]);
}

function report(outcome: MoveOutcome, { movesLinks, movesFiles, to }: MoveSettings): void {
  if (outcome.kind === 'differs') {
    const { isCopyExact, findings } = outcome;
    refuse(isCopyExact ? describeInvalid(findings) : describeDifferent(findings), listFindings(findings));
  }
  const { rows, files } = outcome;
  const settings = [
    ...(movesLinks ? [`app.database.url to ${describeDatabase(to.database)}`] : []),
    ...(movesFiles ? ['app.storage.path or app.storage.url to the new place of the files'] : []),
  ];
  const lines = [
    ...(movesLinks
      ? [`Moved and verified: ${count(rows['link'])} links, ${count(rows['entry'])} entries of the log.`]
      : []),
    ...(files ? describeFiles(files) : []),
    '',
    `Next: set ${settings.join(', and ')}. Start the service and check /actuator/health. ` +
      'Keep the source until then, and start no service on it.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function describeDifferent({ count }: Findings): string {
  return (
    `The copy differs from the source in ${count} places, so the move is not finished. ` +
    'Run the same command with --restart to copy again:'
  );
}

function describeInvalid(findings: Findings): string {
  return (
    `The copy equals the source, but verifying it found ${countDifferences(findings)}, so the move is not finished. ` +
    'Another copy would have them too. Run `npm run verify` on the source, which says what can be done:'
  );
}

function describeFiles({ copied, bytes, missing }: MovedFiles): string[] {
  const moved = `Moved and verified: ${count(copied)} files with ${count(bytes)} bytes.`;
  if (missing.count === 0) return [moved];
  return [
    moved,
    `The source has no whole file for ${count(missing.count)} links. They still respond with 404:`,
    ...listFindings(missing).map((finding) => `  - ${finding}`),
  ];
}

function count(number = 0): string {
  return number.toLocaleString('en-US');
}
