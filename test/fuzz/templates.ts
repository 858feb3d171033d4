/** The short codes of the links that a fuzzed service has. */
export type Links = { plain: string; protectedLink: string; confirm: string; file: string; limited: string };

export const BOUNDARY = 'fuzz-boundary';
/** Long enough for `app.access.initial-key`. */
export const KEY = 'fuzz-initial-key-of-thirty-two-and-more-characters';
export const PASSWORD = 'fuzz-password';

export const STATISTICS = [
  'access/summary',
  'access/hourly',
  'access/daily',
  'access/over-time',
  'access/by-result',
  'access/failures',
  'links',
  'links/top',
  'security/exceptions',
].map((name) => `/api/stats/${name}`);

export const PATHS = [
  '/',
  '/dashboard',
  '/docs',
  '/openapi.json',
  '/favicon.ico',
  '/api/settings',
  '/api/links',
  '/api/links/upload',
  '/actuator/health',
  '/actuator/health/liveness',
  '/actuator/health/readiness',
  '/actuator/prometheus',
  ...STATISTICS,
];

const HEAD = `Host: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\n`;

function withBody(line: string, contentType: string, body: string): string {
  const length = Buffer.byteLength(body, 'latin1');
  return `${line} HTTP/1.1\r\n${HEAD}Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

const form = (...parts: string[]): string =>
  `${parts.map((part) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;

/** Returns valid requests of every kind, one character for each byte. */
export function validRequests(links: Links): string[] {
  const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\n${HEAD}${headers}\r\n`;
  const json = JSON.stringify({ targetUrl: 'https://example.com/', maxViews: 3, password: PASSWORD });
  const multipart = `multipart/form-data; boundary=${BOUNDARY}`;
  const chunked = `5\r\n{"tar\r\n1f;x=y\r\ngetUrl":"https://example.com/x"}\r\n0\r\nTrailer: x\r\n\r\n`;
  return [
    ...PATHS.map((path) => get(path)),
    ...Object.values(links).map((code) => get(`/l/${code}`)),
    get(`/l/${links.protectedLink}`, `X-Link-Password: ${PASSWORD}\r\n`),
    get(`/l/${links.confirm}`, 'Accept: text/html,*/*;q=0.8\r\nAccept-Language: de, en;q=0.5\r\n'),
    get(`/l/${links.plain}`, 'Accept: application/json\r\nX-Forwarded-For: 203.0.113.7, 10.0.0.1\r\n'),
    get(`/l/${links.file}`, 'Range: bytes=0-3\r\nIf-None-Match: "x"\r\nSec-Purpose: prefetch\r\n'),
    get(`/api/links/${links.plain}`, 'X-Link-Token: link_x\r\nX-Correlation-Id: fuzz\r\n'),
    get(`/api/stats/access/hourly?start=2026-01-01T00:00:00Z&end=2026-02-01T00:00:00Z`),
    get('/api/stats/links/top?limit=5&previews=true'),
    get('/l/x', 'Upgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n'),
    get('/l/x').replace('HTTP/1.1', 'HTTP/1.0'),
    get(`http://127.0.0.1/l/${links.plain}`),
    `HEAD /l/${links.plain} HTTP/1.1\r\n${HEAD}\r\n`,
    `DELETE /l/unknown1 HTTP/1.1\r\n${HEAD}\r\n`,
    `CONNECT 127.0.0.1:80 HTTP/1.1\r\n${HEAD}\r\n`,
    `TRACE / HTTP/1.1\r\n${HEAD}\r\n`,
    `OPTIONS /api/links HTTP/1.1\r\n${HEAD}Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
    withBody('POST /api/links', 'application/json', json),
    `POST /api/links HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    `POST /api/links HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
    withBody(`POST /l/${links.protectedLink}`, 'application/x-www-form-urlencoded', `password=${PASSWORD}`),
    withBody(`POST /l/${links.confirm}`, 'application/x-www-form-urlencoded', 'ask=true'),
    withBody(`POST /l/${links.protectedLink}`, multipart, form(`name="password"\r\n\r\n${PASSWORD}`)),
    withBody(
      'POST /api/links/upload',
      multipart,
      form(
        'name="maxViews"\r\n\r\n2',
        'name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\ncontent',
      ),
    ),
  ];
}
