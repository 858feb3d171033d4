import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MEGABYTE } from './scenario.ts';

/** A file that curl sends `count` times, one after the other over one connection. */
export type Transfer = { url: string; count: number; sizeBytes: number };

/** Downloads and discards a file, or a part of it from a byte on. Returns MB/s. */
export function download(transfer: Transfer, part?: { firstByte: number }): Promise<number> {
  const sizeField = 'size_download';
  if (!part) return transferMbPerSecond(transfer, { status: 200, sizeField, args: [] });
  const args = ['--range', `${part.firstByte}-${part.firstByte + transfer.sizeBytes - 1}`];
  return transferMbPerSecond(transfer, { status: 206, sizeField, args });
}

/** Uploads a file as a form. Returns MB/s. */
export function upload(transfer: Transfer, filePath: string): Promise<number> {
  // Without waiting for 100-continue.
  const args = ['--header', 'Expect:', '--form', `file=@${filePath}`];
  return transferMbPerSecond(transfer, { status: 201, sizeField: 'size_upload', args });
}

/** Adds a file to an upload that resumes, from an offset on. Returns MB/s. */
export function uploadChunk(transfer: Transfer, filePath: string, offset: number): Promise<number> {
  const headers = ['Expect:', 'Tus-Resumable: 1.0.0', 'Content-Type: application/offset+octet-stream'];
  const given = [...headers, `Upload-Offset: ${offset}`].flatMap((header) => ['--header', header]);
  const args = [...given, '--request', 'PATCH', '--upload-file', filePath];
  return transferMbPerSecond(transfer, { status: 204, sizeField: 'size_upload', args });
}

async function transferMbPerSecond(
  { url, count, sizeBytes }: Transfer,
  { status, sizeField, args }: { status: number; sizeField: string; args: string[] },
): Promise<number> {
  const common = ['--silent', '--show-error', '--output', devNull];
  const format = `%{http_code} %{${sizeField}} %{time_total}\\n`;
  const { stdout } = await promisify(execFile)('curl', [
    ...common,
    ...args,
    '--write-out',
    format,
    `${url}?[1-${count}]`, // curl requests each of these in turn
  ]);
  let seconds = 0;
  const lines = stdout.trim().split('\n');
  for (const line of lines) {
    const [code, bytes = 0, tookSeconds = 0] = line.split(' ').map(Number);
    if (code !== status || bytes < sizeBytes)
      throw new Error(`Status ${code} and ${bytes} bytes of ${sizeBytes}`);
    seconds += tookSeconds;
  }
  if (lines.length !== count) throw new Error(`${lines.length} transfers instead of ${count}`);
  return (count * sizeBytes) / MEGABYTE / seconds;
}

/** Writes a file of random bytes. */
export function writeRandomFile(path: string, sizeBytes: number): void {
  const chunk = randomBytes(Math.min(MEGABYTE, sizeBytes));
  const file = openSync(path, 'w');
  for (let written = 0; written < sizeBytes; written += chunk.length) {
    writeSync(file, chunk, 0, Math.min(chunk.length, sizeBytes - written));
  }
  closeSync(file);
}

/** Removes uploaded files, so that the disk does not fill up. Directories stay. */
export function removeFiles(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) rmSync(join(entry.parentPath, entry.name));
  }
}
