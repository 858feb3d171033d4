import { DatabaseSync } from 'node:sqlite';
import type { CreationResult } from '../../core/model/decide-creations.ts';
import type { NewLink } from '../../core/model/link.ts';

/** Finds the URLs to which links lead, by short code; null for a file. */
type FindTargets = (shortCodes: readonly string[]) => Promise<ReadonlyMap<string, string | null>>;

/**
 * Opens the links that a dry run would create, and finds out which codes are free: neither taken in the store nor by a
 * link before. They are in a temporary database, which SQLite deletes, so that memory stays flat.
 */
export function openPlannedLinks(findStored: FindTargets) {
  const db = new DatabaseSync('');
  db.exec('CREATE TABLE planned (short_code TEXT PRIMARY KEY, target_url TEXT) STRICT, WITHOUT ROWID');
  const insert = db.prepare('INSERT INTO planned VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = db.prepare('SELECT target_url FROM planned WHERE short_code = ?');
  return {
    async create(links: readonly NewLink[]): Promise<CreationResult[]> {
      const stored = await findStored(links.map(({ shortCode }) => shortCode));
      return links.map(({ shortCode, target }) => {
        const url = target.type === 'REDIRECT' ? target.url : null;
        const isFree = !stored.has(shortCode) && insert.run(shortCode, url).changes === 1;
        return isFree ? 'created' : 'short-code-taken';
      });
    },
    async findTargets(shortCodes: readonly string[]): Promise<Map<string, string | null>> {
      const found = new Map(await findStored(shortCodes));
      for (const shortCode of shortCodes) {
        const row = select.get(shortCode);
        if (row) found.set(shortCode, row['target_url'] === null ? null : String(row['target_url']));
      }
      return found;
    },
    [Symbol.dispose]: (): void => db.close(),
  };
}
