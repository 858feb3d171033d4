/**
 * A row of a file, by the plain names of its columns: `Long URL` is `longurl`. `line`: where the row, or the page of JSON
 * that contains it, begins, from 1. `names`: the columns as the file has them, by their plain names.
 */
export type SourceRow = {
  line: number;
  fields: ReadonlyMap<string, unknown>;
  names: ReadonlyMap<string, string>;
};

/** A link as its source describes it, in texts that are not checked yet. An absent one is null. */
export type SourceRecord = {
  line: number;
  shortCode: string | null;
  /** The host of its short URL. */
  host: string | null;
  targetUrl: string | null;
  createdAt: string | null;
  startsAt: string | null;
  expiresAt: string | null;
  maxViews: string | null;
  views: string | null;
  label: string | null;
  note: string | null;
  tags: readonly string[];
  recipient: string | null;
  forwardPath: boolean;
  forwardQuery: boolean;
  /** The plain password. */
  password: string | null;
  /** The reasons for which the link would open for visitors whom its source refuses. */
  refusals: readonly ('password' | 'banned' | 'deleted')[];
  /** The functions of the link in its source that it does not have here. */
  losses: readonly string[];
};

/** What is different from the source in a link here. Links with the same `what` are counted together. */
export type Remark = { what: string; detail?: string };

/** Thrown when a file cannot be read. The message says where and what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** Returns the plain name of a column or a member. */
export function plainName(name: string): string {
  return name.replace(/[\s_.-]/g, '').toLowerCase();
}

/** Counts the ends of lines in a part of a text. */
export function countLines(text: string, start = 0, end = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
