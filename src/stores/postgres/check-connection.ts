import { randomUUID } from 'node:crypto';
import type { PostgresLocation } from '../../common/locations.ts';
import type { Problem } from '../../core/model/problem.ts';
import { sqlStateOf } from './errors.ts';
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
export type Requirements = Pick<PostgresLocation, 'mustBeWritable'> & {
  /** In milliseconds, by the name of the setting. */
  timeouts: Readonly<Record<string, number>>;
};

/**
 * `tenant`: Neon turns fsync off, because its own storage makes commits durable. Its servers have this setting. `missing`:
 * the wanted time-outs that are not in force. A shorter one than the wanted one is as safe; 0 means none.
 */
const READ_SETTINGS = `SELECT current_setting('fsync') AS fsync,
           current_setting('synchronous_commit') AS synchronous_commit,
           current_setting('neon.tenant_id', true) AS tenant,
           current_setting('transaction_read_only') AS read_only,
           pg_postmaster_start_time()::text AS started_at,
           (SELECT string_agg(name || ' = ' || wanted_ms, ', ')
            FROM unnest($1::text[], $2::integer[]) AS wanted (name, wanted_ms)
            WHERE 1000 * extract(epoch FROM current_setting(name)::interval) NOT BETWEEN 1 AND wanted_ms) AS missing`;
type Settings = Record<'fsync' | 'synchronous_commit' | 'read_only' | 'started_at', string> &
  Record<'tenant' | 'missing', string | null>;

/**
 * Checks in one round trip that what a connection commits is durable and that the time-outs are in force. Returns when
 * the server was started.
 *
 * @throws UnsuitableConnection, and what `send` returns as error
 */
export async function checkConnection(
  send: Send,
  { timeouts, mustBeWritable }: Requirements,
): Promise<string> {
  const values = [Object.keys(timeouts), Object.values(timeouts)];
  const { results, error } = await send([{ statement: READ_SETTINGS, values }]);
  const [settings] = (results[0]?.rows ?? []) as Settings[]; // as the statement names its columns
  if (!settings) throw error;
  assertDurable(settings);
  if (mustBeWritable && settings.read_only !== 'off') throw new Error('it only reads');
  if (settings.missing !== null)
    throw new UnsuitableConnection(
      'database_settings_ignored',
      `not in force: ${settings.missing}. A connection pooler such as PgBouncer ignores what a client asks for at its start, ` +
        'the options of app.database.url included. Set all of it for the user with ALTER ROLE … SET, and let the pooler reconnect',
    );
  return settings.started_at;
}

/** Throws unless commits are durable. "An answer leaves only after its audit record and its view are durable." */
function assertDurable({ synchronous_commit, fsync, tenant }: Settings): void {
  const [setting, place] =
    synchronous_commit === 'off'
      ? ['synchronous_commit', 'for this user and database']
      : ['fsync', 'in postgresql.conf, and reload the configuration'];
  if (synchronous_commit !== 'off' && (fsync !== 'off' || tenant)) return;
  throw new UnsuitableConnection(
    'database_not_durable',
    `${setting} must not be off: commits are confirmed before they are durable, so that a crash would lose views. ` +
      `Set it to on ${place}`,
  );
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
        throw sqlStateOf(error) === UNKNOWN_STATEMENT ? new Error(FORGETS, { cause: error }) : error;
      } finally {
        await second.execute('ROLLBACK').catch(() => {}); // a lost connection is rolled back by the database
      }
    });
  });
}

const FORGETS =
  'The pooler forgets prepared statements between transactions: use PgBouncer 1.21 or newer with max_prepared_statements = 200, ' +
  'or pool_mode = session';
