import type { PostgresLocation, SqliteLocation, TlsSettings } from '../../common/locations.ts';
import { accept, type Parsed } from '../model/parsed.ts';
import { tryToDecode } from '../model/percent-encoding.ts';
import { fileParser, isLoopback, isPath, type Parser, parseHost, parsePort, refuse } from './parsers.ts';

/** The contents of a `postgres://…` URL. Its TLS files have not been read yet. */
export type PostgresUrl = Omit<PostgresLocation, 'tls' | 'connectTimeoutMs' | 'statementTimeoutMs'> &
  Readonly<{ kind: 'postgres'; tls: TlsFiles | null }>;
type TlsFiles = Readonly<{
  verify: TlsSettings['verify'];
  caFile: string | null;
  certificateFile: string | null;
  keyFile: string | null;
}>;

const EXAMPLE_SQLITE = 'such as sqlite:data/postern.db or sqlite:/var/lib/postern/postern.db';
const EXAMPLE_POSTGRES =
  'such as postgres://postern:secret@db.example:5432/postern?sslmode=verify-full (special characters percent-encoded)';

/** Parses `sqlite:<path>` or `postgres://…`. */
export const parseDatabaseUrl: Parser<SqliteLocation | PostgresUrl> = (text) => {
  if (/^postgres(ql)?:/i.test(text)) return parsePostgresUrl(text);
  if (text.startsWith('sqlite:')) return parseSqliteUrl(text);
  return refuse(`must be sqlite:<path>, ${EXAMPLE_SQLITE}, or postgres://…, ${EXAMPLE_POSTGRES}`);
};

/** Refuses names that SQLite would not open as a file of exactly that name. */
function parseSqliteUrl(text: string): Parsed<SqliteLocation, string> {
  const path = text.slice('sqlite:'.length);
  if (path === ':memory:')
    return refuse(`would lose every link at a restart; it must name a file, ${EXAMPLE_SQLITE}`);
  if (!isPath(path) || /^(\/\/|file:)|\?|\/$/.test(path)) {
    return refuse(
      `must be sqlite: and a plain path to a file, without // before it or ? in it, ${EXAMPLE_SQLITE}`,
    );
  }
  return accept({ kind: 'sqlite', path });
}

/** `postgres://user:password@host:port,host:port/database?name=value`, as in libpq's manual, 32.1.1.2. */
const POSTGRES_URL =
  /^postgres(?:ql)?:\/\/([^:@/?#]+)(?::([^@/?#]*))?@([^@/?#]+)\/([^@/?#]+)(?:\?([^#]*))?$/i;

const PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
  'options',
] as const;
type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>;

/** libpq's modes without `allow` and `prefer`, which let an attacker on the network turn encryption off. */
const SSL_MODES = new Map<string, TlsFiles['verify'] | null>([
  ['disable', null],
  ['require', 'nothing'],
  ['verify-ca', 'chain'],
  ['verify-full', 'chain-and-host'],
]);

function parsePostgresUrl(text: string): Parsed<PostgresUrl, string> {
  const [, encodedUser = '', encodedPassword, servers = '', encodedDatabase = '', query = ''] =
    POSTGRES_URL.exec(text) ?? [];
  const user = decode(encodedUser);
  const password = encodedPassword === undefined ? null : decode(encodedPassword);
  const database = decode(encodedDatabase);
  if (!user || !database || password === undefined)
    return refuse(`must be postgres://<user>:<password>@<host>:<port>/<database>, ${EXAMPLE_POSTGRES}`);
  const hosts = parseHosts(servers);
  if (!hosts.ok) return hosts;
  const parameters = parseParameters(query);
  if (!parameters.ok) return parameters;
  const tls = parseTls(parameters.value, hosts.value);
  if (!tls.ok) return tls;
  const { target_session_attrs: session = 'any', options = null } = parameters.value;
  if (session !== 'any' && session !== 'read-write')
    return refuse('must have target_session_attrs=any or target_session_attrs=read-write');
  return accept({
    kind: 'postgres',
    hosts: hosts.value,
    database,
    user,
    password,
    tls: tls.value,
    mustBeWritable: session === 'read-write',
    sessionOptions: options,
  });
}

const DEFAULT_PORT = '5432';

function parseHosts(text: string): Parsed<PostgresUrl['hosts'], string> {
  const hosts: { host: string; port: number }[] = [];
  for (const [index, server] of text.split(',').entries()) {
    const [, inBrackets, plain, portText = DEFAULT_PORT] =
      /^(?:\[([^\]]+)\]|([^:]+))(?::(.*))?$/.exec(server) ?? [];
    const host = decode(inBrackets ?? plain ?? '');
    const port = parsePort(portText);
    if (!host || !port.ok || !(isSocket(host) || parseHost(host).ok))
      return refuse(
        `must have a host name or an address (IPv6 in brackets), optionally with a port, for each host; see host ${index + 1}`,
      );
    hosts.push({ host, port: port.value });
  }
  return accept(hosts);
}

function parseParameters(query: string): Parsed<Parameters, string> {
  const parameters: Parameters = {};
  for (const [index, part] of query === '' ? [] : query.split('&').entries()) {
    const [name, ...rest] = part.split('=');
    const known = PARAMETERS.find((candidate) => candidate === name);
    const value = decode(rest.join('='));
    if (known === undefined || known in parameters || !value)
      return refuse(
        `must have no other parameters than ${PARAMETERS.join(', ')}, each once and with a value; see parameter ${index + 1} (timeouts and the pool size are separate properties)`,
      );
    parameters[known] = value;
  }
  return accept(parameters);
}

/** Requires `sslmode` for another machine: passwords and targets are not sent unencrypted by default. */
function parseTls(parameters: Parameters, hosts: PostgresUrl['hosts']): Parsed<TlsFiles | null, string> {
  const { sslmode, sslrootcert: caFile = null, sslcert = null, sslkey = null } = parameters;
  const modes = [...SSL_MODES.keys()].join(', ');
  if (sslmode === undefined && !hosts.every(({ host }) => isSocket(host) || isLoopback(host)))
    return refuse(
      `must say with sslmode whether the connection to another machine is encrypted: one of ${modes}`,
    );
  const verify = sslmode === undefined ? null : SSL_MODES.get(sslmode);
  if (verify === undefined) return refuse(`must have a known sslmode: one of ${modes}`);
  if (verify === null && (caFile ?? sslcert ?? sslkey) !== null)
    return refuse(
      'has certificates but no encryption; it must have sslmode=verify-full, verify-ca or require',
    );
  if (verify === 'nothing' && caFile !== null)
    return refuse('has sslrootcert but does not check it; it must have sslmode=verify-full or verify-ca');
  if ((sslcert === null) !== (sslkey === null)) return refuse('must have sslcert and sslkey together');
  return accept(verify && { verify, caFile, certificateFile: sslcert, keyFile: sslkey });
}

const isSocket = (host: string): boolean => host.startsWith('/');

/** Decodes percent-encoding. Returns undefined where it is malformed or contains a NUL. */
function decode(text: string): string | undefined {
  const decoded = tryToDecode(text);
  return decoded?.includes('\u0000') ? undefined : decoded;
}

/** Parses the path of a PEM file, which it reads, into its text. */
export const parsePemFile = fileParser<string>({
  content: 'a PEM file',
  maxBytes: 1024 ** 2, // all root certificates of a system take a quarter of it
  limit: '1 MiB',
  parse(bytes) {
    const text = bytes.toString('utf8');
    return text.includes('-----BEGIN ')
      ? accept(text)
      : refuse('has no block in PEM format; it must be the path of a PEM file');
  },
});
