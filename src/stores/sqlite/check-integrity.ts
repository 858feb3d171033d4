import { messageOf } from '../../common/error-details.ts';
import { noStoreAt } from '../../common/locations.ts';
import { openForReading } from './connection.ts';
import { hasStore } from './database-file.ts';
import { isDamageError } from './errors.ts';

/** The start of a finding about the file itself. */
export const DAMAGED = 'damaged database: ';

/**
 * Checks the structure of a database, every index against its table, every constraint of a column, and every reference,
 * without changing anything. The service may run.
 *
 * @returns one sentence for each finding, at most about `maxFindings`
 * @throws when there is no store at `path`
 */
export function checkIntegrity(path: string, maxFindings: number): string[] {
  try {
    if (!hasStore(path)) throw new Error(noStoreAt({ kind: 'sqlite', path }));
    using db = openForReading(path);
    const found = db.prepare(`PRAGMA integrity_check(${maxFindings})`).all();
    const damage = found.map((row) => String(row['integrity_check'])).filter((finding) => finding !== 'ok');
    if (damage.length > 0) return damage.map((finding) => DAMAGED + finding);
    const references = db.prepare('SELECT * FROM pragma_foreign_key_check LIMIT ?').all(maxFindings);
    return references.map(
      (row) => `a row of ${row['table']} refers to a row of ${row['parent']} that is missing`,
    );
  } catch (error) {
    if (isDamageError(error)) return [DAMAGED + messageOf(error)];
    throw error;
  }
}
