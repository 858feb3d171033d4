import fc from 'fast-check';
import { anyString } from '../support/any-string.ts';
import { headersInSources } from '../support/read-headers.ts';
import { mutate, mutation, PIECES } from './mutations.ts';
import { BOUNDARY, KEY, type Links, PATHS, STATISTICS, validRequests } from './templates.ts';

/** The input of one connection. `cuts` divide the bytes into writes; `end` is how the client closes. */
export type Sent = { bytes: Buffer; cuts: number[]; end: (typeof ENDS)[number] };

/** Reads until the server is silent, then half-closes; half-closes after its last byte; or resets the connection. */
const ENDS = ['wait', 'half-close', 'reset'] as const;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'get', 'PROPFIND'];
/** Headers by which Node finds the body. Few values are valid. */
const FRAMING = ['Content-Length', 'Transfer-Encoding'];
/** Input that the service reads, and input that it may not read. */
const HEADER_NAMES = [
  ...[...headersInSources()].filter(
    (name) => /^[a-z-]+$/.test(name) && !FRAMING.some((each) => each.toLowerCase() === name),
  ),
  ...['Accept-Encoding', 'Connection', 'Cookie', 'Date', 'Expect', 'Forwarded', 'If-Match', 'If-Range'],
  ...['If-Modified-Since', 'If-Unmodified-Since', 'Range', 'Referer', 'Remote-User', 'Sec-Fetch-Dest'],
  ...['TE', 'Trailer', 'Upgrade', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', '__proto__'],
];
const HEADER_VALUES = [
  ...'|*|*/*|text/html|application/json;q=0|multipart/form-data|multipart/form-data; boundary='.split('|'),
  ...[
    'Bearer',
    'Bearer postern_x',
    'Basic eDp4',
    `Bearer ${KEY}`,
    'close',
    'keep-alive',
    'upgrade',
    'chunked',
  ],
  ...'bytes=0- bytes=-1 cross-site same-origin null https://evil.example 127.0.0.1 [::1]:80'.split(' '),
  ...'a.example, b.example|::ffff:10.0.0.1|for="[2001:db8::1]:1"|999.1.1.1|unknown|undefined'.split('|'),
];
const FIELDS = ['targetUrl', 'expiresAt', 'maxViews', 'password', 'confirm', 'file', 'ask', '__proto__', 'x'];
const QUERY_NAMES = ['start', 'end', 'unit', 'limit', 'previews', 'shortCode', '__proto__'];
const VALUES = (
  '|0|-1|1|true|false|null|2147483648|1e9|2026-01-01T00:00:00Z|+999999-01-01|https://example.com|' +
  'javascript:alert(1)|//x|https://a@b|http://[::1|https://\xfc.example/'
).split('|');

const latin1 = (array: Uint8Array): string => Buffer.from(array).toString('latin1');
const noise = fc.uint8Array({ maxLength: 40 }).map(latin1);
/** Bytes that end neither a header nor a request line. */
const visibleNoise = noise.map((text) => text.replaceAll(/[\0\r\n]/g, ''));
/** Bytes that may stand in a header's value. */
const headerNoise = noise.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''));
const piece = fc.constantFrom(...PIECES.filter((text) => text.length < 1_000));
const value = fc.oneof(fc.constantFrom(...VALUES), piece, noise);

const request = (line: string, headers: string, body = ''): string =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers}\r\n${body}`;

/** Valid requests of every kind, one or several on a connection, with changed bytes. */
function rawBytes(links: Links): fc.Arbitrary<string> {
  const valid = fc.constantFrom(...validRequests(links));
  return fc
    .record({
      texts: fc.array(valid, { minLength: 1, maxLength: 3 }),
      changes: fc.array(mutation, { minLength: 1, maxLength: 8 }),
      donor: valid,
    })
    .map(({ texts, changes, donor }) =>
      changes.reduce((text, change) => mutate(text, change, donor), texts.join('')),
    );
}

function headers(links: Links): fc.Arbitrary<string> {
  const name = fc.oneof(
    { arbitrary: fc.constantFrom(...HEADER_NAMES), weight: 8 },
    fc.stringMatching(/^[!#-'*+.\w^`|~-]{1,20}$/),
  );
  const legal = fc.tuple(name, fc.oneof(fc.constantFrom(...HEADER_VALUES), headerNoise));
  // Most requests have none of these, because Node refuses nearly each that has.
  const odd = fc.tuple(
    fc.oneof(name, fc.constantFrom(...FRAMING)),
    fc.oneof(fc.constantFrom(...HEADER_VALUES), visibleNoise),
  );
  const lines = fc.oneof(
    { arbitrary: fc.array(legal, { minLength: 1, maxLength: 40 }), weight: 5 },
    fc.array(fc.oneof(legal, odd), { minLength: 1, maxLength: 40 }),
  );
  const path = fc.constantFrom(...PATHS, ...Object.values(links).map((code) => `/l/${code}`));
  return fc
    .tuple(fc.constantFrom('GET', 'GET', 'GET', 'GET', 'POST', 'POST', ...METHODS), path, lines)
    .map(([method, target, lines]) =>
      request(`${method} ${target}`, lines.map(([name, text]) => `${name}: ${text}\r\n`).join('')),
    );
}

function paths(links: Links): fc.Arbitrary<string> {
  const known = fc.constantFrom(...PATHS, '/l', '/%6C', '/api', '/docs', '/assets');
  const segment = fc.oneof(
    fc.constantFrom('..', '.', '%2e%2e', '..%5c..', '%00', '%', '%zz', '\\', '', 'a', '\xc3\xa9', '\x80'),
    fc.constantFrom(...Object.values(links)),
    visibleNoise.map((text) => text.replaceAll(' ', '')),
    fc.integer({ min: 1, max: 33_000 }).map((count) => 'a'.repeat(count)),
  );
  return fc
    .tuple(fc.constantFrom(...METHODS), known, fc.array(segment, { maxLength: 6 }), visibleNoise)
    .map(([method, start, segments, query]) =>
      request(`${method} ${[start, ...segments].join('/')}?${query.replaceAll(' ', '')}`, ''),
    );
}

function queries(links: Links): fc.Arbitrary<string> {
  const parameter = fc.tuple(
    fc.oneof({ arbitrary: fc.constantFrom(...QUERY_NAMES), weight: 8 }, visibleNoise),
    fc.oneof(value, fc.constantFrom(...Object.values(links))),
    fc.boolean(),
  );
  const toText = ([name, text, isEncoded]: [string, string, boolean]): string =>
    `${name}=${isEncoded ? encodeURIComponent(text) : text.replaceAll(/[\0\r\n ]/g, '+')}`.replaceAll(
      ' ',
      '+',
    );
  return fc
    .tuple(fc.constantFrom(...STATISTICS, ...PATHS), fc.array(parameter, { maxLength: 8 }))
    .map(([path, parameters]) => request(`GET ${path}?${parameters.map(toText).join('&')}`, authorization));
}

const authorization = `Authorization: Bearer ${KEY}\r\n`;

/** True if the `Content-Length` is that of the body. */
const isTrueLength = fc.constantFrom(true, true, true, false);

function withLength(line: string, contentType: string, body: string, isTrue: boolean): string {
  const length = Math.max(0, body.length + (isTrue ? 0 : -3));
  return request(line, `${authorization}Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n`, body);
}

/** Fields that a creation accepts, so that some requests pass the checks. */
const GOOD_FIELDS: [string, fc.JsonValue][] = [
  ['maxViews', 3],
  ['password', 'fuzz'],
  ['confirm', true],
  ['expiresAt', '2099-01-01T00:00:00Z'],
];

function json(): fc.Arbitrary<string> {
  const odd = fc.tuple(
    fc.oneof({ arbitrary: fc.constantFrom(...FIELDS), weight: 8 }, fc.string()),
    fc.oneof(fc.constantFrom(...VALUES), fc.jsonValue(), fc.double(), anyString()),
  );
  const member = fc.oneof({ arbitrary: fc.constantFrom(...GOOD_FIELDS), weight: 6 }, odd);
  // Most objects have a target, and so reach the checks of the other fields.
  const good: [string, fc.JsonValue][] = [['targetUrl', 'https://example.com/']];
  const target = fc.constantFrom(good, good, good, []);
  const object = fc
    .tuple(target, fc.array(member, { maxLength: 5 }))
    .map(([first, others]) => [...first, ...others])
    .map(
      (members) =>
        `{${members.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`).join(',')}}`,
    );
  const nested = fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth));
  const body = fc.oneof({ arbitrary: object, weight: 9 }, fc.json(), nested, noise);
  const types = 'application/json|application/json; charset=utf-16|text/plain|application/x+json|'.split('|');
  return fc
    .tuple(
      body,
      fc.oneof({ arbitrary: fc.constant('application/json'), weight: 4 }, fc.constantFrom(...types)),
      fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, mutation),
      isTrueLength,
    )
    .map(([text, type, change, isTrue]) => {
      const bytes = Buffer.from(text).toString('latin1');
      const changed = change ? mutate(bytes, change, '{"a":[1]}') : bytes;
      return withLength('POST /api/links', type, changed, isTrue);
    });
}

function multipart(links: Links): fc.Arbitrary<string> {
  const name = fc.oneof({ arbitrary: fc.constantFrom(...FIELDS), weight: 6 }, noise);
  const fileName = fc.oneof(
    fc.constantFrom('a.txt', '../../etc/passwd', '', 'a\\b', '\0', '"', '\xe2\x80\xae'),
    noise,
  );
  const part = fc
    .record({ name, fileName: fc.option(fileName), content: value, more: fc.option(visibleNoise) })
    .map(({ name, fileName, content, more }) => {
      const file = fileName === null ? '' : `; filename="${fileName}"`;
      const extra = more === null ? '' : `${more}\r\n`;
      return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${extra}\r\n${content}\r\n`;
    });
  const loose = fc.oneof(part, part, part, piece);
  const upload = '/api/links/upload';
  const paths = [upload, upload, upload, upload, ...Object.values(links).map((code) => `/l/${code}`)];
  const types = [
    `multipart/form-data; boundary=${BOUNDARY}`,
    `multipart/form-data; boundary="${BOUNDARY}"; boundary=x`,
    'multipart/form-data; boundary=B',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    `multipart/mixed; boundary=${'B'.repeat(200)}`,
  ];
  const type = fc.oneof({ arbitrary: fc.constant(types[0] ?? ''), weight: 6 }, fc.constantFrom(...types));
  const end = fc.constantFrom(`--${BOUNDARY}--\r\n`, `--${BOUNDARY}--`, `--${BOUNDARY}`, '', '--B--\r\n');
  return fc

    .tuple(fc.constantFrom(...paths), type, fc.array(loose, { maxLength: 12 }), end, isTrueLength)
    .map(([path, contentType, parts, last, isTrue]) =>
      withLength(`POST ${path}`, contentType, parts.join('') + last, isTrue),
    );
}

export const KINDS = { raw: rawBytes, headers, paths, queries, json, multipart };
export type Kind = keyof typeof KINDS;

/** Returns what the connections of one run send. They are open at the same time. */
export function connections(kind: Kind, links: Links): fc.Arbitrary<Sent[]> {
  const end = fc.constantFrom<Sent['end']>('wait', 'wait', 'wait', 'wait', ...ENDS);
  const sent = fc.record({
    bytes: KINDS[kind](links).map((text) => Buffer.from(text, 'latin1')),
    cuts: fc.array(fc.nat({ max: 100_000 }), { maxLength: 3 }),
    end,
  });
  return fc.array(sent, { minLength: 1, maxLength: 8 });
}
