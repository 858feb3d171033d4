import { countLines } from './read-text.ts';
import {
  MAX_ROW_CHARACTERS,
  plainName,
  type SourceRow,
  UnreadableFile,
  type UnreadableRow,
} from './source-record.ts';

/** The table of links, whose prefix can be chosen. */
const TABLE = /(^|_)url$/i;
/** The columns of the table, for a dump that names none. */
const DEFAULT_COLUMNS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'];

const TOKEN = new RegExp(
  [
    String.raw`\s+`,
    String.raw`--(?:[ \t\r][^\n]*)?\n|#[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/`, // comments
    String.raw`'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'`,
    String.raw`"[^"\\]*(?:(?:\\[\s\S]|"")[^"\\]*)*"`,
    '`[^`]*`',
    String.raw`[\w.$+@:!-]+`,
    '[(),;=]',
    String.raw`/(?!\*|$)`, // begins no comment
    '[^\\s\'"`/#-]',
  ].join('|'),
  'y',
);
/** What a comment or a quoted text can begin with, so that it may be cut off. */
const IGNORED = /^(\s|--|#|\/\*)/;

/** The statement that is being read. `head`: its tokens before the values. */
type Statement = {
  head: string[];
  depth: number;
  values: string[] | undefined;
  columns: string[];
  line: number;
};

/**
 * Reads the rows that a dump of MySQL or MariaDB inserts into the table of links of YOURLS, by mysqldump or phpMyAdmin.
 *
 * @throws UnreadableFile for a dump without such a table
 */
export async function* readSql(texts: AsyncIterable<string>): AsyncGenerator<(SourceRow | UnreadableRow)[]> {
  const reader = createStatementReader();
  let text = '';
  let line = 1;

  function* tokens(isLast: boolean): Generator<{ token: string; line: number }> {
    let at = 0;
    while (at < text.length) {
      TOKEN.lastIndex = at;
      const [token] = TOKEN.exec(text) ?? [];
      const isCut = token === undefined || mayContinue(token, text, at + token.length);
      if (isCut && !isLast) break;
      if (token === undefined) {
        throw new UnreadableFile(
          `line ${line}: a text or a comment does not end; the dump is cut off, export it again`,
        );
      }
      if (!IGNORED.test(token)) yield { token, line };
      line += countLines(token);
      at += token.length;
    }
    text = text.slice(at);
    if (text.length > MAX_ROW_CHARACTERS)
      throw new UnreadableFile(`line ${line}: a text has more than ${MAX_ROW_CHARACTERS} characters`);
  }

  for await (const part of texts) {
    text += part;
    const rows = reader.read(tokens(false));
    if (rows.length > 0) yield rows;
  }
  const rows = reader.read(tokens(true));
  if (rows.length > 0) yield rows;
  if (!reader.hasTable())
    throw new UnreadableFile(
      'the dump inserts no rows into a table whose name ends in "url"; export the table yourls_url with its data',
    );
}

/** Returns whether a token at the end of what is read may have a longer one. A quote may be the first of two. */
function mayContinue(token: string, text: string, end: number): boolean {
  const isQuoted = token.startsWith("'") || token.startsWith('"');
  if (end === text.length) return !/^[(),;]$/.test(token);
  return isQuoted && text[end] === token[0];
}

function createStatementReader() {
  let statement = newStatement();
  let createdColumns: string[] = [];
  let hasTable = false;

  function endHead(): void {
    const { head } = statement;
    const table = unquote(head[head.findIndex((word) => /^INTO$/i.test(word)) + 1] ?? '');
    if (!/^(INSERT|REPLACE)$/i.test(head[0] ?? '') || !TABLE.test(table)) return;
    const start = head.indexOf('(');
    const named = start < 0 ? createdColumns : head.slice(start + 1, head.indexOf(')', start));
    const columns = named.filter((word) => word !== ',').map((word) => plainName(unquote(word)));
    statement.columns = columns.length > 0 ? columns : DEFAULT_COLUMNS;
    hasTable = true;
  }

  /** Notes the columns of a table of links: the first words of its lines that are quoted. */
  function endStatement(): void {
    const { head } = statement;
    const open = head.indexOf('(');
    if (/^CREATE$/i.test(head[0] ?? '') && TABLE.test(unquote(head[open - 1] ?? '')))
      createdColumns = head.filter(
        (word, index) => word.startsWith('`') && (index === open + 1 || head[index - 1] === ','),
      );
    statement = newStatement();
  }

  function readValue(token: string, line: number): SourceRow | UnreadableRow | undefined {
    const { columns } = statement;
    if (token === '(' && statement.depth++ === 0) {
      statement.line = line;
      statement.values = [];
    } else if (token === ')' && --statement.depth === 0) {
      const values = statement.values ?? [];
      if (columns.length === 0) return undefined;
      if (values.length !== columns.length)
        return {
          line: statement.line,
          error: `it has ${values.length} values for ${columns.length} columns`,
        };
      return {
        line: statement.line,
        fields: new Map(columns.map((name, index) => [name, values[index] ?? ''])),
      };
    } else if (statement.depth === 0 && token !== ',') {
      statement.columns = []; // the end of the values, such as ON DUPLICATE KEY UPDATE
    } else if (columns.length > 0 && statement.depth > 0 && token !== ',' && !/^_\w+$/.test(token)) {
      statement.values?.push(toText(token));
    }
    return undefined;
  }

  return {
    /** Takes the next tokens, and returns the rows that end in them. */
    read(tokens: Iterable<{ token: string; line: number }>): (SourceRow | UnreadableRow)[] {
      const rows: (SourceRow | UnreadableRow)[] = [];
      for (const { token, line } of tokens) {
        if (token === ';') endStatement();
        else if (statement.values) {
          const row = readValue(token, line);
          if (row) rows.push(row);
        } else if (/^VALUES?$/i.test(token)) {
          statement.values = [];
          endHead();
        } else statement.head.push(token);
      }
      return rows;
    },
    hasTable: () => hasTable,
  };
}

function newStatement(): Statement {
  return { head: [], depth: 0, values: undefined, columns: [], line: 0 };
}

function unquote(name: string): string {
  return name.replace(/^[`"]|[`"]$/g, '').replace(/^.*\./, '');
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', 0: '\0', Z: '\u001A', b: '\b' };

/** Returns the sign for which an escape or a doubled quote stands. The other kind of quote stands for itself. */
function unescapePair(pair: string, sign: string | undefined, quote: string): string {
  if (sign !== undefined) return ESCAPES[sign] ?? sign;
  return pair === quote + quote ? quote : pair;
}

/** Returns the text of a value: of a quoted text, a number, or bytes in hexadecimal digits. NULL is empty. */
function toText(token: string): string {
  const quote = token[0] ?? '';
  if (quote === "'" || quote === '"')
    return token
      .slice(1, -1)
      .replace(/\\([\s\S])|''|""/g, (pair, sign?: string) => unescapePair(pair, sign, quote));
  if (/^0x[0-9a-f]+$/i.test(token)) return Buffer.from(token.slice(2), 'hex').toString('utf8');
  return /^null$/i.test(token) ? '' : token;
}
