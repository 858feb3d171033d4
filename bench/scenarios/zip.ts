import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../support/compare.ts';
import { MEGABYTE, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { shortCodeIn } from '../support/subjects.ts';
import { download, writeRandomFile } from '../support/transfer.ts';

/** A form takes 200 parts. */
const FILE_COUNT = 180;
const RATIO = 0.7;

export const zip1Gb = zip('zip-1gb', 1024 * MEGABYTE);
export const zipSmall = zip('zip-small', FILE_COUNT * 10 * 1024);

function zip(name: string, fullBytes: number): Scenario {
  return {
    name,
    about: `${FILE_COUNT} files as a ZIP, against a plain download of as many bytes in one file`,
    run: (effort) =>
      inScratch(async (scratch) => {
        const limits = ['file', 'request'].map((of) => `--spring.servlet.multipart.max-${of}-size=2GB`);
        const { url } = await scratch.startService({ flags: limits });
        const fileBytes = Math.ceil(scaled(fullBytes, effort) / FILE_COUNT);
        const sizeBytes = FILE_COUNT * fileBytes;
        const directory = scratch.directory();
        const upload = async (count: number, bytes: number) => {
          const filePath = join(directory, `${bytes}.bin`);
          writeRandomFile(filePath, bytes);
          const form = new FormData();
          for (let index = 0; index < count; index++)
            form.append('file', await openAsBlob(filePath), `${index}.bin`);
          const created = await fetch(`${url}/api/links/upload`, { method: 'POST', body: form });
          return `${url}/l/${await shortCodeIn(created)}`;
        };
        const [set, file] = [await upload(FILE_COUNT, fileBytes), await upload(1, sizeBytes)];
        const measure = (link: string) => async () => ({
          rate: await download({
            url: link,
            count: Math.max(1, Math.round((256 * MEGABYTE) / sizeBytes)),
            sizeBytes,
          }),
        });
        return compare({
          service: { name: 'ZIP', measure: measure(set) },
          baseline: { name: 'plain', measure: measure(file) },
          unit: 'MB/s',
          effort,
          goals: { ratio: RATIO },
        });
      }),
  };
}
