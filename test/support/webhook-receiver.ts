import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Cleanup } from './cleanup.ts';

export const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;

/** A webhook as it arrived. `remotePort` names its connection. */
export type ReceivedWebhook = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  remotePort: number | undefined;
};

/** Responds to one webhook; without a response, the receiver hangs. */
type Respond = (response: ServerResponse, webhook: ReceivedWebhook) => void;

/** A real receiver of webhooks on the loopback. */
export type WebhookReceiver = {
  url: string;
  port: number;
  received: ReceivedWebhook[];
  /** Changes how the next webhooks are responded to. */
  respond: Respond;
  /** Resolves once this many webhooks have arrived since the start. */
  waitFor(count: number): Promise<void>;
  close(): void;
};

export const respondWith =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end();

/** Starts a receiver that accepts all webhooks. It ends with the test. */
export async function startReceiver(t: Cleanup, port = 0): Promise<WebhookReceiver> {
  const arrivals = new EventEmitter();
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers, socket } = request;
    const webhook = { method, path, headers, body: await text(request), remotePort: socket.remotePort };
    receiver.received.push(webhook);
    receiver.respond(response, webhook);
    arrivals.emit('arrival');
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    received: [],
    respond: respondWith(204),
    async waitFor(count) {
      while (receiver.received.length < count) await once(arrivals, 'arrival');
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  t.after(receiver.close);
  return receiver;
}

/** Returns whether a webhook is signed with a secret, as the specification says. Independent of the code. */
export function isSignedWith(secret: string, { headers, body }: ReceivedWebhook): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
