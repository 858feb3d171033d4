import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { messageOf } from '../../common/error-details.ts';
import type { EpochMs } from '../../core/model/link.ts';
import type { Deliver, Delivery, DueNotification } from '../../core/ports/notifications.ts';
import { prepareCheckAddress, prepareCheckReceiver, type ReceiverPolicy } from '../../core/rules/receiver.ts';
import type { Payload } from '../../core/use-cases/notify/payload.ts';
import type { WebhookSecret } from '../../core/use-cases/notify/settings.ts';
import { prepareResolveName, type Resolve } from './resolve-name.ts';
import { linkSecretOf, sign } from './signature.ts';

type WebhookOptions = {
  /** The current secret, and the one before during a change. */
  secrets: readonly WebhookSecret[];
  policy: ReceiverPolicy;
  clock: () => EpochMs;
  userAgent: string;
  /** Returns the W3C trace context of a delivery; undefined without traces. */
  traceparent?: (() => string | undefined) | undefined;
  /** Test overrides. */
  resolve?: Resolve;
  timeouts?: Timeouts;
};

/** The times for a connection, until the headers of the response, and for all. */
type Timeouts = { connectMs: number; headersMs: number; totalMs: number };

const TIMEOUTS: Timeouts = { connectMs: 5_000, headersMs: 10_000, totalMs: 15_000 };
/** The rest of a longer response is not read, and its connection is closed. */
const MAX_RESPONSE_BYTES = 4_096;
const IDLE_CONNECTION_MS = 4_000;

/** An address that the policy forbids. It is not retried: the administrator must change the policy. */
class ForbiddenReceiver extends Error {}

/**
 * Creates the delivery of webhooks. A connection is made only to an address that the policy allows. The name is looked up
 * once for each connection, and the connection is made to the address that was checked, so a name whose address changes
 * meanwhile leads nowhere else. Redirects are not followed, and a proxy of the environment is not used.
 */
export function createWebhookDelivery(options: WebhookOptions): { deliver: Deliver; close(): void } {
  const { secrets, policy, clock, userAgent, resolve = prepareResolveName(), timeouts = TIMEOUTS } = options;
  const { traceparent = () => undefined } = options;
  const checkReceiver = prepareCheckReceiver(policy);
  const checkAddress = prepareCheckAddress(policy);
  const pool = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  const agents = { 'http:': new http.Agent(pool), 'https:': new https.Agent(pool) };

  /** The receiver of a file request knows its secret, and not those of the links of received files. */
  function secretsOf(shortCode: string, payload: string): WebhookSecret[] {
    const { data } = JSON.parse(payload) as Partial<Payload>; // as the service wrote it
    const links = [shortCode, ...(data?.requestCode === undefined ? [] : [data.requestCode])];
    return secrets.flatMap((each) => links.map((link) => linkSecretOf(each, link)));
  }

  function headersOf({ id, kind, shortCode, payload }: DueNotification) {
    const signing = kind === 'LINK_WEBHOOK' ? secretsOf(shortCode, payload) : secrets;
    const timestamp = Math.floor(clock() / 1000);
    const trace = traceparent();
    return {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': sign(signing, { id, timestamp, body: payload }),
      ...(trace !== undefined && { traceparent: trace }),
    };
  }

  const deliver: Deliver = async (notification, signal) => {
    const url = URL.parse(notification.address);
    const protocol = url?.protocol;
    if (!url || (protocol !== 'https:' && protocol !== 'http:'))
      return { kind: 'FORBIDDEN', error: 'The receiver has no valid URL' };
    const problem = checkReceiver(url);
    if (problem !== undefined) return { kind: 'FORBIDDEN', error: `The receiver ${problem}` };
    const ended = new AbortController();
    const lookupSignal = AbortSignal.any([signal, ended.signal]);
    const send = protocol === 'https:' ? https.request : http.request;
    try {
      const request = send(url, {
        method: 'POST',
        agent: agents[protocol],
        lookup: prepareLookup({ resolve, checkAddress, url }, lookupSignal),
        headers: headersOf(notification),
        signal,
      });
      return toDelivery(await exchange(request, notification.payload, timeouts));
    } catch (error) {
      const kind = error instanceof ForbiddenReceiver ? 'FORBIDDEN' : 'RECEIVER_DOWN';
      return { kind, error: messageOf(error) };
    } finally {
      ended.abort(); // ends a lookup that goes on
    }
  };
  return {
    deliver,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Prepares the lookup of a name, which refuses it if any of its addresses is forbidden. */
function prepareLookup(
  parts: { resolve: Resolve; checkAddress: ReturnType<typeof prepareCheckAddress>; url: URL },
  signal: AbortSignal,
): LookupFunction {
  const { resolve, checkAddress, url } = parts;
  return (hostName, { all }, callback) => {
    resolve(hostName, signal).then(
      (addresses) => {
        const [first] = addresses;
        const problem = addresses
          .map(({ address }) => checkAddress(address, url))
          .find((each) => each !== undefined);
        if (problem !== undefined) callback(new ForbiddenReceiver(`The receiver ${problem}`), '');
        else if (!first) callback(new Error('The name of the receiver has no address'), '');
        else if (all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

/** Sends a request with its body, and resolves to the status of the response. Its body is discarded. */
function exchange(request: http.ClientRequest, body: string, timeouts: Timeouts): Promise<number> {
  const { connectMs, headersMs, totalMs } = timeouts;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const giveUp = (ms: number, what: string) =>
    setTimeout(() => request.destroy(new Error(`The receiver ${what} within ${ms / 1000} s`)), ms);
  const connecting = giveUp(connectMs, 'did not take a connection');
  const waiting = giveUp(headersMs, 'did not respond');
  const all = giveUp(totalMs, 'did not end its response');
  request.on('socket', (socket) => {
    const connected = 'encrypted' in socket ? 'secureConnect' : 'connect';
    if (!socket.connecting && request.reusedSocket) clearTimeout(connecting);
    else socket.once(connected, () => clearTimeout(connecting));
  });
  request.on('response', (response) => {
    clearTimeout(waiting);
    resolve(response.statusCode ?? 0);
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) request.destroy();
    });
    response.on('error', () => {}); // the status was enough
  });
  request.on('error', reject);
  request.on('close', () => {
    for (const timer of [connecting, waiting, all]) clearTimeout(timer);
    reject(new Error('The receiver closed the connection'));
  });
  request.end(body);
  return promise;
}

const GONE = 410;
/** Returns whether the receiver would refuse other messages too. */
const isBusy = (status: number): boolean => status >= 500 || status === 408 || status === 429;

function toDelivery(status: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'DELIVERED' };
  if (status === GONE) return { kind: 'GONE', error: 'The receiver responded with 410 Gone' };
  if (isBusy(status)) return { kind: 'RECEIVER_DOWN', error: `The receiver responded with ${status}` };
  const hint = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return { kind: 'RETRY', error: `The receiver responded with ${status}${hint}` };
}
