import type { Config } from '../config/config.ts';
import { compareFiles } from '../links/compare-files.ts';
import { listFindings, MAX_SHOWN } from '../move/findings.ts';
import { composeFiles, composeVerification } from '../open-stores.ts';
import { refuse, runCommand } from './command.ts';

const COMMAND = {
  usage: 'npm run verify',
  purpose:
    'Recounts every rollup from the audit and compares links with files, without changing anything.\n' +
    'Takes the properties of the service, which may be running. Exit code 1 when anything differs.',
  failure: 'The store could not be verified:',
};

async function verify(config: Config): Promise<void> {
  const files = await composeFiles(config);
  const verification = composeVerification(config);
  await verification.assertNoUnfinishedMove();
  const recount = await verification.recount();
  const { findings, fileCount } = await compareFiles(files, verification.knownFiles);
  const differences = [...recount.differences, ...findings];
  if (differences.length > 0) {
    const shown = differences.slice(0, MAX_SHOWN);
    refuse(
      differences.length === 1 ? '1 difference:' : `${differences.length} differences:`,
      listFindings({ count: differences.length, shown }),
    );
  }
  process.stdout.write(
    `All rollups equal a recount of ${recount.auditRecords} audit records.\n` +
      (fileCount === 1
        ? '1 file, complete and with its link.\n'
        : `${fileCount} files, each complete and with its link.\n`),
  );
}

await runCommand(COMMAND, verify);
