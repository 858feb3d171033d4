import { Agent, type ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestOptions, send, type TestResponse } from '../../test/support/http-client.ts';

/** Many clients that keep their connections for a while. */
export type Client = {
  send(path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Returns how many connections are open. */
  connections(): number;
  /** Returns how many requests were sent again since the last call, because the server closed an idle connection. */
  takeResent(): number;
  close(): void;
};

/** The service closes no connection earlier because it is idle. */
const IDLE_MS = 60_000;
const AGENTS = 24;
const SOCKETS_PER_AGENT = 8;
/** Connections come and go: each agent is replaced after so many requests, on average. */
const REQUESTS_PER_AGENT = 400;

/**
 * Creates clients at `url`. `randomInt` chooses among them. A request is sent once more if the server closed its
 * connection, which was idle for `idleMs` before, and has not read it.
 */
export function createClient(url: string, randomInt: (max: number) => number, idleMs = IDLE_MS): Client {
  const open = new Set<Duplex>();
  const mayRepeat = new WeakSet<Error>();
  const newAgent = () => new WatchingAgent({ open, mayRepeat, idleMs });
  const agents = Array.from({ length: AGENTS }, newAgent);
  let resent = 0;

  function chooseAgent(): Agent {
    const index = randomInt(AGENTS);
    if (randomInt(REQUESTS_PER_AGENT) > 0) return agents[index] ?? newAgent();
    agents[index]?.retire();
    const fresh = newAgent();
    agents[index] = fresh;
    return fresh;
  }

  return {
    async send(path, options = {}) {
      try {
        return await send({ url }, path, { ...options, agent: chooseAgent() });
      } catch (error) {
        if (!(error instanceof Error && mayRepeat.has(error))) throw error;
        resent += 1;
        return await send({ url }, path, { ...options, agent: chooseAgent() });
      }
    },
    takeResent() {
      const taken = resent;
      resent = 0;
      return taken;
    },
    connections: () => open.size,
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

type Watch = { open: Set<Duplex>; mayRepeat: WeakSet<Error>; idleMs: number };

/** Notes which connections are open, and which errors are those of a connection that the server closed because it was idle. */
class WatchingAgent extends Agent {
  readonly #watch: Watch;
  readonly #freedAt = new WeakMap<Duplex, number>();

  constructor(watch: Watch) {
    super({ keepAlive: true, maxSockets: SOCKETS_PER_AGENT });
    this.#watch = watch;
    this.on('free', (socket: Duplex) => this.#freedAt.set(socket, performance.now()));
  }

  override createConnection(...args: Parameters<Agent['createConnection']>): Duplex | null | undefined {
    const socket = super.createConnection(...args);
    if (socket) this.#watch.open.add(socket);
    socket?.once('close', () => this.#watch.open.delete(socket));
    return socket;
  }

  override reuseSocket(socket: Socket, request: ClientRequest): void {
    super.reuseSocket(socket, request);
    const idleForMs = performance.now() - (this.#freedAt.get(socket) ?? Number.POSITIVE_INFINITY);
    if (idleForMs < this.#watch.idleMs) return;
    const note = (error: Error): void => {
      if ('code' in error && error.code === 'ECONNRESET') this.#watch.mayRepeat.add(error);
    };
    request.prependOnceListener('error', note).once('response', () => request.off('error', note));
  }

  /** Closes the idle connections. The server closes the others. */
  retire(): void {
    for (const sockets of Object.values(this.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }
}

/** Returns a reader of responses that takes at most so many bytes in a second. */
export function readAtMost(bytesPerSecond: number): NonNullable<RequestOptions['read']> {
  return async (incoming) => {
    const chunks: Buffer[] = [];
    const startedAt = performance.now();
    let bytes = 0;
    for await (const chunk of incoming) {
      bytes += chunk.length;
      chunks.push(chunk);
      const aheadMs = (bytes / bytesPerSecond) * 1_000 - (performance.now() - startedAt);
      if (aheadMs > 1) await sleep(aheadMs);
    }
    return Buffer.concat(chunks);
  };
}
