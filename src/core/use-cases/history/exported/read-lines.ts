/** A line of a text, counted from 1. `isEnded`: false when the text stops before the end of the line. */
export type Line = { number: number; text: string; isEnded: boolean };

/** Thrown when a text cannot be read in lines. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine';
  readonly line: number;
  readonly isTooLong: boolean;

  constructor(line: number, reason: string, options: ErrorOptions & { isTooLong: boolean }) {
    super(`line ${line} ${reason}`, options);
    this.line = line;
    this.isTooLong = options.isTooLong;
  }
}

const LF = 10;

/**
 * Reads the lines of a text in UTF-8, without their ends, in batches. Skips empty ones.
 *
 * @throws UnreadableLine for a line of more than `maxBytes` or of other bytes than UTF-8
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  function assertLength(bytes: number): void {
    if (bytes > maxBytes)
      throw new UnreadableLine(number + 1, `has more than ${maxBytes.toLocaleString('en-US')} bytes`, {
        isTooLong: true,
      });
  }
  /** Returns the line that ends with `bytes`, after the parts of it in earlier chunks. */
  function endLine(bytes: Uint8Array, isEnded: boolean): Line[] {
    assertLength(partBytes + bytes.length);
    const whole = parts.length === 0 ? bytes : concat([...parts, bytes]);
    [parts, partBytes] = [[], 0];
    number += 1;
    const text = decode(decoder, whole, number);
    return text === '' || text === '\r' ? [] : [{ number, text, isEnded }];
  }
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    try {
      let start = 0;
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
        lines.push(...endLine(chunk.subarray(start, end), true));
        start = end + 1;
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
      partBytes += chunk.length - start;
      assertLength(partBytes);
    } finally {
      if (lines.length > 0) yield lines; // also those before one that cannot be read
    }
  }
  if (partBytes > 0) yield endLine(new Uint8Array(), false);
}

function concat(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const part of parts) {
    whole.set(part, start);
    start += part.length;
  }
  return whole;
}

function decode(decoder: TextDecoder, bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new UnreadableLine(number, 'is not text in UTF-8', { isTooLong: false, cause });
  }
}
