import { Agent } from 'node:http';

/** Clients that act again and again, each on one connection, which it opens again when it breaks. */
export type Clients = {
  /** Counts something as complete. */
  advance(): void;
  /** Resolves once so many more are complete, or no client is left. */
  waitFor(count: number): Promise<void>;
  /** Resolves once no client acts. */
  pause(): Promise<void>;
  resume(): void;
  /** Lets each client end after what it does. */
  stop(): Promise<void>;
  /** Resolves once no client is left; rejects when one throws. */
  ended: Promise<void>;
};

/** Starts clients. One for which `act` resolves to false ends. */
export function startClients(
  count: number,
  act: (agent: Agent, index: number) => Promise<unknown>,
  { isPaused = false } = {},
): Clients {
  const waiting = new Set<{ left: number; resolve: () => void }>();
  let gate: PromiseWithResolvers<void> | undefined = isPaused ? Promise.withResolvers() : undefined;
  let isStopped = false;
  const acting = new Set<Promise<unknown>>();

  async function run(index: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (let goesOn = true; goesOn; ) {
        while (gate) await gate.promise;
        if (isStopped) break;
        const action = act(agent, index);
        acting.add(action);
        goesOn = (await action.finally(() => acting.delete(action))) !== false;
      }
    } finally {
      agent.destroy();
    }
  }

  function resume(): void {
    gate?.resolve();
    gate = undefined;
  }

  const ended = Promise.all(Array.from({ length: count }, (_, index) => run(index))).then(() => {});
  return {
    ended,
    advance() {
      for (const one of waiting) if (--one.left <= 0) one.resolve();
    },
    async waitFor(left) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const one = { left, resolve };
      waiting.add(one);
      await Promise.race([promise, ended]);
      waiting.delete(one);
    },
    async pause() {
      gate ??= Promise.withResolvers();
      await Promise.allSettled(acting);
    },
    resume,
    async stop() {
      isStopped = true;
      resume();
      await ended;
    },
  };
}
