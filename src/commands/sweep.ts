import { type Config, describeDatabase, describeStorage } from '../config/config.ts';
import { parseDuration } from '../config/parsers.ts';
import { quote } from '../config/read-property.ts';
import { findLeftovers, type Leftovers } from '../links/find-leftovers.ts';
import { addDuration } from '../links/rules/expiry-time.ts';
import { toFindings } from '../move/findings.ts';
import { composeFiles, composeVerification } from '../open-stores.ts';
import { refuseDifferences, runCommand } from './command.ts';

const COMMAND = {
  usage: 'npm run sweep',
  purpose: `Removes uploaded files that no link and no upload needs, and unfinished ones, such as those that an older database does
not know. Takes the properties of the service, which may be running, and which itself removes what its uploads leave.

  --dry-run     lists the files, and removes nothing
  --age=PERIOD  leaves younger files, ISO 8601; default: P2D
  --all         removes them also if they are more than the files of links

Exit code 1 if links lack their files, which are listed.`,
  failure: 'The files could not be swept:',
};
const DEFAULT_AGE = 'P2D';

type Flags = ReadonlyMap<string, string>;

async function sweep(config: Config, _: string[], flags: Flags): Promise<void> {
  const files = await composeFiles(config);
  const { assertNoUnfinishedMove, knownFiles } = composeVerification(config);
  await assertNoUnfinishedMove();
  const found = await findLeftovers(files, knownFiles, readStart(flags.get('age') ?? DEFAULT_AGE));
  const isDryRun = flags.has('dry-run');
  const listed = [
    ...found.orphans.map((fileId) => `file ${fileId} belongs to no link`),
    ...found.unfinished.map((fileId) => `file ${fileId} was not completed`),
  ];
  process.stdout.write(listed.map((line) => `${line}\n`).join(''));
  if (!isDryRun) {
    if (!flags.has('all')) assertPlausible(config, found);
    for (const fileId of [...found.orphans, ...found.unfinished]) await files.remove(fileId);
  }
  process.stdout.write(
    `${listed.length} files ${isDryRun ? 'would be removed' : 'were removed'} from ${describeStorage(config.storage)}; ` +
      `${found.fileCount} are needed.\n`,
  );
  if (found.findings.length > 0)
    refuseDifferences(toFindings(found.findings), describeStorage(config.storage));
}

/** Returns from when on files are left. */
function readStart(age: string): number {
  const parsed = parseDuration(age);
  if (!parsed.ok) throw new Error(`--age: ${quote(age)} ${parsed.error}`);
  return addDuration(Date.now(), parsed.value.negated());
}

/** To the database of another service, all files seem to belong to no link. */
function assertPlausible({ database, storage }: Config, { orphans, fileCount }: Leftovers): void {
  if (orphans.length <= fileCount) return;
  throw new Error(
    `of the files in ${describeStorage(storage)}, ${orphans.length} belong to no link of ${describeDatabase(database)}, and ` +
      `only ${fileCount} are needed: nothing was removed. If it is the right database, repeat the command with --all`,
  );
}

await runCommand(COMMAND, sweep, {
  ...{ 'dry-run': { type: 'boolean' }, all: { type: 'boolean' } },
  age: { type: 'string' },
});
