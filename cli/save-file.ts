import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createProgressBar } from '../src/commands/progress-bar.ts';
import { codeOf, messageOf } from '../src/error-details.ts';
import { createDigest, type Digest } from '../src/links/stored-file.ts';
import { readContinued } from './continued-download.ts';
import { Failure, usageFailure } from './failure.ts';
import type { Output } from './output.ts';

/** The exit code of a program that a signal ended, by convention. */
const INTERRUPTED = 130;

/** Refuses a file that exists, before a view is spent. `option`: names the file. */
export function requireFree(path: string, option = '--output'): void {
  if (path !== '-' && existsSync(path)) {
    throw usageFailure(
      `${resolve(path)} exists already`,
      `Choose another name with ${option}, or remove it.`,
    );
  }
}

/**
 * Saves the file of a response, also when its connection breaks, and compares it with the digest of the response, if it has one (RFC 9530). Never
 * replaces a file, and leaves none that is incomplete or damaged.
 *
 * @param remedy what to do if it fails
 */
export async function saveFile(
  response: Response,
  path: string | undefined,
  output: Output,
  remedy = 'Opening the link again spends another view.',
): Promise<void> {
  const name = toFileName(response.headers.get('content-disposition') ?? '');
  const total = Number(response.headers.get('content-length')) || undefined; // an export has none
  const target = path ?? freeName(name);
  const bar = process.stderr.isTTY ? createProgressBar(process.stderr, true) : undefined;
  const step = bar?.begin({ label: 'Download', unit: 'bytes', total });
  const sent = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(response.headers.get('repr-digest') ?? '')?.[1];
  const digest = createDigest();
  let receivedBytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      digest.add(chunk);
      receivedBytes += chunk.length;
      step?.update(receivedBytes);
      yield chunk;
    }
  }
  const remove = (): void => {
    if (target !== '-') rmSync(target, { force: true });
  };
  const interrupt = (): void => {
    remove();
    process.exit(INTERRUPTED);
  };
  const body = Readable.from(readContinued(response));
  let received: Digest;
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    if (target === '-') await pipeline(body, counted, process.stdout, { end: false });
    else await pipeline(body, counted, createWriteStream(target, { flags: 'wx' }));
    received = digest.end();
    if (sent !== undefined && Buffer.from(sent, 'base64').toString('hex') !== received.sha256)
      throw new Error('its bytes have another SHA-256 than the file of the link');
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') remove();
    throw new Failure('failed', `${name} was not saved: ${describe(error)}`, {
      remedy,
      cause: error,
    });
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    step?.end();
  }
  if (target === '-') return;
  if (output.isJson) output.printJson({ type: 'DOWNLOAD', file: resolve(target), ...received });
  else output.print(resolve(target));
}

function describe(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause === undefined ? messageOf(error) : `the connection broke (${messageOf(cause)})`;
}

/** Returns the name of a download: without directories, leading dots and control characters. */
export function toFileName(disposition: string): string {
  const [, extended] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  const [, quoted = 'download'] = /filename="((?:[^"\\]|\\.)*)"/.exec(disposition) ?? [];
  const name = extended === undefined ? quoted.replaceAll(/\\(.)/g, '$1') : decodeName(extended);
  const plain = name.replaceAll(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '_').replace(/^\.+/, '_');
  return plain.trim() || 'download';
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a name that no file has yet: `report (1).pdf` where there is a `report.pdf`. */
function freeName(name: string): string {
  const ending = extname(name);
  const stem = basename(name, ending);
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? name : `${stem} (${number})${ending}`;
    if (!existsSync(candidate)) return candidate;
  }
}
