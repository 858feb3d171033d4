import { LOG_THRESHOLDS, type LogThreshold } from '../../observability/log.ts';
import { oneOf, parseBaseUrl, parseHost, parseOrigins, parsePort, parseTrustedProxies } from '../parsers.ts';
import { define } from '../property.ts';

const PRIVATE_RANGES = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
];

/** Where the service listens, and what lies between it and its clients. */
export const SERVER_PROPERTIES = {
  host: define({
    name: 'server.host',
    fallback: '::',
    parse: parseHost,
    meaning: 'address to listen on; :: is all interfaces, IPv4 and IPv6 (0.0.0.0 on a machine without IPv6)',
  }),
  port: define({
    name: 'server.port',
    fallback: 8080,
    parse: parsePort,
    meaning: 'port to listen on',
    alias: 'PORT',
  }),
  baseUrl: define<string | null>({
    name: 'app.base-url',
    fallback: null,
    shown: 'http://localhost:<server.port>',
    parse: parseBaseUrl,
    meaning: 'public address of the service, with which every accessUrl starts; may have a path',
  }),
  managementPort: define<number | null>({
    name: 'app.management.port',
    fallback: null,
    shown: '(unset)',
    parse: parsePort,
    meaning:
      'second port, for health details, metrics, statistics, the dashboard and the API reference, which server.port then does not serve; unset: server.port serves everything',
    optional: true,
  }),
  corsAllowedOrigins: define<string[]>({
    name: 'app.cors.allowed-origins',
    fallback: [],
    shown: 'none',
    parse: parseOrigins,
    meaning:
      'origins whose pages may call the service, separated by commas, such as https://app.example; * for all',
  }),
  trustedProxies: define<string[]>({
    name: 'app.trusted-proxies',
    fallback: PRIVATE_RANGES,
    shown: '(loopback and private ranges)',
    parse: parseTrustedProxies,
    meaning: `proxies whose X-Forwarded-* headers are trusted: CIDRs or addresses separated by commas, or none; unset: ${PRIVATE_RANGES.join(', ')}`,
  }),
  healthDetails: define({
    name: 'management.endpoint.health.show-details',
    fallback: 'always',
    parse: oneOf(['always', 'never']),
    meaning: 'always or never: whether /actuator/health shows its components',
  }),
  logLevel: define<LogThreshold>({
    name: 'app.log.level',
    fallback: 'info',
    parse: oneOf(LOG_THRESHOLDS),
    meaning: `lowest level that is logged: ${LOG_THRESHOLDS.join(', ')}`,
  }),
};
