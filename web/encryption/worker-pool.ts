import type { MakeCipher } from '../../client/encryption/age-file.ts';
import { DamagedError } from '../../client/encryption/payload.ts';
import type { CallMessage, Calls, Reply } from './encryption-worker.ts';

/** Worker threads that encrypt and decrypt. `close` ends them. */
export type WorkerPool = {
  call<Name extends 'beginFile' | 'isIdentity' | 'openFile'>(
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
  makeCipher: MakeCipher;
  close(): void;
};

const MAX_WORKERS = 4;
/** While a worker runs one batch, the next one is with it already. */
const BATCHES_PER_WORKER = 2;

export function openWorkerPool(createWorker: () => Worker): WorkerPool {
  const count = Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1);
  const workers = Array.from({ length: count }, createWorker);
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let calls = 0;

  for (const worker of workers) {
    worker.addEventListener('message', ({ data: { id, result, error } }: MessageEvent<Reply>) => {
      const call = pending.get(id);
      pending.delete(id);
      if (error) call?.reject(error.isDamage ? new DamagedError(error.message) : new Error(error.message));
      else call?.resolve(result);
    });
    // Its script could not be loaded, or its memory is exhausted.
    worker.addEventListener('error', ({ message }) => {
      for (const { reject } of pending.values()) reject(new Error(message || 'a worker failed'));
      pending.clear();
    });
  }

  function send(
    message: DistributiveOmit<CallMessage, 'id'>,
    transfer: Transferable[] = [],
  ): Promise<unknown> {
    const id = calls++;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      workers[id % count]?.postMessage({ ...message, id }, transfer);
    });
  }

  return {
    // The worker returns what its function of that name returns.
    call: (name, ...args) => send({ name, args } as CallMessage) as never,
    makeCipher: (key, kind) => ({
      parallel: count * BATCHES_PER_WORKER,
      run: (batch) =>
        send({ name: 'runBatch', args: [batch, key, kind] }, [batch.bytes.buffer]) as Promise<
          Uint8Array<ArrayBuffer>
        >,
    }),
    close() {
      for (const worker of workers) worker.terminate();
      for (const { reject } of pending.values()) reject(new DOMException('closed', 'AbortError'));
      pending.clear();
    },
  };
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
