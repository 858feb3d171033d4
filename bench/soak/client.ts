import { Agent, type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** A complete response. A body is kept only where `keepsBody` asks for it. */
export type Response = {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
  bytes: number;
};

export type RequestOptions = {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  keepsBody?: boolean;
  /** Reads the body this slowly. */
  maxBytesPerSecond?: number | undefined;
};

export type Client = {
  send(path: string, options?: RequestOptions): Promise<Response>;
  /** Returns how many connections are open. */
  connections(): number;
  /** Returns how many requests were sent again since the last call, because the server closed an idle connection. */
  takeResent(): number;
  close(): void;
};

/** A slow download takes tens of seconds. */
const TIMEOUT_MS = 120_000;
/** The service closes no connection earlier because it is idle. */
const IDLE_MS = 60_000;
const AGENTS = 24;
const SOCKETS_PER_AGENT = 8;
/** Connections come and go: each agent is replaced after so many requests, on average. */
const REQUESTS_PER_AGENT = 400;

/**
 * Creates clients at `url` that keep their connections for a while. `randomInt` chooses among them. A request is sent
 * once more if the server closed its connection, which was idle for `idleMs` before.
 */
export function createClient(url: string, randomInt: (max: number) => number, idleMs = IDLE_MS): Client {
  const { hostname, port } = new URL(url);
  const freedAt = new WeakMap<Duplex, number>();
  const newAgent = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_PER_AGENT });
    return agent.on('free', (socket: Duplex) => freedAt.set(socket, performance.now()));
  };
  const agents = Array.from({ length: AGENTS }, newAgent);
  const open = new Set<Socket>();
  let resent = 0;

  function chooseAgent(): Agent {
    const index = randomInt(AGENTS);
    if (randomInt(REQUESTS_PER_AGENT) > 0) return agents[index] ?? newAgent();
    retire(agents[index]);
    const fresh = newAgent();
    agents[index] = fresh;
    return fresh;
  }

  /** Returns whether a request was sent on a connection that the server may have been closing because it was idle. */
  function wasIdle({ socket }: ClientRequest, sentAt: number): boolean {
    const since = socket ? freedAt.get(socket) : undefined;
    return since !== undefined && sentAt - since >= idleMs;
  }

  function sendOnce(path: string, { method = 'GET', headers = {}, body, ...reading }: RequestOptions) {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = request({
      agent: chooseAgent(),
      hostname,
      port,
      path,
      method,
      headers: { ...length, ...headers },
      timeout: TIMEOUT_MS,
    });
    let hasBegun = false;
    const response = new Promise<Response>((resolve, reject) => {
      outgoing.on('response', (incoming) => {
        hasBegun = true;
        const { statusCode: status = 0, headers } = incoming;
        readBody(incoming, reading).then((read) => resolve({ status, headers, ...read }), reject);
      });
      outgoing.on('socket', track);
      outgoing.on('error', reject);
      outgoing.on('timeout', () => outgoing.destroy(new Error(`No response to ${method} ${path}`)));
    });
    outgoing.end(body);
    return { outgoing, response, hasBegun: () => hasBegun };
  }

  function track(socket: Socket): void {
    if (open.has(socket)) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  }

  return {
    async send(path, options = {}) {
      const sentAt = performance.now();
      const sent = sendOnce(path, options);
      try {
        return await sent.response;
      } catch (error) {
        // The server closed an idle connection while the request was on its way, which it has not read.
        const mayRepeat = isReset(error) && !sent.hasBegun() && wasIdle(sent.outgoing, sentAt);
        if (!mayRepeat) throw error;
        resent += 1;
        return await sendOnce(path, options).response;
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

/** Closes the idle connections of an agent that is not used any more. The server closes the others. */
function retire(agent: Agent | undefined): void {
  for (const sockets of Object.values(agent?.freeSockets ?? {})) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET';

async function readBody(
  incoming: AsyncIterable<Buffer>,
  {
    keepsBody = false,
    maxBytesPerSecond = Number.POSITIVE_INFINITY,
  }: Pick<RequestOptions, 'keepsBody' | 'maxBytesPerSecond'>,
): Promise<{ body: string; bytes: number }> {
  const kept: Buffer[] = [];
  const startedAt = performance.now();
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (keepsBody) kept.push(chunk);
    const dueMs = (bytes / maxBytesPerSecond) * 1000;
    const aheadMs = dueMs - (performance.now() - startedAt);
    if (aheadMs > 1) await sleep(aheadMs);
  }
  return { body: Buffer.concat(kept).toString('utf8'), bytes };
}
