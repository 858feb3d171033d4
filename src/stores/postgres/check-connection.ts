import { randomUUID } from 'node:crypto';
import type { Problem } from '../../links/problem.ts';
import type { PostgresLocation } from '../../locations.ts';
import { ConnectionLost, sqlStateOf } from './errors.ts';
import type { Send } from './pipeline.ts';

/** Thrown when a database responds, but must not be used as it is. */
export class UnsuitableConnection extends Error {
  override readonly name = 'UnsuitableConnection';
  readonly problem: Problem;

  constructor(problem: Problem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** The requirements on a connection. */
export type Requirements = Pick<PostgresLocation, 'user' | 'mustBeWritable' | 'sessionOptions'> & {
  /** In milliseconds, by the name of the setting. */
  timeouts: Readonly<Record<string, number>>;
};

type Setting = { name: string; value: string | null };
type Settings = ReadonlyMap<string, string | null>;

/** A setting that the database does not have is null. */
const READ_SETTINGS =
  'SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS wanted (name)';
/** Returns values as the database writes them, such as 64MB for 65536. It changes nothing beyond its transaction. */
const NORMALIZE_SETTINGS = `SELECT name, set_config(name, value, true) AS value
         FROM unnest($1::text[], $2::text[]) AS wanted (name, value)`;
/**
 * Another server, a restarted or restored one, another database or a replaced table: each has another identity. Every
 * user may call these functions. A database that lacks them fails the statement.
 */
const READ_IDENTITY = `SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), oid,
           pg_relation_filenode(to_regclass('link'))) AS identity
         FROM pg_database WHERE datname = current_database()`;

const DURABILITY = ['synchronous_commit', 'fsync'];
/** Neon turns fsync off, because its own storage makes commits durable. Its servers have this setting. */
const NEON = 'neon.tenant_id';
const READ_ONLY = 'transaction_read_only';
/** The service sends these by themselves, and PostgreSQL prefers that to the same name in `options`. */
const SENT_SEPARATELY = new Set([
  'application_name',
  'client_encoding',
  'statement_timeout',
  'idle_in_transaction_session_timeout',
]);

/**
 * Checks in one round trip that what a connection commits is durable and that the wanted settings are in force.
 * Returns the identity of the database; null where it has none.
 *
 * @throws UnsuitableConnection, and what `send` returns as error
 */
export async function checkConnection(send: Send, wanted: Requirements): Promise<string | null> {
  const options = parseSessionOptions(wanted.sessionOptions).filter(({ name }) => !SENT_SEPARATELY.has(name));
  const names = [
    ...DURABILITY,
    NEON,
    READ_ONLY,
    ...Object.keys(wanted.timeouts),
    ...options.map(({ name }) => name),
  ];
  const { results, error } = await send([
    { statement: READ_SETTINGS, values: [names] },
    { statement: READ_IDENTITY, values: [] },
  ]);
  const [settingRows, identityRows] = results.map(({ rows }) => rows);
  if (!settingRows || error instanceof ConnectionLost) throw error;
  const settings = toMap(settingRows as Setting[]); // the columns of its statement
  assertDurable(settings);
  if (wanted.mustBeWritable && settings.get(READ_ONLY) !== 'off') throw new Error('it only reads');
  assertTimeouts(settings, wanted);
  await assertOptions(send, settings, options, wanted);
  const [row] = (identityRows ?? []) as { identity: string }[]; // as well
  return row?.identity ?? null;
}

/** Throws unless commits are durable. "An answer leaves only after its audit record and its view are durable." */
function assertDurable(settings: Settings): void {
  if (settings.get('synchronous_commit') === 'off')
    throw new UnsuitableConnection(
      'database_not_durable',
      'synchronous_commit must not be off for this user and database: commits are confirmed before they are ' +
        'durable, so that a crash would lose views. Set it to on',
    );
  if (settings.get('fsync') === 'off' && !settings.get(NEON))
    throw new UnsuitableConnection(
      'database_not_durable',
      'fsync must not be off: commits are confirmed before they are durable, so that a crash of the server would ' +
        'lose views. Set it to on in postgresql.conf and reload the configuration',
    );
}

/** Throws unless the time-outs are set. A shorter time-out than the wanted one is as safe. 0 means none. */
function assertTimeouts(settings: Settings, { timeouts, user }: Requirements): void {
  for (const [name, wantedMs] of Object.entries(timeouts)) {
    const value = settings.get(name) ?? null;
    const inForceMs = value === null ? wantedMs : toMilliseconds(value);
    if (inForceMs > 0 && inForceMs <= wantedMs) continue;
    throw ignored(`${name} is ${value}, but must be above 0 and at most ${wantedMs} ms`, {
      user,
      assignment: `${name} = ${wantedMs}`,
    });
  }
}

async function assertOptions(
  send: Send,
  settings: Settings,
  options: readonly { name: string; value: string }[],
  { user }: Requirements,
): Promise<void> {
  const differing = options.filter(({ name, value }) => !isSameValue(settings.get(name) ?? '', value));
  if (differing.length === 0) return;
  const normalized = await normalize(send, differing);
  for (const { name, value } of differing) {
    const inForce = settings.get(name) ?? '';
    if (inForce === normalized.get(name)) continue;
    throw ignored(`${name} is ${inForce || 'empty'}, but app.database.url asks for ${value} in its options`, {
      user,
      assignment: `${name} = ${name === 'search_path' ? value : `'${value.replaceAll("'", "''")}'`}`,
    });
  }
}

/** Returns the values as the database writes them; none when it refuses one, because then they cannot be in force. */
async function normalize(send: Send, options: readonly { name: string; value: string }[]): Promise<Settings> {
  const values = [options.map(({ name }) => name), options.map(({ value }) => value)];
  const { results, error } = await send([{ statement: NORMALIZE_SETTINGS, values }]);
  if (error instanceof ConnectionLost) throw error;
  return toMap((results[0]?.rows ?? []) as Setting[]); // the columns of its statement
}

function ignored(
  what: string,
  { user, assignment }: { user: string; assignment: string },
): UnsuitableConnection {
  return new UnsuitableConnection(
    'database_settings_ignored',
    `${what}. A connection pooler such as PgBouncer ignores what a client asks for at its start. ` +
      `Set it for the user: ALTER ROLE "${user.replaceAll('"', '""')}" SET ${assignment}; then let the pooler ` +
      'reconnect',
  );
}

function toMap(rows: readonly Setting[]): Settings {
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Parses libpq's `options`: `-c name=value`, `-cname=value` or `--name=value`, spaces escaped with a backslash. */
export function parseSessionOptions(options: string | null): { name: string; value: string }[] {
  const words = (options?.match(/(?:\\.|[^\s\\])+/gs) ?? []).map((word) => word.replaceAll(/\\(.)/gs, '$1'));
  const found = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const isAfterSwitch = words[index - 1] === '-c';
    const [, name = '', value] =
      /^(?:-c|--)?([^=-][^=]*)=(.*)$/s.exec(isAfterSwitch || /^(-c.|--)/.test(word) ? word : '') ?? [];
    // PostgreSQL reads a dash in a name as an underscore, and the last of several values holds.
    if (value !== undefined) found.set(name.replaceAll('-', '_'), value);
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

const UNIT_MS = new Map([
  ['us', 0.001],
  ['ms', 1],
  ['s', 1_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Returns a duration as PostgreSQL writes it, such as 10s, in milliseconds. Without a unit, these are milliseconds. */
export function toMilliseconds(value: string): number {
  const [, number = NaN, unit = 'ms'] = /^(\d+)([a-z]+)?$/.exec(value) ?? [];
  return Number(number) * (UNIT_MS.get(unit) ?? NaN);
}

/** Returns whether two values of a setting are the same list: `links, public` and `"links",public` are. */
export function isSameValue(one: string, other: string): boolean {
  return one === other || normalizeList(one) === normalizeList(other);
}

function normalizeList(value: string): string {
  const entries = value.replaceAll(/"([a-z_][a-z0-9_$]*)"/g, '$1').split(',');
  return entries.map((entry) => entry.trim()).join(',');
}

type Borrowed = { query(statement: string): Promise<unknown>; execute(sql: string): Promise<void> };
type Pool = { withConnection(use: (connection: Borrowed) => Promise<void>): Promise<void> };
const UNKNOWN_STATEMENT = '26000'; // invalid_sql_statement_name

/**
 * Checks that a prepared statement can be used in later transactions. A pooler may run each transaction on another
 * connection to the database. So while a second connection holds the one on which the statement was prepared, it is
 * used again.
 *
 * @throws when the pooler has forgotten the statement
 */
export async function assertStatementsStayPrepared({ withConnection }: Pool): Promise<void> {
  const statement = `SELECT 1::bigint AS one -- ${randomUUID()}`; // which no other client has prepared
  await withConnection(async (first) => {
    await first.query(statement);
    await withConnection(async (second) => {
      await second.execute('BEGIN');
      try {
        await first.query(statement);
      } catch (error) {
        if (sqlStateOf(error) !== UNKNOWN_STATEMENT) throw error;
        throw new Error(
          'The database forgets prepared statements between transactions, as a connection pooler in transaction mode ' +
            'does: PgBouncer before 1.21, or without max_prepared_statements. Use PgBouncer 1.21 or newer with ' +
            'max_prepared_statements = 200, or pool_mode = session, or connect without the pooler.',
          { cause: error },
        );
      } finally {
        await second.execute('ROLLBACK').catch(() => {}); // a lost connection is rolled back by the database
      }
    });
  });
}
