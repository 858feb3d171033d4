import type { SourceFingerprint } from './fingerprint.ts';
import type { MoveSource, MoveTarget } from './ports.ts';
import type { ProgressReporter } from './progress.ts';
import { readPages } from './read-pages.ts';
import { MOVED_TABLES } from './tables.ts';

/** Copies every row of a source into an empty target. */
export async function copyRows(
  source: MoveSource,
  target: MoveTarget,
  options: { fingerprint: SourceFingerprint; progress: ProgressReporter; pageRows: number },
): Promise<void> {
  for (const table of MOVED_TABLES) {
    const total = options.fingerprint.rows[table.name];
    const step = options.progress.begin({ label: `copy ${table.name}`, unit: 'rows', total });
    let copied = 0;
    for await (const rows of readPages(source, table, options.pageRows)) {
      await target.writeRows(table, rows);
      copied += rows.length;
      step.update(copied);
    }
    step.end();
  }
}
