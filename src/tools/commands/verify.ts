import { toFindings } from '../../common/findings.ts';
import { countOf } from '../../common/format.ts';
import { describeDatabase, describeStorage } from '../../common/locations.ts';
import { type LoadedBy, loadWith } from '../../service/config/load-settings.ts';
import { defineCommand, listDifferences, refuseDifferences, yieldToService } from './command.ts';
import { print } from './terminal.ts';
import { findDifferences, type Verified } from './verify-store.ts';

const REBUILD =
  'To fix the database, stop the service and run `postern rebuild` with the same properties: its differences are in ' +
  'data that follows from records, and no record differs.';
const RESTORE =
  'Records or links differ. Do what a line says; otherwise keep a copy of the database as evidence, and restore a backup. ' +
  '`postern rebuild` would refuse, because rebuilt data would hide the differences.';
const RESTORE_FILES =
  'Restore these files under their ids from a backup: until then, their links return no whole file.';

/** The help is that of `postern verify` with an argument. */
const OPTIONS = { 'read-files': { type: 'boolean', help: '' } } as const;

const load = loadWith(OPTIONS);
type Loaded = LoadedBy<typeof load>;

async function verify({ config, settings }: Loaded): Promise<undefined> {
  yieldToService();
  const readsFiles = settings['read-files'];
  const found = await findDifferences(config, { readsFiles });
  const { differences, notes, isRebuildable, isRecordDamaged, ...counts } = found;
  const checked = `${describeDatabase(config.database)} and the files in ${describeStorage(config.storage)}`;
  if (notes.length > 0) print(describeNotes(notes));
  if (differences.length > 0) {
    const remedy = isRebuildable ? REBUILD : isRecordDamaged ? RESTORE : RESTORE_FILES;
    refuseDifferences(toFindings(differences), checked, remedy);
  }
  print(`Checked ${checked}.\n${describeConfirmed(counts, readsFiles)}`);
}

type Counts = Omit<Verified, 'differences' | 'notes' | 'isRebuildable' | 'isRecordDamaged'>;

const EXPECTED =
  'Files without a link are expected after an older database was restored: they were uploaded later. Before you delete ' +
  'them, check that the database is the right one.';

function describeNotes(notes: string[]): string {
  const title =
    notes.length === 1
      ? '1 note, which is no difference:'
      : `${notes.length} notes, which are no differences:`;
  const lines = [title, ...listDifferences(toFindings(notes)).map((note) => `  - ${note}`), EXPECTED];
  return lines.map((line) => `${line}\n`).join('');
}

function describeConfirmed(
  { auditRecords, linkCount, fileCount, erased, detachedMonths }: Counts,
  readsFiles: boolean,
): string {
  const content = readsFiles ? 'that of the uploads' : 'not checked';
  const histories =
    detachedMonths === undefined
      ? [
          `All statistics equal a recount of ${countOf(auditRecords, 'audit record')}.`,
          'The history of every link is complete and unchanged.',
        ]
      : [
          `The entries of ${detachedMonths} were detached. What came after them is complete and unchanged in every history.`,
          'The terms of links with detached entries, and all statistics, were not checked: they need these entries.',
        ];
  const lines = [
    ...histories,
    ...(erased.entries > 0 ? [`Erased entries: ${erased.entries}; erasures: ${erased.erasures}.`] : []),
    ...(erased.files > 0 ? [`Erased files of links that have ended: ${erased.files}.`] : []),
    fileCount === 1
      ? `1 file, with its link and its size; its content is ${content}.`
      : `${fileCount} files, each with its link and its size; their content is ${content}.`,
  ];
  if (linkCount === 0) lines.push('This store has no link. Is it the right one? Set app.database.url.');
  return lines.map((line) => `${line}\n`).join('');
}

/** The check of a whole store, which `postern verify` is without an argument. */
export const command = defineCommand({
  options: {},
  examples: [],
  failure: 'The store could not be verified:',
  load,
  run: verify,
});
