import { toFindings } from '../../common/findings.ts';
import { describeDatabase } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import { loadAlone } from '../../service/config/load-settings.ts';
import { countDifferences, defineCommand, listDifferences, refuse, refuseDifferences } from './command.ts';
import { createProgressBar } from './progress-bar.ts';
import { print, printNote } from './terminal.ts';
import { rebuildStore } from './verify-store.ts';

async function rebuild({ config }: { config: Config }): Promise<undefined> {
  const progress = createProgressBar(process.stderr, process.stderr.isTTY);
  const result = await rebuildStore(config, progress, (line) => printNote(`${line}\n`));
  const place = describeDatabase(config.database);
  if (result.kind === 'refused')
    refuse(
      `Nothing was changed in ${place}, because its records or links differ, or pages of its file are damaged, and ` +
        'rebuilt data would hide that. Do what a line says; otherwise keep a copy as evidence and restore a backup:',
      listDifferences(toFindings(result.differences)),
    );
  const { remaining } = result;
  const fixed = toFindings(result.fixed);
  print(
    `Rebuilt the derived data of ${place}.\n${
      fixed.count === 0 ? 'There were no differences before.\n' : `Fixed ${countDifferences(fixed)}:\n`
    }${listDifferences(fixed)
      .map((line) => `  - ${line}\n`)
      .join('')}`,
  );
  if (remaining.length > 0) refuseDifferences(toFindings(remaining), place);
  print('Records and derived data agree now. Start the service.\n');
}

export const command = defineCommand({
  details:
    'For a store in which postern verify finds such data damaged. Records, links and files are not changed. Stop the\n' +
    'service first. If it is interrupted, run it again.',
  options: {},
  examples: ['postern rebuild --app.database.url=sqlite:/var/lib/postern/postern.db'],
  failure: 'The derived data could not be rebuilt:',
  load: loadAlone,
  run: rebuild,
});
