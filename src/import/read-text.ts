import { UnreadableFile } from './source-record.ts';

/**
 * Decodes a text in UTF-8, with or without a byte order mark.
 *
 * @param onRead is called with the number of bytes so far
 * @throws UnreadableFile for other bytes
 */
export async function* readText(
  chunks: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  for await (const chunk of chunks) {
    const text = decode(() => decoder.decode(chunk, { stream: true }), bytes);
    bytes += chunk.length;
    onRead(bytes);
    if (text !== '') yield text;
  }
  decode(() => decoder.decode(), bytes);
}

function decode(run: () => string, bytes: number): string {
  try {
    return run();
  } catch (cause) {
    throw new UnreadableFile(
      `the text is not in UTF-8 after byte ${bytes.toLocaleString('en-US')}: export it in UTF-8, or convert it, such as with iconv -f latin1 -t utf-8`,
      { cause },
    );
  }
}

/** Returns the start of the texts, with at least this many characters unless they end before, and all texts. */
export async function peek(
  texts: AsyncGenerator<string, void, undefined>,
  characters: number,
): Promise<{ start: string; all: AsyncGenerator<string, void, undefined> }> {
  let start = '';
  while (start.length < characters) {
    const next = await texts.next();
    if (next.done) break;
    start += next.value;
  }
  async function* all(): AsyncGenerator<string, void, undefined> {
    if (start !== '') yield start;
    yield* texts;
  }
  return { start, all: all() };
}

/** Counts the ends of lines in a part of a text. */
export function countLines(text: string, start = 0, end = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
