import type { DatabaseSync } from 'node:sqlite';
import type { Link } from '../../links/link.ts';
import { type LinkRow, toLink } from '../link-rows.ts';
import { canBeStored, SQLITE } from '../sql/query.ts';
import { readLinkStatement } from '../sql/read-link.ts';
import { inOneMoment } from './connection.ts';
import type { CurrentLink } from './read-unwritten.ts';

/**
 * Prepares reading the current state of a link by its exact short code.
 *
 * @param readUnwritten returns a link whose row lacks attempts, within the same transaction
 */
export function prepareReadLink(
  db: DatabaseSync,
  readUnwritten: (shortCode: string) => CurrentLink | undefined,
): (shortCode: string) => Link | undefined {
  const select = db.prepare(readLinkStatement(SQLITE).text);

  return (shortCode) => {
    if (!canBeStored(shortCode)) return undefined;
    return inOneMoment(db, () => {
      const row = select.get({ $1: shortCode }) as LinkRow | undefined;
      const current = row && readUnwritten(shortCode);
      return row && { ...toLink(row), ...current?.state, ...(current && { history: current.head }) };
    });
  };
}
