import type { IncomingMessage } from 'node:http';

const onManagementPort = new WeakSet<IncomingMessage>();

/** Remembers that a request arrived at `app.management.port`. */
export function markOnManagementPort(request: IncomingMessage): void {
  onManagementPort.add(request);
}

/** Returns true for a request that arrived at `app.management.port`. */
export function isOnManagementPort(request: IncomingMessage): boolean {
  return onManagementPort.has(request);
}
