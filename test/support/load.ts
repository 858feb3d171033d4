import type { OutgoingHttpHeaders } from 'node:http';
import { startClients } from '../drive/clients.ts';
import { type Server, send, type TestResponse } from './http-client.ts';

/** The next request of a client: a plain GET unless it says otherwise. */
export type Choice = { shortCode: string; method?: 'HEAD'; headers?: OutgoingHttpHeaders };

/** A sent request with its unique user agent, and its response once that is complete. */
export type Sent = {
  shortCode: string;
  method: 'GET' | 'HEAD';
  headers: OutgoingHttpHeaders;
  agent: string;
  response?: TestResponse;
};

/** Clients that send requests without pause, each on one connection. */
export type Load = {
  /** Every request so far, in the order of sending. */
  sent: Sent[];
  /** Resolves when this many responses are complete, or no client is left. */
  waitForResponses(count: number): Promise<void>;
  /** Resolves when no client is left: each ends when its connection breaks. */
  ended: Promise<void>;
};

let loads = 0;

export function startLoad(server: Server, clients: number, choose: () => Choice): Load {
  const load = ++loads;
  const sent: Sent[] = [];
  let responses = 0;
  const running = startClients(clients, async (agent) => {
    const { shortCode, method = 'GET', headers = {} } = choose();
    const next: Sent = { shortCode, method, headers, agent: `load ${load} request ${sent.length}` };
    sent.push(next);
    const options = { agent, method, headers: { ...headers, 'user-agent': next.agent } };
    // A broken connection ends its client: its last request has no response, which the test checks.
    const response = await send(server, `/l/${shortCode}`, options).catch(() => undefined);
    if (!response) return false;
    next.response = response;
    responses += 1;
    running.advance();
    return true;
  });
  return {
    sent,
    ended: running.ended,
    async waitForResponses(count) {
      if (responses < count) await running.waitFor(count - responses);
    },
  };
}
