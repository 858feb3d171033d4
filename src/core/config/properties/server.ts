import { accept } from '../../model/parsed.ts';
import {
  oneOf,
  type Parser,
  parseBaseUrl,
  parseBoolean,
  parseHost,
  parseNetworks,
  parseOrigins,
  parsePort,
  refuse,
} from '../parsers.ts';
import { define, unset } from '../property.ts';

/** From the least to the most severe. No line reaches the threshold `silent`. */
export const LOG_THRESHOLDS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Parses headers as OpenTelemetry writes them: `name=value` pairs, the values percent-encoded. */
const parseHeaders: Parser<Record<string, string>> = (text) => {
  try {
    const pairs = text.split(',').map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), decodeURIComponent(value.join('=')).trim()];
    });
    if (pairs.every(([, value]) => value !== '')) return accept(Object.fromEntries(new Headers(pairs)));
  } catch {
    // Neither a name, a value nor an escape may be malformed.
  }
  return refuse('must be name=value pairs of headers separated by commas, with percent-encoded values');
};

const parseServiceName: Parser<string> = (text) =>
  /^[\x20-\x7e]{1,200}$/.test(text) ? accept(text) : refuse('must be a name of printable ASCII characters');

const parseShare: Parser<number> = (text) =>
  /^(0(\.\d+)?|1(\.0+)?)$/.test(text)
    ? accept(Number(text))
    : refuse('must be a number from 0 to 1, such as 0.05');

/** Parses `always` or `never` into whether something is shown. */
const parseShown: Parser<boolean> = (text) => {
  const parsed = oneOf(['always', 'never'])(text);
  return parsed.ok ? accept(parsed.value === 'always') : parsed;
};

const PRIVATE_RANGES =
  '127.0.0.0/8, ::1/128, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, fc00::/7, fe80::/10';

/** The addresses of the service, and the proxies between it and its clients. */
export const SERVER_PROPERTIES = {
  baseUrl: unset({
    name: 'app.base-url',
    shown: 'http://localhost:<server.port>',
    parse: parseBaseUrl,
    meaning:
      'public address of the service, with which each accessUrl starts that has no host of app.hosts; may have a path',
  }),
  server: {
    host: define({
      name: 'server.host',
      byDefault: '::',
      parse: parseHost,
      meaning:
        'address to listen on; :: is all interfaces, IPv4 and IPv6 (0.0.0.0 on a machine without IPv6)',
    }),
    port: define({
      name: 'server.port',
      byDefault: '8080',
      parse: parsePort,
      meaning: 'port to listen on',
      alias: 'PORT',
    }),
    managementPort: unset({
      name: 'app.management.port',
      parse: parsePort,
      meaning:
        'second port, for health details, metrics, statistics of links, the audit, failed notifications, the dashboard and the API reference, which server.port then does not serve',
    }),
    corsAllowedOrigins: define({
      name: 'app.cors.allowed-origins',
      byDefault: 'none',
      parse: parseOrigins,
      meaning:
        'origins whose pages may call the service, separated by commas, such as https://app.example or chrome-extension://ID; * for all',
    }),
    trustedProxies: define({
      name: 'app.trusted-proxies',
      byDefault: PRIVATE_RANGES,
      shown: '(loopback and private ranges)',
      parse: parseNetworks,
      meaning: `proxies whose X-Forwarded-For is trusted: CIDRs or addresses separated by commas, or none; unset: ${PRIVATE_RANGES}`,
    }),
    healthDetails: define({
      name: 'management.endpoint.health.show-details',
      byDefault: 'always',
      parse: parseShown,
      meaning: 'always or never: whether /actuator/health shows its components',
    }),
  },
  log: {
    level: define({
      name: 'app.log.level',
      byDefault: 'info',
      parse: oneOf(LOG_THRESHOLDS),
      meaning: `lowest level that is logged: ${LOG_THRESHOLDS.join(', ')}`,
    }),
    hasAddresses: define({
      name: 'app.log.addresses',
      byDefault: 'false',
      parse: parseBoolean,
      meaning: 'true: the log line of each request has the IP address of its client',
    }),
  },
  tracing: {
    endpoint: unset({
      name: 'otel.exporter.otlp.endpoint',
      parse: parseBaseUrl,
      meaning: 'OpenTelemetry collector that gets traces (OTLP/HTTP as JSON), such as http://localhost:4318',
      alias: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    }),
    headers: unset(
      {
        name: 'otel.exporter.otlp.headers',
        parse: parseHeaders,
        meaning: 'headers that the collector wants, such as api-key=<key>, separated by commas',
        secret: true,
      },
      {},
    ),
    serviceName: define({
      name: 'otel.service.name',
      byDefault: 'postern',
      parse: parseServiceName,
      meaning: 'name of the service in traces',
    }),
    sampledShare: define({
      name: 'otel.traces.sampler.arg',
      byDefault: '1',
      parse: parseShare,
      meaning: 'share of the requests that are traced, 0 to 1; a request with a traceparent follows that',
    }),
  },
};
