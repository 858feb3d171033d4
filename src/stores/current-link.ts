import type { ChainHead, LinkState } from '../links/link.ts';
import {
  type ChainRow,
  chainColumns,
  LINK_STATE_COLUMNS,
  type LinkStateRow,
  toChainHead,
  toLinkState,
} from './link-rows.ts';
import type { Columns, Dialect, Value } from './sql/query.ts';

/** What changes of a link: its state and the end of its history. */
export type CurrentLink = { state: LinkState; head: ChainHead };

export type CurrentLinkRow = LinkStateRow & ChainRow & { short_code: string };

/** Returns the columns of `link` that a current link has. */
export const currentLinkColumns = (dialect: Dialect): string =>
  `link.short_code, ${LINK_STATE_COLUMNS}, ${chainColumns(dialect)}`;

export function toCurrentLink(row: CurrentLinkRow): CurrentLink {
  return { state: toLinkState(row), head: toChainHead(row) };
}

/** The key of `link`, and the columns that attempts change. */
export const ATTEMPTED_COLUMNS: Columns = {
  short_code: 'text',
  status: 'text',
  view_count: 'integer',
  last_opened_at: 'integer',
  entry_count: 'integer',
  fingerprint: 'bytes',
  last_seq: 'integer',
};
/** The columns by which the row of a link is written. */
export const WRITTEN_COLUMNS: Columns = {
  ...ATTEMPTED_COLUMNS,
  max_views: 'integer',
  starts_at: 'integer',
  expires_at: 'integer',
  is_paused: 'truth',
  version: 'integer',
  definition_version: 'integer',
};

/** Returns the values of `WRITTEN_COLUMNS`. */
export function toWrittenRow(shortCode: string, { state, head }: CurrentLink): Value[] {
  const { status, viewCount, maxViews, startsAt, expiresAt, isPaused } = state;
  const { version, definitionVersion, lastOpenedAt } = state;
  const { entryCount, fingerprint, lastSeq } = head;
  return [
    ...[shortCode, status, viewCount, lastOpenedAt, entryCount, fingerprint, lastSeq],
    ...[maxViews, startsAt, expiresAt, isPaused, version, definitionVersion],
  ];
}
