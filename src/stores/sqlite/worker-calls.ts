import { type MessagePort, Worker } from 'node:worker_threads';

/** Functions that a worker thread runs for others, one input each; inputs and results are structured clones. */
export type Operations = Record<string, (input: never) => unknown>;

type Call = { id: number; operation: string; input: unknown };
type Answer = { id: number; result: unknown } | { id: number; error: unknown };

/** Runs the operations that calls on `port` ask for, in their order, until the port is closed. */
export function serveCalls(port: MessagePort, operations: Operations): void {
  port.on('message', ({ id, operation, input }: Call) => {
    let answer: Answer;
    try {
      // The caller's side is typed by the same operations, so the input is of this one's type.
      answer = { id, result: operations[operation]?.(input as never) };
    } catch (error) {
      answer = { id, error };
    }
    port.postMessage(answer);
  });
}

/** The caller's side of a worker thread that serves calls. */
export type WorkerCalls<Ops extends Operations> = {
  /** Runs one operation in the thread; rejects with what it threw, or when the thread ends before it answers. */
  call<Name extends keyof Ops & string>(
    operation: Name,
    input: Parameters<Ops[Name]>[0],
  ): Promise<ReturnType<Ops[Name]>>;
  /** Lets the calls so far be answered, then ends the thread. */
  close(): Promise<void>;
};

/**
 * Starts the thread of `script` and connects to it. Should it die, what it had not answered is rejected, and
 * the next call starts another, so that a passing fault needs no restart of the service.
 *
 * @throws what the thread threw before it served, for example a schema that it does not know
 */
export async function startWorker<Ops extends Operations>(
  script: URL,
  workerData: unknown,
): Promise<WorkerCalls<Ops>> {
  type Pending = { resolve: (result: unknown) => void; reject: (error: unknown) => void };
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let worker: Worker | undefined;

  function start(): Worker {
    const started = new Worker(script, { workerData });
    let cause: unknown;
    started.on('message', (answer: Answer) => {
      const call = pending.get(answer.id);
      pending.delete(answer.id);
      if ('error' in answer) call?.reject(answer.error);
      else call?.resolve(answer.result);
    });
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const lost = cause ?? new Error('The thread of the store ended');
      for (const call of pending.values()) call.reject(lost);
      pending.clear();
    });
    return started;
  }

  function send(operation: string, input: unknown): Promise<unknown> {
    worker ??= start();
    const id = nextId++;
    const answered = new Promise<unknown>((resolve, reject) => pending.set(id, { resolve, reject }));
    worker.postMessage({ id, operation, input } satisfies Call);
    return answered;
  }

  await send('ready', null);
  return {
    // The thread runs the operation of that name, so its answer has that operation's type.
    call: (operation, input) => send(operation, input) as ReturnType<WorkerCalls<Ops>['call']>,
    async close() {
      const closing = worker;
      if (!closing) return;
      await send('close', null);
      await closing.terminate();
    },
  };
}
