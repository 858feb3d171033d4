import { type Config, describeDatabase, describeStorage } from '../config/config.ts';
import { runCommand } from './command.ts';
import { findDifferences } from './find-differences.ts';
import { refuseDifferences } from './refuse-differences.ts';
import { EXPORT_HELP, verifyExport, wantsExport } from './verify-export.ts';

const COMMAND = {
  usage: 'npm run verify',
  purpose:
    'Checks an SQLite file for damage and lost transactions, the history of every link for changes, every rollup against\n' +
    'a recount of the audit, and links against files, without changing anything.\n' +
    `Takes the properties of the service, which may be running. Exit code 1 when anything differs.\n\n${EXPORT_HELP}`,
  failure: 'The store could not be verified:',
};

const REBUILD =
  'to mend the database, stop the service and run `npm run rebuild` with the same properties: its differences are in ' +
  'data that follows from records, and no record differs';

async function verify(config: Config): Promise<void> {
  const { differences, isRebuildable, auditRecords, fileCount } = await findDifferences(config);
  const checked = `${describeDatabase(config.database)} and the files in ${describeStorage(config.storage)}`;
  if (differences.length > 0) {
    const remedy = isRebuildable ? REBUILD : undefined;
    refuseDifferences({ count: differences.length, shown: differences }, checked, remedy);
  }
  process.stdout.write(
    `Checked ${checked}.\nAll rollups equal a recount of ${auditRecords} audit records.\n` +
      'The history of every link is complete and unchanged.\n' +
      (fileCount === 1
        ? '1 file, complete and with its link.\n'
        : `${fileCount} files, each complete and with its link.\n`),
  );
}

const argv = process.argv.slice(2);
if (wantsExport(argv)) await verifyExport(argv);
else await runCommand(COMMAND, verify);
