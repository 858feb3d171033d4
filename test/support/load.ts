import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { Server, TestResponse } from './http-client.ts';

/** A request to `GET /l/{shortCode}`, or HEAD, that can be told apart from every other by its agent. */
export type Asked = {
  shortCode: string;
  method: 'GET' | 'HEAD';
  headers: OutgoingHttpHeaders;
  agent: string;
};

/** The next request of a client; what it leaves open is a plain GET. */
export type Choice = { shortCode: string; method?: 'HEAD'; headers?: OutgoingHttpHeaders };

/** A request that was sent, and its answer once that was read to its end. */
export type Sent = Asked & { answer?: Pick<TestResponse, 'status' | 'text'> };

/** Clients that ask without pause, each over one connection that it keeps. */
export type Load = {
  /** Every request so far, in the order of sending. */
  sent: Sent[];
  /** Resolves when this many requests are answered, or no client is left. */
  hasAnswers(count: number): Promise<void>;
  /** Resolves when no client is left: each ends with its connection, or when it can make no other. */
  ended: Promise<void>;
};

let loads = 0;

export function startLoad(server: Server, clients: number, choose: () => Choice): Load {
  const load = ++loads;
  const sent: Sent[] = [];
  let answered = 0;
  const waiting = new Set<{ count: number; resolve: () => void }>();

  async function askOn(agent: Agent): Promise<never> {
    for (;;) {
      const { shortCode, method = 'GET', headers = {} } = choose();
      const asked: Sent = { shortCode, method, headers, agent: `load ${load} request ${sent.length}` };
      sent.push(asked);
      asked.answer = await exchange(server, agent, asked);
      answered += 1;
      for (const { count, resolve } of waiting) if (answered >= count) resolve();
    }
  }

  const asking = Array.from({ length: clients }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // A connection that breaks ends its client: what it had asked has no answer, which the test looks at.
    await askOn(agent).catch(() => {});
    agent.destroy();
  });
  const ended = Promise.all(asking).then(() => {});
  return {
    sent,
    ended,
    async hasAnswers(count) {
      if (answered >= count) return;
      await Promise.race([new Promise<void>((resolve) => waiting.add({ count, resolve })), ended]);
    },
  };
}

/** Rejects unless the whole answer arrives. */
function exchange(
  server: Server,
  agent: Agent,
  asked: Asked,
): Promise<Pick<TestResponse, 'status' | 'text'>> {
  const { hostname, port } = new URL(server.url);
  const { method, shortCode, headers } = asked;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path: `/l/${shortCode}`,
        headers: { ...headers, 'user-agent': asked.agent },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('latin1').on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.once('error', reject);
        incoming.once('close', () => {
          if (incoming.complete) resolve({ status: incoming.statusCode ?? 0, text });
          else reject(new Error('the answer broke off'));
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end();
  });
}
