import Papa from 'papaparse';
import { encodingOf, findDelimiter, SEPARATOR } from './csv-text.ts';

/** A row of a file. `number` counts rows as spreadsheets do: the header is row 1. */
export type CsvRow<Column extends string> = {
  number: number;
  cells: Partial<Record<Column, string>>;
  /** The number of values of the row: empty ones after the last column do not count. */
  valueCount: number;
  /** The number of values that a row must have. In any other row, a value may be in the wrong column. */
  columnCount: number;
};

export type CsvFile<Column extends string> = { rows: CsvRow<Column>[]; delimiter: string };

/** The reasons for which no row of a file can be read. */
export type FileProblem =
  | 'EMPTY'
  | 'NO_TARGET'
  | 'QUOTES'
  | 'DUPLICATE_COLUMN'
  | 'UNKNOWN_COLUMN'
  | 'TOO_MANY';
/** `columns`: the headings that no column of a link has. */
export type FileError = { problem: FileProblem; columns?: string[] };

export const MAX_ROWS = 10_000;

/**
 * Parses a file with a header line (RFC 4180). Papa Parse reports quotes that are never closed, unlike d3-dsv, and needs no
 * stream of Node, as csv-parse does. Its guess of the delimiter is misled by labels with commas, so the header
 * says by which delimiter the file is separated, or a line before it.
 *
 * @param known the columns that a file may have, one of them `targetUrl`
 */
export function parseCsv<Column extends string>(
  text: string,
  known: readonly Column[],
): { ok: true; file: CsvFile<Column> } | ({ ok: false } & FileError) {
  const [separatorLine = '', separator] = SEPARATOR.exec(text) ?? [];
  const table = text.slice(separatorLine.length);
  const delimiter = separator ?? findDelimiter(table);
  const firstRow = separatorLine === '' ? 1 : 2;
  const { data, errors } = Papa.parse<string[]>(table, { delimiter });
  if (errors.some(({ type }) => type === 'Quotes')) return { ok: false, problem: 'QUOTES' };
  const records = data
    .map((cells, index) => ({ cells, number: index + firstRow }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [header, ...body] = records;
  if (!header || body.length === 0) return { ok: false, problem: 'EMPTY' };
  const columns = header.cells
    .slice(0, countValues(header.cells, 0))
    .map((heading) => toColumn(heading, known));
  const named = columns.filter((column) => column !== undefined);
  if (!named.some((column) => column === 'targetUrl')) return { ok: false, problem: 'NO_TARGET' };
  if (new Set(named).size < named.length) return { ok: false, problem: 'DUPLICATE_COLUMN' };
  const unknown = header.cells.filter((heading, index) => !columns[index] && heading.trim() !== '');
  // A limit in a column whose name has a typing error must not vanish.
  if (unknown.length > 0) return { ok: false, problem: 'UNKNOWN_COLUMN', columns: unknown };
  if (body.length > MAX_ROWS) return { ok: false, problem: 'TOO_MANY' };
  const rows = body.map(({ cells, number }) => toRow(cells, columns, number));
  return { ok: true, file: { rows, delimiter } };
}

/** Returns the column that a heading means, written in any case, with or without spaces: "Target URL". */
function toColumn<Column extends string>(heading: string, known: readonly Column[]): Column | undefined {
  const plain = heading.replace(/[\s_-]/g, '').toLowerCase();
  return known.find((column) => column.toLowerCase() === plain);
}

function toRow<Column extends string>(
  texts: string[],
  columns: (Column | undefined)[],
  number: number,
): CsvRow<Column> {
  const cells: CsvRow<Column>['cells'] = {};
  for (const [index, column] of columns.entries()) {
    const text = texts[index] ?? '';
    // Outer spaces are part of a password, which the service then refuses rather than change it.
    if (column) cells[column] = column === 'password' ? text : text.trim();
  }
  const columnCount = columns.length;
  return { number, cells, valueCount: countValues(texts, columnCount), columnCount };
}

/** Returns how many cells there are, without empty ones at the end after the expected number of cells. */
function countValues(texts: string[], expected: number): number {
  const filled = texts.findLastIndex((text) => text.trim() !== '') + 1;
  return Math.max(filled, Math.min(texts.length, expected));
}

/** Formats rows of texts as CSV. Puts a quote before a text that a spreadsheet would compute. */
export function formatCsv(rows: string[][], delimiter: string): string {
  return `${Papa.unparse(rows, { delimiter, newline: '\r\n', escapeFormulae: true })}\r\n`;
}

/** Reads a file as UTF-8, or UTF-16 with its mark, else as what spreadsheets on Windows write without being asked. */
export async function readText(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder(encodingOf(new Uint8Array(bytes)), { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
