import { type Findings, listFindings, toFindings } from '../../common/findings.ts';
import { countOf } from '../../common/format.ts';
import { describeDatabase } from '../../common/locations.ts';
import type { CopiedLinkFiles } from '../copy/copy-files.ts';
import { type MoveOutcome, move } from '../copy/move.ts';
import { countDifferences, defineCommand, refuse } from './command.ts';
import { composeMove, type MoveSettings } from './compose-move.ts';
import { loadMove, MOVE_OPTIONS } from './load-move.ts';
import { createProgressBar } from './progress-bar.ts';
import { print, printNote } from './terminal.ts';

async function moveStore(settings: MoveSettings): Promise<undefined> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      printNote('The move was interrupted:\n  - run the same command with --restart\n');
      process.exit(1);
    });
  await using stores = new AsyncDisposableStack();
  const progress = createProgressBar(process.stderr, process.stderr.isTTY);
  const plan = await composeMove(settings, progress, stores);
  report(await move(plan), settings);
}

function report(outcome: MoveOutcome, { movesLinks, movesFiles, to }: MoveSettings): void {
  if (outcome.kind === 'differs') {
    const { isCopyExact } = outcome;
    const findings = toFindings(outcome.differences);
    refuse(isCopyExact ? describeInvalid(findings) : describeDifferent(findings), listFindings(findings));
  }
  const { tables, files } = outcome;
  const settings = [
    ...(movesLinks ? [`app.database.url to ${describeDatabase(to.database)}`] : []),
    ...(movesFiles ? ['app.storage.path or app.storage.url to the new place of the files'] : []),
  ];
  const lines = [
    ...(movesLinks
      ? [
          `Moved and verified: ${countOf(tables.get('link')?.rows ?? 0, 'link')}, ${countOf(tables.get('entry')?.rows ?? 0, 'entry', 'entries')} of the log.`,
        ]
      : []),
    ...(files ? describeFiles(files) : []),
    '',
    `Next: set ${settings.join(', and ')}. Start the service and check /actuator/health. ` +
      'Keep the source until then, and start no service on it.',
  ];
  print(`${lines.join('\n')}\n`);
}

function describeDifferent({ count }: Findings): string {
  return (
    `The copy differs from the source in ${countOf(count, 'place')}, so the move is not finished. ` +
    'Run the same command with --restart to copy again:'
  );
}

function describeInvalid(findings: Findings): string {
  return (
    `The copy equals the source, but verifying it found ${countDifferences(findings)}, so the move is not finished. ` +
    'Another copy would have them too. Run `postern verify` on the source, which says what can be done:'
  );
}

function describeFiles({ files, missing, others }: CopiedLinkFiles): string[] {
  const bytes = [...files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const moved = [
    `Moved and verified: ${countOf(files.size, 'file')} with ${countOf(bytes, 'byte')}.`,
    ...(others === 0 ? [] : [describeOthers(others)]),
  ];
  if (missing.size === 0) return moved;
  return [
    ...moved,
    `The source has no whole file for ${countOf(missing.size, 'link')}, which still respond with 404:`,
    ...listFindings(toFindings([...missing.values()])).map((finding) => `  - ${finding}`),
  ];
}

export const describeOthers = (others: number): string =>
  `Files in the target that belong to no link, such as those of an earlier copy: ${others.toLocaleString('en-US')}. ` +
  'They stay. Check them, and remove them with postern sweep.';

export const command = defineCommand({
  details:
    'Links, records and statistics go to another database, files to another storage, or both. Stop the service first. The\n' +
    'source is not changed. The digests of the copied tables and files are compared with the source; only then does a\n' +
    'service start on a database that was copied. If you move only files, wait until the\n' +
    'command ends.\n\n' +
    'Every user of this machine can see the passwords in arguments. Put a URL with a password into a file that only you\n' +
    'can read, and name the file: MOVE_FROM_FILE, MOVE_TO_FILE. MOVE_FROM, MOVE_TO, MOVE_FILES_FROM and MOVE_FILES_TO\n' +
    'work, too.',
  options: MOVE_OPTIONS,
  examples: ['postern move --from=sqlite:data/postern.db --to=postgres://postern@localhost/postern'],
  failure: 'The move failed:',
  load: loadMove,
  run: moveStore,
});
