import { DatabaseSync } from 'node:sqlite';

/**
 * Remembers the links that a dry run would have created, which later records may name again. They are in a temporary database,
 * which SQLite deletes, so that memory stays flat.
 */
export function openPlannedLinks() {
  const db = new DatabaseSync('');
  db.exec(
    'CREATE TABLE planned (short_code TEXT PRIMARY KEY, target_url TEXT NOT NULL) STRICT, WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT INTO planned VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = db.prepare('SELECT target_url FROM planned WHERE short_code = ?');
  return {
    /** Adds a link. Returns the target of the one that has its code already; undefined if none has. */
    add(shortCode: string, targetUrl: string): string | undefined {
      if (insert.run(shortCode, targetUrl).changes === 1) return undefined;
      return String(select.get(shortCode)?.['target_url']);
    },
    [Symbol.dispose]: (): void => db.close(),
  };
}
