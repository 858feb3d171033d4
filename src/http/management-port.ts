import type { IncomingMessage } from 'node:http';
import type { ServingPort } from './served-pages.ts';

const onManagementPort = new WeakSet<IncomingMessage>();

/** Remembers that a request arrived at `app.management.port`. */
export function markOnManagementPort(request: IncomingMessage): void {
  onManagementPort.add(request);
}

/** Returns true for a request that arrived at `app.management.port`. */
export function isOnManagementPort(request: IncomingMessage): boolean {
  return onManagementPort.has(request);
}

/** Returns whether the port at which a request arrived serves what is on `port`. */
export function isServedHere(
  request: IncomingMessage,
  port: ServingPort,
  managementPort: number | null,
): boolean {
  if (managementPort === null || port === 'both') return true;
  return (port === 'management') === isOnManagementPort(request);
}
