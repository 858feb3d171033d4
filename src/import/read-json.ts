import { countLines } from './read-text.ts';
import {
  MAX_ROW_CHARACTERS,
  plainName,
  type SourceRow,
  UnreadableFile,
  type UnreadableRow,
} from './source-record.ts';

/** Members with which an object begins that only holds links: a page of an API. */
const ENVELOPE = /^(shortUrls|data|pagination|total|limit|skip|links|link_\d+|statusCode|message)$/;
/** Members whose objects are not links. */
const NO_LINK = /^(pagination|stats)$/;

/** What the next token means: a container that is open, or an object whose first member is not read yet. */
type Open = { kind: 'array' | 'envelope' | 'undecided'; name: string; start: number; line: number };

/** A token outside of links. A string may be the name of a member, which a colon follows. */
const TOKEN = /\s+|"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\],]|[^\s{}[\],"]+/y;
/** Within a link only strings and braces count. */
const WITHIN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|[^"{}]+/y;

/**
 * Reads the links of JSON: of one page of an API, of several pages in one array or one after the other, or of an array or
 * lines of links.
 */
export async function* readJson(texts: AsyncIterable<string>): AsyncGenerator<(SourceRow | UnreadableRow)[]> {
  const scanner = createScanner();
  for await (const text of texts) {
    const rows = scanner.read(text, false);
    if (rows.length > 0) yield rows;
  }
  const rows = scanner.read('', true);
  if (rows.length > 0) yield rows;
}

function createScanner() {
  const open: Open[] = [];
  let text = '';
  let at = 0;
  let line = 1;
  let name = '';
  /** The braces that are open within a link, and how far it is read. */
  let depth = 0;
  let within = 0;

  function fail(what: string): never {
    throw new UnreadableFile(`line ${line}: ${what}; the file is not JSON, or is cut off: export it again`);
  }

  /** Drops the text that is read, but the start of an object that may be a link. */
  function append(part: string): void {
    const innermost = open.at(-1);
    const base = innermost?.kind === 'undecided' ? innermost.start : at;
    text = text.slice(base) + part;
    at -= base;
    within -= base;
    if (innermost) innermost.start -= base;
  }

  function advance(end: number): void {
    line += countLines(text, at, end);
    at = end;
  }

  /** Reads the rest of the innermost object, which is a link. Returns undefined if more text is needed. */
  function readLink(object: Open, isLast: boolean): SourceRow | UnreadableRow | undefined {
    for (WITHIN.lastIndex = within; WITHIN.lastIndex < text.length; ) {
      const [token] = WITHIN.exec(text) ?? [];
      if (token === undefined) break; // a string that is cut off
      within += token.length;
      if (token === '{') depth += 1;
      else if (token === '}') depth -= 1;
      if (depth > 0) continue;
      const row = toRow(text.slice(object.start, within), object.line);
      advance(within);
      open.pop();
      return row;
    }
    if (isLast) fail('an object does not end');
    return undefined;
  }

  function readToken(token: string): void {
    const innermost = open.at(-1);
    if (token === '{' || token === '[') {
      open.push({ kind: token === '[' ? 'array' : 'undecided', name, start: at, line });
    } else if (token === '}' || token === ']') {
      const opened = open.pop();
      if (!opened || (opened.kind === 'array') !== (token === ']')) fail(`${token} without its start`);
      name = '';
    } else if (token.endsWith(':')) {
      name = JSON.parse(token.slice(0, -1).trimEnd()) as string;
      if (innermost?.kind === 'undecided' && ENVELOPE.test(name)) innermost.kind = 'envelope';
    }
  }

  return {
    /** Takes the next part of the text, and returns the links that end in it. */
    read(part: string, isLast: boolean): (SourceRow | UnreadableRow)[] {
      const rows: (SourceRow | UnreadableRow)[] = [];
      append(part);
      while (at < text.length) {
        const innermost = open.at(-1);
        if (depth > 0 && innermost) {
          const row = readLink(innermost, isLast);
          if (!row) break;
          if (!NO_LINK.test(innermost.name)) rows.push(row);
          name = '';
          continue;
        }
        TOKEN.lastIndex = at;
        const [token] = TOKEN.exec(text) ?? [];
        const isCut = token === undefined || at + token.length === text.length;
        if (isCut && !isLast && !/^[{}[\],]$/.test(token ?? '')) break;
        if (token === undefined) fail('a text does not end');
        readToken(token);
        const end = at + token.length;
        if (innermost?.kind === 'undecided' && token.endsWith(':')) {
          depth = 1;
          within = end;
        }
        advance(end);
      }
      if (text.length - at > MAX_ROW_CHARACTERS) fail('an object or a text is too long');
      if (isLast && open.length > 0) fail('an object or array does not end');
      return rows;
    },
  };
}

function toRow(text: string, line: number): SourceRow | UnreadableRow {
  try {
    const fields = new Map<string, unknown>();
    flatten(JSON.parse(text) as object, '', fields);
    return { line, fields };
  } catch (error) {
    return { line, error: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Enters the members of an object, and those of its objects after the name of the object: `meta.maxVisits`. */
function flatten(object: object, prefix: string, fields: Map<string, unknown>): void {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      flatten(value, `${prefix}${name}.`, fields);
    else fields.set(plainName(prefix + name), value);
  }
}
