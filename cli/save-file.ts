import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { continuationOf, readContinued } from '../client/continued-download.ts';
import { DamagedError } from '../client/encryption/payload.ts';
import type { Bytes } from '../client/encryption/streams.ts';
import { codeOf, messageOf } from '../src/common/error-details.ts';
import { tryToDecode } from '../src/core/model/percent-encoding.ts';
import { createDigest, type Digest } from '../src/core/model/stored-file.ts';
import { toLocalName } from '../src/core/rules/file-name.ts';
import { createProgressBar } from '../src/tools/commands/progress-bar.ts';
import { toPrintable } from '../src/tools/commands/terminal.ts';
import { Failure, usageFailure } from './failure.ts';
import { interruptible } from './interruptible.ts';
import type { Output } from './output.ts';

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Refuses a place where no file can be saved, before a view is spent. In a folder, the file gets a free name. `option`: names the place. */
export function requireFree(path: string, option = '--output'): void {
  if (path !== '-' && !isFolder(dirname(path)))
    throw usageFailure(`there is no folder ${resolve(dirname(path))}`, 'Create it first.');
  if (path !== '-' && existsSync(path) && !isFolder(path)) {
    throw usageFailure(
      `${resolve(path)} exists already`,
      `Choose another name with ${option}, or remove it.`,
    );
  }
}

/** The destination of the bytes of a response. `remove`: removes what was written. `remedy`: what to do if it fails; a failure of `write` may have its own. `cookie`: that continues it. */
type Receipt = {
  name: string;
  write(body: AsyncIterable<Bytes>): Promise<void>;
  remove(): void;
  remedy: string | undefined;
  cookie?: string | undefined;
};

/**
 * Receives the file of a response, also when its connection breaks, and compares it with the digest of the response, if it
 * has one (RFC 9530). Leaves nothing that is incomplete or damaged. Shows the progress.
 */
export async function receiveFile(
  response: Response,
  { name, write, remove, remedy, cookie }: Receipt,
): Promise<Digest> {
  const total = Number(response.headers.get('content-length')) || undefined; // an export has none
  const bar = process.stderr.isTTY ? createProgressBar(process.stderr, true) : undefined;
  const step = bar?.begin({ label: 'Download', unit: 'bytes', total });
  const sent = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(response.headers.get('repr-digest') ?? '')?.[1];
  const digest = createDigest();
  let receivedBytes = 0;
  async function* counted(): AsyncGenerator<Bytes> {
    for await (const chunk of readContinued(response, undefined, cookie)) {
      digest.add(chunk);
      receivedBytes += chunk.length;
      step?.update(receivedBytes);
      yield chunk;
    }
  }
  try {
    await interruptible(remedy, () => write(counted()));
    const received = digest.end();
    if (sent !== undefined && Buffer.from(sent, 'base64').toString('hex') !== received.sha256)
      throw new Error('its bytes have another SHA-256 than the file of the link');
    return received;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') remove();
    const own = error instanceof Failure && error.kind !== 'usage' ? error : undefined;
    throw new Failure(own?.kind ?? 'failed', `${name} was not saved: ${describe(error)}`, {
      remedy: own?.remedy ?? remedy,
      cause: error,
    });
  } finally {
    step?.end();
  }
}

/** Saves the file of a response, and prints its path. Never replaces a file. See `receiveFile`. */
export async function saveFile(
  response: Response,
  path: string | undefined,
  output: Output,
  { cookie, remedy = remedyOf(response, cookie) }: { cookie?: string | undefined; remedy?: string } = {},
): Promise<void> {
  const name = toFileName(response.headers.get('content-disposition') ?? '');
  const target = path === undefined || isFolder(path) ? freeName(join(path ?? '', name)) : path;
  const received = await receiveFile(response, {
    name,
    remedy,
    cookie,
    write: (body) =>
      target === '-'
        ? pipeline(process.stdout.isTTY ? toPrintableTexts(body) : body, process.stdout, { end: false })
        : pipeline(body, createWriteStream(target, { flags: 'wx' })),
    remove: () => {
      if (target !== '-') rmSync(target, { force: true });
    },
  });
  if (target === '-') return;
  if (output.isJson) output.printJson({ type: 'DOWNLOAD', file: resolve(target), ...received });
  else output.print(resolve(target));
}

/** Yields bytes as texts that control no terminal. */
async function* toPrintableTexts(body: AsyncIterable<Bytes>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body) yield toPrintable(decoder.decode(bytes, { stream: true }));
}

/** Returns how the file of a response is got after a failure. */
export function remedyOf(response: Response, cookie?: string): string {
  const address = continuationOf(response);
  if (address && cookie !== undefined)
    return `This command has it without another view: curl -b '${cookie}' -o FILE '${address}'`;
  return address
    ? `This address has it without another view: ${address}`
    : 'Opening the link again spends another view.';
}

function describe(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause === undefined || error instanceof DamagedError
    ? messageOf(error)
    : `the connection broke (${messageOf(cause)})`;
}

/** Returns the name under which a download is saved. */
export function toFileName(disposition: string): string {
  const [, extended] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  const [, quoted = 'download'] = /filename="((?:[^"\\]|\\.)*)"/.exec(disposition) ?? [];
  return toLocalName(
    extended === undefined ? quoted.replaceAll(/\\(.)/g, '$1') : (tryToDecode(extended) ?? extended),
  );
}

/** Returns a path that no file and no folder has yet: `report (1).pdf` where there is a `report.pdf`. */
export function freeName(name: string): string {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? name : `${stem} (${number})${ending}`;
    if (!existsSync(candidate)) return candidate;
  }
}
