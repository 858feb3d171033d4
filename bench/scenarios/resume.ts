import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../support/compare.ts';
import { MEGABYTE, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { shortCodeIn } from '../support/subjects.ts';
import { download, writeRandomFile } from '../support/transfer.ts';

const FILE_BYTES = 1024 * MEGABYTE;
/** What a line passes before it breaks. */
const PART_BYTES = 100 * MEGABYTE;
const RATIO = 0.7;

export const downloadResumed = resumed('download-resumed', 'a directory');
export const downloadResumedS3 = resumed('download-resumed-s3', 'an S3 server in its own process');

function resumed(name: string, storage: 'a directory' | 'an S3 server in its own process'): Scenario {
  return {
    name,
    about: `1 GB from ${storage} in parts of 100 MB under one lease, against a plain download of it`,
    run: (effort) =>
      inScratch(async (scratch) => {
        const limits = ['--spring.servlet.multipart.max-file-size=2GB'];
        const s3 = storage === 'a directory' ? undefined : await scratch.startS3();
        const flags = [...limits, '--spring.servlet.multipart.max-request-size=2GB', ...(s3?.flags ?? [])];
        const { url } = await scratch.startService({ flags, ...(s3 && { env: s3.env }) });
        const sizeBytes = scaled(FILE_BYTES, effort);
        const partBytes = scaled(PART_BYTES, effort);
        const filePath = join(scratch.directory(), 'file.bin');
        writeRandomFile(filePath, sizeBytes);
        const form = new FormData();
        form.append('file', await openAsBlob(filePath), 'file.bin');
        const created = await fetch(`${url}/api/links/upload`, { method: 'POST', body: form });
        const link = `${url}/l/${await shortCodeIn(created)}`;
        const resume = async () => {
          const lease = await beginLease(link);
          let seconds = 0;
          for (let firstByte = 0; firstByte < sizeBytes; firstByte += partBytes) {
            const length = Math.min(partBytes, sizeBytes - firstByte);
            const part = { url: lease, count: 1, sizeBytes: length };
            seconds += length / MEGABYTE / (await download(part, { firstByte }));
          }
          return sizeBytes / MEGABYTE / seconds;
        };
        return compare({
          service: { name: 'resumed', measure: async () => ({ rate: await resume() }) },
          baseline: {
            name: 'plain',
            measure: async () => ({ rate: await download({ url: link, count: 1, sizeBytes }) }),
          },
          unit: 'MB/s',
          effort,
          goals: { ratio: RATIO },
        });
      }),
  };
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
