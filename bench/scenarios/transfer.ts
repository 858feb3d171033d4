import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../support/compare.ts';
import { single } from '../support/figures.ts';
import type { Server } from '../support/processes.ts';
import { type Effort, MEGABYTE, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch, type Scratch } from '../support/scratch.ts';
import { shortCodeIn } from '../support/subjects.ts';
import { download, removeFiles, upload, writeRandomFile } from '../support/transfer.ts';

const SMALL_BYTES = 10 * MEGABYTE;
const LARGE_BYTES = 1024 * MEGABYTE;
/** The same for each size of file. */
const BYTES_PER_ROUND = LARGE_BYTES;
const LIMITS = [
  '--spring.servlet.multipart.max-file-size=2GB',
  '--spring.servlet.multipart.max-request-size=2GB',
];
/** The ratio by which memory may exceed that of small files: repeated measurements differ by as much. */
const MAX_MEMORY_RATIO = 1.1;

type Direction = {
  about: string;
  baseline: string;
  ratio: number;
  /** Prepares files of a size. Each returned function transfers one `count` times and returns MB/s. */
  prepare(setup: {
    service: Server;
    baseline: Server;
    filePath: string;
    sizeBytes: number;
  }): Promise<Transfers>;
};
type Transfers = {
  service: (count: number) => Promise<number>;
  baseline: (count: number) => Promise<number>;
};

const DOWN: Direction = {
  about: 'a file downloaded, against bare node:http streaming the same file',
  baseline: 'download',
  ratio: 0.85,
  async prepare({ service, baseline, filePath, sizeBytes }) {
    const form = new FormData();
    form.append('file', await openAsBlob(filePath), 'file.bin');
    const response = await fetch(`${service.url}/api/links/upload`, { method: 'POST', body: form });
    const url = `${service.url}/l/${await shortCodeIn(response)}`;
    return {
      service: (count) => download({ url, count, sizeBytes }),
      baseline: (count) => download({ url: `${baseline.url}${filePath}`, count, sizeBytes }),
    };
  },
};

const UP: Direction = {
  about: 'a file uploaded, against bare node:http that writes and flushes the same body',
  baseline: 'upload',
  ratio: 0.7,
  async prepare({ service, baseline, filePath, sizeBytes }) {
    const uploadTo = (server: Server, path: string) => async (count: number) => {
      const rate = await upload({ url: `${server.url}${path}`, count, sizeBytes }, filePath);
      removeFiles(join(server.directory, 'files'));
      return rate;
    };
    return { service: uploadTo(service, '/api/links/upload'), baseline: uploadTo(baseline, '/') };
  },
};

export const download10Mb = transfer('download-10mb', DOWN, SMALL_BYTES);
export const download1Gb = transfer('download-1gb', DOWN, LARGE_BYTES);
export const upload10Mb = transfer('upload-10mb', UP, SMALL_BYTES);
export const upload1Gb = transfer('upload-1gb', UP, LARGE_BYTES);

function transfer(name: string, direction: Direction, fullSizeBytes: number): Scenario {
  return {
    name,
    about: `${shortSize(fullSizeBytes)}: ${direction.about}`,
    run: (effort) => inScratch((scratch) => measureTransfers(effort, { scratch, direction, fullSizeBytes })),
  };
}

async function measureTransfers(
  effort: Effort,
  options: { scratch: Scratch; direction: Direction; fullSizeBytes: number },
): Promise<Row[]> {
  const { scratch, direction, fullSizeBytes } = options;
  const baseline = await scratch.startBaseline(direction.baseline);
  const service = await scratch.startService({ flags: LIMITS });
  const idleBytes = service.memory().nowBytes;
  const directory = scratch.directory();
  async function prepare(sizeBytes: number): Promise<Transfers> {
    const filePath = join(directory, `${sizeBytes}.bin`);
    writeRandomFile(filePath, sizeBytes);
    return direction.prepare({ service, baseline, filePath, sizeBytes });
  }
  const countOf = (sizeBytes: number) => Math.max(1, Math.round(scaled(BYTES_PER_ROUND, effort) / sizeBytes));

  // First the same bytes in small files: memory beyond that is due to the size of the files.
  const smallBytes = scaled(SMALL_BYTES, effort);
  await (await prepare(smallBytes)).service(countOf(smallBytes));
  const smallPeakBytes = service.memory().peakBytes;

  const sizeBytes = scaled(fullSizeBytes, effort);
  const transfers = await prepare(sizeBytes);
  const subject = (name: string, transferFiles: (count: number) => Promise<number>) => ({
    name,
    measure: async () => ({ rate: await transferFiles(countOf(sizeBytes)) }),
  });
  const rows = await compare({
    service: subject('Postern', transfers.service),
    baseline: subject('bare node:http', transfers.baseline),
    unit: 'MB/s',
    effort,
    goals: { ratio: direction.ratio },
  });
  const { peakBytes } = service.memory();
  return [
    ...rows,
    { what: 'peak memory over idle', figures: single((peakBytes - idleBytes) / MEGABYTE), unit: 'MB' },
    {
      what: `peak memory / with ${shortSize(SMALL_BYTES)}`,
      figures: single(peakBytes / smallPeakBytes),
      unit: 'ratio',
      goal: { atMost: MAX_MEMORY_RATIO },
    },
  ];
}

function shortSize(sizeBytes: number): string {
  return sizeBytes >= LARGE_BYTES ? `${sizeBytes / LARGE_BYTES} GB` : `${sizeBytes / MEGABYTE} MB`;
}
