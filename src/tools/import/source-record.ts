import type { ImportRecord } from '../../core/model/import-record.ts';

/**
 * A row of a file, by the plain names of its columns: `Long URL` is `longurl`. `line`: where the row, or the page of JSON
 * that contains it, begins, from 1. `names`: the columns as the file has them, by their plain names.
 */
export type SourceRow = {
  line: number;
  fields: ReadonlyMap<string, unknown>;
  names: ReadonlyMap<string, string>;
};

/** A link of a file. `line`: as that of a row. */
export type SourceRecord = ImportRecord & { line: number };

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
