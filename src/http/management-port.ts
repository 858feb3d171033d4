import type { IncomingMessage } from 'node:http';

/** The port that serves a route where `app.management.port` is set. */
export type ServingPort = 'public' | 'management' | 'both';

export const PAGE_NAMES = ['create', 'links', 'link', 'dashboard', 'docs'] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** The port of each page that only one of both ports serves. */
export const PAGE_PORTS = {
  create: 'public',
  links: 'public',
  link: 'public',
  dashboard: 'management',
  docs: 'management',
} as const satisfies Record<PageName, ServingPort>;

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
