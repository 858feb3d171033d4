import { isUtf8 } from 'node:buffer';
import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';
import { toOpaqueString } from '../src/core/model/opaque-string.ts';
import { Failure, usageFailure } from './failure.ts';

/** Enter, and Ctrl-D, which ends the input. */
const ENDS = ['\r', '\n', '\u0004'];
const INTERRUPT = '\u0003';
const BACKSPACE = /[\b\u007f]/;

/**
 * Asks for a secret without showing it. Without a terminal, the first line of standard input is it. Returns it as it is
 * compared. `remedy`: if it is empty.
 */
export async function readSecret(
  question: string,
  remedy = 'Type it, or send it to standard input.',
): Promise<string> {
  const secret = process.stdin.isTTY ? await askHidden(question, process.stdin) : await readFirstLine();
  if (secret === '') throw nothingGiven(question, remedy);
  return toOpaqueString(secret);
}

const nothingGiven = (question: string, remedy: string): Failure =>
  usageFailure(`${question}: nothing was given`, remedy);

/** Asks for a text and shows it. Without a terminal, the first line of standard input is it. */
export async function readLine(question: string): Promise<string> {
  if (!process.stdin.isTTY) return readSecret(question);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const text = (await lines.question(`${question}: `)).trim();
    if (text === '') throw nothingGiven(question, 'Type it.');
    return text;
  } finally {
    lines.close();
  }
}

/** Asks for a new secret, on a terminal twice. */
export async function readNewSecret(question: string): Promise<string> {
  const secret = await readSecret(question);
  if (!process.stdin.isTTY || (await readSecret(`${question} again`)) === secret) return secret;
  throw usageFailure('the two passwords differ', 'Try again.');
}

async function readFirstLine(): Promise<string> {
  process.stdin.setEncoding('latin1'); // one character for each byte, so that none is replaced: that would be another secret
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) {
      const bytes = Buffer.from(line, 'latin1');
      if (!isUtf8(bytes)) throw usageFailure('the first line of standard input is not UTF-8', 'Convert it.');
      return bytes.toString();
    }
    return '';
  } finally {
    lines.close();
  }
}

/** Reads one line of a terminal in raw mode, in which the terminal shows nothing. */
function askHidden(question: string, terminal: ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let secret = '';
    const finish = (settle: () => void): void => {
      terminal.off('data', onData).setRawMode(false).pause();
      process.stderr.write('\n');
      settle();
    };
    const onData = (text: string): void => {
      for (const character of text) {
        if (character === INTERRUPT) {
          finish(() => reject(new Failure('failed', 'interrupted')));
          return;
        }
        if (ENDS.includes(character)) {
          finish(() => resolve(secret));
          return;
        }
        secret = BACKSPACE.test(character) ? [...secret].slice(0, -1).join('') : secret + character;
      }
    };
    terminal.setRawMode(true).setEncoding('utf8').on('data', onData).resume();
    // Only now: the terminal would show what a quick typist answers before raw mode.
    process.stderr.write(`${question}: `);
  });
}
