import { toFindings } from '../../common/findings.ts';
import { countOf } from '../../common/format.ts';
import { describeDatabase, describeStorage } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import { parseDuration } from '../../core/config/parsers.ts';
import { addDuration } from '../../core/model/instant.ts';
import { findLeftovers, type Leftovers } from '../../core/use-cases/files/find-leftovers.ts';
import { type LoadedBy, loadWith } from '../../service/config/load-settings.ts';
import { composeFiles, composeVerification } from '../../service/open-stores.ts';
import { defineCommand, refuseDifferences } from './command.ts';
import { print } from './terminal.ts';

const DEFAULT_AGE = Temporal.Duration.from('P2D');

const OPTIONS = {
  'dry-run': { type: 'boolean', help: 'Lists the files, and removes nothing' },
  age: {
    type: 'string',
    value: 'DURATION',
    help: `Leaves younger files, ISO 8601; default: ${DEFAULT_AGE}`,
    parse: parseDuration,
  },
  all: { type: 'boolean', help: 'Removes them also if they are more than the files of links' },
} as const;

const load = loadWith(OPTIONS);
type Loaded = LoadedBy<typeof load>;

async function sweep({ config, settings }: Loaded): Promise<undefined> {
  const before = addDuration(Date.now(), (settings.age ?? DEFAULT_AGE).negated());
  const files = await composeFiles(config);
  const { assertNoUnfinishedMove, knownFiles } = composeVerification(config);
  await assertNoUnfinishedMove();
  const found = await findLeftovers(files, knownFiles, before);
  const isDryRun = settings['dry-run'];
  const listed = [
    ...found.orphans.map((fileId) => `file ${fileId} belongs to no link`),
    ...found.unfinished.map((fileId) => `file ${fileId} was not completed`),
  ];
  print(listed.map((line) => `${line}\n`).join(''));
  if (!isDryRun) {
    if (!settings.all) assertPlausible(config, found);
    for (const fileId of [...found.orphans, ...found.unfinished]) await files.remove(fileId);
  }
  print(
    `${countOf(listed.length, 'file')} ${isDryRun ? 'would be' : listed.length === 1 ? 'was' : 'were'} ` +
      `removed from ${describeStorage(config.storage)}; ${countOf(found.fileCount, 'file')} in use.\n`,
  );
  if (found.findings.length > 0)
    refuseDifferences(toFindings(found.findings), describeStorage(config.storage));
}

/** To the database of another service, all files seem to belong to no link. */
function assertPlausible({ database, storage }: Config, { orphans, fileCount }: Leftovers): void {
  if (orphans.length <= fileCount) return;
  throw new Error(
    `of the files in ${describeStorage(storage)}, ${orphans.length} belong to no link of ${describeDatabase(database)}, and ` +
      `only ${fileCount} are needed: nothing was removed. If it is the right database, repeat the command with --all`,
  );
}

export const command = defineCommand({
  details:
    'Removes files that neither a link nor an upload needs, such as those that are newer than a database that was restored,\n' +
    'and what an interrupted copy has left. The service may be running: it removes itself what its uploads leave.\n' +
    'Exit code 1 if links lack their files, which are listed.',
  options: OPTIONS,
  examples: ['postern sweep --dry-run', 'postern sweep --age=P7D'],
  failure: 'The files could not be swept:',
  load,
  run: sweep,
});
