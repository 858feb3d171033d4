import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './connection.ts';

/**
 * Notes that a service runs on the store. After one that did not stop, the file is no longer known to be whole, until
 * a check of the whole file finds nothing.
 */
export function beginRun(db: DatabaseSync) {
  const isChecked = inTransaction(db, () => {
    const row = db.prepare('SELECT is_running, is_checked FROM run_state').get();
    const found = row?.['is_running'] === 0 && row['is_checked'] === 1;
    db.prepare('UPDATE run_state SET is_running = 1, is_checked = ?').run(Number(found));
    return found;
  });
  return {
    isChecked,
    setChecked: (value: boolean): void =>
      void db.prepare('UPDATE run_state SET is_checked = ?').run(Number(value)),
    end: (): void => db.exec('UPDATE run_state SET is_running = 0'),
  };
}
