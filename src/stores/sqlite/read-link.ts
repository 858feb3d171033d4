import type { DatabaseSync } from 'node:sqlite';
import type { Link } from '../../links/link.ts';
import { type LinkRow, toLink } from '../link-rows.ts';
import { canBeStored, SQLITE } from '../sql/query.ts';
import { readLinkStatement } from '../sql/read-link.ts';
import { inOneMoment } from './connection.ts';
import type { WriteBack } from './write-back.ts';

/** Prepares reading the current state of a link by its exact short code, in the thread that knows which rows lack attempts. */
export function prepareReadLink(
  db: DatabaseSync,
  writeBack: WriteBack,
): (shortCode: string) => Link | undefined {
  const select = db.prepare(readLinkStatement(SQLITE).text);

  return (shortCode) => {
    if (!canBeStored(shortCode)) return undefined;
    return inOneMoment(db, () => {
      const row = select.get({ $1: shortCode }) as LinkRow | undefined;
      const current = row && writeBack.readUnwritten(shortCode);
      return row && { ...toLink(row), ...current?.state, ...(current && { history: current.head }) };
    });
  };
}
