import { isUtf8 } from 'node:buffer';
import type { BusboyInstance } from '@fastify/busboy';

// The parser of forms reads names as UTF-8 alone, replaces other bytes, and misses `filename*` after two parameters in quotes.

/** A parameter of a header: its name, `*` where it is extended (RFC 8187), and its value in quotes or without. */
const PARAMETER = /;\s*([^\s=;*"]+)(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;
const EXTENDED = /^([\w-]+)'[^']*'(.*)$/;
/** A word of RFC 2047, with the white space before another one, and its charset, encoding and text. */
const ENCODED_WORD = /=\?([\w-]+)(?:\*[\w-]+)?\?([bq])\?([^\s?]*)\?=(?:\s+(?==\?))?/gi;

type Header = Partial<Record<string, string[]>>;
type Part = { on(event: 'header', listener: (header: Header) => void): unknown };
type PartEmitter = { prependListener(event: 'part', listener: (part: Part) => void): unknown };

/** Calls `onName` with the name of each file of a form, or undefined for a field, before the parser emits it. */
export function readPartNames(form: BusboyInstance, onName: (name: string | undefined) => void): void {
  // The types lack this member of the parser, whose version is pinned.
  const { _parser: multipart } = form as unknown as { _parser: { parser: PartEmitter } };
  multipart.parser.prependListener('part', (part) =>
    // Each character of a header is a byte.
    part.on('header', (header) => {
      const values = header['content-disposition'];
      const [disposition = ''] = values ?? [];
      const parameters = readParameters(/^form-data\s*;/i.test(disposition) ? disposition : '');
      const name = fileNameIn(parameters);
      onName(name);
      // A file is recognised by its name, wherever that stands.
      if (values && name !== undefined)
        values[0] = `form-data; name="${(parameters.get('name') ?? '').replaceAll(/["\\]/g, '\\$&')}"; filename="file"`;
    }),
  );
}

/** Returns the parameters of a header as they were sent. The first of a name counts. */
function readParameters(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', star = '', quoted, bare = ''] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase() + star;
    if (!found.has(key)) found.set(key, quoted?.replaceAll(/\\(["\\])/g, '$1') ?? bare.trim());
  }
  return found;
}

/** Returns the name of a file: that of `filename*`, else `filename` as its sender means it; undefined for a field. */
function fileNameIn(parameters: ReadonlyMap<string, string>): string | undefined {
  const [, charset = '', encoded = ''] = EXTENDED.exec(parameters.get('filename*') ?? '') ?? [];
  const extended = charset && decode(charset, encoded.replaceAll(/%([0-9a-f]{2})/gi, fromHex));
  if (extended) return extended;
  const name = parameters.get('filename');
  if (name === undefined) return undefined;
  const words = name.replaceAll(ENCODED_WORD, (word, label: string, kind: string, text: string) => {
    const isBase64 = kind.toLowerCase() === 'b';
    const bytes = isBase64
      ? Buffer.from(text, 'base64').toString('latin1')
      : text.replaceAll('_', ' ').replaceAll(/=([0-9a-f]{2})/gi, fromHex);
    return decode(label, bytes) ?? word;
  });
  if (words !== name) return words;
  // Browsers encode a quote (HTML, "multipart/form-data encoding algorithm").
  return decodeName(Buffer.from(name, 'latin1')).replaceAll('%22', '"');
}

/** Decodes the bytes of a name without a charset: UTF-8, else Windows-1252. */
export const decodeName = (bytes: Uint8Array): string =>
  new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);

const fromHex = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

/** Decodes bytes, one in each character; undefined where they are not of the charset, or it is unknown. */
function decode(charset: string, bytes: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}
