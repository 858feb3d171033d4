import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createSlots } from '../limits/slots.ts';
import { clientKeyOf, toPlainAddress } from '../links/ip-address.ts';
import type { Clock } from '../links/ports.ts';
import { prepareIsTrusted } from './client-address.ts';
import { ERRORS } from './errors.ts';
import { toSocketError } from './response.ts';

type Settings = {
  maxConnections: number;
  maxConnectionsPerClient: number;
  trustedProxies: string[];
  clock: Clock;
  onRefused: (reason: 'connections' | 'connections_per_client') => void;
};

const RETRY_AFTER = ['retry-after', '10'];

/**
 * Returns a function that limits the connections of a server: in total, and of each client, which is an IPv4
 * address or an IPv6 network of 64 bits. Proxies are not limited, because they stand for many clients. The
 * servers that get the same function share the counts per client.
 *
 * A client over its limit gets 503. Over the total, connections are closed before they cost anything.
 */
export function prepareLimitConnections({ clock, onRefused, ...limits }: Settings): (server: Server) => void {
  const isTrusted = prepareIsTrusted(limits.trustedProxies);
  const slots = createSlots({ max: Number.POSITIVE_INFINITY, maxPerClient: limits.maxConnectionsPerClient });

  function limitClient(socket: Socket): void {
    const address = toPlainAddress(socket.remoteAddress ?? '');
    if (address === null || isTrusted(address)) return;
    const release = slots.acquire(clientKeyOf(address));
    if (release) return void socket.once('close', release);
    onRefused('connections_per_client');
    // Nothing lingers: connections that wait to be closed would use up the total.
    socket.end(toSocketError(ERRORS.tooManyConnections(), clock(), RETRY_AFTER)).destroySoon();
  }

  return (server) => {
    server.maxConnections = limits.maxConnections;
    server.on('drop', () => onRefused('connections'));
    server.on('connection', (socket: Socket) => {
      // A replayed request has its connection counted already, and is no socket of the system.
      if (socket.localPort !== undefined) limitClient(socket);
    });
  };
}
