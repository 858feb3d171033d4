import type { EpochMs } from '../../core/model/link.ts';
import type { Query } from './query.ts';

const SELECT = 'SELECT at FROM last_backup';
const RECORD = `INSERT INTO last_backup (only_row, at) VALUES (1, $1)
         ON CONFLICT (only_row) DO UPDATE SET at = excluded.at RETURNING at`;

/** Returns when the last complete backup of a store was begun; null if there is none. */
export async function readLastBackup(query: Query): Promise<EpochMs | null> {
  const [row] = await query<{ at: EpochMs }>(SELECT);
  return row?.at ?? null;
}

/** Records that a backup is complete. `at`: when it was begun. */
export async function recordBackup(query: Query, at: EpochMs): Promise<void> {
  await query(RECORD, [at]);
}
