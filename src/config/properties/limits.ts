import type { Rate } from '../../limits/rate-limiter.ts';
import { parseByteRate, parseRate, wholeNumber } from '../parsers.ts';
import { define } from '../property.ts';

/** What one client, and all clients together, may take up. */
export const LIMIT_PROPERTIES = {
  wrongPasswords: define<Rate | null>({
    name: 'app.limits.wrong-passwords',
    fallback: { events: 10, windowMs: 15 * 60_000 },
    shown: '10/PT15M',
    parse: parseRate,
    meaning:
      'wrong passwords of one client for one link in a period, then 429; none also removes the delay after wrong passwords of all clients',
  }),
  unknownCodes: define<Rate | null>({
    name: 'app.limits.unknown-codes',
    fallback: { events: 300, windowMs: 60_000 },
    shown: '300/PT1M',
    parse: parseRate,
    meaning:
      'requests of one client for links that do not exist in a period, then 429 for every link; or none',
  }),
  creations: define<Rate | null>({
    name: 'app.limits.creations',
    fallback: null,
    shown: 'none',
    parse: parseRate,
    meaning: 'POST /api/links by one API key, user or client in a period, such as 100/PT1H; or none',
  }),
  uploads: define<Rate | null>({
    name: 'app.limits.uploads',
    fallback: null,
    shown: 'none',
    parse: parseRate,
    meaning: 'POST /api/links/upload by one API key, user or client in a period, such as 20/PT1H; or none',
  }),
  changes: define<Rate | null>({
    name: 'app.limits.changes',
    fallback: { events: 6_000, windowMs: 60_000 },
    shown: '6000/PT1M',
    parse: parseRate,
    meaning: 'PATCH /api/links/{shortCode} by one API key, user or client in a period; or none',
  }),
  maxConnections: define({
    name: 'app.limits.connections',
    fallback: 10_000,
    parse: wholeNumber(1, 1_000_000),
    meaning: 'maximum open connections of an instance; further ones are closed at once',
  }),
  maxConnectionsPerClient: define({
    name: 'app.limits.connections-per-client',
    fallback: 500,
    parse: wholeNumber(1, 1_000_000),
    meaning:
      'maximum open connections of an IPv4 address or an IPv6 network of 64 bits; further ones get 503. Addresses in app.trusted-proxies have no such limit',
  }),
  minBytesPerSecond: define({
    name: 'app.limits.min-rate',
    fallback: 1024,
    shown: '1KB',
    parse: parseByteRate,
    meaning:
      'bytes per second that an upload or a download must reach on average: an upload over 30 seconds, a download with a surplus of 2 MB; same units; 0 or none: no minimum',
  }),
};
