import type { LogEntry } from '../../core/model/history.ts';
import type { LinkEvents } from '../../core/model/link-event.ts';
import type { CurrentLink } from '../link-rows.ts';
import type { ListEntry } from './listed-rows.ts';
import type { StatusCounts } from './projections.ts';
import type { Dialect, Parameter, Query, Statement } from './query.ts';

/** One transaction of a store that changes links. Each operation on links is written once over it. */
export type LinkTransaction = {
  dialect: Dialect;
  query: Query;
  /** Runs a statement without waiting for it. Its error fails the transaction. */
  write(statement: Statement, values: readonly Parameter[]): void;
  /** Locks links until the end of the transaction, and draws numbers for its entries after that. */
  lock(shortCodes: Iterable<string>): Promise<LockedLinks>;
  /** Appends entries to the log, with what else they change. Called at most once after each `lock`. */
  append(appended: Appended): void;
  /** Enters links into the list of all links, and its search. */
  listLinks(entries: readonly ListEntry[]): void;
  /** Updates the search after changes of links. */
  updateSearch(shortCodes: readonly string[]): Promise<void>;
};

export type LockedLinks = {
  /** A short code without a link is absent. */
  links: ReadonlyMap<string, CurrentLink>;
  /** The short codes of links that another session of the database has locked. */
  heldElsewhere: ReadonlySet<string>;
  /** The position of the first entry of the transaction in the log. */
  firstSeq: number;
};

/** The changes of a transaction. */
export type Appended = {
  entries: readonly LogEntry[];
  /** The links after the entries, except new ones. */
  links: ReadonlyMap<string, CurrentLink>;
  /** Those of these links of which more was changed than views and the end of the history. */
  changed: Iterable<string>;
  /** The change of the number of links with each status. */
  statuses: StatusCounts;
  events: readonly LinkEvents[];
};

/** The result for an item whose link another session has locked. Nothing of it was committed. */
export const LOCKED = 'LOCKED';
