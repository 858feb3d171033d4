import { compareState, describeLostCommits } from './commit-counter.ts';
import { openForReading } from './connection.ts';
import { readState } from './state-file.ts';

/**
 * Compares a store with its state file, as a start does, and changes nothing. The service may run.
 *
 * @returns a sentence, if committed transactions are missing
 */
export function findLostCommits(path: string): string[] {
  const before = readState(path); // before the database, which gets each transaction first
  using db = openForReading(path);
  const { loss } = compareState(db, before);
  if (!loss) return [];
  return [
    `${describeLostCommits(loss)}: the -wal or a newer copy of the database was removed, put it back; or accept the ` +
      `loss: stop the service and delete ${path}-state`,
  ];
}
