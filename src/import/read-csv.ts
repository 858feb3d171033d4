import Papa from 'papaparse';
import { countLines } from './read-text.ts';
import {
  MAX_ROW_CHARACTERS,
  plainName,
  type SourceRow,
  UnreadableFile,
  type UnreadableRow,
} from './source-record.ts';

const QUOTE = 0x22;
const LF = 0x0a;
const DELIMITERS = [',', ';', '\t'];
/** Each row has all columns of the header, and each row with a wrong quote has the rest of its block parsed again. */
const MAX_COLUMNS = 1_000;
const MAX_WRONG_QUOTES = 100;

type Row = SourceRow | UnreadableRow;
/** A row as it is in the text; its cells, or undefined if they cannot be separated. */
type RawRow = { line: number; cells: string[] | undefined };

/**
 * Reads CSV with a header line (RFC 4180), separated by comma, semicolon or tab.
 *
 * @throws UnreadableFile for a file without rows, too many columns or wrong quotes, a repeated column or a row that
 * does not end
 */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<Row[]> {
  let toRow: ((row: RawRow) => Row) | undefined;
  let delimiter = ',';
  let line = 1;
  let wrongQuotes = 0;
  for await (const block of splitBlocks(texts)) {
    if (!toRow) delimiter = findDelimiter(block);
    const rows: Row[] = [];
    for (const raw of parseBlock(block, line, delimiter)) {
      if (!raw.cells && ++wrongQuotes > MAX_WRONG_QUOTES) throw tooManyWrongQuotes(raw.line);
      if (raw.cells?.every((cell) => cell.trim() === '')) continue;
      if (toRow) rows.push(toRow(raw));
      else toRow = readHeader(raw);
    }
    line += countLines(block);
    if (rows.length > 0) yield rows;
  }
  if (!toRow) throw new UnreadableFile('the file is empty; export it again');
}

function tooManyWrongQuotes(line: number): UnreadableFile {
  const rows = `more than ${MAX_WRONG_QUOTES} rows have a quote that is not closed, or not doubled`;
  return new UnreadableFile(`line ${line}: ${rows}; export the file again`);
}

/** Parses whole rows. After a wrong quote the parser finds no more rows, so it starts again on the next line. */
function* parseBlock(block: string, firstLine: number, delimiter: string): Generator<RawRow> {
  let text = block;
  let line = firstLine;
  while (text !== '') {
    const { data, errors } = Papa.parse<string[]>(text, { delimiter });
    const broken = errors.find(({ type }) => type === 'Quotes')?.row ?? data.length;
    const start = line;
    for (const cells of data.slice(0, broken)) {
      yield { line, cells };
      line += 1 + cells.reduce((count, cell) => count + countLines(cell), 0);
    }
    if (broken === data.length) return;
    yield { line, cells: undefined };
    line += 1;
    text = afterLines(text, line - start);
  }
}

/** Returns the text after its first lines. */
function afterLines(text: string, count: number): string {
  let at = 0;
  for (let lines = 0; lines < count; lines++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return '';
    at = end + 1;
  }
  return text.slice(at);
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

/** Returns the delimiter that the header has most. */
function findDelimiter(text: string): string {
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

function readHeader({ line, cells }: RawRow): (row: RawRow) => Row {
  if (!cells) throw new UnreadableFile(`line ${line}: a quote is not closed, or not doubled`);
  if (cells.length > MAX_COLUMNS)
    throw new UnreadableFile(`the header has ${cells.length} columns; export at most ${MAX_COLUMNS}`);
  const columns = cells.map(plainName);
  const repeated = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new UnreadableFile(`the header has the column "${repeated}" twice; remove one of them`);
  return ({ line, cells }) => {
    if (!cells) return { line, error: 'a quote is not closed, or not doubled' };
    if (cells.length > columns.length) return { line, error: describeExtraCells(cells, columns) };
    return { line, fields: new Map(columns.map((name, index) => [name, cells[index] ?? ''])) };
  };
}

function describeExtraCells(cells: readonly string[], columns: readonly string[]): string {
  const counts = `it has ${cells.length} cells, but the header has ${columns.length}`;
  return `${counts}: quote cells that contain the delimiter`;
}
