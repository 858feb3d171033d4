import { existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../support/compare.ts';
import type { Server } from '../support/processes.ts';
import { MEGABYTE, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { shortCodeIn } from '../support/subjects.ts';
import { download, removeFiles, upload, uploadChunk, writeRandomFile } from '../support/transfer.ts';

const FILE_BYTES = 1024 * MEGABYTE;
/** The default of app.upload.chunk-size. */
const PART_BYTES = 64 * MEGABYTE;
const RATIO = 0.7;
const LIMITS = [
  '--spring.servlet.multipart.max-file-size=2GB',
  '--spring.servlet.multipart.max-request-size=2GB',
];

type Setup = { service: Server; directory: string; filePath: string; sizeBytes: number };
/** Transfers the file, plainly and in parts. Each returned function returns MB/s. */
type Prepare = (setup: Setup) => Promise<{ plain(): Promise<number>; resumed(): Promise<number> }>;

const DOWN: Prepare = async ({ service, filePath, sizeBytes }) => {
  const form = new FormData();
  form.append('file', await openAsBlob(filePath), 'file.bin');
  const created = await fetch(`${service.url}/api/links/upload`, { method: 'POST', body: form });
  const link = `${service.url}/l/${await shortCodeIn(created)}`;
  return {
    plain: () => download({ url: link, count: 1, sizeBytes }),
    async resumed() {
      const url = await beginLease(link);
      let seconds = 0;
      for (const { firstByte, length } of partsOf(sizeBytes))
        seconds += length / MEGABYTE / (await download({ url, count: 1, sizeBytes: length }, { firstByte }));
      return sizeBytes / MEGABYTE / seconds;
    },
  };
};

const UP: Prepare = async ({ service, directory, filePath, sizeBytes }) => {
  const parts = partsOf(sizeBytes).map((part) => {
    const path = join(directory, `part-${part.firstByte}.bin`);
    writeRandomFile(path, part.length);
    return { ...part, path };
  });
  const stored = join(service.directory, 'files');
  const timed = (send: () => Promise<unknown>) => async () => {
    const startedAt = performance.now();
    await send();
    const rate = sizeBytes / MEGABYTE / ((performance.now() - startedAt) / 1_000);
    if (existsSync(stored)) removeFiles(stored); // not of a bucket
    return rate;
  };
  return {
    plain: timed(() => upload({ url: `${service.url}/api/links/upload`, count: 1, sizeBytes }, filePath)),
    resumed: timed(async () => {
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(sizeBytes) };
      const begun = await fetch(`${service.url}/api/uploads`, { method: 'POST', headers });
      const { uploadId }: { uploadId: string } = JSON.parse(await begun.text());
      const url = `${service.url}/api/uploads/${uploadId}`;
      for (const { path, firstByte, length } of parts)
        await uploadChunk({ url, count: 1, sizeBytes: length }, path, firstByte);
      const json = { 'content-type': 'application/json' };
      const link = { method: 'POST', headers: json, body: JSON.stringify({ uploadId }) };
      await shortCodeIn(await fetch(`${service.url}/api/links`, link));
    }),
  };
};

const S3 = 'an S3 server in its own process';
export const downloadResumed = scenario('download-resumed', 'downloaded from a directory', DOWN);
export const downloadResumedS3 = scenario('download-resumed-s3', `downloaded from ${S3}`, DOWN);
export const uploadResumed = scenario('upload-resumed', 'uploaded to a directory', UP);
export const uploadResumedS3 = scenario('upload-resumed-s3', `uploaded to ${S3}`, UP);

function scenario(name: string, transfer: string, prepare: Prepare): Scenario {
  return {
    name,
    about: `1 GB ${transfer} in parts that resume, against the same in one request`,
    run: (effort) =>
      inScratch(async (scratch) => {
        const s3 = name.endsWith('-s3') ? await scratch.startS3() : undefined;
        const service = await scratch.startService({
          flags: [...LIMITS, ...(s3?.flags ?? [])],
          ...(s3 && { env: s3.env }),
        });
        const directory = scratch.directory();
        const filePath = join(directory, 'file.bin');
        const sizeBytes = scaled(FILE_BYTES, effort);
        writeRandomFile(filePath, sizeBytes);
        const { plain, resumed } = await prepare({ service, directory, filePath, sizeBytes });
        return compare({
          service: { name: 'resumed', measure: async () => ({ rate: await resumed() }) },
          baseline: { name: 'plain', measure: async () => ({ rate: await plain() }) },
          unit: 'MB/s',
          effort,
          goals: { ratio: RATIO },
        });
      }),
  };
}

function partsOf(sizeBytes: number): { firstByte: number; length: number }[] {
  return Array.from({ length: Math.ceil(sizeBytes / PART_BYTES) }, (_, index) => ({
    firstByte: index * PART_BYTES,
    length: Math.min(PART_BYTES, sizeBytes - index * PART_BYTES),
  }));
}

/** Opens a link as a form of a browser does. Returns the address of its lease. */
async function beginLease(link: string): Promise<string> {
  const headers = { accept: 'text/html' };
  const response = await fetch(link, { method: 'POST', headers, redirect: 'manual' });
  const address = response.headers.get('location');
  if (response.status !== 303 || address === null)
    throw new Error(`A lease was not begun: ${response.status}`);
  return new URL(address, link).href;
}
