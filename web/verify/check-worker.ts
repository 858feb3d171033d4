import { buffersOf } from '../../src/core/use-cases/history/exported/read-line.ts';
import { type CollectedDelivery, createDeliveryReader } from '../history/delivery.ts';
import {
  type CheckedFiles,
  type ChosenFiles,
  type Compare,
  checkFiles,
  type SliceReaders,
} from './check-files.ts';
import { CHECKS, MAX_SHOWN, sha256 } from './line-parts.ts';
import { type ReadSlice, readSlice, type Slice } from './read-slice.ts';

// The script of the worker threads that check a history, so that the page stays responsive. One of them runs the check; the
// others read slices for it.

/** Makes a worker a reader for the one that runs checks, which has the other end of the port. */
export type ToReader = { port: MessagePort };
/** Gives the worker that runs checks the ports of its readers. */
export type ToRunner = { readers: MessagePort[] };
export type StartCheck = { files: ChosenFiles; compare: Compare };
/** What a check sends: the part that is done, and its result at last. */
export type CheckMessage = { done: number } | { check: CheckedFiles } | { error: true };

/** `run`: the number of a check. Without a slice, it has ended. */
type Request = { run: number; slice?: Slice };

addEventListener('message', ({ data }: MessageEvent<ToReader | ToRunner | StartCheck>) => {
  if ('port' in data) answerSlices(data.port);
  else if ('readers' in data) readers = openReaders(data.readers);
  else void run(data);
});

let readers: SliceReaders | undefined;

async function run({ files, compare }: StartCheck): Promise<void> {
  const send = (message: CheckMessage): void => postMessage(message);
  try {
    if (!readers) throw new Error('A check began before the worker had its readers.');
    send({ check: await checkFiles(files, compare, { readers, onProgress: (done) => send({ done }) }) });
  } catch {
    send({ error: true });
  }
}

/** While a reader reads one slice, the next one is with it already. */
const SLICES_PER_READER = 2;

function openReaders(ports: readonly MessagePort[]): SliceReaders {
  let run = 0;
  let slices = 0;
  return {
    parallel: ports.length * SLICES_PER_READER,
    begin() {
      run += 1;
    },
    readSlice: (slice) => call<ReadSlice | undefined>(ports[slices++ % ports.length], { run, slice }),
    end: () => Promise.all(ports.map((port) => call<CollectedDelivery>(port, { run }))),
  };
}

function call<Result>(port: MessagePort | undefined, request: Request): Promise<Result> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Result>) => {
      resolve(data);
      port1.close();
    };
    port?.postMessage(request, [port2]);
  });
}

function answerSlices(port: MessagePort): void {
  let state = { run: 0, delivery: createDeliveryReader(MAX_SHOWN) };
  port.onmessage = async ({ data: { run, slice }, ports: [reply] }: MessageEvent<Request>) => {
    if (run !== state.run) state = { run, delivery: createDeliveryReader(MAX_SHOWN) };
    const { delivery } = state;
    if (!slice) {
      reply?.postMessage(delivery.collected());
      return;
    }
    // The check then reads the file itself, and meets the same error.
    const read = await readSlice(slice, { checks: CHECKS, sha256, delivery }).catch(() => undefined);
    reply?.postMessage(read, read ? buffersOf(read.batch) : []);
  };
}
