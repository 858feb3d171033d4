import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** One built file as it is sent: its bytes, and what else of them there is, compressed at the build. */
export type WebFile = { contentType: string; etag: string; bytes: Buffer; br?: Buffer; gzip?: Buffer };

/** The built files by their path below the directory, such as `assets/index-1a2b3c.js`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Reads all built files: they are few and small, and then no request reads a disk or names a path. None where
 * nothing was built. What has no type in the table is not for the browser.
 */
export function readWebFiles(directory: string): WebFiles {
  const files = new Map<string, WebFile>();
  for (const path of pathsBelow(directory)) {
    const contentType = CONTENT_TYPES[extname(path)];
    if (contentType === undefined) continue;
    const read = (ending: string) => readIfThere(join(directory, path + ending));
    const bytes = read('');
    const [br, gzip] = [read('.br'), read('.gz')];
    if (!bytes) continue;
    const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    files.set(path.replaceAll('\\', '/'), {
      contentType,
      etag,
      bytes,
      ...(br && { br }),
      ...(gzip && { gzip }),
    });
  }
  return files;
}

function pathsBelow(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The form of a file that is sent to a client: the smallest that it takes. */
export function chooseEncoding(
  file: WebFile,
  acceptEncoding: string | undefined,
): { encoding?: 'br' | 'gzip'; bytes: Buffer } {
  const accepted = acceptedEncodings(acceptEncoding ?? '');
  if (file.br && accepted.has('br')) return { encoding: 'br', bytes: file.br };
  if (file.gzip && accepted.has('gzip')) return { encoding: 'gzip', bytes: file.gzip };
  return { bytes: file.bytes };
}

/** RFC 9110, 12.5.3: names with weights, where a weight of 0 refuses. `*` stands for gzip, which all can read. */
function acceptedEncodings(header: string): Set<string> {
  const wanted = header.split(',').map((part) => {
    const [name = '', ...parameters] = part.toLowerCase().split(';');
    const isRefused = parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
    return { name: name.trim(), isRefused };
  });
  const refused = new Set(wanted.filter(({ isRefused }) => isRefused).map(({ name }) => name));
  const names = wanted.map(({ name }) => (name === '*' ? 'gzip' : name));
  return new Set(names.filter((name) => !refused.has(name)));
}
