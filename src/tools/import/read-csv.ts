import Papa from 'papaparse';
import { findDelimiter, SEPARATOR } from '../../../client/csv-text.ts';
import { countLines, plainName, type SourceRow, UnreadableFile } from './source-record.ts';

const QUOTE = 0x22;
const LF = 0x0a;
/** Each row has all columns of the header. */
const MAX_COLUMNS = 1_000;
/** No row is longer, so that a quote that is not closed does not fill the memory. */
const MAX_ROW_CHARACTERS = 16 * 1024 * 1024;

/**
 * Reads CSV with a header line (RFC 4180), separated by comma, semicolon or tab.
 *
 * @throws UnreadableFile for a file without rows, too many columns, a repeated column, a wrong quote, or a row with more
 * cells than the header
 */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<SourceRow[], void, undefined> {
  let names: SourceRow['names'] = new Map();
  let columns: string[] | undefined;
  let separator: string | undefined;
  let delimiter = ',';
  let line = 1;
  for await (const sent of splitBlocks(texts)) {
    const [separatorLine = '', named] = (line === 1 && SEPARATOR.exec(sent)) || [];
    const block = sent.slice(separatorLine.length);
    separator ??= named;
    line += countLines(separatorLine);
    if (!columns) delimiter = separator ?? findDelimiter(block);
    const { data, errors } = Papa.parse<string[]>(block, { delimiter });
    const wrongQuote = errors.find(({ type }) => type === 'Quotes')?.row;
    const rows: SourceRow[] = [];
    let rowLine = line;
    for (const [index, cells] of data.entries()) {
      if (index === wrongQuote) throw unreadable(rowLine, 'a quote is not closed, or not doubled');
      if (cells.some((cell) => cell.trim() !== '')) {
        if (columns) {
          rows.push({ line: rowLine, fields: toFields(columns, cells, rowLine), names });
        } else {
          columns = readHeader(cells);
          names = new Map(cells.map((name) => [plainName(name), name.trim()]));
        }
      }
      rowLine += 1 + cells.reduce((count, cell) => count + countLines(cell), 0);
    }
    line += countLines(block);
    if (rows.length > 0) yield rows;
  }
  if (!columns) throw new UnreadableFile('the file is empty; export it again');
}

/** Splits a text after ends of lines that are in no quotes. */
async function* splitBlocks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let isQuoted = false;
  for await (const text of texts) {
    let end = -1;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) isQuoted = !isQuoted;
      else if (code === LF && !isQuoted) end = index + 1;
    }
    if (end >= 0) yield rest + text.slice(0, end);
    rest = end >= 0 ? text.slice(end) : rest + text;
    if (rest.length > MAX_ROW_CHARACTERS)
      throw new UnreadableFile(`a row has more than ${MAX_ROW_CHARACTERS} characters: a quote is not closed`);
  }
  if (rest !== '') yield rest;
}

function readHeader(cells: readonly string[]): string[] {
  if (cells.length > MAX_COLUMNS)
    throw new UnreadableFile(`the header has ${cells.length} columns; export at most ${MAX_COLUMNS}`);
  const columns = cells.map(plainName);
  const repeated = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new UnreadableFile(`the header has the column "${repeated}" twice; remove one of them`);
  return columns;
}

function toFields(columns: readonly string[], cells: readonly string[], line: number): SourceRow['fields'] {
  if (cells.length > columns.length) {
    const counts = `the row has ${cells.length} cells, but the header has ${columns.length}`;
    throw unreadable(line, `${counts}: quote cells that contain the delimiter`);
  }
  return new Map(columns.map((name, index) => [name, cells[index] ?? '']));
}

function unreadable(line: number, problem: string): UnreadableFile {
  return new UnreadableFile(`line ${line}: ${problem}; correct it, and run the same command again`);
}
