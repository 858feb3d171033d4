import { join } from 'node:path';
import { single } from '../support/figures.ts';
import { MEGABYTE, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { upload, writeRandomFile } from '../support/transfer.ts';

const SIZES_MB = [64, 1024];
const LIMITS = [
  '--spring.servlet.multipart.max-file-size=2GB',
  '--spring.servlet.multipart.max-request-size=2GB',
];

export const uploadS3: Scenario = {
  name: 'upload-s3',
  about: 'files uploaded to object storage, an S3 server in its own process: memory of the service meanwhile',
  run: (effort) =>
    inScratch(async (scratch) => {
      const { flags, env } = await scratch.startS3();
      const service = await scratch.startService({ flags: [...flags, ...LIMITS], env });
      const { nowBytes: idleBytes } = service.memory();
      const directory = scratch.directory();
      const rows: Row[] = [{ what: 'idle', figures: single(idleBytes / MEGABYTE), unit: 'MB' }];
      for (const sizeMb of SIZES_MB) {
        const sizeBytes = scaled(sizeMb * MEGABYTE, effort);
        const filePath = join(directory, `${sizeMb}.bin`);
        writeRandomFile(filePath, sizeBytes);
        const before = service.processorMs();
        const rate = await upload({ url: `${service.url}/api/links/upload`, count: 1, sizeBytes }, filePath);
        const overIdle = (service.memory().peakBytes - idleBytes) / MEGABYTE;
        rows.push(
          { what: `${sizeMb} MB`, figures: single(rate), unit: 'MB/s' },
          {
            what: `processor time of the service, ${sizeMb} MB`,
            figures: single((service.processorMs() - before) / 1000),
            unit: 's',
          },
          {
            what: `peak memory over idle, ${sizeMb} MB`,
            figures: single(overIdle),
            unit: 'MB',
            goal: { atMost: 64 },
          },
        );
      }
      return rows;
    }),
};
