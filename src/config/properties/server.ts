import { LOG_THRESHOLDS } from '../../observability/log.ts';
import { oneOf, parseBaseUrl, parseHost, parseNetworks, parseOrigins, parsePort } from '../parsers.ts';
import { define, unset } from '../property.ts';

const PRIVATE_RANGES =
  '127.0.0.0/8, ::1/128, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, fc00::/7, fe80::/10';

/** The addresses of the service, and the proxies between it and its clients. */
export const SERVER_PROPERTIES = {
  host: define({
    name: 'server.host',
    byDefault: '::',
    parse: parseHost,
    meaning: 'address to listen on; :: is all interfaces, IPv4 and IPv6 (0.0.0.0 on a machine without IPv6)',
  }),
  port: define({
    name: 'server.port',
    byDefault: '8080',
    parse: parsePort,
    meaning: 'port to listen on',
    alias: 'PORT',
  }),
  baseUrl: unset({
    name: 'app.base-url',
    shown: 'http://localhost:<server.port>',
    parse: parseBaseUrl,
    meaning: 'public address of the service, with which every accessUrl starts; may have a path',
  }),
  managementPort: unset({
    name: 'app.management.port',
    parse: parsePort,
    meaning:
      'second port, for health details, metrics, statistics, the dashboard and the API reference, which server.port then does not serve; unset: server.port serves everything',
  }),
  corsAllowedOrigins: define({
    name: 'app.cors.allowed-origins',
    byDefault: 'none',
    parse: parseOrigins,
    meaning:
      'origins whose pages may call the service, separated by commas, such as https://app.example; * for all',
  }),
  trustedProxies: define({
    name: 'app.trusted-proxies',
    byDefault: PRIVATE_RANGES,
    shown: '(loopback and private ranges)',
    parse: parseNetworks,
    meaning: `proxies whose X-Forwarded-* headers are trusted: CIDRs or addresses separated by commas, or none; unset: ${PRIVATE_RANGES}`,
  }),
  healthDetails: define({
    name: 'management.endpoint.health.show-details',
    byDefault: 'always',
    parse: oneOf(['always', 'never']),
    meaning: 'always or never: whether /actuator/health shows its components',
  }),
  logLevel: define({
    name: 'app.log.level',
    byDefault: 'info',
    parse: oneOf(LOG_THRESHOLDS),
    meaning: `lowest level that is logged: ${LOG_THRESHOLDS.join(', ')}`,
  }),
};
