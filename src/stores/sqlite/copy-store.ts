import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { backup } from 'node:sqlite';
import { noStoreAt } from '../../common/locations.ts';
import type { LinkedFile } from '../../core/model/stored-file.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { readKnownFiles } from '../sql/linked-files.ts';
import { createFile, openForReading } from './connection.ts';
import { hasStore } from './database-file.ts';
import { prepareQuery } from './query.ts';
import { refuseOtherVersion } from './schema.ts';

/** 4 MB, which are flushed at once: more would delay the flushes of commits that the service waits for. */
const PAGES_AT_ONCE = 2_048;

/**
 * Copies a store to a new file as it is at one moment, also while the service runs. A read transaction holds the moment:
 * without it, SQLite would begin again after each commit. `VACUUM INTO` would build all indexes again. Meanwhile the
 * write-ahead log grows.
 *
 * @param onProgress gets the share that is copied, from 0 to 1
 * @returns the files of the links in the copy
 * @throws when there is no store at `path`, it has another version, or a move into it is unfinished
 */
export async function copySqliteStore(
  path: string,
  target: string,
  onProgress: (share: number) => void,
): Promise<readonly LinkedFile[]> {
  if (!hasStore(path)) throw new Error(noStoreAt({ kind: 'sqlite', path }));
  createFile(target);
  using db = openForReading(path);
  db.exec('BEGIN');
  refuseOtherVersion(db); // the first read: the moment that is copied
  const query = prepareQuery(db);
  await assertNoUnfinishedMove(query);
  const file = openSync(target, 'r+');
  try {
    await backup(db, target, {
      rate: PAGES_AT_ONCE,
      progress({ totalPages, remainingPages }) {
        fdatasyncSync(file);
        onProgress(1 - remainingPages / totalPages);
      },
    });
  } finally {
    closeSync(file);
  }
  return (await readKnownFiles(query)).linkedFiles;
}
