import { messageOf } from '../../common/error-details.ts';
import { countLines, plainName, type SourceRow, UnreadableFile } from './source-record.ts';

/** The whole text is in memory. Node has no texts of more than 512 million characters. */
const MAX_CHARACTERS = 256 * 1024 ** 2;
/** Strings, within which braces and brackets do not count, and where objects and arrays begin and end. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g;

/**
 * Reads the objects of JSON that are links: of one page of an API, of several pages in one array or one after the other, or
 * of an array or lines of links.
 *
 * @throws UnreadableFile for a text that is not JSON, or too long
 */
export async function* readJson(
  texts: AsyncIterable<string>,
  isLink: (fields: SourceRow['fields']) => boolean,
): AsyncGenerator<SourceRow[], void, undefined> {
  const names = new Map<string, string>();
  let text = '';
  for await (const part of texts) {
    text += part;
    if (text.length > MAX_CHARACTERS)
      throw new UnreadableFile(
        `the JSON has more than ${MAX_CHARACTERS} characters; export fewer pages to a file`,
      );
  }
  for (const { value, line } of parseValues(text))
    yield [...findLinks(value, isLink, names)].map((fields) => ({ line, fields, names }));
}

/** Parses values that follow each other. */
function* parseValues(text: string): Generator<{ value: unknown; line: number }> {
  let [start, line] = [0, 1];
  for (const end of findEnds(text)) {
    const valueStart = start + text.slice(start, end).search(/\S|$/);
    line += countLines(text, start, valueStart);
    if (valueStart < end) yield { value: parse(text.slice(valueStart, end), line), line };
    line += countLines(text, valueStart, end);
    start = end;
  }
}

/** Returns where values end, and where the text does. */
function* findEnds(text: string): Generator<number> {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth <= 0) yield index + token.length;
  }
  yield text.length;
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableFile(
      `line ${line}: ${messageOf(cause)}; the file is not JSON, or is cut off: export it again`,
      { cause },
    );
  }
}

function* findLinks(
  value: unknown,
  isLink: (fields: SourceRow['fields']) => boolean,
  names: Map<string, string>,
): Generator<SourceRow['fields']> {
  if (typeof value !== 'object' || value === null) return;
  const members = new Map<string, unknown>(Array.isArray(value) ? [] : flatten(value));
  const fields = new Map([...members].map(([name, each]) => [plainName(name), each]));
  if (isLink(fields)) {
    for (const name of members.keys()) names.set(plainName(name), name);
    yield fields;
  } else {
    const inside: unknown[] = Object.values(value);
    for (const each of inside) yield* findLinks(each, isLink, names);
  }
}

/** Yields the members of an object, and those of its objects after the name of the object: `meta.maxVisits`. */
function* flatten(object: object, prefix = ''): Generator<[name: string, value: unknown]> {
  const members: [string, unknown][] = Object.entries(object);
  for (const [name, value] of members) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      yield* flatten(value, `${prefix}${name}.`);
    else yield [prefix + name, value];
  }
}
