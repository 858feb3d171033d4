import { Buffer, isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';

const BEYOND_ASCII = /[\x80-\xff]/;

/**
 * Decodes a header's value, of which Node makes one character for each byte: as UTF-8 where valid, else as
 * Latin-1.
 */
export function decodeHeaderText(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/**
 * Makes a response send each character of a header as one byte when `value` has characters beyond ASCII. Node
 * writes the headers together with a body that is a string, and then writes both in UTF-8.
 */
export function keepHeaderBytes(response: ServerResponse, value: string): void {
  if (!BEYOND_ASCII.test(value)) return;
  const end = response.end.bind(response);
  response.end = (chunk?: unknown, ...rest: unknown[]): ServerResponse =>
    Reflect.apply(end, response, [typeof chunk === 'string' ? Buffer.from(chunk) : chunk, ...rest]);
}
