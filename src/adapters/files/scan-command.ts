import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf } from '../../common/error-details.ts';
import { type FileScanner, SCANNED_LATE, type ScanTraits } from '../../core/ports/file-scanner.ts';
import type { OpenFile } from '../../core/ports/file-store.ts';

/** A program that scans files, and its arguments. */
export type ScanCommand = readonly [program: string, ...args: string[]];

/** The folders of programs. The environment of the service is not passed on: it has its secrets. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const ENVIRONMENT = { PATH, LC_ALL: 'C.UTF-8' };
const MAX_NOTE_CHARACTERS = 200;
/** Of the output, as much is kept as its first line may need. */
const MAX_OUTPUT_CHARACTERS = 4_096;

/**
 * Returns a scanner that gives each file to a command, on standard input. Its exit code is the result.
 *
 * @throws when there is no such program
 */
export async function openFileScanner(command: ScanCommand, timeoutMs: number): Promise<FileScanner> {
  const [program] = command;
  const candidates = program.includes('/')
    ? [program]
    : PATH.split(':').map((directory) => path.join(directory, program));
  const found = Promise.any(candidates.map((candidate) => access(candidate, constants.X_OK)));
  await found.catch(() => {
    throw new Error(`there is no program ${program} in ${PATH}; install it, or give its whole path`);
  });
  return { timeoutMs, scan: (file, deadline) => scan(command, file, deadline) };
}

async function scan(
  [program, ...args]: ScanCommand,
  file: OpenFile,
  deadline: AbortSignal,
): Promise<ScanTraits> {
  // In a process group of its own, so that what a script started ends with it.
  const child = spawn(program, args, { env: ENVIRONMENT, detached: true });
  const ended = endOf(child, deadline);
  // A scanner may stop reading early. A file that cannot be read ends its input as well.
  const isWhole = await file.sendTo(child.stdin).then(
    () => true,
    () => false,
  );
  const { code, note } = await ended;
  if (code === 1) return { scan: 'INFECTED', ...(note !== '' && { scanNote: note }) };
  if (code === 0 && isWhole) return { scan: 'CLEAN' };
  const reason = code === 0 ? 'the scanner did not read the whole file' : `exit code ${code}`;
  return { scan: 'NOT_SCANNED', scanNote: note === '' ? reason : note };
}

/** Waits for the end of a process and of its output. `code`: null if a signal ended it, or it did not start. */
async function endOf(
  child: ChildProcessWithoutNullStreams,
  deadline: AbortSignal,
): Promise<{ code: number | null; note: string }> {
  const output = collectText(child.stdout);
  const errors = collectText(child.stderr);
  try {
    const [code] = (await once(child, 'close', { signal: deadline })) as [number | null]; // as Node documents it
    return { code, note: firstLine(output()) || firstLine(errors()) };
  } catch (error) {
    killGroup(child);
    const isLate = error instanceof Error && error.name === 'AbortError';
    const note = isLate ? SCANNED_LATE : `not started (${String(codeOf(error))})`;
    return { code: null, note };
  }
}

/** Collects the beginning of an output. */
function collectText(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(0, MAX_OUTPUT_CHARACTERS);
  });
  return () => text;
}

/** Ends a process and what it started. */
function killGroup({ pid, stdin }: ChildProcessWithoutNullStreams): void {
  stdin.destroy();
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}

/** Returns the first line that has text, without control characters. */
function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  const clean = line.replaceAll(/[\p{Cc}\p{Cf}\ufffd]+/gu, ' ').trim();
  return clean.slice(0, MAX_NOTE_CHARACTERS).toWellFormed();
}
