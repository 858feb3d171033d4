import type { DatabaseSync } from 'node:sqlite';
import { appendEntry } from '../../links/chain.ts';
import { opened } from '../../links/decide-attempt.ts';
import type { ChainHead } from '../../links/history.ts';
import type { LinkState } from '../../links/link.ts';
import type { AuditResult } from '../../links/verdict.ts';
import type { UnwrittenLink } from '../link-list.ts';
import {
  type ChainRow,
  chainColumns,
  LINK_STATE_COLUMNS,
  type LinkStateRow,
  toChainHead,
  toLinkState,
} from '../link-rows.ts';
import { toUuid } from '../sql/history-rows.ts';
import { SQLITE } from '../sql/query.ts';

/** A link with all of its attempts: its state and the end of its chain. */
export type CurrentLink = { state: LinkState; head: ChainHead };

/** The columns of `link` that a current link needs. */
export const CURRENT_LINK_COLUMNS = `${LINK_STATE_COLUMNS}, ${chainColumns(SQLITE)}`;

export type CurrentLinkRow = LinkStateRow & ChainRow;

export function toCurrentLink(row: CurrentLinkRow): CurrentLink {
  return { state: toLinkState(row), head: toChainHead(row) };
}

type UnwrittenRow = CurrentLinkRow & {
  id: string;
  number: number;
  short_code: string;
  result: AuditResult;
  count: number;
  ip_address: string | null;
  user_agent: string | null;
  accessed_at: number;
};

/**
 * Attempts are in the audit with their numbers. The row of a link has those up to its number of entries. Without an owner
 * nothing is left to write: such a record was inserted outside the service, and is no attempt.
 */
const UNWRITTEN = `
  SELECT ${CURRENT_LINK_COLUMNS}, ${SQLITE.uuidToText('audit.id')} AS id, audit.number, audit.short_code, audit.result,
    audit.count, audit.ip_address, audit.accessed_at,
    coalesce((SELECT text FROM user_agent WHERE number = audit.agent_number), audit.user_agent) AS user_agent
  FROM audit CROSS JOIN link ON link.short_code = audit.short_code -- in this order
  WHERE audit.id >= (SELECT mark FROM write_back WHERE owner IS NOT NULL) AND audit.number > link.entry_count`;

/** Prepares reading the links whose rows lack attempts, with these attempts, from one moment of the caller's transaction. */
export function prepareReadUnwritten(db: DatabaseSync) {
  const selectAll = db.prepare(`${UNWRITTEN} ORDER BY audit.short_code, audit.number`);
  const selectOfLink = db.prepare(`${UNWRITTEN} AND audit.short_code = ? ORDER BY audit.number`);
  return {
    all: () => applyRows(selectAll.iterate()),
    /** Returns the link with all of its attempts, or undefined where its row has them. */
    ofLink: (shortCode: string) => applyRows(selectOfLink.iterate(shortCode)).get(shortCode),
  };
}

/**
 * Prepares reading which of some links lack attempts in their rows.
 *
 * @param readAll returns all links that do
 */
export function prepareReadUnwrittenLinks(readAll: () => ReadonlyMap<string, CurrentLink>) {
  return (shortCodes: readonly string[]): UnwrittenLink[] => {
    const links = readAll();
    return shortCodes.flatMap((shortCode) => {
      const link = links.get(shortCode);
      if (!link) return [];
      const { viewCount, lastOpenedAt } = link.state;
      return [{ shortCode, viewCount, lastOpenedAt, history: link.head }];
    });
  };
}

function applyRows(rows: Iterable<object>): Map<string, CurrentLink> {
  const links = new Map<string, CurrentLink>();
  for (const row of rows as Iterable<UnwrittenRow>) {
    links.set(row.short_code, applyRow(links.get(row.short_code) ?? toCurrentLink(row), row));
  }
  return links;
}

/** Applies an attempt again that was decided: only a granted one is a view, and its place is in its record. */
function applyRow({ state, head }: CurrentLink, row: UnwrittenRow): CurrentLink {
  const { id, number, short_code: shortCode, result, count, accessed_at: at } = row;
  const { ip_address: ipAddress, user_agent: userAgent } = row;
  const entry = {
    kind: 'ATTEMPT',
    id: toUuid(id),
    at,
    shortCode,
    result,
    count,
    ipAddress,
    userAgent,
  } as const;
  return {
    state: result === 'SUCCESS' ? opened(state, at) : state,
    head: appendEntry({ ...head, entryCount: number - 1 }, entry),
  };
}

/** An attempt that no service wrote, because it is in no row of a link. `id`: a UUID. */
export type InsertedEntry = { shortCode: string; id: string };

/** Prepares reading such attempts, newest first. The caller knows that nothing was left to write. */
export function prepareReadInserted(db: DatabaseSync): () => InsertedEntry[] {
  const select = db.prepare(
    `SELECT audit.short_code, ${SQLITE.uuidToText('audit.id')} AS hex
     FROM audit CROSS JOIN link ON link.short_code = audit.short_code
     WHERE audit.id > (SELECT mark FROM write_back) AND audit.number > link.entry_count ORDER BY audit.id DESC`,
  );
  return () =>
    select.all().map((row) => ({ shortCode: String(row['short_code']), id: toUuid(String(row['hex'])) }));
}
