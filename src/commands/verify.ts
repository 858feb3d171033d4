import { type Config, describeDatabase, describeStorage } from '../config/config.ts';
import { listFindings, MAX_SHOWN } from '../move/findings.ts';
import { refuse, runCommand } from './command.ts';
import { findDifferences } from './find-differences.ts';

const COMMAND = {
  usage: 'npm run verify',
  purpose:
    'Checks an SQLite file for damage and lost transactions, recounts every rollup from the audit, and compares links\n' +
    'with files, without changing anything.\n' +
    'Takes the properties of the service, which may be running. Exit code 1 when anything differs.',
  failure: 'The store could not be verified:',
};

async function verify(config: Config): Promise<void> {
  const { differences, auditRecords, fileCount } = await findDifferences(config);
  const checked = `${describeDatabase(config.database)} and the files in ${describeStorage(config.storage)}`;
  if (differences.length > 0) {
    const shown = differences.slice(0, MAX_SHOWN);
    refuse(
      `${differences.length === 1 ? '1 difference' : `${differences.length} differences`} in ${checked}:`,
      listFindings({ count: differences.length, shown }),
    );
  }
  process.stdout.write(
    `Checked ${checked}.\nAll rollups equal a recount of ${auditRecords} audit records.\n` +
      (fileCount === 1
        ? '1 file, complete and with its link.\n'
        : `${fileCount} files, each complete and with its link.\n`),
  );
}

await runCommand(COMMAND, verify);
