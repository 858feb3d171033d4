import type { Buffer } from 'node:buffer';
import type { Parsed } from '../links/rules/parsed.ts';
import { isPath, refuse } from './parsers.ts';
import type { PropertyParser } from './property.ts';
import { describeCode } from './read-property.ts';

/** The file that a property names. `content` is a noun with its article, `limit` shows `maxBytes` to people. */
type FileKind<T> = {
  content: string;
  maxBytes: number;
  limit: string;
  parse(bytes: Buffer): Parsed<T, string>;
};

/** Returns the parser of a property whose value is the path of a file. It reads and parses that file. */
export function fileParser<T>({ content, maxBytes, limit, parse }: FileKind<T>): PropertyParser<T> {
  return (path, readFile) => {
    if (!isPath(path)) return refuse(`must be the path of ${content}`);
    let bytes: Buffer;
    try {
      bytes = readFile(path, maxBytes);
    } catch (error) {
      return refuse(`cannot be read${describeCode(error)}; it must be the path of ${content}`);
    }
    if (bytes.length > maxBytes) return refuse(`is too large; it must have at most ${limit}`);
    return parse(bytes);
  };
}
