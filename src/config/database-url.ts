import {
  accepted,
  isLoopback,
  isPath,
  type Parsed,
  type Parser,
  parseHost,
  parsePort,
  refused,
} from './parsers.ts';

/** Where the embedded store keeps its file; a relative path starts at the working directory. */
export type SqliteLocation = Readonly<{ kind: 'sqlite'; path: string }>;

/** How a PostgreSQL database is reached, as its URL tells it. */
export type PostgresLocation = Readonly<{
  kind: 'postgres';
  /** In the order in which they are tried. A host that begins with `/` is the directory of a Unix socket. */
  hosts: readonly { host: string; port: number }[];
  database: string;
  user: string;
  password: string | null;
  /** null: no TLS. The files hold PEM texts. */
  tls: TlsFiles | null;
  /** Passes over hosts that only read, such as a standby. */
  mustBeWritable: boolean;
  /** Settings for each session, such as `-c search_path=links`. */
  sessionOptions: string | null;
}>;
export type TlsFiles = Readonly<{
  verify: 'nothing' | 'chain' | 'chain-and-host';
  caFile: string | null;
  certificateFile: string | null;
  keyFile: string | null;
}>;

export type DatabaseLocation = SqliteLocation | PostgresLocation;

/** A database in words that may be shown: without its user and password. */
export function describeDatabase(
  location: SqliteLocation | Pick<PostgresLocation, 'kind' | 'hosts' | 'database'>,
): string {
  if (location.kind === 'sqlite') return `sqlite:${location.path}`;
  const hosts = location.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `postgres://${hosts.join(',')}/${location.database}`;
}

const EXAMPLE_SQLITE = 'such as sqlite:data/postern.db or sqlite:/var/lib/postern/postern.db';
const EXAMPLE_POSTGRES =
  'such as postgres://postern:secret@db.example:5432/postern?sslmode=verify-full (special characters percent-encoded)';

/** `sqlite:<path>` or `postgres://…`. */
export const parseDatabaseUrl: Parser<DatabaseLocation> = (text) => {
  if (/^postgres(ql)?:/i.test(text)) return parsePostgresUrl(text);
  if (text.startsWith('sqlite:')) return parseSqliteUrl(text);
  return refused(`must be sqlite:<path>, ${EXAMPLE_SQLITE}, or postgres://…, ${EXAMPLE_POSTGRES}`);
};

/** Refuses what SQLite would open as something other than a file of exactly that name. */
function parseSqliteUrl(text: string): Parsed<SqliteLocation> {
  const path = text.slice('sqlite:'.length);
  if (path === ':memory:') {
    return refused(`would forget every link at a restart: it must name a file, ${EXAMPLE_SQLITE}`);
  }
  if (!isPath(path) || /^(\/\/|file:)|\?|\/$/.test(path)) {
    return refused(
      `must be sqlite: and a plain path to a file, without // before it or ? in it, ${EXAMPLE_SQLITE}`,
    );
  }
  return accepted({ kind: 'sqlite', path });
}

/** `postgres://user:password@host:port,host:port/database?name=value`, as libpq takes it (its manual, 32.1.1.2). */
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

/** libpq's modes but `allow` and `prefer`, which leave it to whoever is on the way whether anything is encrypted. */
const SSL_MODES = new Map<string, TlsFiles['verify'] | null>([
  ['disable', null],
  ['require', 'nothing'],
  ['verify-ca', 'chain'],
  ['verify-full', 'chain-and-host'],
]);

function parsePostgresUrl(text: string): Parsed<PostgresLocation> {
  const [, encodedUser = '', encodedPassword, servers = '', encodedDatabase = '', query = ''] =
    POSTGRES_URL.exec(text) ?? [];
  const user = decode(encodedUser);
  const password = encodedPassword === undefined ? null : decode(encodedPassword);
  const database = decode(encodedDatabase);
  if (!user || !database || password === undefined) {
    return refused(`must be postgres://<user>:<password>@<host>:<port>/<database>, ${EXAMPLE_POSTGRES}`);
  }
  const hosts = parseHosts(servers);
  if (!hosts.ok) return hosts;
  const parameters = parseParameters(query);
  if (!parameters.ok) return parameters;
  const tls = parseTls(parameters.value, hosts.value);
  if (!tls.ok) return tls;
  const { target_session_attrs: session = 'any', options = null } = parameters.value;
  if (session !== 'any' && session !== 'read-write') {
    return refused('must have target_session_attrs=any or target_session_attrs=read-write');
  }
  return accepted({
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

function parseHosts(text: string): Parsed<PostgresLocation['hosts']> {
  const hosts: { host: string; port: number }[] = [];
  for (const [index, server] of text.split(',').entries()) {
    const [, inBrackets, plain, portText = DEFAULT_PORT] =
      /^(?:\[([^\]]+)\]|([^:]+))(?::(.*))?$/.exec(server) ?? [];
    const host = decode(inBrackets ?? plain ?? '');
    const port = parsePort(portText);
    if (!host || !port.ok || !(isSocket(host) || parseHost(host).ok)) {
      return refused(
        `must have a host name or an address (IPv6 in brackets), and maybe a port, in each place; see host ${index + 1}`,
      );
    }
    hosts.push({ host, port: port.value });
  }
  return accepted(hosts);
}

function parseParameters(query: string): Parsed<Parameters> {
  const parameters: Parameters = {};
  for (const [index, part] of query === '' ? [] : query.split('&').entries()) {
    const [name, ...rest] = part.split('=');
    const known = PARAMETERS.find((candidate) => candidate === name);
    const value = decode(rest.join('='));
    if (known === undefined || known in parameters || !value) {
      return refused(
        `must have no other parameters than ${PARAMETERS.join(', ')}, each once and with a value; see parameter ${index + 1} (time-outs and the size of the pool are properties of their own)`,
      );
    }
    parameters[known] = value;
  }
  return accepted(parameters);
}

/** Whoever sends a password and targets over a network says whether they are encrypted; nothing is assumed. */
function parseTls(parameters: Parameters, hosts: PostgresLocation['hosts']): Parsed<TlsFiles | null> {
  const { sslmode, sslrootcert: caFile = null, sslcert = null, sslkey = null } = parameters;
  const modes = [...SSL_MODES.keys()].join(', ');
  if (sslmode === undefined && !hosts.every(({ host }) => isSocket(host) || isLoopback(host))) {
    return refused(
      `must say with sslmode whether the connection to another machine is encrypted: one of ${modes}`,
    );
  }
  const verify = sslmode === undefined ? null : SSL_MODES.get(sslmode);
  if (verify === undefined) return refused(`must have one of these as sslmode: ${modes}`);
  if (verify === null && (caFile ?? sslcert ?? sslkey) !== null) {
    return refused(
      'has certificates and no encryption: it must have sslmode=verify-full, verify-ca or require',
    );
  }
  if (verify === 'nothing' && caFile !== null) {
    return refused('has sslrootcert and does not check it: it must have sslmode=verify-full or verify-ca');
  }
  if ((sslcert === null) !== (sslkey === null)) return refused('must have sslcert and sslkey together');
  return accepted(verify && { verify, caFile, certificateFile: sslcert, keyFile: sslkey });
}

const isSocket = (host: string): boolean => host.startsWith('/');

/** The text without its percent-encoding; undefined where that is broken, or hides a NUL. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\u0000') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
