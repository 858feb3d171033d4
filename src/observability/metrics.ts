import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** From a cached redirect to a download over a slow connection. */
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** All metrics of the service. Each is declared only here. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of the service and of its process, in a separate registry. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    created: new Counter({
      name: 'secure_link_created_total',
      help: 'Links created, by type',
      labelNames: ['type'],
      registers,
    }),
    resolveAttempts: new Counter({
      name: 'secure_link_resolve_attempts_total',
      help: 'Attempts to open a link, without previews',
      registers,
    }),
    resolveSuccesses: new Counter({
      name: 'secure_link_resolve_success_total',
      help: 'Attempts that were granted',
      registers,
    }),
    resolveDenials: new Counter({
      name: 'secure_link_resolve_denied_total',
      help: 'Attempts that were denied, by reason',
      labelNames: ['reason'],
      registers,
    }),
    resolveDuration: new Histogram({
      name: 'secure_link_resolve_duration_seconds',
      help: 'Time from an attempt to its durable record',
      buckets: DURATION_BUCKETS_SECONDS,
      registers,
    }),
    previews: new Counter({
      name: 'secure_link_preview_total',
      help: 'Previews (HEAD, prefetches, confirmation pages), by the result that opening would have had',
      labelNames: ['reason'],
      registers,
    }),
    revoked: new Counter({
      name: 'secure_link_revoked_total',
      help: 'Links revoked, each counted once',
      registers,
    }),
    revokeDenials: new Counter({
      name: 'secure_link_revoke_denied_total',
      help: 'Requests to revoke that were denied, by reason',
      labelNames: ['reason'],
      registers,
    }),
    requests: new Histogram({
      name: 'http_server_requests_seconds',
      help: 'Time from a request to the end of its response',
      labelNames: ['method', 'uri', 'status'],
      buckets: DURATION_BUCKETS_SECONDS,
      registers,
    }),
  };
}
