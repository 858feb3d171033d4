import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';
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
  close(): void;
};

/** A slow download takes tens of seconds. */
const TIMEOUT_MS = 120_000;
const AGENTS = 24;
const SOCKETS_PER_AGENT = 8;
/** Connections come and go: each agent is replaced after so many requests, on average. */
const REQUESTS_PER_AGENT = 400;

/** Creates clients at `url` that keep their connections for a while. `randomInt` chooses among them. */
export function createClient(url: string, randomInt: (max: number) => number): Client {
  const { hostname, port } = new URL(url);
  const newAgent = () => new Agent({ keepAlive: true, maxSockets: SOCKETS_PER_AGENT });
  const agents = Array.from({ length: AGENTS }, newAgent);
  const open = new Set<Socket>();

  function chooseAgent(): Agent {
    const index = randomInt(AGENTS);
    if (randomInt(REQUESTS_PER_AGENT) > 0) return agents[index] ?? newAgent();
    retire(agents[index]);
    const fresh = newAgent();
    agents[index] = fresh;
    return fresh;
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
    const response = new Promise<Response>((resolve, reject) => {
      outgoing.on('response', (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        readBody(incoming, reading).then((read) => resolve({ status, headers, ...read }), reject);
      });
      outgoing.on('socket', track);
      outgoing.on('error', reject);
      outgoing.on('timeout', () => outgoing.destroy(new Error(`No response to ${method} ${path}`)));
    });
    outgoing.end(body);
    return { outgoing, response };
  }

  function track(socket: Socket): void {
    if (open.has(socket)) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  }

  return {
    async send(path, options = {}) {
      for (;;) {
        const sent = sendOnce(path, options);
        try {
          return await sent.response;
        } catch (error) {
          // The server closed an idle connection while the request was on its way, which it has not read.
          if (!sent.outgoing.reusedSocket || !isReset(error)) throw error;
        }
      }
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
