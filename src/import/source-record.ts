/** A row of a file, by the plain names of its columns: `Long URL` is `longurl`. `line`: where it begins, from 1. */
export type SourceRow = { line: number; fields: ReadonlyMap<string, unknown> };

/** A part of a file that is not a row. */
export type UnreadableRow = { line: number; error: string };

/** Reads the rows of a text in batches. */
export type ReadRows = (texts: AsyncIterable<string>) => AsyncGenerator<(SourceRow | UnreadableRow)[]>;

/** A link as its source describes it, in texts that are not checked yet. An absent one is null. */
export type SourceRecord = {
  line: number;
  shortCode: string | null;
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
  /** The plain password. */
  password: string | null;
  /** Why the link would open for visitors whom its source refuses. */
  refusals: readonly ('password' | 'banned')[];
  /** What the link does in its source and not here. */
  losses: readonly string[];
};

/** Thrown when a file as a whole cannot be read. The message says where and what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** No row of a table and no statement before its values is longer, so that a broken file does not fill the memory. */
export const MAX_ROW_CHARACTERS = 16 * 1024 * 1024;

/** Returns the plain name of a column or a member. */
export function plainName(name: string): string {
  return name.replace(/[\s_.-]/g, '').toLowerCase();
}
